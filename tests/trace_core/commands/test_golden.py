"""The command `golden` as a person types it, against a local judge and the demo's manual."""

from __future__ import annotations

import io
import json
import re

from judge_server import MODEL, completion, judge_server, refused
from run_command import command, interrupt

ARGUMENTS = ("golden", "espresso-manual", "--questions", "4", "--out", "golden.jsonl")


def first_sentence(text):
    return re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]


def good(asked):
    """Asks with the chunk's own words, which finds it, and answers with its first sentence."""
    text = asked.material["text"]
    answer = {"answer": first_sentence(text)}
    return completion(answer if "question" in asked.material else {"question": text[:300]} | answer)


def read(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_questions_are_made_after_the_cost_is_said_and_run_takes_them(judged, tmp_path):
    with judge_server(good) as server:
        done = judged(server, *ARGUMENTS, "--yes")
        assert server.calls == 8
    assert done.returncode == 0, done.stderr
    found, rows = json.loads(done.stdout), read(tmp_path / "golden.jsonl")
    assert (found["kept"], found["failed"], found["left_out"], len(rows)) == (4, 0, {}, 4)
    assert found["made_by"].startswith(f"{MODEL} / golden-1 / ")
    assert {tuple(row) for row in rows} == {("question", "expected_documents", "reference_answer", "category")}
    said = done.stderr
    assert "4 chunks · 8 calls at most" in said
    assert "price unknown" in said
    assert said.index("8 calls") < said.index("4 of 4 chunks")
    local = command(tmp_path, "run", "golden.jsonl", "--collection", "espresso-manual", "--answer")
    assert json.loads(local.stdout)["golden"]["document_recall"]["mean"] == 1.0, local.stderr


def test_without_yes_and_without_a_terminal_nothing_is_asked(judged, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    with judge_server(good) as server:
        done = judged(server, *ARGUMENTS)
        assert server.calls == 0
    assert done.returncode == 2
    assert "8 calls at most" in done.stderr
    assert "Use --yes" in done.stderr
    assert not (tmp_path / "golden.jsonl").exists()


def test_failures_are_counted_and_the_others_kept(judged, tmp_path):
    broken = []

    def reply(asked):
        if "question" not in asked.material and not broken:
            broken.append(asked.material["text"])
        return refused(401) if asked.material["text"] in broken else good(asked)

    with judge_server(reply) as server:
        done = judged(server, *ARGUMENTS, "--yes")
    found = json.loads(done.stdout)
    assert (done.returncode, found["kept"], found["failed"]) == (1, 3, 1)
    assert found["left_out"] == {"the call failed": 1}
    assert "does not accept the key" in found["reasons"][0]["detail"]
    assert len(read(tmp_path / "golden.jsonl")) == 3


def test_where_nothing_is_kept_the_file_stays_as_it_was(judged, tmp_path):
    (tmp_path / "golden.jsonl").write_text("as it was\n", encoding="utf-8")
    with judge_server(lambda asked: completion({"question": "", "answer": ""})) as server:
        done = judged(server, *ARGUMENTS, "--yes")
    assert (done.returncode, json.loads(done.stdout)["left_out"]) == (1, {"gives nothing to ask about": 4})
    assert (tmp_path / "golden.jsonl").read_text("utf-8") == "as it was\n"


def test_ctrl_c_keeps_the_questions_so_far_and_the_same_command_asks_nothing_twice(judged, tmp_path):
    def reply(asked):
        if asked.number == 4:
            interrupt()
        return good(asked)

    with judge_server(reply) as server:
        stopped = judged(server, *ARGUMENTS, "--yes", TRACE_CONCURRENCY="1")
        rows = read(tmp_path / "golden.jsonl")
        assert (stopped.returncode, 1 <= len(rows) < 4) == (130, True), stopped.stderr
        assert f"stopped: {len(rows)} questions are in golden.jsonl" in stopped.stderr
        done = judged(server, *ARGUMENTS, "--yes", TRACE_CONCURRENCY="1")
        assert done.returncode == 0, done.stderr
        assert read(tmp_path / "golden.jsonl")[: len(rows)] == rows
        assert server.calls == 8
