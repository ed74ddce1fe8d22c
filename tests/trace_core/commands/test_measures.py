"""`contribution` and `noise` over a run, stored where the pages find them, and asked for once."""

import json

import pytest
from judge_server import completion, judge_server, refused
from run_command import command
from run_examples import ANSWER, in_lines, row, supported

from trace_core.store.store import open_store

LABELS = supported("ab")


@pytest.fixture
def run(tmp_path):
    """The id of a run over two golden questions, of which the second has no reference answer."""
    golden = {"expected_documents": ["0"], **LABELS}
    rows = [row(1, reference_answer="Cats purr.", **golden), row(2, **golden)]
    path = in_lines(tmp_path / "rows.jsonl", rows)
    return json.loads(command(tmp_path, "run", path, "--labeler", "recorded").stdout)["run"]["id"]


def results_of_run(folder, run_id, measure):
    store = open_store(f"sqlite:///{folder / 'data' / 'trace.sqlite'}").measurements
    return [(made.record_id, made.made_by) for made in store.of_run(run_id, [measure])]


def test_contributions_are_measured_once_and_kept_with_the_run(tmp_path, run):
    done = command(tmp_path, "contribution", run)
    shown = json.loads(done.stdout)
    assert (done.returncode, shown["records"], shown["documents"], shown["answerer"]) == (0, 2, 4, "extractive")
    assert shown["by_rank"][0]["label"] > shown["by_rank"][1]["label"]  # the cats are in the first document
    assert done.stderr.startswith("4 answers by extractive\n")
    assert "2 of 2 records" in done.stderr
    assert results_of_run(tmp_path, run, "token_f1") == [("q1", "extractive"), ("q2", "extractive")]
    again = command(tmp_path, "contribution", run)
    assert (again.stdout, again.stderr) == (done.stdout, "")
    assert json.loads(command(tmp_path, "contribution", run, "--records", "1").stdout)["records"] == 1


def test_noise_asks_again_only_where_the_judge_failed(tmp_path, run, judged):
    with judge_server(lambda asked: refused(401)) as server:
        done = judged(server, "noise", run, "--labeler", "gpt")
        assert (done.returncode, list(json.loads(done.stdout)["undefined"].values())) == (1, [1])
        assert "1 failed" in done.stderr
        server.reply = lambda asked: completion(LABELS)
        shown = json.loads(judged(server, "noise", run, "--labeler", "gpt").stdout)
        asked = server.calls
        assert json.loads(judged(server, "noise", run, "--labeler", "gpt").stdout) == shown
        assert server.calls == asked
    assert (shown["records"], shown["shares"]["correct"]["mean"]) == (1, 1)
    assert results_of_run(tmp_path, run, "noise") == [("q1", "gpt")]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["noise"], "has no record that can be measured"), (["contribution", "--measure", "best"], "no measure 'best'")],
)
def test_what_cannot_be_measured_is_one_message(tmp_path, arguments, words):
    path = in_lines(tmp_path / "plain.jsonl", [row(1, response=ANSWER)])
    run = json.loads(command(tmp_path, "run", path, "--labeler", "local").stdout)["run"]["id"]
    done = command(tmp_path, arguments[0], run, *arguments[1:])
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
