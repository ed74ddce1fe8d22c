"""The Collections page: look inside, add documents, stop, go on, delete."""

from collections.abc import Sequence
from pathlib import Path
from threading import Semaphore
from typing import Any

import pytest
from app_page import SECONDS, AppPage
from ask_page import FILTER
from evidence_page import HOSTILE

from pages.components.shared import services

TANK = ("tank.md", b"# Tank\nThe tank holds two litres. Fill it with cold water. Wash it once a week.\n")
FILES = (
    ("broken.pdf", b"%PDF-1.4 rubbish"),
    ("empty.txt", b""),
    ("rows.csv", b"id,text\n1,The lever is steel.\n2,\n"),
    TANK,
)

pytestmark = pytest.mark.usefixtures("data")


def adding(name: str, *files: tuple[str, bytes]) -> AppPage:
    return AppPage("corpus").choose("Into the collection", name).upload(*files)


def test_a_collection_is_described_and_its_first_document_is_open() -> None:
    page = AppPage("corpus", collection="espresso-manual")
    line = "20 documents, 20 chunks · text in text · vector 384, cosine · embedded with all-MiniLM-L6-v2"
    assert line in page.text.splitlines()
    assert "The free Fennwick Home app controls" in page.text


def test_a_collection_is_read_by_another_field() -> None:
    page = AppPage("corpus", collection="espresso-manual").choose("Text field", "title")
    title = "Pairing the machine with the app"
    assert [one.value for one in page.app.markdown if one.value.endswith(title)] == [f"## {title}", title]
    assert "The free Fennwick Home app controls" in page.choose("Text field", "detected (text)").text


def test_a_search_marks_the_nearest_sentence() -> None:
    page = AppPage("corpus", collection="espresso-manual").fill("Search", FILTER)
    [best] = [line for line in page.text.splitlines() if line.startswith("1. · score 0.")]
    assert "water-filter · The AF-20 water filter" in best
    assert any(":green-background[**Replace the water filter every 2 months" in one.value for one in page.app.markdown)
    assert page.alerts() == []


def test_files_are_shown_as_chunks_first_and_what_is_skipped_is_named() -> None:
    page = adding("new", *FILES)
    assert "tank.md · Tank · 15 words, 3 sentences" in page.text
    assert "1b Fill it with cold water." in page.text
    assert page.text.count("Skipped:") == 3
    page.press("Add these documents").wait("Added to new: 2 documents, 2 chunks (2 new)")
    assert "3 skipped" in page.text
    for said in ("broken.pdf: The file is broken", "empty.txt: The file is empty.", "rows.csv, row 2, field text: "):
        assert f"- {said}" in page.text
    assert "Added to" not in page.press("Close").text


HOSTILE_FILE = ("<img src=x onerror=hacked()> $x$ **b**.md", "\n\n".join(["# " + HOSTILE[0], *HOSTILE[:2]]).encode())


@pytest.fixture(scope="module")
def added(data: Path) -> AppPage:
    """The page on which two documents were added twice."""
    page = adding("gone soon", HOSTILE_FILE, TANK)
    for new in (2, 0):
        page.press("Add these documents").wait(f"Added to gone soon: 2 documents, 2 chunks ({new} new)")
    return page


def test_the_same_documents_go_in_once_and_can_be_asked(added: AppPage) -> None:
    assert added.press("Ask it").chosen("Collection") == "gone soon"
    assert "2 documents, 2 chunks · text in text" in added.follow("Collections").text
    assert "<script>window.hacked = true</script>" in added.text


def test_a_newer_version_of_a_document_is_shown_at_once_with_as_many_chunks() -> None:
    page = adding("versions", TANK).press("Add these documents").wait("Added to versions: 1 document, 1 chunk (1 new)")
    assert "two litres" in page.tab("Look inside").text
    page.tab("Add documents").upload((TANK[0], TANK[1].replace(b"two", b"three"))).press("Add these documents")
    page.wait("Added to versions: 1 document, 1 chunk (1 new)").press("Close").tab("Look inside")
    assert "three litres" in page.text
    assert "two litres" not in page.text


def test_a_document_is_deleted_and_the_collection_when_its_name_is_typed(added: AppPage) -> None:
    page = AppPage("corpus", collection="gone soon").press("Delete this document")
    assert "1 document, 1 chunk · text in text" in page.text
    for typed, disabled in (("", True), ("gone", True), ("gone soon", False)):
        page.fill("Type “gone soon” to delete it", typed)
        assert page.find("Delete this collection").disabled is disabled
    page.press("Delete this collection")
    assert "The collection gone soon is deleted." in page.text
    assert page.chosen("Collection") != "gone soon"
    page.follow("Ask")
    assert not page.find("Your question").disabled
    assert page.alerts() == []


def test_a_name_that_is_a_path_names_no_collection() -> None:
    page = adding("../outside", TANK).press("Add these documents")
    assert "'../outside' cannot name a collection." in page.text


class Gate:
    """The real model, which reads one batch, and another each time that it is let in."""

    name, ready = "all-MiniLM-L6-v2", True

    def __init__(self, model: Any) -> None:
        self.model, self.let_in = model, Semaphore(1)

    def embed(self, texts: Sequence[str]) -> Any:
        assert self.let_in.acquire(timeout=SECONDS)
        return self.model.embed(texts)


def test_adding_is_stopped_resumed_and_goes_on_without_the_page() -> None:
    table = "text\n" + "".join(f"Pump {n} runs at {n % 17} bar.\n" for n in range(300))
    collections = services.collections()
    collections.embedder = gate = Gate(collections.embedder)
    page = adding("rows", ("rows.csv", table.encode())).press("Add these documents").wait("64 of 300 documents")
    page.press("Stop adding")
    gate.let_in.release()
    assert "Resume continues from here." in page.wait("Stopped.").text
    assert "You can close this page; it continues." in page.press("Resume").text
    gate.let_in.release(1000)  # for what is embedded after them as well
    page = AppPage("corpus").wait("", without="You can close this page; it continues.")
    collections.embedder = gate.model
    assert "Added to" not in page.text  # said to who pressed alone
    assert "300 documents, 300 chunks · text in text" in page.choose("Collection", "rows").text
