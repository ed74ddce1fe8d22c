"""A run over golden questions: whether the right documents were found, with the four metrics, by category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from trace_core.diagnosis.signs import refuses
from trace_core.facts.records import Record
from trace_core.golden.questions import GoldenQuestion
from trace_core.metrics import METRICS
from trace_core.metrics.found_documents import document_scores
from trace_core.retrieval import retrieval_action
from trace_core.retrieval.confidence import CORRECT_FROM, INCORRECT_BELOW
from trace_core.summary.aggregation import mean_of_known

MEASURES = ("document_recall", "document_precision", *METRICS)


@dataclass(frozen=True, slots=True)
class GoldenResult:
    """The result of one golden question.

    `document_recall` = expected documents found ÷ expected, `document_precision` = retrieved documents that
    are expected ÷ retrieved, both in [0, 1] and `None` if nothing is expected (precision also if
    nothing is retrieved). `refused`: the answer declines, which is right if nothing is expected.
    """

    golden: GoldenQuestion
    record: Record
    document_recall: float | None
    document_precision: float | None
    refused: bool

    @property
    def answerable(self) -> bool:
        """Whether the documents contain the answer."""
        return bool(self.golden.expected_documents)

    @property
    def rightly(self) -> bool:
        """Whether the question was rightly answered, or rightly refused if it has no answer."""
        return self.refused != self.answerable

    def value(self, name: str) -> float | None:
        """The value of one of `MEASURES`."""
        if name in METRICS:
            return getattr(self.record.scores, name) if self.record.scores else None
        found: float | None = getattr(self, name)
        return found


def measured(golden: GoldenQuestion, record: Record) -> GoldenResult:
    """The result of a question's record; an imported record keeps the figures of its export."""
    if record.golden:
        recall, precision = record.golden.document_recall, record.golden.document_precision
    else:
        recall, precision = document_scores(golden.expected_documents, record.documents)
    return GoldenResult(golden, record, recall, precision, refuses(record))


def by_category(results: Sequence[GoldenResult]) -> dict[str, dict[str, Any]]:
    """Category ("" if none) → what `described` returns for its questions."""
    groups: dict[str, list[GoldenResult]] = {}
    for result in results:
        groups.setdefault(result.golden.category or "", []).append(result)
    return {name: described(group) for name, group in groups.items()}


def described(group: Sequence[GoldenResult]) -> dict[str, Any]:
    """`n`, `failed`, the number `rightly` answered or refused, and each measure.

    Each measure has a `mean`, a 95 % `interval` and the number `scored`; undefined values are left out.
    """
    return {
        "n": len(group),
        "failed": sum(result.record.error is not None for result in group),
        "rightly": sum(result.rightly for result in group if result.record.error is None),
        **{name: mean_of_known([result.value(name) for result in group]) for name in MEASURES},
    }


def retrieval_actions(
    results: Sequence[GoldenResult], *, correct_from: float = CORRECT_FROM, incorrect_below: float = INCORRECT_BELOW
) -> dict[str, dict[str, int]]:
    """Retrieval action (in CRAG's sense; unknown without a score) → questions, and those with an expected document."""
    counted: dict[str, Counter[str]] = {name: Counter() for name in ("correct", "ambiguous", "incorrect", "unknown")}
    for result in results:
        confidence = result.record.retrieval.confidence if result.record.retrieval else None
        action = retrieval_action(confidence, correct_from=correct_from, incorrect_below=incorrect_below)
        counted[action or "unknown"].update({"n": 1, "found": int(bool(result.document_recall))})
    return {name: {"n": counter["n"], "found": counter["found"]} for name, counter in counted.items()}
