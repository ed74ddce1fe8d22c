"""Golden questions: were their documents found? Every export says what the page says, and an import keeps it."""

import json

import pytest
from run_examples import brought_in, exported, in_file, labeled

from trace_core.datasets import Item
from trace_core.golden.results import group_summary, results_of
from trace_core.metrics import METRICS
from trace_core.runs.files.exported import DOCUMENT_SCORES, from_store
from trace_core.runs.files.row_records import expecting, save_rows
from trace_core.runs.files.scored_rows import import_rows, read_scored_rows
from trace_core.store.store import open_store

ANSWERS = {"reference_answer": ["Yes.", "It is."]}
ROWS = [
    {"id": "q1", "question": "One?", "expected_documents": ["0"], "category": "single"} | ANSWERS,
    {"id": "q2", "question": "Two?", "expected_documents": ["0", "9"]},
    {"id": "q3", "question": "None?", "expected_documents": []},
    {"id": "q4", "question": "Open?", "reference_answer": "Yes.", "category": "none"},
]
FIELDS = [ANSWERS, {}, {}, {"reference_answer": "Yes.", "category": "none"}]  # what a golden question does not hold
RECALL, PRECISION = (1 + 0.5) / 2, 0.5  # of two documents "0" is one; nothing is expected of the third


@pytest.fixture
def store(tmp_path):
    return open_store(f"sqlite:///{tmp_path / 'trace.sqlite'}")


@pytest.fixture
def run(store):
    rows = [Item.model_validate(one) for one in ROWS]
    config = {"convention": "trace", "labeler": "local", "settings": {"relevance_divisor": 20}}
    dataset = save_rows(store.datasets, "Golden", rows)
    run = store.runs.create_run("golden", config, total=4, status="done", dataset_id=dataset)
    store.runs.save_records(run, [expecting(labeled(f"q{n}"), one) for n, one in enumerate(rows, start=1)])
    return run


def written(store, run, form):
    return exported(from_store(store.runs, run), form)


def on_the_page(store, run):
    return group_summary(list(results_of(store.runs.records(run), "trace")))


def test_the_run_file_says_what_the_page_says(store, run):
    whole = json.loads(written(store, run, "json"))
    page = on_the_page(store, run)
    assert whole["summary"]["golden"] == {"n": 3} | {name: page[name] for name in DOCUMENT_SCORES}
    assert (page["document_recall"]["mean"], page["document_precision"]["mean"]) == (RECALL, PRECISION)
    first, *others = [record.get("golden") for record in whole["records"]]
    expects = {"expected_documents": ["0"], "reference_answer": "Yes.", "category": "single"}
    assert first == expects | {"document_recall": 1.0, "document_precision": 0.5}
    shares = [one and (one["document_recall"], one["document_precision"]) for one in others]
    assert shares == [(0.5, 0.5), (None, None), None]


@pytest.mark.parametrize("form", ["json", "jsonl", "ragbench"])
def test_it_survives_a_re_import(store, run, tmp_path, form):
    there = open_store(f"sqlite:///{tmp_path / 'there.sqlite'}")
    again = brought_in(there.runs, in_file(tmp_path, form, from_store(store.runs, run)), form)
    page, before = on_the_page(there, again), on_the_page(store, run)
    assert page["n"] == 3
    for name in ("document_recall", "document_precision"):
        assert page[name] == before[name]
        assert from_store(there.runs, again).summary()["golden"][name] == before[name]
    records = list(from_store(there.runs, again).records())
    first = records[0].golden
    assert (first.expected_documents, first.reference_answer, first.category) == (["0"], "Yes.", "single")
    assert [record.fields for record in records] == FIELDS
    assert records[3].golden is None


def test_rows_of_scores_alone_know_no_documents_and_say_nothing_of_those_found(tmp_path):
    path = tmp_path / "scores.jsonl"
    row = {"question": "One?", "expected_documents": ["0"], **dict.fromkeys(METRICS, 0.5)}
    path.write_text(json.dumps(row), encoding="utf-8")
    store = open_store(f"sqlite:///{tmp_path / 'trace.sqlite'}")
    run, _ = import_rows(store.runs, path, read_scored_rows(path).items, "trace", {})
    (record,) = from_store(store.runs, run).records()
    assert (record.golden.document_recall, record.golden.document_precision) == (None, None)


def test_observability_tools_get_an_evaluation_of_what_was_retrieved(store, run):
    lines = [json.loads(line) for line in written(store, run, "langfuse").splitlines()]
    bodies = [[event["body"] for event in line["batch"]] for line in lines]
    recall = [[body["value"] for body in each if body["name"] == "document_recall"] for each in bodies]
    assert recall == [[1.0], [0.5], [], []]
    assert [body["comment"] for body in bodies[0] if body["name"] == "document_recall"] == ["Expected: “0”."]


def test_files_for_people_and_pipelines_say_it(store, run):
    assert '<property name="document_recall" value="0.7500" />' in written(store, run, "junit")
    assert "| Document precision | 0.500 | too few (2) | 2 |" in written(store, run, "summary")
    assert '<dt>Document recall</dt><dd class="value">0.750</dd>' in written(store, run, "html")
