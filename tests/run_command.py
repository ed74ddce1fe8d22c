"""Commands as a person types them: their output and exit codes."""

import io
import os
import signal
import subprocess
import sys
import threading
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from trace_core.__main__ import main
from trace_core.commands.stopping import SIGNALS

ROOT = Path(__file__).parents[1]
OURS = ("TRACE_", "QDRANT_", "OPENAI_")


hears_ctrl_c = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
"""For `preexec_fn`: whoever starts the tests in the background has SIGINT ignored, and children inherit that."""


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def command(folder: Path, *arguments: object, **environment: str) -> Done:
    """`python -m trace_core …` in that folder, with its own settings; in this process, which has the models loaded."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        for name in [n for n in os.environ if n.startswith(OURS)]:
            patch.delenv(name)
        for name, value in {"TRACE_DATA_DIR": str(folder / "data"), **environment}.items():
            patch.setenv(name, value)
        patch.setattr(sys, "argv", ["trace_core", *map(str, arguments)])
        patch.chdir(folder)
        handlers = {each: signal.getsignal(each) for each in SIGNALS}
        with pytest.raises(SystemExit) as end:
            main()
        for each, handler in handlers.items():  # after a first signal the next one would end these tests
            signal.signal(each, handler)
    for stream in (out, err):
        stream.seek(0)
    return checked(Done(end.value.code or 0, out.read(), err.read()))


def interrupt() -> None:
    """Ctrl-C, for a command that is at work in this process; called by another thread of it."""
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


def started(folder: Path, *arguments: object, **environment: str) -> subprocess.Popen[str]:
    """`python -m trace_core …` in that folder, as a separate process."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    ours = {"TRACE_DATA_DIR": str(folder / "data"), "PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1"}
    words = [sys.executable, "-m", "trace_core", *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(
        words, cwd=folder, env=kept | ours | environment, text=True, preexec_fn=hears_ctrl_c, **pipes
    )


def process(folder: Path, *arguments: object, **environment: str) -> Done:
    """The output and exit code of a separate process."""
    with started(folder, *arguments, **environment) as running:
        said = running.communicate(timeout=120)
    return checked(Done(running.returncode, *said))


def checked(done: Done) -> Done:
    assert "Traceback" not in done.stderr, done.stderr
    return done
