"""Our own records, as `export --format jsonl` writes them: texts, sentences, labels, and what a question expects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trace_core.datasets.adapters.base import Adapter, Raw, object_of, objects
from trace_core.metrics import METRICS


def _keyed(held: Any) -> list[list[Any]]:
    return [[sentence.get("key"), sentence.get("text")] for sentence in objects(held)]


def _rows(record: Raw) -> Iterator[dict[str, Any]]:
    documents, response = objects(record["documents"]), object_of(record["response"])
    labels, golden = object_of(record.get("labels")), object_of(record.get("golden"))
    row: dict[str, Any] = {
        "id": record.get("source_id") or record.get("id"), "question": record.get("question"),
        "documents": [document.get("text") for document in documents],
        "document_ids": [document.get("id") for document in documents],
        "document_scores": [document.get("retrieval_score") for document in documents],
        "documents_sentences": [_keyed(document.get("sentences")) for document in documents],
        "response": response.get("text"), "response_sentences": _keyed(response.get("sentences")) or None,
        "generation_model_name": record.get("generation_model_name"), "turns": record.get("turns") or None,
        "ground_truth": record.get("ground_truth"), **object_of(record.get("fields")),
        **{name: value for name, value in golden.items() if not name.startswith("document_")},
        **{name: value for name, value in labels.items() if name not in ("probabilities", "expected")},
    }  # fmt: skip
    yield {name: value for name, value in row.items() if value is not None}


ADAPTER = Adapter("TRACE", "records (JSONL)", ("source_id", "documents", "response", "labels", "scores"), rows=_rows)


def _scored(row: Raw) -> Iterator[dict[str, Any]]:
    """A row of scores alone has them as columns; beside a response they stay what they are."""
    others = {name: value for name, value in row.items() if name not in METRICS}
    yield dict(row) if "response" in row else {**others, "metrics": {name: row[name] for name in METRICS}}


SCORES = Adapter("TRACE", "rows of the four scores", tuple(METRICS), rows=_scored)
