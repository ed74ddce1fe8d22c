"""Traces as tools write them: one row a trace, read as it was meant, or left out with the reason."""

import json
from collections import Counter
from pathlib import Path

import pytest
from run_examples import in_lines

from trace_core.datasets import read_dataset

FOLDER = Path(__file__).parent / "traces"
CASES = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
FIELDS = """id question documents document_ids document_titles document_scores response reference_answer
    generation_model_name conversation turns""".split()
CHUNKS = {("manuals", "manual.pdf#0"): "The tank holds 1.8 litres.", ("manuals", "manual.pdf#1"): "Use cold water."}


def chunks(collection, ids):
    """What is in Qdrant."""
    return {each: text for each in ids if (text := CHUNKS.get((collection, each))) is not None}


def row(item):
    found = {name: getattr(item, name) for name in FIELDS}
    found["turns"] = [[turn.role, turn.text] for turn in item.turns or []] or None
    return {name: value for name, value in found.items() if value is not None}


def test_every_file_has_its_expected_reading():
    assert {path.name for path in FOLDER.iterdir()} - {"expected.json"} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_a_trace_is_read_as_it_is_meant_or_counted_with_its_reason(name):
    found = read_dataset(FOLDER / name, texts=chunks)
    assert [row(item) for item in found.items] == CASES[name]["rows"]
    wanted = CASES[name].get("left_out", {})
    reasons = Counter(next((part for part in wanted if part in str(e)), str(e)) for e in found.errors)
    assert reasons == wanted


def retrieval(trace, attributes):
    named = {"openinference.span.kind": "RETRIEVER", "input.value": "How much water?", **attributes}
    return {"context": {"trace_id": trace, "span_id": f"{trace}-1"}, "name": "search", "attributes": named}


def test_what_only_later_documents_have_is_read_too(tmp_path):
    text = {"retrieval.documents.0.document.content": "The tank holds 1.8 litres."}
    later = {**text, "retrieval.documents.0.document.id": "d1", "retrieval.documents.0.document.score": 0.5}
    rows = [*(retrieval(f"t{n}", text) for n in range(60)), retrieval("t60", later)]
    found = read_dataset(in_lines(tmp_path / "spans.jsonl", rows))
    assert [found.items[n].document_ids for n in (0, 60)] == [None, ["d1"]]
    assert [found.items[n].document_scores for n in (0, 60)] == [None, [0.5]]


@pytest.mark.parametrize(
    "attributes", [{"openinference.span.kind": "", "db.system": []}, {"retrieval.documents.0.document": {"content": 3}}]
)
def test_attributes_that_no_tool_writes_give_no_row(tmp_path, attributes):
    found = read_dataset(in_lines(tmp_path / "spans.jsonl", [retrieval("t", attributes)]))
    assert (found.items, len(found.errors)) == ([], 1)
