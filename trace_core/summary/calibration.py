"""How far a labeler can be trusted: its scores and sentence labels beside their ground truth, and people's labels.

Everything works on columns, one value per record or sentence, and every figure comes with its sample size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from trace_core.errors import InputError
from trace_core.facts.labels import Labels, Status
from trace_core.facts.records import Record, Sentences
from trace_core.metrics import METRICS, Scoring, score
from trace_core.metrics.base import Values
from trace_core.metrics.marks import CLASSES, marks
from trace_core.metrics.truth import truth_scores
from trace_core.summary.intervals import (
    DRAWS,
    FEWEST,
    FEWEST_OF_CLASS,
    LEVEL,
    Span,
    auroc_interval,
    bias_interval,
    classes,
    difference_interval,
    few_words,
    rmse_interval,
    too_few,
)
from trace_core.summary.statistics import SEED, agreement_of, auroc, placements

CONVENTION = "ragbench"
KINDS = ("relevant", "utilized", "supported")
"""What a sentence can be marked as."""
KIND_FIELDS = ("n", "both", "labels", "truth")
"""Numbers of sentences that both sides cover, and of those marked by both, by the labels, by the truth. The store's
columns have these names."""
CURVES = ("relevant", "utilized", "unsupported")
"""The labels whose probabilities are drawn."""
BINS = 10

Statistic = Callable[[Values, Values], float | None]
"""Computes one figure from predicted and true values; `None` without pairs."""


class TruthPairs(NamedTuple):
    """n records as columns; NaN where a side is undefined. `predicted` and `truth` have one column per metric."""

    predicted: Mapping[str, Values]
    truth: Mapping[str, Values]
    estimate: bool
    """Whether any predicted value is a labeler's estimate (`expected`) instead of a score from its labels."""

    def pair(self, metric: str) -> tuple[Values, Values]:
        """Predicted and true values, over the records where both are defined."""
        predicted, truth = self.predicted[metric], self.truth[metric]
        both = ~(np.isnan(predicted) | np.isnan(truth))
        return predicted[both], truth[both]


def truth_pairs(
    records: Sequence[Record], scoring: str | Scoring = CONVENTION, *, estimates: bool = True
) -> TruthPairs:
    """The columns of records that have labels and ground truth; other records count as undefined.

    With `estimates`, a labeler's estimates take precedence over its labels' scores. Raises `InputError` if the truth
    has only scores, under another convention.
    """
    predicted: list[dict[str, float | None]] = []
    estimated = False
    for record in records:
        own = record.labeler_labels
        predicted.append({})
        if own is None or record.error is not None:
            continue
        scores = score(own, record.sentences(), scoring)
        predicted[-1] |= scores.model_dump(include={*METRICS})
        if estimates and own.expected:
            known = own.expected.model_dump(exclude_none=True)
            estimated = estimated or bool(known)
            predicted[-1] |= known
    true = [truth_scores(r.ground_truth, r.sentences(), scoring) if r.ground_truth else {} for r in records]
    ours, truth = (
        {name: np.array([row.get(name) for row in rows], np.float64) for name in METRICS} for rows in (predicted, true)
    )
    return TruthPairs(ours, truth, estimated)


def rmse(predicted: Values, truth: Values) -> float | None:
    """√(mean (predicted − truth)²)."""
    return float(np.sqrt(np.mean((predicted - truth) ** 2))) if len(truth) else None


def bias(predicted: Values, truth: Values) -> float | None:
    """Mean (predicted − truth)."""
    return float(np.mean(predicted - truth)) if len(truth) else None


def hallucination(predicted: Values, truth: Values) -> float | None:
    """AUROC of 1 − adherence as a detector of non-adherent responses; `None` with only one class."""
    return auroc(not_adherent(truth), 1 - predicted)


def not_adherent(adherence: Values) -> Values:
    """1 for each response that is not adherent, else 0."""
    return (adherence < 1).astype(np.float64)


