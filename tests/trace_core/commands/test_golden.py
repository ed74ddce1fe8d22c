"""The command `golden` as a person types it, against a local judge and the demo's manual."""

from __future__ import annotations

import io
import json
import re
import signal
import threading

import pytest
import run_command
from judge_server import MODEL, completion, judge_server, judge_settings, refused
from run_command import command

ARGUMENTS = ("golden", "espresso-manual", "--questions", "6", "--out", "golden.jsonl")


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
        assert server.calls == 12
    assert done.returncode == 0, done.stderr
    found, rows = json.loads(done.stdout), read(tmp_path / "golden.jsonl")
    assert (found["kept"], found["failed"], found["left_out"], len(rows)) == (6, 0, {}, 6)
    assert found["made_by"].startswith(f"{MODEL} / golden-1 / ")
    assert {tuple(row) for row in rows} == {("question", "expected_documents", "reference_answer", "category")}
    said = done.stderr
    assert "6 chunks · 12 calls at most" in said
    assert "price unknown" in said
    assert said.index("12 calls") < said.index("6 of 6 chunks")
    local = command(tmp_path, "run", "golden.jsonl", "--collection", "espresso-manual", "--answer")
    assert json.loads(local.stdout)["golden"]["document_recall"]["mean"] == 1.0, local.stderr


def test_without_yes_and_without_a_terminal_nothing_is_asked(judged, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    with judge_server(good) as server:
        done = judged(server, *ARGUMENTS)
        assert server.calls == 0
    assert done.returncode == 2
    assert "12 calls at most" in done.stderr
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
    assert (done.returncode, found["kept"], found["failed"]) == (1, 5, 1)
    assert found["left_out"] == {"the call failed": 1}
    assert "does not accept the key" in found["reasons"][0]["detail"]
    assert len(read(tmp_path / "golden.jsonl")) == 5


def test_where_nothing_is_kept_the_file_stays_as_it_was(judged, tmp_path):
    (tmp_path / "golden.jsonl").write_text("as it was\n", encoding="utf-8")
    with judge_server(lambda asked: completion({"question": "", "answer": ""})) as server:
        done = judged(server, *ARGUMENTS, "--yes")
    assert (done.returncode, json.loads(done.stdout)["left_out"]) == (1, {"gives nothing to ask about": 6})
    assert (tmp_path / "golden.jsonl").read_text("utf-8") == "as it was\n"


@pytest.mark.process
def test_ctrl_c_keeps_what_is_made_and_the_same_command_asks_nothing_twice(tmp_path):
    enough = threading.Event()

    def reply(asked):
        if asked.number >= 4:
            enough.set()
        answer = good(asked)
        return completion(json.loads(json.loads(answer.body)["choices"][0]["message"]["content"]), wait=0.3)

    with judge_server(reply) as server:
        env = judge_settings(server) | {"TRACE_CONCURRENCY": "1"}
        running = run_command.started(tmp_path, *ARGUMENTS, "--yes", **env)
        assert enough.wait(120)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=120)
        kept = read(tmp_path / "golden.jsonl")
        assert (running.returncode, 1 <= len(kept) < 6) == (130, True), said
        assert f"stopped: {len(kept)} questions are in golden.jsonl" in said
        done = run_command.process(tmp_path, *ARGUMENTS, "--yes", **env)
        assert done.returncode == 0, done.stderr
        assert read(tmp_path / "golden.jsonl")[: len(kept)] == kept
        assert server.calls == 12
