"""One figure of a run has one value, whichever page, file or command shows it."""

import csv
import io
import json
import re

import pytest
from run_examples import exported as text_of
from run_examples import labeled, with_truth
from typer.testing import CliRunner

from trace_core.commands.app import app
from trace_core.evidence import means
from trace_core.facts.labels import Expected
from trace_core.metrics import METRICS
from trace_core.runs.analyse.compare import compare_runs
from trace_core.runs.analyse.trends import point_of
from trace_core.runs.files.exported import comparable, from_store
from trace_core.settings import load
from trace_core.store.store import open_store
from trace_core.summary import calibration

CONVENTION = "trace"
CONFIG = {"convention": CONVENTION, "labeler": "local", "settings": {}}


def records():
    """Eight records with ground truth that differs, and a labeler that expects something else again."""
    for n in range(8):
        record = labeled(str(n), second=n % 3 == 0, utilized=("0a", "0b") if n % 2 else ("0a",))
        truth = with_truth(record, all_relevant_sentence_keys=["0a"] if n % 2 else ["0a", "0b", "1a"])
        truth.ground_truth.scores.update(dict.fromkeys(METRICS, 0.9))
        expected = Expected(**dict.fromkeys(METRICS, 0.5))
        yield truth.model_copy(update={"labels": record.labels.model_copy(update={"expected": expected})})


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("TRACE_DATA_DIR", str(tmp_path))
    opened = open_store(load().database)
    made = list(records())
    for run_id in ("r", "again"):
        opened.runs.create_run(run_id, CONFIG, total=len(made), status="done", run_id=run_id)
        opened.runs.save_records(run_id, made)
    return opened


def exported(store, kind):
    return text_of(from_store(store.runs, "r"), kind)


def command(*arguments):
    done = CliRunner().invoke(app, list(arguments))
    assert done.exit_code == 0, done.output
    return done.stdout


def mean(values):
    known = [float(value) for value in values if value not in ("", None)]
    return sum(known) / len(known)


@pytest.mark.parametrize("name", METRICS)
def test_a_mean_is_the_same_on_every_page_in_every_file_and_command(store, name):
    columns = store.runs.columns("r")
    scores = columns.score(CONVENTION)
    card = {one["label"]: one for one in means(scores.values, scores.status, scores.convention)["metrics"]}
    compared = compare_runs(*(comparable(from_store(store.runs, run)) for run in ("r", "again"))).metrics[name]
    rows = list(csv.DictReader(io.StringIO(exported(store, "csv"))))
    whole = json.loads(exported(store, "json"))
    lines = [json.loads(line) for line in exported(store, "jsonl").splitlines()]
    log = [json.loads(line) for line in exported(store, "log").splitlines()]
    listed = {one["id"]: one for one in json.loads(command("runs", "--json"))}
    label = METRICS[name].label
    (in_report,) = re.findall(rf"<dt>{label}</dt><dd class=\"value\">([\d.]+)</dd>", exported(store, "html"))
    found = [
        card[label]["value"],
        compared.mean_a,
        compared.mean_b,
        point_of(store, "r", CONVENTION).levels[name].mean,
        whole["summary"]["metrics"][name]["mean"],
        mean(row[name] for row in rows),
        mean(record["scores"][name] for record in lines),
        mean(line["trace_scores"][name] for line in log),
        listed["r"]["means"][name],
    ]
    assert found == pytest.approx([found[0]] * len(found))
    assert in_report == f"{found[0]:.3f}" == card[label]["shown"]


@pytest.mark.parametrize("name", METRICS)
def test_an_error_against_the_truth_is_the_same_on_every_page_and_in_every_file(store, name):
    whole = json.loads(exported(store, "json"))["summary"]["ground_truth"]["per_metric_rmse"][name]
    judged = calibration.judge_labeler(list(store.runs.records("r")), CONVENTION)["rmse"][name]["value"]
    rows = list(csv.DictReader(io.StringIO(exported(store, "csv"))))
    in_table = mean((float(row[name]) - float(row[f"true_{name}"])) ** 2 for row in rows) ** 0.5
    assert {row["true_convention"] for row in rows} == {row["convention"] for row in rows}
    assert [judged, in_table] == pytest.approx([whole, whole])


def test_an_estimate_never_stands_for_a_score(store):
    judged = calibration.judge_labeler(list(store.runs.records("r")), CONVENTION)
    assert judged["rmse"]["adherence"]["value"] == 0
    assert judged["estimates"]["rmse"]["adherence"]["value"] == 0.5


def test_the_diagnosis_of_a_run_is_the_same_everywhere(store):
    on_the_page = store.runs.columns("r").score(CONVENTION).diagnosis()
    assert on_the_page.text == (
        "3 of 8 answers are grounded; the commonest fault is “unsupported claim”, in 5 of 8 records (62%). "
        "To start: Have the generator answer from the documents alone, and check each claim before it is shown."
    )
    assert json.loads(exported(store, "json"))["summary"]["diagnosis"] == on_the_page.to_dict()
    assert on_the_page.text in exported(store, "html")
    rows = list(csv.DictReader(io.StringIO(exported(store, "csv"))))
    assert sum("unsupported claim" in row["findings"].split("; ") for row in rows) == on_the_page.counts["unsupported"]
    assert on_the_page.text in command("compare", "r", "again")
