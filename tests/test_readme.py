"""The README agrees with the code."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from trace_server import served

from trace_core.metrics.describe import table

pytestmark = pytest.mark.process
ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_example_prints_what_the_readme_says():
    example = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    said = re.search(r"```text\n(.*?)```", README, re.DOTALL)
    assert example is not None
    assert said is not None
    run = subprocess.run([sys.executable, "-c", example[1]], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout == said[1]


@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("bash")), reason="no curl")
def test_the_request_to_trace_prints_what_the_readme_says():
    request = re.search(r"```sh\n(curl .*?)```", README, re.DOTALL)
    said = re.search(r"```console\n(.*?)```", README, re.DOTALL)
    assert request is not None
    assert said is not None
    with served() as url:
        command = request[1].replace("http://localhost:8501/trace", url)
        run = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert run.stdout == said[1]


def test_the_table_of_metrics_is_the_codes():
    shown = re.search(r"<!-- metrics -->\n(.*?)\n<!-- /metrics -->", README, re.DOTALL)
    assert shown is not None
    assert shown[1] == table()


def test_every_file_that_the_readme_links_to_is_there():
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).is_file()] == []


def test_every_command_that_the_readme_names_exists():
    help_text = subprocess.run(
        [sys.executable, "-m", "trace_core", "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    named = set(re.findall(r"python -m trace_core (\w+)", README))
    said = "ask ingest collections score label import export run runs compare doctor benchmark golden"
    assert named == set(said.split())
    assert [name for name in named if name not in help_text] == []
