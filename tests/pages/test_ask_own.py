"""The second tab: score what a person brings, edit it, score again."""

from pathlib import Path

import pytest
from app_page import AppPage, app_on
from ask_page import METRICS
from run_examples import labeled
from run_page import CONFIG, url_of

from trace_core import demo
from trace_core.metrics import Scoring
from trace_core.store.store import open_store
from trace_core.summary.trust import run_trust

TANK = "The tank holds 2 litres. It is made of glass."
OWN = {"view": "Score your own"}

pytestmark = pytest.mark.usefixtures("data")


def scored(question: str, document: str, answer: str) -> AppPage:
    page = AppPage(**OWN).fill("Question", question).fill("Document 0", document).fill("Answer", answer)
    return page.press("Score")


def test_without_texts_it_says_what_to_do() -> None:
    page = AppPage(**OWN)
    assert "Fill in the fields and press Score" in page.text
    assert "Nothing to score yet. Paste an answer or a document." in page.press("Score").alerts()
    assert page.parts("trace_evidence") == []


def test_an_edited_answer_is_compared_with_the_version_before() -> None:
    page = scored("How big is the tank?", TANK, "The tank holds 2 litres.")
    assert [card["label"] for card in page.parts("trace_scorecard")[0]["metrics"]] == METRICS
    assert page.shown()[-1] == "1.00"
    assert "Compared with the version before" not in page.text
    page.fill("Answer", "The tank holds 2 litres. Elephants never forget birthdays in Paris.").press("Score")
    assert page.shown()[-1] == "0.00"
    marked = [one.value for one in page.app.markdown if "**Elephants never forget birthdays in Paris**" in one.value]
    assert len(marked) == 1
    assert "Adherence 1.00 → 0.00 (-1.00)" in page.text
    assert "Context relevance 0.05 ·" in page.text


def test_a_pasted_answer_and_what_is_typed_since_survive_a_reload() -> None:
    page = scored("How big is the tank?", TANK, "The tank holds 2 litres.")
    scores = page.shown()
    page = AppPage(**page.address)
    assert page.find("Document 0").value == TANK
    assert page.shown() == scores
    page = AppPage(**page.fill("Question", "How big is it?").address)
    assert page.find("Question").value == "How big is it?"
    assert page.shown() == scores
    page.follow("Guide").follow("Ask")
    assert page.find("Question").value == "How big is it?"
    assert page.shown() == scores


def test_a_run_has_what_is_added_to_it_under_its_own_convention_and_divisor(tmp_path: Path) -> None:
    (tmp_path / "demo-runs-loaded").touch()
    with app_on(tmp_path, TRACE_RELEVANCE_DIVISOR="10"):
        page = scored("How big is the tank?", TANK, "The tank holds 2 litres.")
        page.choose("Run", "mine").press("Add")
        page.choose("Convention", "share of sentences").press("Score").choose("Run", "mine").press("Add")
        store = open_store(url_of(tmp_path)).runs
    [run] = store.list_runs()
    of_page = store.columns(run.id).score(Scoring.of_run(run.config)).values["context_relevance"]
    assert of_page.tolist() == [0.1, 0.1]
    assert run.means["context_relevance"] == 0.1
    assert run_trust(run.config).startswith("It flags ")


def test_a_record_is_added_to_no_run_that_lacks_records(data: Path) -> None:
    store = open_store(url_of(data)).runs
    for name, total in (("half", 2), ("whole", 1)):
        store.save_records(store.create_run(name, CONFIG, total=total, status="stopped"), [labeled("q1")])
    assert scored("How big is the tank?", TANK, "The tank holds 2 litres.").options("Run") == ["whole"]


def test_of_texts_in_another_language_is_said_what_to_set() -> None:
    german = "Der Tank fasst zwei Liter, und die Lampe zeigt an, wann er leer ist."
    [warning] = scored("Wie viel fasst der Tank?", german, german).alerts()
    assert "These texts are not in English." in warning
    assert "Set TRACE_EMBEDDING_MODEL to a multilingual model, and OPENAI_API_KEY" in warning


def test_a_record_opens_in_the_editor() -> None:
    example = demo.examples()[0]
    assert example.response
    page = AppPage()
    scores = page.shown()
    page.press("Edit and score again")
    assert page.find("Question").value == example.question
    assert page.find("Answer").value == example.response.text
    for i, document in enumerate(example.documents):
        assert page.find(f"Document {i}").value == document.text
    assert page.shown() == scores
    assert "Compared with the version before" in page.fill("Answer", "Nothing.").press("Score").text
    page.tab("Ask a collection")
    assert example.question in page.text
    assert page.shown() == scores
