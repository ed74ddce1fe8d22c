"""The pytest plugin: a test that fails says which sentence is to blame, and the session is kept as a run."""

import io
import json
import subprocess
import sys
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from trace_core.errors import SettingsError
from trace_core.metrics import Scoring
from trace_core.pytest_plugin import _write, assert_trace
from trace_core.store.store import open_store

QUESTION, TANK = "How much water does the tank hold?", "The tank holds 1.8 litres of water."
STEEL = f"{TANK} It was designed by a famous Italian architect in Milan."


def test_a_grounded_answer_passes_and_gives_its_record():
    assert assert_trace(QUESTION, [TANK], TANK, adherence=0.9).scores.adherence == 1


def test_a_claim_that_nothing_supports_fails_and_is_quoted():
    with pytest.raises(AssertionError, match=r"adherence is 0\.00, below 0\.9.*Italian architect"):
        assert_trace(QUESTION, [TANK], STEEL, adherence=0.9)


def test_what_is_undefined_does_not_pass():
    with pytest.raises(AssertionError, match="adherence is undefined"):
        assert_trace(QUESTION, [TANK], "")


def test_a_metric_that_there_is_not_is_an_error():
    with pytest.raises(SettingsError, match="no metric 'faithfulness'"):
        assert_trace(QUESTION, [TANK], TANK, faithfulness=1)


@pytest.mark.parametrize("value", [float("nan"), "0.9", 1.5])
def test_a_least_value_that_is_no_share_is_an_error(value):
    with pytest.raises(SettingsError, match=r"adherence=.* is not a number from 0 to 1\. Give a minimum"):
        assert_trace(QUESTION, [TANK], TANK, adherence=value)


def session(folder, *workers):
    """The exit code and the output of a session of two tests."""
    (folder / "test_mine.py").write_text(
        f"def test_good(trace):\n    trace({QUESTION!r}, [{TANK!r}], {TANK!r}, adherence=0.9)\n"
        f"    trace('How much does it hold?', [{TANK!r}], {TANK!r}, adherence=0.9)\n\n"
        f"def test_bad(trace):\n    trace({QUESTION!r}, [{TANK!r}], {STEEL!r}, adherence=0.9)\n"
    )
    files = "--junitxml j.xml --trace-run run.json --trace-summary s.md --trace-store".split()
    arguments = ["-q", "-c", "/dev/null", "--rootdir", ".", *workers, "test_mine.py", *files]
    if workers:
        env = {"PYTHONPATH": str(Path(__file__).parents[2]), "TRACE_DATA_DIR": str(folder / "data"), "PATH": ""}
        command = [sys.executable, "-m", "pytest", *arguments]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=env)
        return done.returncode, done.stdout
    out = io.StringIO()  # in this process, which has the models loaded
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out):
        patch.chdir(folder)
        patch.setenv("TRACE_DATA_DIR", str(folder / "data"))
        for name in ("PYTEST_CURRENT_TEST", "PYTEST_XDIST_WORKER"):
            patch.delenv(name, raising=False)
        return pytest.main([*arguments, "--assert=plain", "-p", "no:cacheprovider"]), out.getvalue()


def test_tests_of_two_conventions_leave_a_run_of_one(tmp_path, monkeypatch):
    record = partial(assert_trace, QUESTION, [STEEL], TANK)
    texts = [json.dumps(record(convention=name).to_dict()) for name in ("trace", "graded")]
    monkeypatch.setenv("TRACE_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("TRACE_RELEVANCE_DIVISOR", "10")
    options = SimpleNamespace(trace_store=True, trace_name="n", trace_run=None, trace_summary=None)
    _write(options, zip("ab", texts, strict=True))
    store = open_store(f"sqlite:///{tmp_path}/trace.sqlite").runs
    [run] = store.list_runs()
    of_page = store.columns(run.id).score(Scoring.of_run(run.config)).values["context_relevance"]
    assert of_page.tolist() == [0.1, 0.1]
    assert run.means["context_relevance"] == 0.1


@pytest.mark.process
@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "workers"])
def test_a_session_leaves_one_run_its_summary_and_its_junit(tmp_path, workers):
    code, out = session(tmp_path, *workers)
    assert code == 1, out
    assert "1 failed, 1 passed" in out
    suite = ElementTree.parse(tmp_path / "j.xml").getroot().find("testsuite")
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert "adherence is 0.00, below 0.9" in suite.find(".//failure").get("message")
    run = json.loads((tmp_path / "run.json").read_text())
    good, bad = "test_mine.py::test_good", "test_mine.py::test_bad"
    ids = [good, f"{good}#2", bad]
    assert [record["id"] for record in run["records"]] == (sorted(ids) if workers else ids)
    assert [record["source_id"] for record in run["records"]].count(good) == 2
    assert "**2 of 3 answers are grounded.**" in (tmp_path / "s.md").read_text()
    assert f"trace: run {run['run']['id']} in the store" in out
    (kept,) = open_store(f"sqlite:///{tmp_path}/data/trace.sqlite").runs.list_runs()
    assert kept.counts["total"] == 3
