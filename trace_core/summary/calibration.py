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
from trace_core.facts.labels import Labels, Status
from trace_core.facts.records import Record, Scores
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
from trace_core.summary.statistics import auroc
from trace_core.summary.trust import trust

CONVENTION = "ragbench"
KINDS = ("relevant", "utilized", "unsupported")
BINS = 10

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Measured:
    """n records as columns; NaN where a side is undefined. `truth` and `said` have one column per metric."""

    ids: list[str]
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
    said, estimated = (
        zip(*(_said(r, convention, divisor, estimates) for r in records), strict=True) if records else ((), ())
    )
    true = [truth_scores(r.ground_truth, r.sentences(), convention, divisor) if r.ground_truth else {} for r in records]
    return Measured(
        ids=[r.id for r in records],
        said={name: column([s.get(name) for s in said]) for name in METRICS},
        truth={name: column([t.get(name) for t in true]) for name in METRICS},
        estimate=any(estimated),
    )


def _said(record: Record, convention: str, divisor: float, estimates: bool) -> tuple[Mapping[str, float | None], bool]:
    """A record's four values, and whether any is the labeler's estimate instead of its labels' score."""
    own = record.labeler_labels
    if own is None or record.error is not None:
        return {}, False
    scores = score(own, record.sentences(), convention, relevance_divisor=divisor)
    values = {name: getattr(scores, name) for name in METRICS}
    expected = own.expected
    if expected is None or not estimates:
        return values, False
    known = {name: value for name, value in expected.model_dump().items() if value is not None}
    return values | known, bool(known)


def column(values: Sequence[float | None]) -> Values:
    """The values as an array, NaN for `None`."""
    return np.array([np.nan if v is None else v for v in values], dtype=np.float64)


# One figure


def rmse(said: Values, truth: Values) -> float | None:
    """√(mean (said − truth)²); `None` without pairs."""
    return float(np.sqrt(np.mean((said - truth) ** 2))) if len(said) else None


def hallucination(said: Values, truth: Values) -> float | None:
    """AUROC of 1 − adherence as a detector of non-adherent responses; `None` with only one class."""
    return auroc((truth < 1).astype(np.float64), 1 - said)


def bias(said: Values, truth: Values) -> float | None:
    """Mean (said − truth)."""
    return float(np.mean(said - truth)) if len(said) else None


Statistic = Callable[[Values, Values], float | None]
"""Computes one figure from predicted and true values."""


def interval(statistic: Statistic, said: Values, truth: Values) -> Span | None:
    """The 95 % interval of the figure; `None` if there are too few records, in all or in a class."""
    if statistic is hallucination:
        return auroc_interval((truth < 1).astype(np.float64), 1 - said)
    return rmse_interval(said - truth) if statistic is rmse else bias_interval(said - truth)


def figure(statistic: Statistic, said: Values, truth: Values) -> dict[str, Any]:
    """The figure's `value`, its 95 % `interval` over records, and `n`."""
    return {"value": statistic(said, truth), "interval": interval(statistic, said, truth), "n": len(said)}


def accuracy_of(m: Measured) -> dict[str, Any]:
    """AUROC of adherence, RMSE and bias of each metric, each with interval and n.

    `classes` counts the responses that are not adherent and those that are.
    """
    return {
        "classes": classes_of(*m.pair("adherence")),
        "adherence_auroc": figure(hallucination, *m.pair("adherence")),
        "rmse": {name: figure(rmse, *m.pair(name)) for name in METRICS},
        "bias": {name: figure(bias, *m.pair(name)) for name in METRICS},
    }


def classes_of(said: Values, truth: Values) -> list[int]:
    """The number of responses that are not adherent, and of those that are."""
    return list(classes((truth < 1).astype(np.float64)))


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
        positive = (truth < 1).astype(np.float64)
        parts = [placements(positive, 1 - said) for said in (ours, theirs)]
        tables = [np.cov(np.stack([a, b])) / len(a) for a, b in zip(*parts, strict=True)]
        shared = tables[0] + tables[1]
    else:
        shared = np.cov(np.stack([(ours - truth) ** 2, (theirs - truth) ** 2]))
    size = float(np.sqrt(shared[0, 0] * shared[1, 1]))
    return float(np.clip(shared[0, 1] / size, -1, 1)) if size > 0 else 0.0


# Sentence by sentence


def sentence_columns(records: Sequence[Record], kind: str) -> tuple[Values, Values]:
    """Probability and truth (0 or 1) of every sentence for one kind of label, over records that have both."""
    said: list[float] = []
    true: list[float] = []
    for record in records:
        truth = record.ground_truth.labels if record.ground_truth else None
        probabilities = own.probabilities if (own := record.labeler_labels) else None
        marked = _marked(truth, kind, record) if truth else None
        if probabilities is None or marked is None:
            continue
        for key, p in getattr(probabilities, kind).items():
            said.append(p)
            true.append(float(key in marked))
    return np.array(said), np.array(true)


