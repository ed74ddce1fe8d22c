"""The public demo: what it says, allows and keeps to itself; nobody finds or changes another's work."""

import json
from pathlib import Path

import pytest
from app_page import AppPage
from ask_page import FILTER
from run_examples import row
from run_page import MORE, url_of

from pages.components.shared.visitors import NOTICE
from trace_core.demo.limits import LONGEST, ROWS
from trace_core.store.store import open_store

DATA = "demo"
TOO_LONG = "word " * (LONGEST // 5 + 1)
REFUSED = f"The demo reads up to {LONGEST:,} characters at once"
TANK = ("tank.md", b"The tank holds two litres.")
MEASURED = "2 records, 4 documents, Token F1 by extractive"

pytestmark = pytest.mark.usefixtures("data")


def rows(*numbers: int) -> bytes:
    return "\n".join(json.dumps(row(n)) for n in numbers).encode()


def adding(name: str) -> AppPage:
    """A visitor's page of a document for that collection."""
    return AppPage("corpus").choose("Into the collection", name).upload(TANK)


def test_a_visitor_is_told_what_disappears_and_no_folder_and_no_question_is_logged(data: Path) -> None:
    page = AppPage()
    assert NOTICE in page.text
    assert not any(str(data) in str(getattr(node, "proto", "")) for node in page.app._tree)
    assert page.ask(FILTER).address["record"]
    assert not (data / "queries.jsonl").exists()


def test_long_texts_to_score_are_refused() -> None:
    page = AppPage(view="Score your own").fill("Document 0", TOO_LONG).press("Score")
    assert REFUSED in page.text


def test_long_texts_on_the_guide_are_refused() -> None:
    page = AppPage("guide", topic="Try it")
    assert NOTICE in page.text
    page.fill("Document 0", TOO_LONG)
    assert REFUSED in page.text
    assert page.parts("trace_evidence") == []


def test_the_owners_runs_are_neither_renamed_nor_deleted() -> None:
    page = AppPage("runs").pick("runs-", 0)
    assert "In demo mode nothing can be renamed or deleted." in page.text
    assert "Rename or note" not in page.text
    assert "Delete" not in page.text


def test_the_owners_runs_are_not_corrected(data: Path) -> None:
    page = AppPage("review", run="after", record="q1")
    assert "In demo mode you can correct only runs that you made" in page.text
    assert "Save" not in page.text
    assert open_store(url_of(data)).corrections.of_run("after") == {}


def test_a_visitors_data_set_is_small_and_made_without_the_owners_model() -> None:
    page = AppPage("runs", show="Data sets")
    assert "Make them from a collection" not in page.text  # which would ask the owner's model
    page.upload(("many.jsonl", rows(*range(ROWS + 1)))).press("Save this data set")
    assert f"The demo takes at most {ROWS} rows at once." in page.text
    assert "many:" not in page.text


@pytest.fixture(scope="module")
def ada(data: Path) -> AppPage:
    """The page of a visitor who made a data set, a run of it, and measured that."""
    page = AppPage("runs", show="Data sets").upload(("of ada.jsonl", rows(7, 8))).press("Save this data set")
    page.tab("Runs")
    assert page.options("Labeler") == ["local model"]
    assert page.chosen("Data set") == "of ada (2 rows)"
    page.press("Start").wait("2 records · Adherence", without="Stop").tab("Numbers").unfold(MORE)
    return page.press("Measure: 4 extractive answers, no paid call")


def test_a_visitors_run_asks_no_model(ada: AppPage, data: Path) -> None:
    assert MEASURED in ada.text
    (made,) = [run for run in open_store(url_of(data)).runs.list_runs() if run.dataset_id]
    assert (made.config["labeler"], made.config["answerer"]) == ("local", "extractive")


def test_a_visitors_work_is_in_nobody_elses_lists_but_read_by_whoever_has_the_link(ada: AppPage) -> None:
    run = ada.address["run"]
    assert "3 runs" in ada.press("All runs").text
    other = AppPage("runs")
    assert "2 runs" in other.text
    other.tab("Data sets")
    assert "Two rows: 2 rows" in other.text
    assert "of ada" not in other.text
    other.go("review", run=run)
    assert "of ada" not in " ".join([other.text, *other.options("Run")])
    other.go("runs", run=run, tab="Numbers").unfold(MORE)
    assert "2 records · Adherence" in other.text
    assert MEASURED in other.text


def test_the_demos_collections_stay_as_they_are() -> None:
    page = AppPage("corpus")
    assert "In demo mode nothing can be deleted." in page.text
    assert "espresso-manual" not in page.options("Into the collection")
    page = adding("espresso-manual").press("Add these documents")
    assert "the demo's own collections stay as they are" in page.text


def test_a_visitors_collection_is_in_nobody_elses_lists_and_its_name_is_taken() -> None:
    page = adding("of ada").press("Add these documents").wait("Added to of ada: 1 document, 1 chunk (1 new)")
    assert page.tab("Look inside").chosen("Collection") == "of ada"
    assert "embedded with" in page.text
    assert "of ada" not in AppPage("corpus").options("Collection")
    assert "The name 'of ada' is taken." in adding("of ada").press("Add these documents").text
