import json

import pytest
from metric_examples import labels
from stored_examples import run, stored
from typer.testing import CliRunner

from trace_core.__main__ import app
from trace_core.errors import InputError
from trace_core.records import Document, Record, Response, with_sentences
from trace_core.runs import run_file
from trace_core.runs.reading import read_run


def invoke(*arguments):
    return CliRunner().invoke(app, ["compare", *map(str, arguments)])


@pytest.fixture
def files(tmp_path):
    """Of two records one lost its adherence."""
    a = run(stored("p", (1, 1, 1, 1)), stored("q", (1, 1, 1, 1), question="q?"))
    b = run(stored("p", (1, 1, 1, 1)), stored("q", (1, 1, 1, 0), question="q?"), labeler="gpt")
    for name, content in (("a", a), ("b", b)):
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    return tmp_path / "a.json", tmp_path / "b.json"


def test_it_prints_what_changed_and_which_records_got_worse(files):
    done = invoke(*files)
    assert done.exit_code == 0
    assert "2 pairs; without a partner: 0 in A, 0 in B" in done.stdout
    assert "Adherence: -0.500 [-1.000, +0.000]" in done.stdout
    assert "0 improved, 1 unchanged, 1 worse" in done.stdout
    assert "q  −0.250" in done.stdout
    assert "warning: The labeler differs: none in A, gpt in B." in done.stdout


def test_as_json(files):
    shown = json.loads(invoke(*files, "--json").stdout)
    assert shown["metrics"]["adherence"]["difference"] == -1 / 2
    assert shown["got_worse"] == ["q"]


def test_both_runs_under_another_convention(tmp_path):
    for name, support in (("a", "a+ b+"), ("b", "a+ b-")):
        made = Record(
            id="1",
            question="?",
            documents=[Document(id="d", rank=1, text="It is red.")],
            response=Response(text="It is red. It is blue."),
            labels=labels("0a", "0a", support),
        )
        content = run_file([with_sentences(made)], "r", convention="trace", labeler="recorded", settings={})
        (tmp_path / name).write_text(json.dumps(content))
    shown = json.loads(invoke(tmp_path / "a", tmp_path / "b", "--json", "--convention", "graded").stdout)
    assert shown["metrics"]["adherence"]["difference"] == -1 / 2
    assert shown["warnings"] == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no strict JSON"),
        ("[]", "schema: none"),
        ('{"schema": "trace-run/9"}', "schema: 'trace-run/9'"),
        ('{"schema": "trace-run/1", "run": {"config": {}}}', "field records"),
        ('{"schema": "trace-run/1", "run": {"config": {}}, "records": [{"id": "1"}]}', "field records.0.question"),
        ('{"x": NaN}', "NaN is no number"),
        ("[" * 100_000, "no strict JSON"),
    ],
)
def test_what_is_no_run_file_is_refused(tmp_path, text, words):
    file = tmp_path / "a.json"
    file.write_text(text)
    with pytest.raises(InputError, match=words):
        read_run(file)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_run(tmp_path / "none.json")
