"""Fields of a row that nothing is read from stay with it: every export for machines has them."""

import csv
import io
import json

import pytest
from run_examples import exported, labeled, row

from trace_core.datasets import Item, read_dataset, to_record
from trace_core.runs import from_store, import_run
from trace_core.runs.files.reader import record_lines
from trace_core.runs.files.scored_rows import import_records, import_rows, read_scored_rows
from trace_core.store.runs import RunStore

FIELDS = {"team": "Zürich", "priority": 3, "tags": ["a", "b"], "seconds": "theirs", "row.x": "y", "=1+1": "=2", "": "?"}


@pytest.fixture
def store(tmp_path):
    """A run of two records, of which the first has other fields."""
    opened = RunStore(f"sqlite:///{tmp_path / 'runs.sqlite'}")
    opened.create_run("r", {"convention": "trace", "settings": {}}, total=2, run_id="r", status="done")
    opened.save_records("r", [labeled("q1", fields=FIELDS), labeled("q2")])
    yield opened
    opened.database.close()


def fields_in(text):
    return [json.loads(line).get("fields") for line in text.splitlines()]


def test_what_we_read_or_write_ourselves_is_no_other_field():
    item = Item.model_validate(row(1, **FIELDS, labeler="local", expected_adherence=1, all_relevant_sentence_keys=[]))
    assert to_record(item, "q1").fields == FIELDS


def test_a_run_file_has_them(store):
    whole = json.loads(exported(from_store(store, "r")))["records"]
    assert [record.get("fields") for record in whole] == [FIELDS, None]


def test_the_table_has_a_column_for_each(store):
    first, second = csv.DictReader(io.StringIO(exported(from_store(store, "r"), "csv")))
    found = {
        "team": "Zürich", "priority": "3", "tags": '["a", "b"]', "row.seconds": "theirs", "row.row.x": "y",
        "'=1+1": "'=2", "row.": "?",
    }  # fmt: skip
    assert {name: first[name] for name in found} == found
    assert {second[name] for name in found} == {""}


def test_ragbench_rows_have_them_and_a_data_set_reads_them_again(store, tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(exported(from_store(store, "r"), "ragbench"), encoding="utf-8")
    assert [to_record(item, "1").fields for item in read_dataset(path).items] == [FIELDS, {}]


@pytest.mark.parametrize("kind", ["json", "jsonl", "ragbench"])
def test_an_import_brings_them_back_and_the_next_export_has_them(store, tmp_path, kind):
    path = tmp_path / f"run.{kind.replace('ragbench', 'jsonl')}"
    path.write_text(exported(from_store(store, "r"), kind), encoding="utf-8")
    store.delete_run("r")
    if kind == "json":
        run_id, _ = import_run(store, path)
    elif kind == "ragbench":
        run_id, _ = import_rows(store, path, read_scored_rows(path).items, "trace", {})
    else:
        run_id, _ = import_records(store, path, list(record_lines(path)), "trace", {})
    assert [record.fields for record in store.records(run_id)] == [FIELDS, {}]
    assert fields_in(exported(from_store(store, run_id), "jsonl")) == [FIELDS, None]
