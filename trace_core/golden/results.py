"""A run over golden questions: was the right document found, beside the four metrics, by category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from trace_core.diagnosis.signs import refuses
from trace_core.facts.records import Document, Record
from trace_core.golden.questions import GoldenQuestion
from trace_core.intervals import mean_interval, said_few
from trace_core.metrics import METRICS
from trace_core.retrieval import retrieval_action
from trace_core.retrieval.confidence import CORRECT_FROM, INCORRECT_BELOW
from trace_core.retrieval.sources import BETWEEN

MEASURES = ("document_recall", "document_precision", *METRICS)


@dataclass(frozen=True, slots=True)
class GoldenResult:
    """One golden question asked.

    `document_recall` = expected documents found ÷ expected, `document_precision` = retrieved documents that
    are expected ÷ retrieved, both in [0, 1] and `None` where nothing is expected (precision also where
    nothing is retrieved). `refused`: the answer declines, which is right where nothing is expected.
    """

    golden: GoldenQuestion
    record: Record
    document_recall: float | None
    document_precision: float | None
    refused: bool

    @property
    def answerable(self) -> bool:
        """Whether the documents hold the answer."""
        return bool(self.golden.expected_documents)

    @property
    def rightly(self) -> bool:
        """Answered where there is an answer, refused where there is none."""
        return self.refused != self.answerable

    def value(self, name: str) -> float | None:
        """One of `MEASURES`."""
        if name in METRICS:
            return getattr(self.record.scores, name) if self.record.scores else None
        found: float | None = getattr(self, name)
        return found


def measured(golden: GoldenQuestion, record: Record) -> GoldenResult:
    """A record that the question led to → its result.

    Documents are expected by title, id or, of a chunk, the id or title of its document; upper or lower case.
    """
    expected = {name.casefold() for name in golden.expected_documents}
    names = [_names(document) for document in record.documents]
    found = expected & {name for both in names for name in both}
    hits = sum(bool(expected & both) for both in names)
    return GoldenResult(
        golden=golden,
        record=record,
        document_recall=len(found) / len(expected) if expected else None,
        document_precision=hits / len(names) if expected and names else None,
        refused=refuses(record),
    )


def _names(document: Document) -> set[str]:
    title = document.title or ""
    known = (document.id, document.id.partition("#")[0], title, title.partition(BETWEEN)[0])
    return {name.strip().casefold() for name in known if name.strip()}


def run_golden(questions: Iterable[GoldenQuestion], ask: Callable[[str], Record]) -> Iterator[GoldenResult]:
    """Ask each question in turn; `ask` is a pipeline that is set up, and may raise to stop."""
    for golden in questions:
        yield measured(golden, ask(golden.question))


def by_category(results: Sequence[GoldenResult]) -> dict[str, dict[str, Any]]:
    """Category ("" where there is none) → what `described` says of its questions."""
    groups: dict[str, list[GoldenResult]] = {}
    for result in results:
        groups.setdefault(result.golden.category or "", []).append(result)
    return {name: described(group) for name, group in groups.items()}


def described(group: Sequence[GoldenResult]) -> dict[str, Any]:
    """`n`, `failed`, how many `rightly` answered or refused, and each measure.

    A measure has `mean`, 95 % `interval` and the number `scored`; undefined values are left out.
    """
    summary: dict[str, Any] = {
        "n": len(group),
        "failed": sum(result.record.error is not None for result in group),
        "rightly": sum(result.rightly for result in group if result.record.error is None),
    }
    for name in MEASURES:
        known = np.array([v for result in group if (v := result.value(name)) is not None], dtype=np.float64)
        mean, interval = float(known.mean()) if len(known) else None, mean_interval(known)
        summary[name] = {"mean": mean, "interval": interval, "scored": len(known), **said_few(interval, len(known))}
    return summary


def retrieval_actions(
    results: Sequence[GoldenResult],
    *,
    correct_from: float = CORRECT_FROM,
    incorrect_below: float = INCORRECT_BELOW,
) -> dict[str, dict[str, int]]:
    """Action of the retrieval, in CRAG's sense → how many questions, and in how many an expected document came.

    Shows whether the thresholds separate what was found from what was not. Records without a retrieval
    score are under "unknown".
    """
    counted: dict[str, Counter[str]] = {name: Counter() for name in ("correct", "ambiguous", "incorrect", "unknown")}
    for result in results:
        confidence = result.record.retrieval.confidence if result.record.retrieval else None
        action = retrieval_action(confidence, correct_from=correct_from, incorrect_below=incorrect_below)
        counted[action or "unknown"].update({"n": 1, "found": int(bool(result.document_recall))})
    return {name: {"n": counter["n"], "found": counter["found"]} for name, counter in counted.items()}
