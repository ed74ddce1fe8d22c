"""Traces as tools write them: one row a trace, read as it was meant, or left out with the reason."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from trace_core.datasets import read_dataset

FOLDER = Path(__file__).parent / "traces"
CASES = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
FIELDS = (
    "id",
    "question",
    "documents",
    "document_ids",
    "document_titles",
    "document_scores",
    "response",
    "reference_answer",
    "generation_model_name",
    "conversation",
    "turns",
)
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


THOUSAND = {
    "openinference-collector.jsonl": r'(?<="traceId": ")\w+',
    "genai-agent.jsonl": r'(?<="traceId": ")\w+',
    "langfuse-sdk-otlp.jsonl": r'(?<="traceId": ")\w+',
    "mlflow-expectations.jsonl": r"(?<=tr-)d1",
}
"""A file of each kind, and what to change in it for another trace."""


@pytest.mark.parametrize("name", THOUSAND)
def test_a_thousand_traces_are_a_thousand_rows(name, tmp_path):
    text = (FOLDER / name).read_text(encoding="utf-8").strip()
    (known,) = CASES[name]["rows"]
    with (tmp_path / name).open("w", encoding="utf-8") as file:
        for n in range(1_000):
            file.write(re.sub(THOUSAND[name], f"{n:032x}", text) + "\n")
    found = read_dataset(tmp_path / name, texts=chunks)
    assert found.errors == []
    assert len({item.id for item in found.items}) == 1_000
    assert {json.dumps(row(item) | {"id": known["id"]}, sort_keys=True) for item in found.items} == {
        json.dumps(known, sort_keys=True)
    }


def spans(tmp_path, *rows):
    file = tmp_path / "spans.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return read_dataset(file)


def retrieval(trace, attributes):
    named = {"openinference.span.kind": "RETRIEVER", "input.value": "How much water?", **attributes}
    return {"context": {"trace_id": trace, "span_id": f"{trace}-1"}, "name": "search", "attributes": named}


def test_what_only_later_documents_have_is_read_too(tmp_path):
    text = {"retrieval.documents.0.document.content": "The tank holds 1.8 litres."}
    later = {**text, "retrieval.documents.0.document.id": "d1", "retrieval.documents.0.document.score": 0.5}
    found = spans(tmp_path, *(retrieval(f"t{n}", text) for n in range(60)), retrieval("t60", later))
    assert [found.items[n].document_ids for n in (0, 60)] == [None, ["d1"]]
    assert [found.items[n].document_scores for n in (0, 60)] == [None, [0.5]]


@pytest.mark.parametrize(
    "attributes", [{"openinference.span.kind": "", "db.system": []}, {"retrieval.documents.0.document": {"content": 3}}]
)
def test_attributes_that_no_tool_writes_give_no_row(tmp_path, attributes):
    found = spans(tmp_path, retrieval("t", attributes))
    assert (found.items, len(found.errors)) == ([], 1)


def test_a_text_field_that_is_not_read_is_named(tmp_path):
    (error,) = spans(tmp_path, retrieval("t", {"retrieval.documents.0.document.remark": "A text."})).errors
    assert "The field 'remark' of its span is empty or not read." in str(error)


def test_a_search_that_found_nothing_is_a_row_without_documents(tmp_path):
    found = spans(tmp_path, retrieval("t", {"output.value": "[]"}), retrieval("u", {}))
    assert [(item.documents, item.kind) for item in found.items] == [([], "answer")] * 2


def test_what_a_search_gave_and_nobody_can_read_leaves_the_trace_out(tmp_path):
    (error,) = spans(tmp_path, retrieval("t", {"output.value": "three hits"})).errors
    assert "does not say which documents" in str(error)
