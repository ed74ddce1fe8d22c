"""A real browser and a real server, for tests that look at pages as a person does."""

from __future__ import annotations

import os
import shutil
import socket
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import ModuleType
from typing import IO

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, Playwright
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OFF = (
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"),
    *("AimEnabled", "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *("HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "NetworkTimeServiceQuerying"),
    *("OptimizationHints", "PaintHolding", "PreconnectToSearch", "ThirdPartyStoragePartitioning"),
)
"""The address bar's popups, which each new page would load without showing them: half a second of processor time.
Then the features that Playwright turns off: Chromium uses only the last such list.
"""
QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--js-flags=--no-maglev,--no-turbofan,--single-threaded-gc",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(OFF)}",
)
"""Each page lives for seconds: to compile its scripts well takes longer than to run them badly."""
WINDOW = {"width": 1440, "height": 900}
START_SECONDS = 60


def chromium_path() -> str | None:
    """The path of Chromium: `$CHROMIUM`, else the first of the usual names on the path."""
    named = os.environ.get("CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


def launch(playwright: Playwright) -> Browser:
    """Start the installed Chromium, or Playwright's own if there is none."""
    return playwright.chromium.launch(executable_path=chromium_path(), args=list(QUIET))


def watched(context: BrowserContext) -> Page:
    """A new page: `page.problems` lists everything that goes wrong in it, `page.runs` counts finished script runs."""
    page = context.new_page()
    page.problems = []
    page.runs = 0

    def count(frame: str | bytes) -> None:
        message = ForwardMsg.FromString(frame) if isinstance(frame, bytes) else ForwardMsg()
        ended = message.WhichOneof("type") == "script_finished"
        page.runs += ended and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN

    page.on("websocket", lambda socket: socket.on("framereceived", count))
    page.on("console", lambda message: message.type == "error" and page.problems.append(message.text))
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    return page


@contextmanager
def dialogs(page: Page) -> Iterator[list[str]]:
    """The dialogs that the page opens meanwhile; each is dismissed."""
    shown: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        shown.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", dismiss)
    try:
        yield shown
    finally:
        page.remove_listener("dialog", dismiss)  # the next test has the same page


def blank(page: Page) -> None:
    """The page as a new one: nothing shown, kept in the tab, or set by the test that used it."""
    if page.url.startswith("http"):
        page.evaluate("sessionStorage.clear()")
    page.goto("about:blank")
    page.set_viewport_size(WINDOW)
    page.emulate_media(media="null", color_scheme="null", reduced_motion="null")


def free_port() -> int:
    """An unused port on this machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def serve(script: str | Path, cwd: str | Path | None = None, env: Mapping[str, str] | None = None) -> Iterator[str]:
    """`streamlit run script` for the duration of the block; yields its address.

    `env` is added to this process' environment. When the block fails, the end of the server's
    output is appended to the error.
    """
    port = free_port()
    words = ["run", str(script), f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true"]
    words += ["--server.fileWatcherType=none", "--browser.gatherUsageStats=false"]
    with NamedTemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        given = words, str(cwd or Path.cwd()), {**os.environ, **(env or {})}, log.name
        server = FORKS.Process(target=_streamlit, args=given, daemon=True)
        with pytest.MonkeyPatch.context() as patch:  # a new process runs the file of this module, whatever it is by now
            patch.setitem(sys.modules, "__main__", ModuleType("__main__"))
            server.start()
        url = f"http://127.0.0.1:{port}"
        try:
            _wait_until_healthy(server, url)
            yield url
        except BaseException as error:
            error.add_note(f"The server said:\n{_tail(log)}")
            raise
        finally:
            _stop(server)


FORKS = get_context("forkserver")
"""Each server is a process of its own, forked from one that has the libraries: to import them takes two seconds."""
FORKS.set_forkserver_preload(
    ["streamlit.web.cli", "qdrant_client", "plotly.graph_objects", "onnxruntime", "trace_core.runs.execute.engine"]
)


def _streamlit(words: list[str], cwd: str, env: Mapping[str, str], log: str) -> None:
    """Become `python -m streamlit …`: that folder, that environment, and all that is printed in the log."""
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


def _wait_until_healthy(server: BaseProcess, url: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.is_alive():
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"streamlit did not answer on {url} (exit code {server.exitcode})")


def _stop(server: BaseProcess) -> None:
    server.terminate()
    server.join(timeout=10)
    if server.is_alive():
        server.kill()
        server.join()


def _tail(log: IO[str], characters: int = 4000) -> str:
    log.seek(0)
    return log.read()[-characters:]
