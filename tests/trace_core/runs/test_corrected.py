import pytest
from run_examples import labeled

from trace_core.runs import from_store
from trace_core.runs.analyse.compare import compare
from trace_core.runs.files.exported import comparable
from trace_core.store.corrections import CorrectionStore
from trace_core.store.runs import RunStore


@pytest.fixture
def store(tmp_path):
    """Two runs of the same three records; of the second, a person corrected one."""
    opened = RunStore(f"sqlite:///{tmp_path / 'runs.sqlite'}")
    for run_id in ("a", "b"):
        opened.create_run(run_id, {"convention": "trace", "settings": {}}, total=3, run_id=run_id, status="done")
        opened.save_records(run_id, [labeled(name) for name in "123"])
    CorrectionStore(opened.database).add("b", "2", author="Ann", sentence_key="b", field="supported", value="fully")
    return opened


def test_the_corrected_record_has_its_event_and_its_scores_and_the_others_are_as_they_were(store):
    found = list(store.records("b"))
    assert [record.scores.adherence for record in found] == [0, 1, 0]
    assert [len(record.overrides) for record in found] == [0, 1, 0]
    assert [record.labels.labeler for record in found] == ["local", "human", "local"]
    assert found[1].labeler_labels == labeled("2").labels
    assert store.load_record("b", "2") == found[1]


def test_the_stores_columns_and_means_follow(store):
    assert store.load_run("b").means["adherence"] == pytest.approx(1 / 3)
    assert store.columns("b").score("trace", 20).values["adherence"].tolist() == [0, 1, 0]


def test_runs_of_the_store_are_compared_with_peoples_corrections(store):
    a, b = from_store(store, "a"), from_store(store, "b")
    change = compare(comparable(a), comparable(b)).metrics["adherence"]
    assert (change.difference, change.improved) == (pytest.approx(1 / 3), 1)
    graded = compare(comparable(a, "graded"), comparable(b, "graded")).metrics["adherence"]
    assert graded.difference == pytest.approx((1 - 1 / 2) / 3)
