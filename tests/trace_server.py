"""POST /trace on a real server, for tests over HTTP."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import requests
import uvicorn
from browser import free_port, wait_until_healthy

from trace_core.api.application import SECONDS, create_app
from trace_core.settings import Settings

ROOT = Path(__file__).parents[1]
CLEAN = {"OPENAI_API_KEY": None, "TRACE_API_KEY": None, "TRACE_LABELER": "local", "TRACE_RAGAS_PYTHON": None}


def reply_to(url: str, query: object, **headers: str) -> requests.Response:
    """The reply to a query: a string as it is, anything else as JSON in a string."""
    text = query if isinstance(query, str) else json.dumps(query)
    return requests.post(url, json={"query": text}, headers=headers, timeout=60)


@contextmanager
def served(seconds: float = SECONDS, **env: object) -> Iterator[str]:
    """The API under uvicorn for the duration of the block; yields its address. `seconds` is the limit for a query."""
    settings = Settings(**{**CLEAN, **env}, _env_file=None)
    port = free_port()
    server = uvicorn.Server(
        uvicorn.Config(create_app(lambda: settings, seconds), host="127.0.0.1", port=port, log_level="warning")
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield f"http://127.0.0.1:{port}/trace"
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def serve_uvicorn(folder: Path) -> Iterator[str]:
    """`uvicorn app:app` on a data folder for the duration of the block; yields its address."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "app:app", "--port", str(port), "--log-level", "warning"]
    env = {"TRACE_DATA_DIR": str(folder), "TRACE_WARM_UP": "off", "PATH": ""}
    server = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        wait_until_healthy(server, url)
        yield url
    finally:
        server.terminate()
        server.wait(timeout=20)