def interval(statistic: Statistic, predicted: Values, truth: Values) -> Span | None:
    """The 95 % interval of the figure; `None` if there are too few records, in all or in a class."""
    if statistic is hallucination:
        return auroc_interval(not_adherent(truth), 1 - predicted)
    return rmse_interval(predicted - truth) if statistic is rmse else bias_interval(predicted - truth)


def figure(statistic: Statistic, predicted: Values, truth: Values) -> dict[str, Any]:
    """The figure's `value`, its 95 % `interval` over records, and `n`; `too_few` where the interval is missing."""
    span, n = interval(statistic, predicted, truth), len(truth)
    words = few_words(*classes(not_adherent(truth))) if statistic is hallucination else too_few(n)
    result = {"value": statistic(predicted, truth), "interval": span, "n": n}
    return result if span else result | {"too_few": words}


def accuracy_of(m: TruthPairs) -> dict[str, Any]:
    """AUROC of adherence, RMSE and bias (predicted − true) of each metric, each with interval and n.

    `classes` counts the responses that are not adherent and those that are; `hallucination` has the agreement with
    adherence below 1 as a sign of the former.
    """
    predicted, truth = map(not_adherent, m.pair("adherence"))
    return {
        "classes": list(classes(truth)),
        "adherence_auroc": figure(hallucination, *m.pair("adherence")),
        "rmse": {name: figure(rmse, *m.pair(name)) for name in METRICS},
        "bias": {name: figure(bias, *m.pair(name)) for name in METRICS},
        "hallucination": agreement_of(len(truth), float(truth @ predicted), float(predicted.sum()), float(truth.sum())),
    }


def paired_difference(statistic: Statistic, ours: Values, theirs: Values, truth: Values) -> dict[str, Any]:
    """statistic(ours) − statistic(theirs) on the same records, with its 95 % interval."""
    one, other = figure(statistic, ours, truth), figure(statistic, theirs, truth)
    value = None if None in (one["value"], other["value"]) else one["value"] - other["value"]
    span: Span | None = None
    if value is not None and one["interval"] and other["interval"]:
        correlation = _together(statistic, ours, theirs, truth)
        span = difference_interval(one["value"], one["interval"], other["value"], other["interval"], correlation)
        span = (0.0, 0.0) if np.array_equal(ours, theirs) else span
    return {"value": value, "interval": span, "n": len(truth)}


def _together(statistic: Statistic, ours: Values, theirs: Values, truth: Values) -> float:
    """The correlation of the two figures over records, from each record's contribution to them."""
    if statistic is hallucination:
        parts = [placements(not_adherent(truth), 1 - predicted) for predicted in (ours, theirs)]
        shared = np.sum([np.cov(np.stack([a, b])) / len(a) for a, b in zip(*parts, strict=True)], axis=0)
    else:
        shared = np.cov(np.stack([(ours - truth) ** 2, (theirs - truth) ** 2]))
    size = float(np.sqrt(shared[0, 0] * shared[1, 1]))
    return float(np.clip(shared[0, 1] / size, -1, 1)) if size > 0 else 0.0


def marked(kind: str, labels: Labels | None, sentences: Sentences) -> dict[str, bool] | None:
    """Whether each labeled sentence is of one of `KINDS`, or `unsupported`; `None` if the labels lack the list."""
    if labels is None:
        return None
    if kind in ("relevant", "utilized"):
        keys: list[str] | None = getattr(labels, f"all_{kind}_sentence_keys")
        positive = set(keys or ())
        return None if keys is None else {key: key in positive for key in sentences.document_keys()}
    if labels.sentence_support_information is None:
        return None
    wanted = Status.FULLY if kind == "supported" else Status.UNSUPPORTED
    statuses = labels.statuses(sentences.response_keys())
    return {key: status is wanted for key, status in statuses.items() if status is not Status.UNLABELED}


