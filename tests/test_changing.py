"""`docs/changing.md` lists what each change touches, and the source agrees."""

import io
import re
from pathlib import Path

import pytest
from run_examples import Counting, labeled

from trace_core import labeling
from trace_core.errors import InputError
from trace_core.facts.labels import AUTHORS
from trace_core.metrics import METRICS
from trace_core.pipeline import needs_llm
from trace_core.runs.files import export as exporting
from trace_core.runs.files.export import export
from trace_core.runs.files.exported import from_records
from trace_core.runs.files.schema import RunConfig
from trace_core.settings import Settings
from trace_core.store.schema import RECORDS
from trace_core.summary.columns import NUMBERS, TEXTS, WORDS, RunColumns

ROOT = Path(__file__).parents[1]
DOC = (ROOT / "docs" / "changing.md").read_text("utf-8")
SECTIONS = dict(part.split("\n", 1) for part in DOC.split("\n## ")[1:])
SOURCES = [path for folder in ("trace_core", "pages") for path in (ROOT / folder).rglob("*.py")]


def holding(pattern):
    """The source files that contain the pattern, relative to the root."""
    return {str(p.relative_to(ROOT)) for p in SOURCES if re.search(pattern, p.read_text("utf-8"))}


def test_every_file_that_is_named_is_there():
    named = set(re.findall(r"`((?:trace_core|pages|tests)/[\w./]+)`", DOC)) | {"app.py"}
    assert len(named) > 15
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("name", SECTIONS)
def test_what_a_section_calls_by_name_is_in_the_files_that_it_names(name):
    text = SECTIONS[name]
    files = [ROOT / file for file in re.findall(r"`((?:trace_core|pages)/[\w./]+\.(?:py|j2))`", text)]
    source = "\n".join(file.read_text("utf-8") for file in files)
    called = set(re.findall(r"`([A-Za-z_]{4,})`", text)) - {path.stem for path in SOURCES}
    assert [one for one in sorted(called) if one not in source] == []


def test_a_metric_is_named_where_the_page_says_and_in_rules_alone():
    rules = "diagnosis/faults diagnosis/signs golden/modes summary/peers demo/guide"
    of_rules = {f"trace_core/{name}.py" for name in rules.split()}
    found = holding(r"\b(?:completeness|COMPLETENESS)\b")
    named = {name for name in found if not name.startswith("trace_core/labeling/")}
    said = set(re.findall(r"`(trace_core/[\w./]+)`", SECTIONS["A metric"]))
    assert named - of_rules <= said
    assert list(METRICS)[2] == "completeness"


def test_nothing_asks_for_a_labeler_or_an_answerer_by_its_name():
    name = r"""["'](?:gpt|local|decisions|extractive)["']"""
    executors = {"trace_core/settings.py", "trace_core/runs/execute/worker.py"}  # `local` is one, too
    assert holding(rf"[=!]= {name}|{name} in |\bin \((?:None, )?{name}") == executors


def test_a_labeler_is_one_entry(monkeypatch):
    made = Counting()
    kinds = {**labeling.LABELERS, "counting": labeling.LabelerKind("Counting", True, lambda embedder, llm: made)}
    monkeypatch.setattr(labeling, "LABELERS", kinds)
    assert labeling.make_labeler("counting", None) is made
    assert needs_llm("counting", "extractive")
    assert "counting" not in labeling.without_llm()


def test_who_a_labeler_is_stands_in_one_table():
    assert labeling.LABELERS.keys() < AUTHORS.keys()
    own = {f"trace_core/{name}.py" for name in ("labeling/__init__", "labeling/decisions", "llm/prompts/__init__")}
    assert holding(r"""["']decisions["']""") == own | {"trace_core/facts/labels.py"}


def test_a_convention_is_one_entry_and_a_formula_of_each_metric():
    formulas = {f"trace_core/metrics/{name}.py" for name in METRICS}
    rule = {"trace_core/diagnosis/signs.py"}
    assert holding(r"""["']graded["']""") - rule == formulas | {"trace_core/metrics/base.py"}
    assert Settings.model_fields["convention"].annotation is RunConfig.model_fields["convention"].annotation


def test_a_format_is_one_entry(monkeypatch):
    ids = exporting.Format("ids", "Ids", "txt", "text/plain", lambda run, out: out.write(str(run.counts["total"])))
    monkeypatch.setattr(exporting, "FORMATS", {**exporting.FORMATS, "ids": ids})
    run, out = from_records([labeled("1")], {"config": {"convention": "trace"}}), io.StringIO()
    export(run, "ids", out)
    assert out.getvalue() == "1"
    with pytest.raises(InputError, match="summary, ids"):
        export(run, "xml", out)


ONCE = {
    "prompts": (r"(?<!class )\bPrompt\(", "trace_core/llm/prompts/__init__.py"),
    "formats": (r"RAGBench rows \(JSONL\)", "trace_core/runs/files/export.py"),
    "the filters' names in the address": (r'"status", "verdict"', "pages/components/runs/filters.py"),
}


@pytest.mark.parametrize(("pattern", "place"), ONCE.values(), ids=ONCE)
def test_a_table_stands_in_one_place(pattern, place):
    assert holding(pattern) == {place}


def test_the_store_has_a_column_for_each_name():
    assert {*TEXTS, *NUMBERS} <= {column.name for column in RECORDS.columns}
    assert {*WORDS} - {"status"} <= {*RunColumns.__slots__}


def test_every_page_is_in_the_navigation():
    door = (ROOT / "app.py").read_text("utf-8")
    pages = [page.name for page in (ROOT / "pages").glob("*.py") if page.stem != "__init__"]
    assert [name for name in pages if f"pages/{name}" not in door] == []
