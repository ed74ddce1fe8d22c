"""A run in every format, and that a reader finds in it what the run holds."""

import csv
import io
import json

import pandas as pd
import pytest
from run_examples import exported as text_of
from run_examples import failed, labeled, with_truth

from trace_core.answering import Extractive
from trace_core.contribution import contribute
from trace_core.errors import InputError
from trace_core.retrieval import embedder
from trace_core.runs.files.exported import from_records, from_store, only
from trace_core.store.measurements import Measurement, MeasurementStore, basis

BLOCK = {"id": "r", "name": "a run", "created_at": "2026-01-01T00:00:00+00:00", "config": {"convention": "trace"}}
RECORDS = [labeled("1", question="=cmd|' /C calc'!A0"), with_truth(labeled("2", second=True)), failed("3")]


def exported(kind, records=RECORDS):
    return text_of(from_records(records, BLOCK), kind)


def test_the_table_holds_the_scores():
    table = pd.read_csv(io.StringIO(exported("csv")), dtype={"id": str})
    assert list(table.id) == ["1", "2", "3"]
    assert list(table.context_relevance[:2]) == [0.1, 0.1]  # 2 of 20
    assert list(table.adherence[:2]) == [0, 1]
    assert table.error[2] == "The judge fell asleep."
    assert table.true_convention[1] == table.convention[1] == "trace"
    assert list(table.verdict[:2]) == ["unsupported claim", "relevant left out"]


def test_a_reference_answer_has_its_shares_in_the_table_and_in_the_records():
    records = [labeled("1", fields={"reference_answer": "Birds sing."}), labeled("2")]
    table = pd.read_csv(io.StringIO(exported("csv", records)))
    assert list(table.reference_covered.fillna(-1)) == [1, -1]
    one, other = json.loads(exported("json", records))["records"]
    assert one["reference"] == {"answer": "Birds sing.", "covered": 1, "backed": table.answer_backed[0]}
    assert "reference" not in other


FORMULAS = ["=1", "+1", "-1", "@A1", "\t=1", "\r=1", "＝1", "﹦1", " =1", "\u00a0\u3000@A1", "\u200b+1"]


def test_no_cell_is_a_formula_and_every_one_is_quoted():
    text = exported("csv", [labeled(str(n), question=formula) for n, formula in enumerate(FORMULAS)])
    assert [row["question"] for row in csv.DictReader(io.StringIO(text))] == [f"'{formula}" for formula in FORMULAS]
    assert text.startswith('"id","source_id","question"')


def test_log_lines_have_contributions_that_were_measured_of_the_same_record(store):
    store.create_run("n", {"convention": "trace", "labeler": "local"}, run_id="r")
    records = [labeled("1"), labeled("2"), labeled("3")]
    store.save_records("r", records)
    for record, at in zip(records[:2], (basis(records[0]), "another record's"), strict=True):
        found = contribute(record, Extractive(embedder()), reference="Cats purr.").to_dict()
        MeasurementStore(store.database).keep("r", Measurement(record.id, "token_f1", "extractive", at, found))
    lines = [json.loads(line) for line in text_of(from_store(store, "r"), "log").splitlines()]
    assert [line.get("doc_contribution_scores") for line in lines] == [{"0": 1.0, "1": 0.0}, None, None]


def test_a_part_of_a_run_says_so_and_has_its_own_numbers():
    made = json.loads(text_of(only(from_records(RECORDS, BLOCK), ["2"], "status scored")))
    assert [record["id"] for record in made["records"]] == ["2"]
    assert (made["counts"]["total"], made["counts"]["scored"], made["counts"]["failed"]) == (1, 1, 0)
    assert made["summary"]["metrics"]["adherence"]["mean"] == 1  # 1/2 over all
    assert made["run"]["name"].endswith("(1 of 3 records)")
    assert made["run"]["note"] == "1 of 3 records: status scored"


def test_an_unknown_format_is_refused():
    with pytest.raises(InputError, match="no format 'xml'"):
        exported("xml")
