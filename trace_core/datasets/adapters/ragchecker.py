"""RAGChecker: the input of `ragchecker-cli`, before or after it was checked."""

from __future__ import annotations

from trace_core.datasets.adapters.base import Adapter, objects

ADAPTER = Adapter(
    "RAGChecker", "inputs and results", ("results.0.query", "results.0.gt_answer"),
    {"id": "query_id", "question": "query", "response": "response", "reference_answer": "gt_answer",
     "documents": "retrieved_context"},
    lambda whole: objects(whole["results"]),
)  # fmt: skip
