"""Ctrl-C and SIGTERM: what was asked for is kept, nothing half done is shown, and what is said is true."""

import json
import os
import signal
import threading
import time
from functools import partial

import pytest
import run_command
from judge_server import completion, judge_server, judge_settings, refused
from run_examples import in_lines, row, supported
from waiting import until

from trace_core.commands.output import writing
from trace_core.commands.stopping import Stop, stopping

ROWS, ENOUGH = 60, 20


@pytest.fixture
def rows(tmp_path):
    return in_lines(tmp_path / "rows.jsonl", map(row, range(ROWS)))


@pytest.fixture
def judge():
    """Slow until `quick` is set; it sets `enough` once a test may stop the command."""
    enough, quick = threading.Event(), threading.Event()

    def reply(asked):
        if asked.number >= ENOUGH:
            enough.set()
        return completion(supported("ab"), wait=0 if quick.is_set() else 0.5)

    with judge_server(reply) as server:
        server.enough, server.quick = enough, quick
        yield server


@pytest.mark.process
def test_a_stopped_run_has_a_record_for_every_call_and_goes_on_with_the_rest(tmp_path, rows, judge):
    env = judge_settings(judge)
    running = run_command.started(tmp_path, "run", rows, "--labeler", "gpt", **env)
    assert judge.enough.wait(60)
    running.send_signal(signal.SIGTERM)
    _, printed = running.communicate(timeout=60)
    command = partial(run_command.command, tmp_path, **env)
    run_id = printed.split("\n")[0]
    (stored,) = json.loads(command("runs", "--json").stdout)
    assert (running.returncode, stored["status"]) == (128 + signal.SIGTERM, "stopped"), printed
    assert stored["counts"]["scored"] == judge.calls < ROWS
    assert f"run --resume {run_id}" in printed
    assert "Traceback" not in printed
    judge.quick.set()
    assert json.loads(command("run", "--resume", run_id).stdout)["counts"]["scored"] == ROWS
    assert judge.calls == ROWS


@pytest.mark.process
def test_a_stopped_label_leaves_no_half_file_and_asks_nothing_twice(tmp_path, rows, judge):
    out = tmp_path / "labeled.jsonl"
    out.write_text("as it was\n", encoding="utf-8")
    label, env = ("label", rows, "--labeler", "gpt", "--out", out), judge_settings(judge)
    running = run_command.started(tmp_path, *label, **env)
    assert judge.enough.wait(60)
    running.send_signal(signal.SIGINT)
    _, printed = running.communicate(timeout=60)  # its end waits for what is in flight
    assert (running.returncode, out.read_text(encoding="utf-8")) == (128 + signal.SIGINT, "as it was\n"), printed
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("labeled")] == ["labeled.jsonl"]
    assert judge.calls < ROWS
    assert "ask for them again" in printed
    assert "Traceback" not in printed
    judge.quick.set()
    run_command.command(tmp_path, *label, **env)
    assert len(out.read_text(encoding="utf-8").splitlines()) == ROWS == judge.calls


@pytest.mark.process
@pytest.mark.parametrize(("imported", "how"), [("numpy", signal.SIGINT), ("typer", signal.SIGTERM)])
def test_a_command_that_is_stopped_while_packages_are_imported_ends_quietly(tmp_path, imported, how):
    """A package of that name which never ends its import stands in the way."""
    (tmp_path / f"{imported}.py").write_text("import time\nprint('here', flush=True)\ntime.sleep(60)\n", "utf-8")
    path = os.pathsep.join([str(tmp_path), str(run_command.ROOT)])
    with run_command.started(tmp_path, "import", "run.json", PYTHONPATH=path) as running:
        assert running.stdout.readline() == "here\n"
        running.send_signal(how)
        assert running.communicate(timeout=60) == ("", "")
    assert running.returncode == -how


def failing():
    try:
        signal.raise_signal(signal.SIGTERM)
    finally:
        raise ValueError("a callback failed")


def test_a_signal_is_not_lost_where_a_library_makes_its_own_error():
    with pytest.raises(Stop) as stop, stopping():
        failing()
    assert stop.value.code == 143


def test_a_file_is_there_whole_or_as_it_was(tmp_path):
    out = tmp_path / "out.json"
    out.write_text("as it was", encoding="utf-8")
    with pytest.raises(RuntimeError), writing(out):
        raise RuntimeError("half way")
    assert (out.read_text(encoding="utf-8"), len(list(tmp_path.iterdir()))) == ("as it was", 1)


def write(path, value):
    with writing(path) as stream:
        json.dump(value, stream)


def test_a_file_that_is_written_keeps_its_rights_and_a_device_stays_a_device(tmp_path):
    out = tmp_path / "out.json"
    out.write_text("as it was", encoding="utf-8")
    out.chmod(0o640)
    write(out, {"a": 1})
    assert (json.loads(out.read_text(encoding="utf-8")), out.stat().st_mode & 0o777) == ({"a": 1}, 0o640)
    link = tmp_path / "link.json"
    link.symlink_to(out)
    write(link, {"a": 2})
    assert (link.is_symlink(), json.loads(out.read_text(encoding="utf-8"))) == (True, {"a": 2})
    with writing(type(out)("/dev/null")) as stream:
        stream.write("gone")


@pytest.mark.process
@pytest.mark.parametrize("command", ["label", "run"])
def test_a_stopped_command_does_not_sit_out_the_pause_that_a_server_asks_for(tmp_path, rows, command):
    with judge_server(lambda asked: refused(503, headers={"Retry-After": "100"})) as server:
        running = run_command.started(tmp_path, command, rows, "--labeler", "gpt", **judge_settings(server))
        until(lambda: server.calls)
        start = time.monotonic()
        running.send_signal(signal.SIGTERM)
        _, printed = running.communicate(timeout=60)
        assert time.monotonic() - start < 15
    assert running.returncode == 128 + signal.SIGTERM, printed
    assert "Traceback" not in printed
