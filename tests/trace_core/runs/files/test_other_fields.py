"""Fields of a row that nothing is read from stay with it: every export for machines has them."""

import csv
import io
import json

import pytest
from run_examples import brought_in, exported, in_file, labeled, row

from trace_core.datasets import Item
from trace_core.runs.files.exported import from_store
from trace_core.runs.files.row_records import to_record

FIELDS = {"team": "Zürich", "priority": 3, "tags": ["a", "b"], "seconds": "theirs", "row.x": "y", "=1+1": "=2", "": "?"}


@pytest.fixture
def store(store):
    """A run of two records, of which the first has other fields."""
    store.create_run("r", {"convention": "trace", "settings": {}}, total=2, run_id="r", status="done")
    store.save_records("r", [labeled("q1", fields=FIELDS), labeled("q2")])
    return store


def test_what_we_read_or_write_ourselves_is_no_other_field():
    item = Item.model_validate(row(1, **FIELDS, labeler="local", expected_adherence=1, all_relevant_sentence_keys=[]))
    assert to_record(item, "q1").fields == FIELDS


def test_the_table_has_a_column_for_each(store):
    first, second = csv.DictReader(io.StringIO(exported(from_store(store, "r"), "csv")))
    found = {"team": "Zürich", "priority": "3", "tags": '["a", "b"]'}
    found |= {"row.seconds": "theirs", "row.row.x": "y", "'=1+1": "'=2", "row.": "?"}
    assert {name: first[name] for name in found} == found
    assert {second[name] for name in found} == {""}


@pytest.mark.parametrize("kind", ["json", "jsonl", "ragbench"])
def test_an_import_brings_them_back_and_the_next_export_has_them(store, tmp_path, kind):
    path = in_file(tmp_path, kind, from_store(store, "r"))
    store.delete_run("r")
    run_id = brought_in(store, path, kind)
    assert [record.fields for record in store.records(run_id)] == [FIELDS, {}]
    lines = exported(from_store(store, run_id), "jsonl").splitlines()
    assert [json.loads(line).get("fields") for line in lines] == [FIELDS, None]
