import json

import pytest
from metric_examples import labels
from run_examples import run_text
from typer.testing import CliRunner

from trace_core.commands.app import app
from trace_core.errors import InputError
from trace_core.facts.records import Document, Record, Response, Scores
from trace_core.metrics import METRICS


def invoke(*arguments):
    return CliRunner().invoke(app, ["compare", *map(str, arguments)])


def write(path, *records, labeler="recorded", convention="trace"):
    path.write_text(run_text(records, path.stem, convention=convention, labeler=labeler))
    return path


def scored(record_id, adherence):
    """All four metrics are 1, but for the adherence."""
    four = dict.fromkeys(METRICS, 1.0) | {"adherence": adherence}
    derived = {"average": None, "rmse_aggregation": None, "consistency_score": None}
    return Record(id=record_id, question=f"{record_id}?", scores=Scores(**four, **derived, convention="trace"))


@pytest.fixture
def files(tmp_path):
    """Of two records one lost its adherence."""
    a = write(tmp_path / "a.json", scored("p", 1), scored("q", 1))
    return a, write(tmp_path / "b.json", scored("p", 1), scored("q", 0))


@pytest.fixture
def unlike(files, tmp_path):
    """The same two runs, B labeled by another labeler."""
    return files[0], write(tmp_path / "c.json", scored("p", 1), scored("q", 0), labeler="gpt")


def test_it_prints_what_changed_and_which_records_got_worse(files):
    done = invoke(*files)
    assert done.exit_code == 0
    assert "2 pairs; without a partner: 0 in A, 0 in B" in done.stdout
    assert "Adherence: -0.500 (too few (2 pairs))" in done.stdout
    assert "0 improved, 1 unchanged, 1 worse" in done.stdout
    assert "1 record got worse" in done.stdout
    assert "q  -0.250" in done.stdout


def test_where_there_is_no_verdict_nothing_got_better_or_worse(unlike):
    done = invoke(*unlike)
    assert "No verdict: these are not the same quantities. Label both runs by one labeler" in done.stdout
    assert "warning: The labeler differs: recorded in A, gpt in B." in done.stdout
    assert "Adherence: -0.500 (too few (2 pairs))\n" in done.stdout
    assert "worse" not in done.stdout
    shown = json.loads(invoke(*unlike, "--json").stdout)
    assert (shown["got_worse"], shown["metrics"]["adherence"]["difference"]) == ([], -1 / 2)


def test_both_runs_under_another_convention(tmp_path):
    for name, support in (("a", "a+ b+"), ("b", "a+ b-")):
        texts = {"documents": [Document(id="d", rank=1, text="It is red.")]}
        texts["response"] = Response(text="It is red. It is blue.")
        write(tmp_path / f"{name}.json", Record(id="1", question="?", labels=labels("0a", "0a", support), **texts))
    shown = json.loads(invoke(tmp_path / "a.json", tmp_path / "b.json", "--json", "--convention", "graded").stdout)
    assert shown["metrics"]["adherence"]["difference"] == -1 / 2
    assert shown["warnings"] == []


def test_a_file_that_is_wrong_anywhere_is_refused(files):
    a, b = files
    b.write_text(b.read_text().replace('"q?"', "7"))
    with pytest.raises(InputError, match=r"b\.json, row 2, field question"):
        raise invoke(a, b).exception
