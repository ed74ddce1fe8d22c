"""`import` and `export` as a person runs them: exit codes, what is printed and where."""

import json

import pytest
from run_command import command
from run_examples import in_lines, labeled, run_text, supported

from trace_core.facts.records import Record
from trace_core.metrics import METRICS, scores_from


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a run file, whose run is in the store already."""
    made = tmp_path_factory.mktemp("exchange")
    text = run_text([labeled("1"), labeled("2")], "mine")
    (made / "run.json").write_text(text.replace(json.loads(text)["run"]["id"], "r1"))
    assert command(made, "import", "run.json").returncode == 0
    return made


def test_other_content_under_the_same_id_is_refused(folder):
    text = (folder / "run.json").read_text()
    (folder / "other.json").write_text(text.replace('"name": "mine"', '"name": "yours"'))
    done = command(folder, "import", "other.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "error: other.json, field run.id: Run 'r1' is in the store with other content." in done.stderr


def test_an_export_is_the_imported_file_on_standard_output_or_in_a_file(folder):
    shown = command(folder, "export", "r1", "--format", "json")
    written = command(folder, "export", "r1", "--format", "json", "--out", "out.json")
    assert (shown.returncode, written.returncode, written.stdout) == (0, 0, "")
    assert shown.stdout == (folder / "out.json").read_text() == (folder / "run.json").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("export", "none", "--format", "json"), "no run 'none'"),
        (("export", "r1", "--format", "xml"), "no format 'xml'"),
        (("import", "absent.json"), "no such file"),
    ],
)
def test_what_is_not_there_is_bad_input(folder, arguments, said):
    done = command(folder, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_score_and_import_of_the_same_rows_keep_the_same_golden_questions(tmp_path):
    row = {"id": "1", "question": "What is it?", "documents": ["It is red."], "response": "It is red."}
    row |= {"document_ids": ["docs/red.md#0"], "expected_documents": ["red.md", "blue.md"], **supported("a")}
    row |= {"reference_answer": ["Red.", "Crimson."], "category": "colours"}
    in_lines(tmp_path / "rows.jsonl", [row])
    done = command(tmp_path, "score", "rows.jsonl", "--out", "run.json")
    run = json.loads((tmp_path / "run.json").read_text())
    assert done.returncode == 0
    assert run["summary"]["golden"]["n"] == 1
    imported = json.loads(command(tmp_path, "import", "rows.jsonl").stdout)["run"]
    exported = json.loads(command(tmp_path, "export", imported, "--format", "json").stdout)
    assert run["records"][0]["golden"]["document_recall"] == 0.5
    assert run["records"][0]["golden"] == exported["records"][0]["golden"]
    assert run["records"][0]["fields"] == exported["records"][0]["fields"] == {"reference_answer": ["Red.", "Crimson."]}
    again = json.loads(command(tmp_path, "import", "run.json").stdout)["run"]
    assert json.loads(command(tmp_path, "export", again, "--format", "json").stdout)["summary"] == run["summary"]


def scored_by(convention, number, adherence=0.5):
    """A record that came with scores alone."""
    scores = scores_from(dict.fromkeys(METRICS, adherence), convention)
    return Record(id=f"{convention} {number}", question="?", scores=scores).to_dict()


def test_records_of_two_conventions_are_refused(tmp_path):
    rows = [scored_by(convention, number) for number in range(3) for convention in ("ragbench", "trace")]
    in_lines(tmp_path / "run.jsonl", rows)
    refused = command(tmp_path, "import", "run.jsonl")
    assert refused.returncode == 2
    assert "It has scores under 2 conventions: ragbench (3 rows), trace (3 rows)" in refused.stderr


def test_the_same_rows_under_another_mapping_are_another_run(tmp_path):
    row = {"metrics": {"adherence": 1.0}, "question": "?", "first": "One.", "second": "Two."}
    in_lines(tmp_path / "rows.jsonl", [row])
    runs = [
        json.loads(command(tmp_path, "import", "rows.jsonl", "--map", f"response={column}").stdout)
        for column in ("first", "second", "first")
    ]
    assert [run["imported"] for run in runs] == [True, True, False]
    lines = [command(tmp_path, "export", run["run"], "--format", "log").stdout for run in runs]
    assert [json.loads(line)["answer"] for line in lines] == ["One.", "Two.", "One."]


def test_one_bad_row_of_our_own_export_is_left_out_and_named(folder):
    text = command(folder, "export", "r1", "--format", "jsonl").stdout
    (folder / "bad.jsonl").write_text(text.replace('"adherence":0.0', '"adherence":"high"', 1))
    done = command(folder, "import", "bad.jsonl")
    assert (done.returncode, json.loads(done.stdout)["counts"]["total"]) == (0, 1)
    assert "skipped: bad.jsonl, row 1, field " in done.stderr
    assert command(folder, "import", "bad.jsonl", "--strict").returncode == 2
