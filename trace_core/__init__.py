"""TRACE: why a RAG answer scored what it scored.

    from trace_core import evaluate
    record = evaluate(question, documents, response)
    record.scores.adherence

Nothing heavy is imported before it is needed.
"""

from trace_core.aggregate import aggregate
from trace_core.errors import TraceError
from trace_core.facts.labels import Labels, clean
from trace_core.facts.records import Document, Record, Scores, Sentences
from trace_core.library import ask, from_frame, label_frame, scores, to_frame
from trace_core.metrics import CONVENTIONS, METRICS, score
from trace_core.metrics.truth import compare_run_to_truth, compare_to_truth
from trace_core.pipeline import evaluate
from trace_core.rescoring import rescore

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
