"""`run` and `runs` as a person runs them: exit codes, what is printed and where."""

import json
import os
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
import run_command
from run_examples import DOCUMENTS, in_lines, row, support

from trace_core.runs.lease import host

LABELS = {
    "all_relevant_sentence_keys": ["0a"],
    "all_utilized_sentence_keys": ["0a"],
    "sentence_support_information": [support("a"), support("b", fully=False)],
}
RECORDED = ("--labeler", "recorded")


@pytest.fixture
def command(tmp_path):
    """`python -m trace_core …` in a folder and with settings of its own."""
    return partial(run_command.command, tmp_path)


@pytest.fixture
def write(tmp_path):
    return lambda *rows: in_lines(tmp_path / "rows.jsonl", rows)


def recorded(count):
    return [row(n, **LABELS) for n in range(count)]


def test_run_prints_its_id_first_and_a_summary(command, write):
    done = command("run", write(*recorded(5)), *RECORDED, "--name", "mine")
    assert done.returncode == 0
    shown = json.loads(done.stdout)
    assert done.stderr.splitlines()[0] == shown["run"]["id"]
    assert (shown["run"]["name"], shown["run"]["status"]) == ("mine", "done")
    zero = dict.fromkeys(("undefined", "failed", "failed_generations", "pending"), 0)
    assert shown["counts"] == {"total": 5, "scored": 5} | zero
    assert shown["summary"]["metrics"]["context_relevance"]["mean"] == 0.05  # 1 of 20
    assert "5 of 5 records" in done.stderr


