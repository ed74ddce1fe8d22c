"""TRACE: why a RAG answer scored what it scored. from trace_core import evaluate record = evaluate(question, documents,
response) record.scores.adherence Modules are imported only when needed."""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trace_core.diagnosis.rescoring import rescore as rescore
    from trace_core.errors import TraceError as TraceError
    from trace_core.facts.cleaning import clean as clean
    from trace_core.facts.labels import Labels as Labels
    from trace_core.facts.records import Document as Document
    from trace_core.facts.records import Record as Record
    from trace_core.facts.records import Scores as Scores
    from trace_core.facts.records import Sentences as Sentences
    from trace_core.library import ask as ask
    from trace_core.library import from_frame as from_frame
    from trace_core.library import label_frame as label_frame
    from trace_core.library import scores as scores
    from trace_core.library import to_frame as to_frame
    from trace_core.metrics import CONVENTIONS as CONVENTIONS
    from trace_core.metrics import METRICS as METRICS
    from trace_core.metrics import score as score
    from trace_core.metrics.truth import compare_run_to_truth as compare_run_to_truth
    from trace_core.metrics.truth import compare_to_truth as compare_to_truth
    from trace_core.pipeline import evaluate as evaluate
    from trace_core.summary.aggregation import aggregate as aggregate

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
__all__ = [name for names in _HOMES.values() for name in names]


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            value = globals()[name] = getattr(import_module(f"trace_core.{module}"), name)
            return value
    raise AttributeError(f"module 'trace_core' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
