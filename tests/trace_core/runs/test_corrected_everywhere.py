"""A run with corrections says one thing, wherever it is read: page, report, JSON and RAGBench rows."""

import json
import re

import pytest
from run_examples import exported as text_of
from run_examples import labeled

from trace_core.evidence import scorecard, view
from trace_core.facts.cleaning import clean
from trace_core.facts.records import Record
from trace_core.metrics import METRICS
from trace_core.runs.analyse.compare import compare_runs
from trace_core.runs.files.exported import comparable, from_store
from trace_core.store.corrections import CorrectionStore
from trace_core.store.runs import RunStore

CORRECTIONS = {"1": [("relevant", "1a", True), ("supported", "b", "fully")], "2": [("supported", "a", "unsupported")]}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Two equal runs under RAGBench's convention; Ann corrected two of three records of `r`."""
    opened = RunStore(f"sqlite:///{tmp_path_factory.mktemp('corrected') / 'runs.sqlite'}")
    for run in ("r", "uncorrected"):
        opened.create_run(run, {"convention": "ragbench", "settings": {}}, total=3, run_id=run, status="done")
        opened.save_records(run, [labeled(name, convention="ragbench") for name in "123"])
    events = CorrectionStore(opened.database)
    for record_id, changes in CORRECTIONS.items():
        for field, key, value in changes:
            events.add("r", record_id, author="Ann", sentence_key=key, field=field, value=value)
    return opened


def exported(store, kind):
    return text_of(from_store(store, "r"), kind)


@pytest.fixture(scope="module")
def shown(store):
    """What the page draws of each record, by id."""
    return {record.id: (scorecard(record), view(record)) for record in store.records("r")}


def scores_of(card):
    return [metric["value"] for metric in card["metrics"]]


def statuses_of(evidence):
    return {sentence["key"]: sentence["status"] for sentence in evidence["response"]}


def test_the_corrections_show_on_the_page(shown):
    card, evidence = shown["1"]
    assert statuses_of(evidence) == {"a": "fully", "b": "fully"}
    assert scores_of(card)[3] == 1
    assert evidence["labeler"] == "local model, corrected"
    assert "1a" in {s["key"] for d in evidence["documents"] for s in d["sentences"] if s["relevant"]}
    assert statuses_of(shown["2"][1])["a"] == "unsupported"
    assert shown["3"][1]["labeler"] == "local model"


def test_the_stores_columns_and_means_and_a_comparison_follow(store):
    assert [len(record.overrides) for record in store.records("r")] == [2, 1, 0]
    assert store.load_record("r", "1") == next(iter(store.records("r")))
    assert store.load_run("r").means["adherence"] == pytest.approx(1 / 3)
    assert store.columns("r").score("trace").values["adherence"].tolist() == [1, 0, 0]
    before, after = from_store(store, "uncorrected"), from_store(store, "r")
    change = compare_runs(comparable(before), comparable(after)).metrics["adherence"]
    assert (change.difference, change.improved, change.worse) == (pytest.approx(1 / 3), 1, 0)
    graded = compare_runs(comparable(before, "graded"), comparable(after, "graded")).metrics["adherence"]
    assert (graded.difference, graded.improved, graded.worse) == (0, 1, 1)  # from ½ to 1, 0 and ½


def test_the_report_holds_the_pages_scores_and_evidence(store, shown):
    html = exported(store, "html")
    held = json.loads(re.search(r'id="data">(.*?)</script>', html)[1])["records"]
    assert {one["view"]["record"]: (one["scorecard"], one["view"]) for one in held} == shown


def test_the_json_holds_the_pages_scores_and_evidence_and_what_the_labeler_said(store, shown):
    lines = json.loads(exported(store, "json"))["records"]
    for line in lines:
        card, evidence = shown[line["id"]]
        assert [line["scores"][name] for name in METRICS] == scores_of(card)
        assert view(Record.model_validate(line)) == evidence
    uncorrected = labeled("1").labels.model_dump(mode="json")
    assert [line.get("uncorrected") for line in lines] == [uncorrected, uncorrected, None]


def test_the_ragbench_rows_hold_the_pages_scores_statuses_and_lists(store, shown):
    for text, (card, evidence) in zip(exported(store, "ragbench").splitlines(), shown.values(), strict=True):
        row = json.loads(text)
        names = ("relevance_score", "utilization_score", "completeness_score", "adherence_score")
        assert [float(row[name]) for name in names] == scores_of(card)
        documents = [s for d in evidence["documents"] for s in d["sentences"]]
        labels = clean(row, [s["key"] for s in documents], list(statuses_of(evidence))).labels
        assert labels.statuses(statuses_of(evidence)) == statuses_of(evidence)
        assert labels.all_relevant_sentence_keys == [s["key"] for s in documents if s["relevant"]]
        assert labels.all_utilized_sentence_keys == [s["key"] for s in documents if s["utilized"]]
        unsupported = [key for key, status in statuses_of(evidence).items() if status == "unsupported"]
        assert row["unsupported_response_sentence_keys"] == unsupported
        assert row["overall_supported"] in (None, not unsupported)
