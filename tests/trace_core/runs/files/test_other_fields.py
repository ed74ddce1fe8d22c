"""Fields of a row that nothing is read from stay with it: every export for machines has them."""

import csv
import io
import json

import pytest
from run_examples import labeled, row

from trace_core.datasets import Item, read_dataset, to_record
from trace_core.runs import export, from_store, import_run
from trace_core.runs.files.dataset import plain_row, save_rows
from trace_core.runs.files.exported import other_fields
from trace_core.runs.files.reader import record_lines
from trace_core.runs.files.scored_rows import import_records, import_rows, read_scored_rows
from trace_core.store.datasets import DatasetStore
from trace_core.store.runs import RunStore

FIELDS = {"team": "Zürich", "priority": 3, "tags": ["a", "b"], "seconds": "theirs", "row.x": "y", "=1+1": "=2", "": "?"}


@pytest.fixture
def store(tmp_path):
    """A run of two rows, of which the first has other fields."""
    opened = RunStore(f"sqlite:///{tmp_path / 'runs.sqlite'}")
    rows = [Item.model_validate(row(1, **FIELDS, adherence_score=1.0, cleaning=["ours"])), Item.model_validate(row(2))]
    known = save_rows(DatasetStore(opened.database), "rows", rows)
    config = {"convention": "trace", "settings": {}}
    opened.create_run("r", config, total=2, run_id="r", status="done", dataset_id=known)
    opened.save_records("r", [labeled("q1"), labeled("q2")])
    yield opened
    opened.database.close()


def exported(store, kind):
    out = io.StringIO()
    export(from_store(store, "r"), kind, out)
    return out.getvalue()


def test_what_we_read_or_write_ourselves_is_no_other_field():
    item = Item.model_validate(row(1, **FIELDS, labeler="local", expected_adherence=1, all_relevant_sentence_keys=[]))
    assert other_fields(plain_row(item)) == FIELDS


def test_a_run_file_and_its_lines_have_them(store):
    whole = json.loads(exported(store, "json"))["records"]
    lines = [json.loads(line) for line in exported(store, "jsonl").splitlines()]
    assert [record.get("fields") for record in whole] == [record.get("fields") for record in lines] == [FIELDS, None]


def test_the_table_has_a_column_for_each(store):
    first, second = csv.DictReader(io.StringIO(exported(store, "csv")))
    found = {
        "team": "Zürich", "priority": "3", "tags": '["a", "b"]', "row.seconds": "theirs", "row.row.x": "y",
        "'=1+1": "'=2", "row.": "?",
    }  # fmt: skip
    assert {name: first[name] for name in found} == found
    assert {second[name] for name in found} == {""}


def test_ragbench_rows_have_them_and_a_data_set_reads_them_again(store, tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(exported(store, "ragbench"), encoding="utf-8")
    found = [other_fields(plain_row(item)) for item in read_dataset(path).items]
    assert found == [FIELDS, {}]


def bring(store, path, kind):
    if kind == "json":
        return import_run(store, path)[0]
    if kind == "ragbench":
        return import_rows(store, path, read_scored_rows(path).items, "trace", {})[0]
    return import_records(store, path, list(record_lines(path)), "trace", {})[0]


@pytest.mark.parametrize("kind", ["json", "jsonl", "ragbench"])
def test_an_import_brings_them_back_and_the_next_export_has_them(store, tmp_path, kind):
    path = tmp_path / f"run.{kind.replace('ragbench', 'jsonl')}"
    path.write_text(exported(store, kind), encoding="utf-8")
    if kind == "json":
        store.delete_run("r")
    run_id = bring(store, path, kind)
    assert [record.fields for record in store.records(run_id)] == [FIELDS, {}]
    out = io.StringIO()
    export(from_store(store, run_id), "jsonl", out)
    assert [json.loads(line).get("fields") for line in out.getvalue().splitlines()] == [FIELDS, None]


def test_a_run_of_rows_stores_them():
    item = Item.model_validate(row(1, **FIELDS))
    assert to_record(item, "q1").fields == FIELDS


def test_a_run_whose_data_set_was_deleted_has_none(store):
    DatasetStore(store.database).delete_dataset(store.load_run("r").dataset_id)
    assert all("fields" not in json.loads(line) for line in exported(store, "jsonl").splitlines())
