"""Golden questions: what should be found and answered, and what went wrong otherwise."""

from trace_core.golden.dataset import golden_of, references_of, results_of, save_questions
from trace_core.golden.questions import GoldenQuestion, changed, read_questions, removed
from trace_core.golden.results import GoldenResult, by_category, described, measured, retrieval_actions, run_golden

__all__ = [
    "GoldenQuestion",
    "GoldenResult",
    "by_category",
    "changed",
    "described",
    "golden_of",
    "measured",
    "read_questions",
    "references_of",
    "removed",
    "results_of",
    "retrieval_actions",
    "run_golden",
    "save_questions",
]
