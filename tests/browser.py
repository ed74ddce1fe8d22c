"""A real browser and a real server, for tests that look at pages as a person does."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Protocol

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
    *("--headless", "--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-quic", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", f"--disable-features={','.join(OFF)}"),
)
HASTY = ("--js-flags=--no-maglev,--no-turbofan,--single-threaded-gc",)
"""For the tests, whose pages live for seconds: to compile scripts well takes longer than to run them badly."""
WINDOW = {"width": 1440, "height": 900}
START_SECONDS = 60


def chromium_path() -> str | None:
    """The path of Chromium: `$CHROMIUM`, else the first of the usual names on the path."""
    named = os.environ.get("CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


def launch(playwright: Playwright, more: Sequence[str] = ()) -> Browser:
    """Start the installed Chromium, or Playwright's own if there is none."""
    return playwright.chromium.launch(executable_path=chromium_path(), args=[*QUIET, *more])


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
    # plotly's warnings are traces: each writes a stack and takes long
    page.on("console", lambda message: message.type in ("error", "trace") and page.problems.append(message.text))
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


class Server(Protocol):
    """A server's process."""

    def poll(self) -> int | None: ...

    def wait(self, timeout: float | None = None) -> object: ...

    def terminate(self) -> None: ...

    def kill(self) -> None: ...


def typed(words: list[str], cwd: str, env: Mapping[str, str], log: str) -> Server:
    """`python -m streamlit …` in that folder, with that environment; what it prints goes to the log."""
    with open(log, "a") as said:
        return subprocess.Popen(
            [sys.executable, "-m", "streamlit", *words], cwd=cwd, env=env, stdout=said, stderr=subprocess.STDOUT
        )


start: Callable[[list[str], str, Mapping[str, str], str], Server] = typed
"""How `serve` starts a server. The tests have theirs forked (`conftest.py`)."""


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
        server = start(words, str(cwd or Path.cwd()), {**os.environ, **(env or {})}, log.name)
        url = f"http://127.0.0.1:{port}"
        try:
            wait_until_healthy(server, url)
            yield url
        except BaseException as error:
            error.add_note(f"The server said:\n{_tail(log)}")
            raise
        finally:
            _stop(server)


def wait_until_healthy(server: Server, url: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"streamlit did not answer on {url} (exit code {server.poll()})")


def _stop(server: Server) -> None:
    server.terminate()
    try:
        server.wait(timeout=10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def _tail(log: IO[str], characters: int = 4000) -> str:
    log.seek(0)
    return log.read()[-characters:]
