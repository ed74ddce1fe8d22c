"""How far a labeler can be trusted: compares any labeler's records with their ground truth.

Everything works on columns, one value per record or sentence, and every figure comes with its sample size.
`judge` measures the labels' scores under any convention, and estimates separately.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trace_core.errors import InputError
from trace_core.facts.records import Record
from trace_core.metrics import METRICS, RELEVANCE_DIVISOR, score
from trace_core.metrics.truth import truth_scores
from trace_core.summary.intervals import (
    Span,
    auroc_interval,
    bias_interval,
    classes,
    difference_interval,
    placements,
    rmse_interval,
)  # fmt: skip
from trace_core.summary.statistics import auroc, check_columns
from trace_core.summary.trust import marked, sentence_agreement, sentence_counts

CONVENTION = "ragbench"
KINDS = ("relevant", "utilized", "unsupported")
BINS = 10

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Measured:
    """n records as columns; NaN where a side is undefined. `truth` and `said` have one column per metric."""

    said: Mapping[str, Values]
    truth: Mapping[str, Values]
    estimate: bool
    """Whether any value of `said` is a labeler's estimate (`expected`) instead of a score from its labels."""

    def pair(self, metric: str) -> tuple[Values, Values]:
        """Predicted and true values, over the records where both are defined."""
        said, truth = self.said[metric], self.truth[metric]
        both = ~(np.isnan(said) | np.isnan(truth))
        return said[both], truth[both]


def measured(
    records: Sequence[Record],
    convention: str = CONVENTION,
    divisor: float = RELEVANCE_DIVISOR,
    *,
    estimates: bool = True,
) -> Measured:
    """The columns of records that have labels and ground truth; other records count as undefined.

    With `estimates`, a labeler's estimates take precedence over its labels' scores. Raises `InputError` if the truth
    has only scores, under another convention.
    """
    said: list[dict[str, float | None]] = []
    estimated = False
    for record in records:
        own = record.labeler_labels
        said.append({})
        if own is None or record.error is not None:
            continue
        said[-1] |= score(own, record.sentences(), convention, relevance_divisor=divisor).model_dump(include={*METRICS})
        if estimates and own.expected:
            known = own.expected.model_dump(exclude_none=True)
            estimated = estimated or bool(known)
            said[-1] |= known
    true = [truth_scores(r.ground_truth, r.sentences(), convention, divisor) if r.ground_truth else {} for r in records]
    return Measured(
        said={name: np.array([s.get(name) for s in said], dtype=np.float64) for name in METRICS},
        truth={name: np.array([t.get(name) for t in true], dtype=np.float64) for name in METRICS},
        estimate=estimated,
    )


def rmse(said: Values, truth: Values) -> float | None:
    """√(mean (said − truth)²); `None` without pairs. Raises `InputError` as `check_columns`."""
    check_columns(said, truth)
    return float(np.sqrt(np.mean((said - truth) ** 2))) if len(said) else None


def hallucination(said: Values, truth: Values) -> float | None:
    """AUROC of 1 − adherence as a detector of non-adherent responses; `None` with only one class.

    Raises `InputError` as `check_columns`.
    """
    check_columns(said, truth)
    return auroc(not_adherent(truth), 1 - said)


def bias(said: Values, truth: Values) -> float | None:
    """Mean (said − truth); `None` without pairs. Raises `InputError` as `check_columns`."""
    check_columns(said, truth)
    return float(np.mean(said - truth)) if len(said) else None


def not_adherent(truth: Values) -> Values:
    """1 for each response that is not adherent, else 0."""
    return (truth < 1).astype(np.float64)


Statistic = Callable[[Values, Values], float | None]
"""Computes one figure from predicted and true values."""


def interval(statistic: Statistic, said: Values, truth: Values) -> Span | None:
    """The 95 % interval of the figure; `None` if there are too few records, in all or in a class."""
    if statistic is hallucination:
        return auroc_interval(not_adherent(truth), 1 - said)
    return rmse_interval(said - truth) if statistic is rmse else bias_interval(said - truth)


def figure(statistic: Statistic, said: Values, truth: Values) -> dict[str, Any]:
    """The figure's `value`, its 95 % `interval` over records, and `n`."""
    return {"value": statistic(said, truth), "interval": interval(statistic, said, truth), "n": len(said)}


def accuracy_of(m: Measured) -> dict[str, Any]:
    """AUROC of adherence, RMSE and bias of each metric, each with interval and n.

    `classes` counts the responses that are not adherent and those that are.
    """
    return {
        "classes": list(classes(not_adherent(m.pair("adherence")[1]))),
        "adherence_auroc": figure(hallucination, *m.pair("adherence")),
        "rmse": {name: figure(rmse, *m.pair(name)) for name in METRICS},
        "bias": {name: figure(bias, *m.pair(name)) for name in METRICS},
    }


def paired_difference(statistic: Statistic, ours: Values, theirs: Values, truth: Values) -> dict[str, Any]:
    """statistic(ours) − statistic(theirs) on the same records, with its 95 % interval."""
    one, other = statistic(ours, truth), statistic(theirs, truth)
    spans = interval(statistic, ours, truth), interval(statistic, theirs, truth)
    found: Span | None = None
    if one is not None and other is not None and spans[0] and spans[1]:
        found = difference_interval(one, spans[0], other, spans[1], _together(statistic, ours, theirs, truth))
        found = (0.0, 0.0) if np.array_equal(ours, theirs) else found
    value = None if one is None or other is None else one - other
    return {"value": value, "interval": found, "n": len(truth)}