def sentence_counts(record: Record) -> list[float | None]:
    """The `KIND_FIELDS` of each of `KINDS`, the labeler's against the ground truth's; `None` where one lacks it."""
    labels, sentences = record.ground_truth.labels if record.ground_truth else None, record.sentences()
    counts: list[float | None] = []
    for kind in KINDS:
        true = marked(kind, labels, sentences)
        predicted = marked(kind, record.labeler_labels, sentences) if true else true
        if true is None or predicted is None:
            counts += [None] * len(KIND_FIELDS)
            continue
        shared = true.keys() & predicted.keys()
        ours, theirs = ({key for key in shared if mark[key]} for mark in (predicted, true))
        counts += [len(shared), len(ours & theirs), len(ours), len(theirs)]
    return counts


def sentence_agreement(table: Values) -> dict[str, Any] | None:
    """`agreement_of` each kind, from a row of `sentence_counts` per record, NaN for `None`; `None` without any."""
    of_kinds = dict(zip(KINDS, table.reshape(-1, len(KINDS), len(KIND_FIELDS)).swapaxes(0, 1), strict=True))
    known = {kind: counts for kind, counts in of_kinds.items() if not np.isnan(counts).all()}
    return {kind: agreement_of(*map(int, np.nansum(counts, axis=0))) for kind, counts in known.items()} or None


def sentence_columns(records: Sequence[Record], kind: str) -> tuple[Values, Values]:
    """Probability and truth (0 or 1) of every sentence for one kind of label, over records that have both."""
    pairs: list[tuple[float, bool]] = []
    for record in records:
        marks = marked(kind, record.ground_truth.labels if record.ground_truth else None, record.sentences())
        if marks and (own := record.labeler_labels) and own.probabilities:
            pairs += [(p, marks[key]) for key, p in getattr(own.probabilities, kind).items() if key in marks]
    table = np.array(pairs, dtype=np.float64).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def reliability(predicted: Values, true: Values) -> list[dict[str, float | int | None]]:
    """For each of `BINS` equal bins `low, high, n, predicted` (mean) and `true` (share), `None` for an empty one."""
    edges = np.linspace(0, 1, BINS + 1)
    place = np.clip(np.digitize(predicted, edges) - 1, 0, BINS - 1)
    inside = [place == i for i in range(BINS)]
    return [
        {
            "low": float(low),
            "high": float(high),
            "n": int(here.sum()),
            "predicted": float(predicted[here].mean()) if here.any() else None,
            "true": float(true[here].mean()) if here.any() else None,
        }
        for low, high, here in zip(edges, edges[1:], inside, strict=False)
    ]


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


def judge_labeler(records: Sequence[Record], scoring: str | Scoring = CONVENTION) -> dict[str, Any]:
    """How good the labeler of these records is, measured against their ground truth by its labels' scores.

    `estimates` has the same figures for the labeler's estimates, under `ragbench`; `None` if it makes none. The
    hallucination curves (`reliability`, `roc`: points to draw) are the estimate's, as labels give only 0 or 1.
    """
    m = truth_pairs(records, scoring, estimates=False)
    estimated = _estimated(records)
    predicted, truth = (estimated or m).pair("adherence")
    curves = {"hallucination": (1 - predicted, not_adherent(truth))}
    curves |= {kind: sentence_columns(records, kind) for kind in CURVES}
    return {
        "records": {
            "total": len(records),
            "compared": len(m.pair("adherence")[0]),
            "failed": sum(r.error is not None for r in records),
        },
        "convention": Scoring.of(scoring).convention,
        "estimates": accuracy_of(estimated) if estimated else None,
        **accuracy_of(m),
        "sentences": sentence_agreement(np.array([sentence_counts(record) for record in records], dtype=np.float64)),
        "reliability": {kind: reliability(p, true) for kind, (p, true) in curves.items()},
        "roc": {kind: roc(true, p) for kind, (p, true) in curves.items()},
    }


def _estimated(records: Sequence[Record]) -> TruthPairs | None:
    """The labeler's estimates; `None` if it has none or the truth uses another convention."""
    if not any(r.labeler_labels and r.labeler_labels.expected for r in records):
        return None
    try:
        return truth_pairs(records)
    except InputError:
        return None


