"""Large run files are read by helper processes: the same rows, the same errors, in the same order."""

import json
import os
import signal

import pytest
from joblib.externals.loky import get_reusable_executor
from run_examples import labeled

from trace_core.errors import InputError, TraceError
from trace_core.runs import import_run, open_run, run_file, write_run
from trace_core.runs.files import importing, prepare
from trace_core.runs.files.prepare import prepared

EVENT = {"id": "o", "author": "Ann", "created_at": "now", "sentence_key": "b", "field": "supported", "value": "fully"}


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    """About two records a part, so that a few records are many parts."""
    monkeypatch.setattr(prepare, "PART_BYTES", 3000)
    yield
    get_reusable_executor().shutdown()


@pytest.fixture
def by_helpers(monkeypatch):
    monkeypatch.setattr(prepare, "MANY_BYTES", 0)


def write(path, change=lambda records: records):
    records = [labeled(f"q{n}", second=n % 2 == 0) for n in range(20)]
    records[7] = records[7].model_copy(update={"overrides": [EVENT]})
    run = run_file(records, "first", convention="trace", labeler="local", settings={})
    with path.open("w", encoding="utf-8") as out:
        write_run(out, run, change(run["records"]))
    return path


def rows(path):
    return list(prepared(open_run(path), "r"))


def test_helpers_make_the_same_rows_in_the_same_order(tmp_path, monkeypatch):
    path = write(tmp_path / "run.json")
    here = rows(path)
    monkeypatch.setattr(prepare, "MANY_BYTES", 0)
    assert rows(path) == here
    assert [one.row.line["position"] for one in here] == list(range(1, 21))
    assert [one.row.line["id"] for one in here if one.overrides] == ["q7"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda records: [*records[:12], {"id": "bad"}, *records[13:]], "row 13, field question"),
        (lambda records: [*records[:12], records[3], *records[13:]], "row 13, field id: The id 'q3' is there twice"),
        (lambda records: records[:15], "15 records where `counts` says 20"),
        (lambda records: [*records[:12], records[12] | {"overrides": [{}]}], r"row 13, field overrides\[0\]"),
    ],
)
def test_the_first_fault_is_named_and_nothing_is_kept(tmp_path, store, by_helpers, change, said):
    path = write(tmp_path / "bad.json", change)
    with pytest.raises(InputError, match=f"bad.json, {said}|bad.json, field records: {said}"):
        import_run(store, path)
    assert store.list_runs() == []


def test_a_fault_further_up_is_told_before_the_end_that_is_missing(tmp_path, by_helpers):
    path = write(tmp_path / "cut.json", lambda records: [{"id": "bad"}, *records[1:]])
    path.write_text(path.read_text().removesuffix("\n]}\n"))
    with pytest.raises(InputError, match="row 1, field question"):
        rows(path)


def test_it_says_how_far_it_is(tmp_path, store, monkeypatch):
    monkeypatch.setattr(importing, "TOLD_EVERY", 8)
    told = []
    import_run(store, write(tmp_path / "run.json"), tell=told.append)
    assert [(now.done, now.total, now.status) for now in told] == [
        (8, 20, "running"), (16, 20, "running"), (20, 20, "done"),
    ]  # fmt: skip
    assert all(now.rate > 0 for now in told)


def test_a_helper_that_is_killed_ends_the_import_in_words_and_the_next_one_works(tmp_path, store, by_helpers):
    path = write(tmp_path / "run.json")
    found = prepared(open_run(path), "r")
    next(found)
    for process in list(get_reusable_executor()._processes.values()):
        os.kill(process.pid, signal.SIGKILL)
    with pytest.raises(TraceError, match="A helper process ended while it read the file"):
        list(found)
    run_id, new = import_run(store, path)
    assert (new, store.load_run(run_id).counts["total"]) == (True, 20)
    assert json.loads(path.read_text())["run"]["id"] == run_id
