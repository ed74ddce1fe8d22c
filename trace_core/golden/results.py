"""A run over golden questions: whether the right documents were found, with the four metrics, by category."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from trace_core.diagnosis.rescoring import rescore
from trace_core.diagnosis.signs import declines
from trace_core.facts.records import Golden, Record
from trace_core.metrics import METRICS, Scoring
from trace_core.retrieval.collections import CORRECT_FROM, INCORRECT_BELOW, retrieval_action
from trace_core.summary.aggregation import mean_summary

MEASURES = ("document_recall", "document_precision", *METRICS)


class GoldenResult(NamedTuple):
    """The result of a golden question. `refused`: the answer declines, by its words or its diagnosis."""

    record: Record
    golden: Golden
    refused: bool

    @property
    def rightly(self) -> bool:
        """Whether the question was rightly answered, or rightly refused as no document is expected to answer it."""
        return self.refused != bool(self.golden.expected_documents)

    def value(self, name: str) -> float | None:
        """The value of one of `MEASURES`."""
        source = self.record.scores if name in METRICS else self.golden
        return getattr(source, name) if source else None


def result_of(record: Record, golden: Golden) -> GoldenResult:
    """The result of a question's record."""
    by_verdict = record.verdict is not None and record.verdict.name == "declined"
    return GoldenResult(record, golden, by_verdict or declines(record)[0])


def results_of(records: Iterable[Record], scoring: str | Scoring) -> Iterator[GoldenResult]:
    """The results of the records that have a golden question, under the convention; scores without labels stay."""
    for record in records:
        if record.golden:
            yield result_of(rescore(record, scoring) if record.labels or record.error else record, record.golden)


def by_category(results: Sequence[GoldenResult]) -> dict[str, dict[str, Any]]:
    """Category ("" if none) → what `group_summary` returns for its questions."""
    groups: dict[str, list[GoldenResult]] = {}
    for result in results:
        groups.setdefault(result.golden.category or "", []).append(result)
    return {name: group_summary(group) for name, group in groups.items()}


def group_summary(group: Sequence[GoldenResult]) -> dict[str, Any]:
    """`n`, `failed`, the number `rightly` answered or refused, and each measure's `mean`, `interval` and `scored`."""
    return {
        "n": len(group),
        "failed": sum(result.record.error is not None for result in group),
        "rightly": sum(result.rightly for result in group if result.record.error is None),
        **{name: mean_summary([result.value(name) for result in group]) for name in MEASURES},
    }


def retrieval_actions(
    results: Sequence[GoldenResult], *, correct_from: float = CORRECT_FROM, incorrect_below: float = INCORRECT_BELOW
) -> dict[str, dict[str, int]]:
    """Retrieval action (in CRAG's sense; unknown without a score) → questions, and those with an expected document."""
    actions: dict[str, Counter[str]] = {name: Counter() for name in ("correct", "ambiguous", "incorrect", "unknown")}
    for result in results:
        confidence = result.record.retrieval.confidence if result.record.retrieval else None
        action = retrieval_action(confidence, correct_from=correct_from, incorrect_below=incorrect_below)
        actions[action or "unknown"].update({"n": 1, "found": int(bool(result.golden.document_recall))})
    return {name: {"n": counter["n"], "found": counter["found"]} for name, counter in actions.items()}