def _together(statistic: Statistic, ours: Values, theirs: Values, truth: Values) -> float:
    """The correlation of the two figures over records, from each record's contribution to them."""
    if statistic is hallucination:
        parts = [placements(not_adherent(truth), 1 - said) for said in (ours, theirs)]
        shared = np.sum([np.cov(np.stack([a, b])) / len(a) for a, b in zip(*parts, strict=True)], axis=0)
    else:
        shared = np.cov(np.stack([(ours - truth) ** 2, (theirs - truth) ** 2]))
    size = float(np.sqrt(shared[0, 0] * shared[1, 1]))
    return float(np.clip(shared[0, 1] / size, -1, 1)) if size > 0 else 0.0


def sentence_columns(records: Sequence[Record], kind: str) -> tuple[Values, Values]:
    """Probability and truth (0 or 1) of every sentence for one kind of label, over records that have both."""
    pairs: list[tuple[float, bool]] = []
    for record in records:
        truth, own = record.ground_truth.labels if record.ground_truth else None, record.labeler_labels
        marks = marked(kind, truth, record.sentences()) if truth else None
        if marks and own and own.probabilities:
            pairs += [(p, marks[key]) for key, p in getattr(own.probabilities, kind).items() if key in marks]
    table = np.array(pairs, dtype=np.float64).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def reliability(said: Values, true: Values) -> list[dict[str, float | int | None]]:
    """For each of `BINS` bins of equal width, `low, high, n, said` (mean probability) and `true` (share).

    The last two are `None` if it is empty. Raises `InputError` as `check_columns`.
    """
    check_columns(said, true)
    edges = np.linspace(0, 1, BINS + 1)
    place = np.clip(np.digitize(said, edges) - 1, 0, BINS - 1)
    inside = [place == i for i in range(BINS)]
    return [
        {
            "low": float(low), "high": float(high), "n": int(here.sum()),
            "said": float(said[here].mean()) if here.any() else None,
            "true": float(true[here].mean()) if here.any() else None,
        }
        for low, high, here in zip(edges, edges[1:], inside, strict=False)
    ]  # fmt: skip


def roc(positive: Values, value: Values) -> list[tuple[float, float, float]]:
    """Points (false positive rate, true positive rate, threshold) from (0, 0) to (1, 1); none with only one class.

    A value from the threshold on counts as positive; the first point's is above all values. Raises `InputError` as
    `check_columns`.
    """
    check_columns(positive, value)
    positives = float(positive.sum())
    negatives = len(positive) - positives
    if not positives or not negatives:
        return []
    order = np.argsort(-value, kind="stable")
    last = np.append(np.diff(value[order]) != 0, True)  # ties move together
    true = np.cumsum(positive[order])[last] / positives
    false = np.cumsum(1 - positive[order])[last] / negatives
    return [(0.0, 0.0, 2.0), *zip(false.tolist(), true.tolist(), value[order][last].tolist(), strict=True)]


def judge(
    records: Sequence[Record], convention: str = CONVENTION, divisor: float = RELEVANCE_DIVISOR
) -> dict[str, Any]:
    """How good the labeler of these records is, measured against their ground truth by its labels' scores.

    `estimates` has the same figures for the labeler's estimates, under `ragbench`; `None` if it makes none.
    The hallucination curves use the estimate if there is one, because labels give only 0 or 1.
    `records` counts `total, compared, failed`; `sentences` has κ, precision and recall; `reliability`
    and `roc` are points to draw.
    """
    m = measured(records, convention, divisor, estimates=False)
    estimated = _estimated(records)
    said, truth = (estimated or m).pair("adherence")
    curves = {"hallucination": (1 - said, not_adherent(truth))}
    curves |= {kind: sentence_columns(records, kind) for kind in KINDS}
    return {
        "records": {
            "total": len(records),
            "compared": len(m.pair("adherence")[0]),
            "failed": sum(r.error is not None for r in records),
        },
        "convention": convention,
        "estimates": accuracy_of(estimated) if estimated else None,
        **accuracy_of(m),
        "sentences": sentence_agreement(np.array([sentence_counts(record) for record in records], dtype=np.float64)),
        "reliability": {kind: reliability(p, true) for kind, (p, true) in curves.items()},
        "roc": {kind: roc(true, p) for kind, (p, true) in curves.items()},
    }


def _estimated(records: Sequence[Record]) -> Measured | None:
    """The labeler's estimates; `None` if it has none or the truth uses another convention."""
    if not any(r.labeler_labels and r.labeler_labels.expected for r in records):
        return None
    try:
        return measured(records)
    except InputError:
        return None


def worst(
    records: Sequence[Record],
    metric: str,
    most: int = 20,
    convention: str = CONVENTION,
    divisor: float = RELEVANCE_DIVISOR,
) -> list[dict[str, Any]]:
    """The records farthest from the truth: `id, said, truth, error` (signed), largest |error| first."""
    m = measured(records, convention, divisor, estimates=False)
    said, truth = m.said[metric], m.truth[metric]
    error = np.nan_to_num(said - truth)
    order = [int(i) for i in np.argsort(-np.abs(error), kind="stable")[:most] if error[i]]
    return [
        {"id": records[i].id, "said": float(said[i]), "truth": float(truth[i]), "error": float(error[i])} for i in order
    ]