def worst(records: Sequence[Record], metric: str, scoring: str | Scoring = CONVENTION) -> list[dict[str, Any]]:
    """The 20 records farthest from the truth: `id, predicted, truth, error` (signed), largest |error| first."""
    m = truth_pairs(records, scoring, estimates=False)
    rows = zip((r.id for r in records), m.predicted[metric].tolist(), m.truth[metric].tolist(), strict=True)
    misses = [{"id": i, "predicted": p, "truth": t, "error": p - t} for i, p, t in rows if abs(p - t) > 0]
    return sorted(misses, key=lambda miss: -abs(miss["error"]))[:20]


class Agreement(NamedTuple):
    """The agreement of two raters on one kind of label, over `n` sentences in `records` records.

    `confusion[i][j]` counts the sentences that the first calls `classes[i]` and the second `classes[j]`. `kappa`
    (Cohen's) is `None` without sentences, or if all are in one class; its 95 % `interval` where there are too few.
    """

    classes: tuple[str, ...]
    confusion: list[list[int]]
    records: int
    n: int
    accuracy: float | None
    kappa: float | None
    interval: tuple[float, float] | None

    @property
    def few(self) -> bool:
        """Whether there is too little to tell the classes apart; both raters count half."""
        table = np.array(self.confusion)
        rarer = self.n - float((table.sum(axis=0) + table.sum(axis=1)).max()) / 2
        return self.records < FEWEST or rarer < FEWEST_OF_CLASS


def agreement_by_kind(pairs: Iterable[tuple[Labels, Labels, Sentences]]) -> dict[str, Agreement]:
    """The agreement for each kind of label, from two sets of labels per record."""
    tables: dict[str, list[Values]] = {kind: [] for kind in CLASSES}
    for first, second, sentences in pairs:
        one, other = marks(first, sentences), marks(second, sentences)
        for kind in one.keys() & other.keys():
            place = {name: i for i, name in enumerate(CLASSES[kind])}
            table = np.zeros((len(place), len(place)))
            for key, mark in one[kind].items():
                table[place[mark], place[other[kind][key]]] += 1
            tables[kind].append(table)
    return {kind: agreement_of_tables(CLASSES[kind], of_kind) for kind, of_kind in tables.items()}


def agreement_of_tables(classes: tuple[str, ...], tables: Sequence[Values]) -> Agreement:
    """The agreement from one table of sentence counts (first × second) per record."""
    stacked = np.array(tables, dtype=np.float64).reshape(-1, len(classes), len(classes))
    together = stacked.sum(axis=0)
    n, kappa = int(together.sum()), float(_kappa(together[None])[0])
    agreement = Agreement(
        classes,
        together.astype(int).tolist(),
        records=len(stacked),
        n=n,
        interval=None,
        accuracy=float(np.trace(together) / n) if n else None,
        kappa=None if np.isnan(kappa) else kappa,
    )
    return agreement if agreement.few else agreement._replace(interval=_interval(stacked))


def _kappa(tables: Values) -> Values:
    """Cohen's κ of each table (r × c × c), NaN where it is undefined."""
    n = tables.sum(axis=(1, 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        alike = np.trace(tables, axis1=1, axis2=2) / n
        chance = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1) / n**2
        return np.where(chance < 1, (alike - chance) / (1 - chance), np.nan)


def _interval(tables: Values) -> tuple[float, float]:
    """κ under random weights of the records and one extra record: all disagreement for the lower end, all agreement
    for the upper. So records that all agree still have an interval of some width (see `intervals`)."""
    records, size = len(tables), tables.shape[1]
    together = tables.sum(axis=0)
    unlike = np.outer(together.sum(axis=1), together.sum(axis=0)) * (1 - np.eye(size))
    alike = np.diag(together.sum(axis=0) + together.sum(axis=1))
    ends = [more * (together.sum() / records / more.sum()) for more in (unlike, alike)]
    weights = np.random.default_rng(SEED).standard_exponential((DRAWS, records + 1))
    flat = tables.reshape(records, -1)
    low, high = (_kappa((weights @ np.vstack([flat, end.reshape(1, -1)])).reshape(DRAWS, size, size)) for end in ends)
    return float(np.nanquantile(low, (1 - LEVEL) / 2)), float(np.nanquantile(high, (1 + LEVEL) / 2))
