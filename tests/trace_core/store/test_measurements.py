"""What was measured beside labels outlives the process, by record, measure and who was asked."""

import pytest
from run_examples import labeled

from trace_core.errors import UnknownRun
from trace_core.store.measurements import Measurement, MeasurementStore, basis
from trace_core.store.runs import RunStore


@pytest.fixture
def store(url):
    opened = MeasurementStore(url)
    RunStore(opened.database).create_run("r", {}, run_id="r")
    yield opened
    opened.database.close()


def made(record_id="q1", measure="token_f1", made_by="gpt", **body):
    return Measurement(record_id, measure, made_by, "b", body)


def test_what_was_measured_is_there_after_a_restart(store, url):
    store.keep("r", made(answer="\x00 \ud800 ü"))
    again = MeasurementStore(url)
    assert again.of_run("r", ["token_f1"]) == [made(answer="\x00 \ud800 ü")]
    again.database.close()


def test_the_same_record_measured_again_by_the_same_replaces(store):
    store.keep("r", made(n=1))
    store.keep("r", made("q2"))
    store.keep("r", made(n=2))
    assert store.of_run("r", ["token_f1"]) == [made("q2"), made(n=2)]


def test_of_several_measures_and_makers_the_one_made_last_is_told(store):
    for one in (made(), made("q2"), made(made_by="extractive"), made(measure="rouge_l"), made(measure="noise")):
        store.keep("r", one)
    assert store.of_run("r", ["token_f1", "rouge_l"]) == [made(measure="rouge_l")]
    assert store.of_run("r", ["token_f1"]) == [made(made_by="extractive")]
    assert store.of_run("r", ["token_f1"], "gpt") == [made(), made("q2")]
    assert store.of_run("r", ["exact_match"]) == []


def test_every_measurement_is_noticed(store):
    seen = [store.last("r")]
    for one in (made(n=1), made("q2"), made(n=2)):
        store.keep("r", one)
        seen.append(store.last("r"))
    assert seen == sorted(set(seen))


def test_measurements_go_with_their_run(store):
    runs = RunStore(store.database)
    runs.create_run("other", {}, run_id="other")
    for run in ("r", "other"):
        store.keep(run, made())
    runs.delete_run("r")
    assert store.of_run("r", ["token_f1"]) == []
    assert store.of_run("other", ["token_f1"]) == [made()]


def test_a_run_that_is_gone_keeps_nothing(store):
    with pytest.raises(UnknownRun):
        store.keep("gone", made())
    assert store.last("gone") == 0


@pytest.mark.parametrize(
    "other",
    [
        labeled("q1", question="?"),
        labeled("q1", response="Other."),
        labeled("q1").model_copy(update={"documents": labeled("q1").documents[:1]}),
    ],
)
def test_the_basis_changes_with_the_texts(other):
    assert basis(other) != basis(labeled("q1"))
