"""What a judge adds to the pages of runs: a suggested mapping, and what it left open."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from app_page import AppPage, app_on
from judge_server import MODEL, Asked, JudgeServer, completion, judge_server
from run_examples import supported
from run_page import url_of

from trace_core.labeling import GptLabeler
from trace_core.llm import Llm
from trace_core.pipeline import evaluate
from trace_core.store.store import open_store

KEY = "sk-test-0123456789"
HEADINGS = {"question": "Wir fragten", "documents": "Fundstelle", "response": "Der Bot"}


def leaves_out(asked: Asked):
    """Of two sentences the second is left out, when asked for it too; the judge of one says all."""
    if asked.is_repair:
        return completion({"sentence_support_information": []})
    return completion(supported("a"))


def suggests(asked: Asked):
    if "columns" in asked.material:
        return completion({"choices": [{"field": field, "column": column} for field, column in HEADINGS.items()]})
    return completion(supported("a"))


@pytest.fixture(scope="module")
def judge() -> Iterator[JudgeServer]:
    with judge_server(leaves_out) as server:
        yield server


@pytest.fixture(scope="module", autouse=True)
def data(judge: JudgeServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("data")
    for name in ("demo-loaded", "demo-runs-loaded"):
        (folder / name).touch()
    labeler = GptLabeler(Llm(MODEL, KEY, base_url=judge.url))
    answers = {"q1": "Cats purr. Dogs bark.", "q2": "Cats purr. Fish swim.", "q3": "Cats purr."}
    records = [
        evaluate(f"What of {name}?", ["Cats purr. Dogs bark."], answer, labeler=labeler).model_copy(update={"id": name})
        for name, answer in answers.items()
    ]
    store = open_store(url_of(folder)).runs
    store.create_run("open", {"labeler": "gpt", "convention": "trace"}, total=3, status="done", run_id="open")
    store.save_records("open", records)
    with app_on(folder, OPENAI_BASE_URL=judge.url, OPENAI_API_KEY=KEY, TRACE_MODEL=MODEL):
        yield folder


def test_records_without_adherence_are_found_by_the_reason() -> None:
    page = AppPage("runs", run="open", tab="Numbers", undefined="adherence:unlabeled")
    assert "2 of 3 records match" in page.text
    assert page.card("Adherence")["shown"] == "undefined"
    page.press("Show all")
    assert page.card("Adherence")["shown"] == "1.000"  # of the one that has it
    assert page.card("Adherence")["counts"] == "1 defined, 2 undefined, 0 failed"
    assert page.alerts() == []


def table_of(*rows: str) -> bytes:
    return "\n".join([",".join(HEADINGS.values()), *rows]).encode()


ROWS = [f"What of {n}?,It is {n} metres high.,It is {n} metres high." for n in range(1, 5)]


@pytest.fixture(scope="module")
def scored(judge: JudgeServer, data: Path) -> AppPage:
    """A page on which the first file was read as the judge proposed, and scored."""
    judge.reply = suggests
    page = AppPage("runs", show="Data sets").upload(("first.csv", table_of(*ROWS[:2]))).press("Suggest")
    [proposal] = [one.value for one in page.app.table if "Wir fragten" in one.value.to_string()]
    pairs = [["question", "Wir fragten"], ["documents", "Fundstelle"], ["answer", "Der Bot"]]
    assert proposal.to_numpy().tolist() == pairs
    assert not page.all("Score these rows")  # shown, and not applied
    page.press("Use this mapping")
    assert page.table("Fields with their coverage")[0][2] == "2 of 2 rows"
    return page.press("Score these rows")


def test_a_suggested_mapping_is_a_scored_run_in_four_clicks(scored: AppPage) -> None:
    assert "run" in scored.address
    assert scored.clicks == 4
    scored.wait("2 records · Adherence", without="Stop")


@pytest.mark.usefixtures("scored")
def test_the_next_file_with_these_headings_is_read_alike(data: Path) -> None:
    lacking = "And of 5?,,It is 5 metres high."
    page = AppPage("runs", show="Data sets").upload(("second.csv", table_of(*ROWS[2:], ROWS[2], lacking)))
    assert "as in the last file with the same headings" in page.text
    for left_out in ("Leave out 1 row without documents", "Leave out 1 row repeating another word for word"):
        assert page.find(left_out).value
    page.check("Leave out 1 row without documents").press("Save this data set").press("Set up a run of these rows")
    assert "1 row without documents: choose the collection to retrieve" in page.text
    made = {one.name: one.total for one in open_store(url_of(data)).datasets.list_datasets()}
    assert made == {"first": 2, "second": 3}