@pytest.mark.parametrize(
    ("rows", "options", "words"),
    [
        ([{"question": "Why?"}], [], "row 1: The row has no answer. Say which column holds it (--map response=COLUMN)"),
        ([{"question": "Why?"}], ["--answer"], "row 1, field documents"),
        ([row(1)], ["--map", "response=nowhere"], "There is no column 'nowhere'"),
        ([row(1)], ["--retry-failed"], "--retry-failed needs an existing run. Name it: --resume ID."),
        ([row(1)], ["--convention", "nobody"], "nobody"),
        ([row(1), {"question": "Why?", "response": "So."}], ["--strict"], "rows.jsonl, row 2, field documents"),
        ([row(1), row(1, documents=["D."], response=None)], [], "rows.jsonl: 2 rows share id and question with others"),
    ],
)
def test_bad_input_ends_with_2_before_any_run_is_made(command, write, rows, options, words):
    done = command("run", write(*rows), *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert json.loads(command("runs", "--json").stdout) == []


def test_a_scheduler_that_does_not_answer_is_reported_before_a_run_is_made(command, write):
    pytest.importorskip("distributed", reason="distributed is not installed")
    done = command("run", write(row(1)), TRACE_EXECUTOR="tcp://127.0.0.1:1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "The Dask scheduler that TRACE_EXECUTOR names does not answer" in done.stderr
    assert json.loads(command("runs", "--json").stdout) == []


def test_it_says_before_it_starts_what_it_reads_and_what_it_does_not(command, write):
    rows = [{"prompt": "?", "contexts": ["D."], "bot": "R.", "note": "n"}, {"prompt": "?", "contexts": ["D."]}]
    done = command("run", write(*rows), "--map", "response=bot")
    assert json.loads(done.stdout)["counts"]["total"] == 1
    assert "row 2: The row has no answer." in done.stderr
    assert "Usable rows: 1 (1 with documents, 1 with an answer, 0 with a reference answer, " in done.stderr
    assert "Read: question from prompt, documents from contexts, response from bot." in done.stderr
    assert "Columns that are not read: note." in done.stderr


def test_rows_of_one_question_are_one_record_or_each_one_as_was_asked(command, write):
    rows = write(row(1, **{"documents": ["Cats sleep."]}), row(1, documents=["Dogs bark."], response=None))
    for option, documents in (("--group", [2]), ("--no-group", [1])):
        done = command("run", rows, option)
        exported = command("export", json.loads(done.stdout)["run"]["id"], "--format", "json")
        assert [len(one["documents"]) for one in json.loads(exported.stdout)["records"]] == documents
    assert command("run", rows).returncode == 2


def test_questions_alone_are_retrieved_for_answered_and_labeled(command, write):
    done = command("run", write({"question": "How often do I descale?"}), "--answer", "--collection", "espresso-manual")
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert shown["counts"]["scored"] == 1
    assert shown["run"]["config"]["collection"] == "espresso-manual"


def test_runs_lists_each_in_a_line(command, write):
    command("run", write(*recorded(2)), *RECORDED, "--name", "two")
    assert "done  2/2  two" in command("runs").stdout


@pytest.fixture
def done_run(command, write):
    """The id of a run that is done."""
    made = command("run", write(*recorded(2)), *RECORDED, "--name", "mine")
    return json.loads(made.stdout)["run"]["id"]


def test_a_run_whose_process_is_gone_is_interrupted_and_goes_on_by_its_id(command, done_run, tmp_path):
    gone = f"{host()} {os.getpid()} 0 token"  # this process, had it started at another time
    with closing(sqlite3.connect(tmp_path / "data" / "trace.sqlite")) as database, database:
        database.execute("UPDATE runs SET status = 'running', owner = ?", (gone,))
    assert [run["status"] for run in json.loads(command("runs", "--json").stdout)] == ["interrupted"]
    done = command("run", "--resume", done_run)
    assert (done.returncode, json.loads(done.stdout)["run"]["status"]) == (0, "done"), done.stderr


def test_a_resumed_run_takes_its_own_file_and_nothing_that_only_a_new_run_is_given(command, write, done_run):
    assert command("run", write(*recorded(2)), "--resume", done_run).returncode == 0
    other = command("run", write(row(1)), "--resume", done_run)
    assert (other.returncode, f"The file's rows are not those of run {done_run}." in other.stderr) == (2, True)
    done = command("run", "--resume", done_run, "--labeler", "local", "--answer", "--map", "response=bot")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"Run {done_run} continues with its own settings. Leave out --labeler, --answer, --map." in done.stderr


def test_a_resumed_run_under_another_convention_says_so_beside_its_figures(command, done_run):
    done = command("run", "--resume", done_run, "--convention", "graded", "--budget", "5")
    shown = json.loads(done.stdout)
    assert shown["run"]["config"]["convention"] == "graded"
    assert shown["summary"]["metrics"]["adherence"]["mean"] == 0.5
    assert shown["run"]["config"]["budget"] == 5
    assert "Scored under graded here; the run itself keeps trace." in done.stderr
    (kept,) = json.loads(command("runs", "--json").stdout)
    assert (kept["config"]["convention"], kept["means"]["adherence"]) == ("trace", 0)


@pytest.mark.parametrize("arguments", [["run"], ["run", "--resume", "nope"], ["run", "nowhere.jsonl"]])
def test_without_anything_to_run_it_ends_with_2(command, arguments):
    done = command(*arguments)
    assert (done.returncode, done.stdout) == (2, "")


TRACES = Path(__file__).parents[1] / "datasets" / "traces"


def test_documents_that_a_trace_names_by_id_are_looked_up_in_the_collection_it_names(command, tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    texts = ("The tank holds 1.8 litres.", "Use cold water.")
    in_lines(folder / "rows.jsonl", [{"id": f"manual.pdf#{n}", "text": text} for n, text in enumerate(texts)])
    assert command("ingest", "--collection", "manuals", folder).returncode == 0
    done = command("run", TRACES / "genai-structured-ids.json")
    assert json.loads(done.stdout)["counts"]["scored"] == 1, done.stderr


def test_a_pipeline_gets_test_results_and_a_summary_with_what_got_worse(command, write, tmp_path):
    rows = write(*recorded(2))
    first = json.loads(command("run", rows, *RECORDED, "--name", "before").stdout)["run"]["id"]
    reports = ("--junit", tmp_path / "t.xml", "--summary", tmp_path / "s.md", "--baseline", first)
    done = command("run", rows, *RECORDED, "--name", "after", "--fail-under", "adherence=0.9", *reports)
    assert done.returncode == 3
    assert 'failures="3"' in (tmp_path / "t.xml").read_text()  # two records and the gate
    assert "Against the baseline" in (tmp_path / "s.md").read_text()


@pytest.mark.parametrize(("judged", "options", "code"), [(8, [], 3), (8, ["--min-judged", "0.8"], 0), (9, [], 0)])
def test_a_gate_that_judged_little_does_not_pass(command, write, tmp_path, judged, options, code):
    lost = [row(10, response="Request timed out.", **LABELS), {"question": "Why?", "documents": ["D."]}]
    rows = write(*recorded(judged), *lost[: 10 - judged])
    reports = ("--junit", tmp_path / "t.xml", "--summary", tmp_path / "s.md")
    done = command("run", rows, *RECORDED, "--fail-under", "completeness=0.9", *reports, *options)
    assert done.returncode == code, done.stderr
    said = f"completeness is known for {judged} of 10 rows ({judged}0%)"
    assert [said in text for text in (done.stderr, (tmp_path / "t.xml").read_text())] == [code == 3] * 2
    summary = (tmp_path / "s.md").read_text()
    assert f"| {judged} of 10 rows | {'❌' if code else '✅'} 0.9 |" in summary
    assert (said in summary.replace("\\", "")) == (code == 3)


def test_golden_questions_have_their_recall_and_precision_printed(command, write):
    titles = ["manual.pdf"] + ["x"] * (len(DOCUMENTS) - 1)
    golden = row(1, expected_documents=["manual.pdf"], document_titles=titles, category="fact", **LABELS)
    shown = json.loads(command("run", write(golden), *RECORDED).stdout)
    assert shown["golden"]["document_recall"]["mean"] == 1
    assert shown["golden"]["document_precision"]["mean"] == 1 / len(DOCUMENTS)
    assert list(shown["golden_by_category"]) == ["fact"]
