"""The Collections page in a browser: look inside, add documents, watch, stop, go on, delete."""

from __future__ import annotations

from pathlib import Path

import pytest
from ask_page import STAYS, choose_file, no_error, open_menu, question_box, rerun, settled, tab_to
from corpus_page import about, add_tab, begin, close, ended, into, opened, upload
from evidence_page import HOSTILE
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
DASHBOARD = "collections"

TANK = "# Tank\nThe tank holds two litres. Fill it with cold water. Wash it once a week.\n"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "tank.md").write_text(TANK, encoding="utf-8")
    (docs / "empty.txt").touch()
    (docs / "broken.pdf").write_bytes(b"%PDF-1.4 rubbish")
    (docs / "rows.csv").write_text("id,text\n1,The lever is steel.\n2,\n", encoding="utf-8")
    return docs


def choose_field(page: Page, name: str) -> None:
    with rerun(page):
        open_menu(page.get_by_role("combobox", name="Text field"))
        page.get_by_role("option", name=name, exact=True).click()


def test_a_collection_is_searched_and_the_keyboard_alone_adds_files(page: Page, app: str, docs: Path) -> None:
    opened(page, app)
    line = "20 documents, 20 chunks · text in text · vector 384, cosine · embedded with all-MiniLM-L6-v2"
    expect(about(page, "espresso-manual")).to_have_text(line)
    main = page.get_by_test_id("stMain")
    expect(main.get_by_text("The free Fennwick Home app controls")).to_be_visible()  # the first document is open
    page.get_by_role("button", name="How it is read").click()
    choose_field(page, "title")
    expect(main.get_by_text("Pairing the machine with the app", exact=True)).to_have_count(2)
    choose_field(page, "detected (text)")
    page.keyboard.press("Escape")
    search = page.get_by_role("textbox", name="Search")
    with rerun(page):
        search.fill("How often do I change the water filter?")
        search.press("Enter")
    best = page.get_by_text("1. · score 0.").locator("visible=true")
    expect(best).to_contain_text("water-filter · The AF-20 water filter")
    near = main.locator("strong").filter(has_text="Replace the water filter every 2 months")
    expect(near).to_be_visible()
    no_error(page)

    page.get_by_role("tab", name="Look inside").focus()
    with rerun(page):
        page.keyboard.press("ArrowRight")
    tab_to(page, "Into the collection")
    page.keyboard.type("by keyboard")
    expect(page.get_by_role("option").filter(has_text="by keyboard")).to_be_visible()
    with rerun(page):
        page.keyboard.press("Enter")
    tab_to(page, "Upload")
    choose_file(page, *sorted(docs.iterdir()), key="Enter")
    expect(main).to_contain_text("tank.md · Tank · 15 words, 3 sentences")
    expect(main).to_contain_text("1b Fill it with cold water.")
    expect(main.get_by_text("Skipped:")).to_have_count(3)
    tab_to(page, "Add these documents")
    with rerun(page):
        page.keyboard.press("Enter")
    expect(ended(page, "Added to")).to_contain_text("Added to by keyboard: 2 documents, 2 chunks (2 new)")
    panel = page.get_by_test_id("stExpander").filter(has_text="3 skipped")
    for said in ("broken.pdf: The file is broken", "empty.txt: The file is empty.", "rows.csv, row 2, field text: "):
        expect(panel).to_contain_text(said)
    close(page)


def test_documents_go_in_once_can_be_asked_and_go_when_the_collections_name_is_typed(
    page: Page, app: str, tmp_path: Path
) -> None:
    hostile = tmp_path / "<img src=x onerror=hacked()> $x$ **b**.md"
    hostile.write_text("# " + HOSTILE[0] + "\n" + "\n\n".join(HOSTILE[:2]), encoding="utf-8")
    (tmp_path / "tank.md").write_text(TANK, encoding="utf-8")
    opened(page, app)
    add_tab(page)
    into(page, "gone soon")
    upload(page, hostile, tmp_path / "tank.md")
    for new in (2, 0):
        begin(page)
        said = ended(page, "Added to")
        expect(said).to_contain_text(f"2 documents, 2 chunks ({new} new)")
        button = page.get_by_role("button", name="Add these documents").bounding_box()
        box = said.bounding_box()
        assert button is not None and box is not None  # noqa: PT018
        assert 0 < box["y"] - button["y"] < 200, "what came of it stands where the button is"
        if new:
            close(page)
    with rerun(page):
        page.get_by_role("button", name="Ask it").click()
    assert page.get_by_role("combobox", name="Collection", exact=True).input_value() == "gone soon"
    with rerun(page):
        page.get_by_role("link", name="Collections", exact=True).click()
    expect(about(page, "gone soon")).to_contain_text("2 documents, 2 chunks")
    expect(page.get_by_text("<script>window.hacked = true</script>").first).to_be_visible()
    expect(page.locator('[data-testid="stMain"] :is(script, .katex, img[src="x"])')).to_have_count(0)
    assert page.evaluate("window.hacked") is None
    page.get_by_role("button", name="Delete", exact=True).nth(1).click()
    with rerun(page):
        page.get_by_role("button", name="Delete this document").click()
    expect(about(page, "gone soon")).to_contain_text("1 document, 1 chunk")
    page.get_by_role("button", name="Delete", exact=True).first.click()
    button = page.get_by_role("button", name="Delete this collection")
    expect(button).to_be_disabled()
    name = page.get_by_role("textbox", name="to delete it")
    name.fill("gone")
    expect(button).to_be_disabled()
    name.fill("gone soon")
    expect(button).to_be_enabled()
    button.evaluate(STAYS)  # a click on what moves meanwhile is lost
    with rerun(page):
        button.click()
    expect(page.get_by_text("The collection gone soon is deleted.")).to_be_visible()
    expect(page.get_by_role("combobox", name="Collection", exact=True)).not_to_have_value("gone soon")
    with rerun(page):
        page.get_by_role("link", name="Ask", exact=True).click()
    expect(question_box(page)).to_be_enabled()
    no_error(page)


def test_adding_goes_on_without_the_page_and_is_stopped_and_resumed(page: Page, app: str, tmp_path: Path) -> None:
    table = tmp_path / "rows.csv"
    table.write_text("text\n" + "".join(f"Pump {n} runs at {n % 17} bar.\n" for n in range(300)), encoding="utf-8")
    opened(page, app)
    add_tab(page)
    into(page, "../outside")
    upload(page, table)
    begin(page)
    expect(page.get_by_text("'../outside' cannot name a collection.")).to_be_visible()
    into(page, "rows")
    page.get_by_role("button", name="Add these documents").click()
    page.get_by_role("button", name="Stop adding").click()
    expect(ended(page, "Stopped.")).to_contain_text("Resume continues from here.")
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_text("You can close this page; it continues.")).to_be_visible()
    page.goto("about:blank")
    opened(page, app)
    add_tab(page)
    settled(page)
    expect(page.get_by_text("You can close this page; it continues.")).to_have_count(0, timeout=120_000)
    expect(page.get_by_test_id("stAlert").filter(has_text="Added to")).to_have_count(0)  # said to who pressed alone
    expect(about(page, "rows")).to_contain_text("300 documents, 300 chunks")
