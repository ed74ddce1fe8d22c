"""Servers of the tests: each a process of its own, forked from one that has the libraries.

To import them takes two seconds of processor time, and the tests start some forty servers. Benches start theirs as a
person does (`browser.serve`).
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from types import ModuleType

import pytest

FORKS = get_context("forkserver")
FORKS.set_forkserver_preload(
    ["streamlit.web.cli", "qdrant_client", "plotly.graph_objects", "onnxruntime", "trace_core.runs.execute.engine"]
)


def begin(process: BaseProcess) -> None:
    """Start it; as a new process runs the main file first, which is the tests' own, there is none meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "__main__", ModuleType("__main__"))
        process.start()


class Forked:
    """The process, with the methods of `subprocess.Popen` that `browser.serve` uses."""

    def __init__(self, process: BaseProcess) -> None:
        self._process = process
        self.terminate, self.kill = process.terminate, process.kill

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> None:
        self._process.join(timeout)
        if self._process.is_alive():
            raise subprocess.TimeoutExpired("streamlit", timeout or 0)


def forked(words: list[str], cwd: str, env: Mapping[str, str], log: str) -> Forked:
    """A new `python -m streamlit …` in that folder, with that environment; what it prints goes to the log."""
    process = FORKS.Process(target=_streamlit, args=(words, cwd, dict(env), log), daemon=True)
    begin(process)
    return Forked(process)


def _streamlit(words: list[str], cwd: str, env: Mapping[str, str], log: str) -> None:
    from streamlit.web.cli import main

    said = os.open(log, os.O_WRONLY | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(said, stream)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.path.insert(0, cwd)
    sys.argv = ["streamlit", *words]
    main()
