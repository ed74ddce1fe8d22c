"""TRACE: why a RAG answer scored what it scored.

    from trace_core import evaluate
    record = evaluate(question, documents, response)
    record.scores.adherence

Modules are imported only when needed.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trace_core.diagnosis.rescoring import rescore
    from trace_core.errors import TraceError
    from trace_core.facts.cleaning import clean
    from trace_core.facts.labels import Labels
    from trace_core.facts.records import Document, Record, Scores, Sentences
    from trace_core.library import ask, from_frame, label_frame, scores, to_frame
    from trace_core.metrics import CONVENTIONS, METRICS, score
    from trace_core.metrics.truth import compare_run_to_truth, compare_to_truth
    from trace_core.pipeline import evaluate
    from trace_core.summary.aggregation import aggregate

# Libraries that would report to their makers read these when they are loaded; see docs/security.md.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"

_HOMES = {
    "diagnosis.rescoring": ["rescore"],
    "errors": ["TraceError"],
    "facts.cleaning": ["clean"],
    "facts.labels": ["Labels"],
    "facts.records": ["Document", "Record", "Scores", "Sentences"],
    "library": ["ask", "from_frame", "label_frame", "scores", "to_frame"],
    "metrics": ["CONVENTIONS", "METRICS", "score"],
    "metrics.truth": ["compare_run_to_truth", "compare_to_truth"],
    "pipeline": ["evaluate"],
    "summary.aggregation": ["aggregate"],
}
__all__ = [
    "CONVENTIONS",
    "METRICS",
    "Document",
    "Labels",
    "Record",
    "Scores",
    "Sentences",
    "TraceError",
    "aggregate",
    "ask",
    "clean",
    "compare_run_to_truth",
    "compare_to_truth",
    "evaluate",
    "from_frame",
    "label_frame",
    "rescore",
    "score",
    "scores",
    "to_frame",
]


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            value = globals()[name] = getattr(import_module(f"trace_core.{module}"), name)
            return value
    raise AttributeError(f"module 'trace_core' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
