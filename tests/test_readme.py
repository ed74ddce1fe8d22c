"""The README agrees with the code."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from trace_server import served

from trace_core.metrics import CONVENTIONS, METRICS, RELEVANCE_DIVISOR

pytestmark = pytest.mark.process
ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def table():
    """The four metrics by convention, as a Markdown table."""
    header = ["metric", *(f"`{c.name}` ({c.label})" for c in CONVENTIONS.values())]
    rows = [header, ["---"] * len(header)]
    for metric in METRICS.values():
        texts = (metric.formulas[name].text.format(divisor=RELEVANCE_DIVISOR) for name in CONVENTIONS)
        rows.append([f"**{metric.label}**. {metric.question}", *(text.replace("|", "\\|") for text in texts)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def block(language):
    """The first block of that language in the README."""
    (text, *_) = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return text


def test_the_example_prints_what_the_readme_says():
    command = [sys.executable, "-c", block("python")]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout == block("text")


@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("bash")), reason="no curl")
def test_the_request_to_trace_prints_what_the_readme_says():
    request = re.search(r"```sh\n(curl .*?)```", README, re.DOTALL)
    with served() as url:
        command = request[1].replace("http://localhost:8501/trace", url)
        run = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert run.stdout == block("console")


def test_the_table_of_metrics_is_the_codes():
    page = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    shown = re.search(r"<!-- metrics -->\n(.*?)\n<!-- /metrics -->", page, re.DOTALL)
    assert shown[1] == table()


@pytest.mark.parametrize("page", [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), ROOT / "bench" / "README.md"])
def test_every_file_that_a_page_links_to_is_there(page):
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).is_file()] == []


def test_the_readme_is_short_and_every_page_is_reached_from_it():
    assert len(README.splitlines()) <= 150
    linked = {ROOT / link for link in re.findall(r"\]\(([^)#:]+\.md)\)", README)}
    pages = {page: page.read_text("utf-8") for page in linked}
    onward = {page.parent / link for page, text in pages.items() for link in re.findall(r"\]\(([\w-]+\.md)\)", text)}
    assert set((ROOT / "docs").glob("*.md")) - linked - onward == set()


def test_every_command_is_in_the_readme_and_every_one_that_is_named_exists():
    from trace_core.commands.app import app

    there = {command.name or command.callback.__name__ for command in app.registered_commands}
    assert set(re.findall(r"python -m trace_core (\w+)", README)) == there


def test_every_measurement_is_in_the_table_of_bench():
    table = (ROOT / "bench" / "README.md").read_text(encoding="utf-8")
    scripts = {path.name: path.read_text("utf-8") for path in (ROOT / "bench").glob("*.py")}
    imported = {f"{name}.py" for text in scripts.values() for name in re.findall(r"\b(?:from|import) (\w+)", text)}
    named = set(re.findall(r"^\| `([\w.]+)", table, re.MULTILINE))
    assert named - set(scripts) == set()
    assert set(scripts) - named - imported == set()
