"""The parts of the container image agree. `.ci/check-image` checks, as root, that its steps work."""

import re
from pathlib import Path

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


def test_nothing_that_the_app_needs_is_left_out():
    ignored = (ROOT / ".dockerignore").read_text("utf-8").split()
    needed = {"app.py", "pages", "trace_core", "Makefile", ".ci", ".streamlit", "README.md"}
    needed |= {"requirements.txt", "requirements.lock", "requirements-torch.lock"}
    assert needed & set(ignored) == set()


def test_no_secret_gets_into_the_image():
    ignored = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert {".env", ".streamlit/secrets.toml", ".git", ".trace"} <= set(ignored)
