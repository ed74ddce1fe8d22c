"""The wheel: what is in it, and that it opens the dashboard in an environment without this checkout."""

import os
import subprocess
import sys
import zipfile
from email import message_from_bytes
from pathlib import Path

import environments
import pytest
import requests
from browser import free_port, wait_until_healthy

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.process
LARGEST = 11_000_000
SHARED = "trace_rag-0.1.0.data/data/share/trace-rag/"
INFO = "trace_rag-0.1.0.dist-info"


def tracked(*folders):
    """The files of the checkout, as a clone has them; those that were deleted are not."""
    listed = subprocess.run(["git", "ls-files", "-z", *folders], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def run(*command, **options):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True, **options)


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    if not (ROOT / ".git").exists():
        pytest.skip("this is not a git checkout")
    clone = tmp_path_factory.mktemp("wheel") / "clone"
    for name in tracked():
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        (clone / name).write_bytes((ROOT / name).read_bytes())
    run("git", "init", "--quiet", cwd=clone)
    run("git", "add", "--all", cwd=clone)
    return clone


@pytest.fixture(scope="module")
def wheel(clone):
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", ".", cwd=clone)
    (wheel,) = clone.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    """An environment with the wheel, and with the packages that it needs."""
    folder = environments.environment(tmp_path_factory.mktemp("environment"))
    pip = (sys.executable, "-m", "pip", "--python", folder / "bin" / "python")
    run(*pip, "install", "--quiet", "--no-deps", "--no-index", "--ignore-installed", wheel)
    return folder


def test_building_it_leaves_nothing_that_git_sees(clone, wheel):
    assert run("git", "status", "--porcelain", "--untracked-files=all", cwd=clone).stdout.count("??") == 0


def test_it_has_the_package_and_the_whole_dashboard_and_is_as_small_as_said(wheel):
    with zipfile.ZipFile(wheel) as opened:
        names = set(opened.namelist())
        about = message_from_bytes(opened.read(f"{INFO}/METADATA"))
    assert {name.split("/")[0] for name in names} == {"trace_core", "trace_rag-0.1.0.data", INFO}
    dashboard = tracked("app.py", "pages", ".streamlit")
    assert {name.removeprefix(SHARED) for name in names if name.startswith(SHARED)} == set(dashboard)
    assert [name for name in tracked("trace_core") if name not in names] == []
    assert "# TRACE" in about.get_payload()
    assert wheel.stat().st_size < LARGEST


def test_no_package_called_pages_is_installed(environment):
    (site,) = environment.glob("lib/*/site-packages")
    ours = [path.name for path in site.iterdir() if path.name.startswith(("pages", "trace", "app"))]
    assert sorted(ours) == ["trace_core", INFO]


@pytest.mark.parametrize("command", [(), ("demo",)])
def test_from_any_folder_it_opens_the_dashboard(environment, tmp_path, command):
    port = free_port()
    own = {"TRACE_DATA_DIR": str(tmp_path / "data"), "STREAMLIT_SERVER_HEADLESS": "true", "PYTHONPATH": ""}
    options = ("--port", str(port)) if command else ()
    with subprocess.Popen(
        [environment / "bin" / "trace-rag", *command, *options],
        cwd=tmp_path,
        stderr=subprocess.STDOUT,
        env=os.environ | own | ({} if command else {"STREAMLIT_SERVER_PORT": str(port)}),
        stdout=subprocess.PIPE,
    ) as server:
        try:
            url = f"http://127.0.0.1:{port}"
            wait_until_healthy(server, url)
            assert "<title>Streamlit</title>" in requests.get(url, timeout=30).text
            assert requests.get(f"{url}/trace/schema", timeout=60).status_code == 200
        finally:
            server.terminate()


PAGE = """
import os, sys
from importlib.metadata import distribution
from trace_core.commands.app import app_file
sys.path.insert(0, str(app_file().parent))
import trace_core
from streamlit.testing.v1 import AppTest
page = AppTest.from_file(str(app_file()), default_timeout=120).run()
assert not page.exception and not page.error, (page.exception, page.error)
print(trace_core.__file__, page.title[0].value)
"""


def test_its_first_page_opens(environment, tmp_path):
    own = {"TRACE_DATA_DIR": str(tmp_path / "data"), "PYTHONPATH": ""}
    done = run(environment / "bin" / "python", "-c", PAGE, cwd=tmp_path, env=os.environ | own)
    assert str(environment) in done.stdout
    assert done.stdout.split()[-1] == "Ask"


CHECK = """
import sys
for extra in "streamlit plotly fastapi starlette uvicorn torch sentence_transformers transformers psycopg".split():
    sys.modules[extra] = None
import trace_core.commands.app
from trace_core.pytest_plugin import assert_trace
assert_trace("How much?", ["The tank holds 2 litres."], "The tank holds 2 litres.", adherence=1)
"""


def test_a_pipelines_check_needs_no_extra():
    run(sys.executable, "-c", CHECK, cwd=ROOT)
