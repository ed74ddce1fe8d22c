"""Helpers for browser tests of the pages about runs."""

from pathlib import Path
from uuid import uuid4

from ask_page import SECONDS, visit
from playwright.sync_api import Page, expect
from run_examples import failed, labeled, row, with_truth

from trace_core.datasets import Item
from trace_core.facts.records import Record, Retrieval
from trace_core.golden.questions import GoldenQuestion, save_questions
from trace_core.runs.files.row_records import expecting
from trace_core.store.runs import RunStore
from trace_core.store.store import open_store

CONFIG = {"labeler": "local", "convention": "trace", "model": [], "settings": {"relevance_divisor": 20}}


def url_of(folder: Path) -> str:
    return f"sqlite:///{folder / 'trace.sqlite'}"


def fill(folder: Path) -> RunStore:
    """Two runs over the same three questions, `before` and `after`, and a data set of two rows."""
    store = open_store(url_of(folder)).runs
    first = labeled("q1", second=True, fields={"team": "blue", "latency": 0.5})
    before = [with_truth(first), labeled("q2", second=True, fields={"team": "red", "latency": 2.5}), failed("q3")]
    after = [labeled("q1"), labeled("q2", second=True, relevant=("0a",)), labeled("q3")]
    for name, records, day in (("before", before, 1), ("after", after, 2)):
        store.create_run(name, CONFIG, total=3, status="done", run_id=name, created_at=f"2026-01-0{day}T10:00:00+00:00")
        store.save_records(name, records)
    rows = [(f"q{n}", row(n)) for n in (1, 2)]
    open_store(url_of(folder)).datasets.add_dataset("Two rows", rows, counts={"label": 2})
    return store


MORE = "More: documents, references, correlation"
GOLDEN = [
    GoldenQuestion(
        question="What of q1?", expected_documents=["0", "9"], reference_answer="Cats purr.", category="one"
    ),
    GoldenQuestion(question="What of q2?", category="no answer"),
    GoldenQuestion(question="What of q3?", expected_documents=["0"], category="one"),
]


def add_golden(folder: Path) -> None:
    """A run, the oldest, over three golden questions: half found; answered without an answer; failed."""
    store = open_store(url_of(folder))
    kept = save_questions(store.datasets, "Animals", GOLDEN, ["q1", "q2", "q3"])
    found = [
        labeled(i, retrieval=Retrieval(collection="c", top_k=2, confidence=c)) for i, c in (("q1", 0.6), ("q2", 0.5))
    ]
    golden = {"run_id": "golden", "dataset_id": kept, "created_at": "2025-12-31T10:00:00+00:00"}
    store.runs.create_run("golden", CONFIG, total=3, status="done", **golden)
    store.runs.save_records("golden", expecting_all([*found, failed("q3")], GOLDEN))


def add_to_correct(folder: Path) -> str:
    """A run of two records, the oldest; of each, sentence b of the answer is unsupported. Returns its id and name."""
    store, run = open_store(url_of(folder)).runs, uuid4().hex
    store.create_run(run, CONFIG, total=2, status="done", run_id=run, created_at="2025-12-30T10:00:00+00:00")
    answer = f"Cats purr. Birds fly {run}."  # of no other run: there, a correction would hold as well
    store.save_records(run, [labeled(name, response=answer) for name in ("q1", "q2")])
    return run


def corrections_of(folder: Path, run: str, record: str) -> list[tuple[str, str, str, object]]:
    """What people said of the record: who, of what, of which sentence, and the word."""
    found = open_store(url_of(folder)).corrections.of_run(run).get(record, [])
    return [(one.author, one.field, one.sentence_key, one.value) for one in found]


def expecting_all(records: list[Record], golden: list[GoldenQuestion]) -> list[Record]:
    """The records with their golden questions, as a run leaves them."""
    rows = (Item.model_validate(one.model_dump(exclude_none=True)) for one in golden)
    return [expecting(record, row) for record, row in zip(records, rows, strict=True)]


def at(page: Page, url: str, heading: str) -> Page:
    """The page at that address, completely drawn."""
    visit(page, url)
    expect(page.get_by_role("heading", name=heading, exact=True).first).to_be_visible(timeout=SECONDS)
    return page