def _marked(labels: Labels, kind: str, record: Record) -> set[str] | None:
    if kind == "unsupported":
        if labels.sentence_support_information is None:
            return None
        statuses = labels.statuses(record.sentences().response_keys())
        return {key for key, status in statuses.items() if status is Status.UNSUPPORTED}
    keys = labels.all_relevant_sentence_keys if kind == "relevant" else labels.all_utilized_sentence_keys
    return None if keys is None else set(keys)


def reliability(said: Values, true: Values, bins: int = BINS) -> list[dict[str, float | int | None]]:
    """For each bin of equal width, `low, high, n, said` (mean probability) and `true` (share); `None` if empty."""
    edges = np.linspace(0, 1, bins + 1)
    place = np.clip(np.digitize(said, edges) - 1, 0, bins - 1)
    found: list[dict[str, float | int | None]] = []
    for i in range(bins):
        inside = place == i
        n = int(inside.sum())
        found.append(
            {
                "low": float(edges[i]),
                "high": float(edges[i + 1]),
                "n": n,
                "said": float(said[inside].mean()) if n else None,
                "true": float(true[inside].mean()) if n else None,
            }
        )
    return found


def roc(positive: Values, value: Values) -> list[tuple[float, float, float]]:
    """Points (false positive rate, true positive rate, threshold) from (0, 0) to (1, 1); none with only one class.

    A value from the threshold on counts as positive; the first point's is above all values.
    """
    positives = float(positive.sum())
    negatives = len(positive) - positives
    if not positives or not negatives:
        return []
    order = np.argsort(-value, kind="stable")
    last = np.append(np.diff(value[order]) != 0, True)  # ties move together
    true = np.cumsum(positive[order])[last] / positives
    false = np.cumsum(1 - positive[order])[last] / negatives
    return [(0.0, 0.0, 2.0), *zip(false.tolist(), true.tolist(), value[order][last].tolist(), strict=True)]


# Everything at once, for a page


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
    expects = _estimates(records)
    said, truth = (measured(records) if expects else m).pair("adherence")
    columns = {kind: sentence_columns(records, kind) for kind in KINDS}
    scores = [(_as_scores(m, i), {name: _value(m.truth[name][i]) for name in METRICS}) for i in range(len(records))]
    return {
        "records": {
            "total": len(records),
            "compared": int((~np.isnan(m.truth["adherence"]) & ~np.isnan(m.said["adherence"])).sum()),
            "failed": sum(r.error is not None for r in records),
        },
        "convention": convention,
        "estimates": expects,
        **accuracy_of(m),
        "sentences": trust(scores, records)["sentences"],
        "reliability": {
            "hallucination": reliability(1 - said, (truth < 1).astype(np.float64)),
            **{kind: reliability(*columns[kind]) for kind in KINDS},
        },
        "roc": {
            "hallucination": roc((truth < 1).astype(np.float64), 1 - said),
            **{kind: roc(true, p) for kind, (p, true) in columns.items()},
        },
    }


def _estimates(records: Sequence[Record]) -> dict[str, Any] | None:
    """The figures of a labeler's estimates; `None` if it has none or the truth uses another convention."""
    if not any(r.labeler_labels and r.labeler_labels.expected for r in records):
        return None
    try:
        return accuracy_of(measured(records))
    except InputError:
        return None


def _as_scores(m: Measured, i: int) -> Scores:
    nothing = dict.fromkeys(("average", "rmse_aggregation", "consistency_score"))
    return Scores(**{name: _value(m.said[name][i]) for name in METRICS}, **nothing, convention=CONVENTION)


def _value(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def worst(
    records: Sequence[Record],
    metric: str,
    most: int = 20,
    convention: str = CONVENTION,
    divisor: float = RELEVANCE_DIVISOR,
) -> list[dict[str, Any]]:
    """The records farthest from the truth: `id, said, truth, error` (signed), largest |error| first."""
    m = measured(records, convention, divisor, estimates=False)
    error = m.said[metric] - m.truth[metric]
    order = np.argsort(-np.abs(np.nan_to_num(error)), kind="stable")
    return [
        {
            "id": m.ids[i],
            "said": float(m.said[metric][i]),
            "truth": float(m.truth[metric][i]),
            "error": float(error[i]),
        }
        for i in order[:most]
        if not np.isnan(error[i]) and error[i] != 0
    ]
