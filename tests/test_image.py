"""The parts of the container image agree, its steps work, and its files go to a Space."""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import environments
import pytest

ROOT = Path(__file__).parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
FRONT = (ROOT / "README.md").read_text("utf-8").split("---\n")[1]


def front(name):
    return re.search(rf"^{name}: (.+)$", FRONT, re.MULTILINE)[1]


def test_a_space_is_told_the_port_that_the_image_serves():
    assert front("sdk") == "docker"
    assert front("app_port") == re.search(r"PORT=(\d+)", DOCKERFILE)[1] == re.search(r"EXPOSE (\d+)", DOCKERFILE)[1]


def test_the_base_is_one_image_whatever_its_tag_says_later():
    assert re.match(r"#.*\nFROM python:3\.12-slim@sha256:[0-9a-f]{64}\n", DOCKERFILE)


def test_it_runs_as_user_1000_and_not_as_the_source_owner():
    assert "--uid 1000 trace" in DOCKERFILE
    assert DOCKERFILE.index("COPY . .") < DOCKERFILE.index("USER trace")


def space(*words, **env):
    """`.ci/space` with these words: (exit code, what it printed)."""
    done = subprocess.run(
        [sys.executable, ROOT / ".ci" / "space", *words], capture_output=True, text=True, env={**os.environ, **env}
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def files():
    if not (ROOT / ".git").exists():
        pytest.skip("this is not a git checkout")
    return space("--files")[1].split()


def test_the_image_gets_all_that_it_needs_and_no_more(files):
    needs = (
        ".ci .dockerignore .gitignore .streamlit Dockerfile LICENSE Makefile README.md app.py pages trace_core".split()
    )
    needs += "pyproject.toml requirements.txt requirements.lock requirements-torch.lock".split()
    assert {name.split("/")[0] for name in files} == set(needs)


def test_no_secret_gets_into_the_image():
    ignored = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert {".env", ".streamlit/secrets.toml", ".git", ".trace"} <= set(ignored)


# To a Space


class Hub(BaseHTTPRequestHandler):
    """The part of the Hub's API that an upload uses: every file may be sent as it is."""

    calls: ClassVar[list] = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.calls.append((self.path, body))
        here = f"http://127.0.0.1:{self.server.server_port}"
        if "/preupload/" in self.path:
            asked = json.loads(body)["files"]
            answer = {"files": [{"path": f["path"], "uploadMode": "regular", "shouldIgnore": False} for f in asked]}
        elif "/commit/" in self.path:
            answer = {"commitUrl": f"{here}/spaces/me/trace/commit/c0ffee", "commitOid": "c0ffee"}
        elif "/variables" in self.path:
            answer = {}
        elif "/tree/" in self.path:
            answer = [{"type": "file", "path": "old.py", "oid": "1", "size": 1}]
        else:
            answer = {"url": f"{here}/spaces/me/trace", "id": "me/trace", "sha": "c0ffee"}
        sent = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    do_GET = do_POST

    def log_message(self, *_):
        pass


@pytest.fixture
def hub():
    Hub.calls.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Hub) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.process
def test_a_space_is_created_with_the_demos_variable_and_exactly_the_images_files(hub, files, tmp_path):
    code, told = space("me/trace", HF_ENDPOINT=hub, HF_TOKEN="hf_test", HF_HOME=str(tmp_path), HF_HUB_OFFLINE="0")
    assert code == 0, told
    calls = dict(Hub.calls)
    assert json.loads(calls["/api/repos/create"])["sdk"] == "docker"
    assert json.loads(calls["/api/spaces/me/trace/variables"]) == {"key": "TRACE_DEMO", "value": "1"}
    commits = [body for path, body in Hub.calls if path.startswith("/api/spaces/me/trace/commit/main")]
    sent = [json.loads(line) for body in commits for line in body.splitlines()]
    assert {line["value"]["path"] for line in sent if line["key"] == "file"} == set(files)
    assert [line["value"]["path"] for line in sent if line["key"] == "deletedFile"] == ["old.py"]
    (app,) = [line["value"]["content"] for line in sent if line["value"].get("path") == "app.py"]
    assert base64.b64decode(app) == (ROOT / "app.py").read_bytes()
    assert "https://me-trace.hf.space" in told
    assert "hf_test" not in told


def test_a_dry_run_lists_files_and_sizes_and_sends_nothing(hub, files):
    code, told = space("me/trace", "--dry-run", HF_ENDPOINT=hub)
    assert code == 0
    assert [line.split()[1] for line in told.splitlines()[: len(files)]] == files
    assert re.search(r"\n\d+ files, \d+\.\d MB, to the Space me/trace\n", told)
    assert Hub.calls == []


@pytest.mark.parametrize("name", ["", "trace", "a/b/c"])
def test_a_space_must_be_named(name):
    code, told = space(name)
    assert code == 2
    assert "OWNER/NAME" in told


# The image's steps


@pytest.mark.process
@pytest.mark.timeout(600)
def test_the_images_steps_work_as_another_user_with_read_only_code():
    python = environments.for_everyone()
    if os.geteuid() != 0 or python is None or not all(map(shutil.which, ("setpriv", "useradd"))):
        pytest.skip("it takes root, setpriv, useradd and a Python that every user may run: see .ci/check-image")
    folder = Path(tempfile.mkdtemp())  # pytest's own folders are closed to other users
    folder.chmod(0o755)
    env = {**os.environ, "VENV": str(environments.environment(folder / "venv", python))}
    done = subprocess.run([ROOT / ".ci" / "check-image"], capture_output=True, text=True, env=env)
    shutil.rmtree(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "All steps passed." in done.stdout
