"""A failed record that a person labels is scored and no longer failed: in every count, page and export alike."""

import csv
import io
import json

import pytest
from run_examples import exported, failed, labeled

from trace_core.facts.records import Failure
from trace_core.metrics import METRICS
from trace_core.runs.files.exported import from_store
from trace_core.runs.files.importing import import_run
from trace_core.store.corrections import CorrectionStore
from trace_core.summary.aggregation import summary_of
from trace_core.summary.columns import status_of

BY_HAND = [
    ("", "relevant", ["0a"]),
    ("", "utilized", ["0a"]),
    ("a", "supported", "fully"),
    ("b", "supported", "unsupported"),
]


@pytest.fixture
def store(store):
    """A run of two records, of which one failed; a person then labeled it."""
    store.create_run("r", {"convention": "trace", "settings": {}}, total=2, run_id="r", status="done")
    store.save_records("r", [labeled("1"), failed("2", "boom")])
    people = CorrectionStore(store.database)
    for key, field, value in BY_HAND:
        people.add("r", "2", author="Ann", sentence_key=key, field=field, value=value)
    return store


@pytest.mark.parametrize("convention", ["trace", "ragbench", "graded", "token"])
def test_it_is_counted_once_under_every_convention(store, convention):
    columns = store.columns("r")
    for found in summary_of(columns.score(convention))["metrics"].values():
        assert [found[name] for name in ("scored", "undefined", "failed")] == [2, 0, 0]
    assert columns.score(convention).status.tolist() == ["scored", "scored"]
    assert columns.score(convention).verdicts.tolist() == ["unsupported", "unsupported"]


def test_the_counts_and_every_export_agree(store):
    run = from_store(store, "r")
    whole = json.loads(exported(run, "json"))
    assert (whole["counts"]["total"], whole["counts"]["scored"], whole["counts"]["failed"]) == (2, 2, 0)
    assert whole["records"][1]["cleaning"] == ["failed before it was labeled (label): boom"]
    assert [record["error"] for record in whole["records"]] == [None, None]
    assert [(r["error"], r["verdict"]) for r in csv.DictReader(io.StringIO(exported(run, "csv")))] == [
        ("", "unsupported claim"),
        ("", "unsupported claim"),
    ]
    rows = [json.loads(line) for line in exported(run, "ragbench").splitlines()]
    assert ["error" in row for row in rows] == [False, False]
    assert "<error" not in exported(run, "junit")
    assert "boom" not in exported(run, "html")


def test_a_run_file_with_an_error_and_labels_is_counted_once(store, tmp_path):
    whole = json.loads(exported(from_store(store, "r"), "json"))
    whole["run"]["id"] = "old"
    whole["records"][1] |= {"error": Failure(step="label", message="boom").model_dump(), "cleaning": []}
    path = tmp_path / "old.json"
    path.write_text(json.dumps(whole))
    run_id, _ = import_run(store, path)
    assert store.load_run(run_id).counts["failed"] == 0
    [_, again] = from_store(store, run_id).records()
    assert (again.error, again.cleaning) == (None, ["failed before it was labeled (label): boom"])


def test_once_the_labels_are_taken_back_it_has_failed_again(store):
    people = CorrectionStore(store.database)
    for event in people.of_run("r", "2")["2"]:
        people.add("r", "2", author="Ann", sentence_key="", field="undo", value=event.id)
    record = store.load_record("r", "2")
    assert (status_of(record), record.error.message) == ("failed", "boom")
    assert record.scores.undefined == dict.fromkeys(METRICS, "failed: boom")
    assert store.columns("r").failed.tolist() == [False, True]
