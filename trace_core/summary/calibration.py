"""How far a labeler can be trusted: its scores and sentence labels beside their ground truth, and people's labels.
Everything works on columns, one value per record or sentence, and every figure comes with its sample size."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from trace_core.errors import InputError
from trace_core.facts.labels import Labels, Status
from trace_core.facts.records import Record, Sentences
from trace_core.metrics import METRICS, Scoring, score
from trace_core.metrics.base import Values
from trace_core.metrics.truth import truth_scores
from trace_core.summary.intervals import (
    DRAWS,
    FEWEST,
    FEWEST_OF_CLASS,
    LEVEL,
    auroc_interval,
    bias_interval,
    classes,
    few_words,
    rmse_interval,
    too_few,
)
from trace_core.summary.statistics import SEED, agreement_of, auroc

CONVENTION = "ragbench"
KINDS = ("relevant", "utilized", "supported")
"""What a sentence can be labeled as."""
YES_NO = ("no", "yes")
CLASSES: Mapping[str, tuple[str, ...]] = {
    "relevant": YES_NO,
    "utilized": YES_NO,
    "supported": tuple(status.value for status in Status),
    "supporting": YES_NO,
}
"""Kind of label → possible classes. `supporting` is about pairs: "a 0b" says whether 0b supports a."""
KIND_FIELDS = ("n", "both", "labels", "truth")
"""Numbers of sentences that both sides cover, and of those marked by both, by the labels, by the truth. The store's
columns have these names."""
_POSITIVE = ("yes", Status.FULLY.value)
_NO_LABEL = Status.UNLABELED.value

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
    """The columns of records that have labels and ground truth; other records count as undefined. With `estimates`, a
    labeler's come before its scores. Raises `InputError` for true scores under another convention."""
    predicted, has_estimates = list[dict[str, float | None]](), False
    for record in records:
        own, values, estimate = record.labeler_labels, {}, {}
        if own and not record.error:
            values = score(own, record.sentences(), scoring).model_dump(include={*METRICS})
            estimate = own.expected.model_dump(exclude_none=True) if estimates and own.expected else {}
        predicted.append(values | estimate)
        has_estimates |= bool(estimate)
    true = [truth_scores(r.ground_truth, r.sentences(), scoring) if r.ground_truth else {} for r in records]
    ours, truth = (
        {name: np.array([row.get(name) for row in rows], np.float64) for name in METRICS} for rows in (predicted, true)
    )
    return TruthPairs(ours, truth, has_estimates)


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


def figure(statistic: Statistic, predicted: Values, truth: Values) -> dict[str, Any]:
    """The figure's `value`, its 95 % `interval` over records, and `n`; `too_few` where the interval is missing."""
    words = too_few(len(truth))
    if statistic is hallucination:
        positive = not_adherent(truth)
        span, words = auroc_interval(positive, 1 - predicted), few_words(*classes(positive))
    else:
        span = (rmse_interval if statistic is rmse else bias_interval)(predicted - truth)
    result = {"value": statistic(predicted, truth), "interval": span, "n": len(truth)}
    return result if span else result | {"too_few": words}


def accuracy_of(m: TruthPairs) -> dict[str, Any]:
    """AUROC of adherence, RMSE and bias (predicted − true) of each metric, each with interval and n. `classes` counts
    the responses that are not adherent and those that are; `hallucination` is the agreement on these."""
    predicted, truth = map(not_adherent, m.pair("adherence"))
    return {
        "classes": list(classes(truth)),
        "adherence_auroc": figure(hallucination, *m.pair("adherence")),
        "rmse": {name: figure(rmse, *m.pair(name)) for name in METRICS},
        "bias": {name: figure(bias, *m.pair(name)) for name in METRICS},
        "hallucination": agreement_of(len(truth), float(truth @ predicted), float(predicted.sum()), float(truth.sum())),
    }


def sentence_counts(record: Record) -> list[float | None]:
    """The `KIND_FIELDS` of each of `KINDS`, the labeler's against the ground truth's; `None` where one lacks it."""
    labels = (record.labeler_labels, record.ground_truth.labels if record.ground_truth else None)
    if None in labels:
        return [None] * (len(KINDS) * len(KIND_FIELDS))
    ours, theirs = (marks(of, record.sentences()) if of else {} for of in labels)
    counts: list[float | None] = []
    for kind in KINDS:
        if kind not in ours or kind not in theirs:
            counts += [None] * len(KIND_FIELDS)
            continue
        pairs = [(mark, theirs[kind].get(key, _NO_LABEL)) for key, mark in ours[kind].items()]
        both = [(one in _POSITIVE, other in _POSITIVE) for one, other in pairs if _NO_LABEL not in (one, other)]
        one, other = (sum(side) for side in zip(*both, strict=True)) if both else (0, 0)
        counts += [len(both), sum(map(all, both)), one, other]
    return counts


def sentence_agreement(table: Values) -> dict[str, Any] | None:
    """`agreement_of` each kind, from a row of `sentence_counts` per record, NaN for `None`; `None` without any."""
    of_kinds = dict(zip(KINDS, table.reshape(-1, len(KINDS), len(KIND_FIELDS)).swapaxes(0, 1), strict=True))
    with_counts = {kind: counts for kind, counts in of_kinds.items() if not np.isnan(counts).all()}
    return {kind: agreement_of(*map(int, np.nansum(counts, axis=0))) for kind, counts in with_counts.items()} or None


def judge_labeler(records: Sequence[Record], scoring: str | Scoring = CONVENTION) -> dict[str, Any]:
    """How good the labeler of these records is, measured against their ground truth by its labels' scores. `estimates`
    has the same for the labeler's estimates, under `ragbench`; `None` where that cannot be."""
    m = truth_pairs(records, scoring, estimates=False)
    estimates = None
    if any(record.labeler_labels and record.labeler_labels.expected for record in records):
        with suppress(InputError):
            estimates = accuracy_of(truth_pairs(records))
    return {
        "records": {
            "total": len(records),
            "compared": len(m.pair("adherence")[0]),
            "failed": sum(r.error is not None for r in records),
        },
        "convention": Scoring.of(scoring).convention,
        "estimates": estimates,
        **accuracy_of(m),
        "sentences": sentence_agreement(np.array([sentence_counts(record) for record in records], dtype=np.float64)),
    }


def worst(records: Sequence[Record], metric: str, scoring: str | Scoring = CONVENTION) -> list[dict[str, Any]]:
    """The 20 records farthest from the truth: `id, predicted, truth, error` (signed), largest |error| first."""
    m = truth_pairs(records, scoring, estimates=False)
    rows = zip((r.id for r in records), m.predicted[metric].tolist(), m.truth[metric].tolist(), strict=True)
    misses = [{"id": i, "predicted": p, "truth": t, "error": p - t} for i, p, t in rows if abs(p - t) > 0]
    return sorted(misses, key=lambda miss: -abs(miss["error"]))[:20]


class Agreement(NamedTuple):
    """The agreement of two raters on one kind of label, over `n` sentences in `records` records. `confusion[i][j]`
    counts the sentences that the first calls `classes[i]` and the second `classes[j]`. `kappa` (Cohen's) is `None`
    without sentences, or if all are in one class; its 95 % `interval` where there are too few."""

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


def marks(labels: Labels, sentences: Sentences) -> dict[str, dict[str, str]]:
    """Kind → sentence key → class. A kind is absent if the labels lack its list."""
    documents, response = sentences.document_keys(), sentences.response_keys()
    table: dict[str, dict[str, str]] = {}
    lists = {"relevant": labels.all_relevant_sentence_keys, "utilized": labels.all_utilized_sentence_keys}
    for kind, keys in lists.items():
        if keys is not None:
            table[kind] = {key: YES_NO[key in keys] for key in documents}
    if labels.sentence_support_information is not None:
        table["supported"] = {key: status.value for key, status in labels.statuses(response).items()}
        basis = {s.response_sentence_key: set(s.supporting_sentence_keys) for s in labels.sentence_support_information}
        table["supporting"] = {f"{a} {d}": YES_NO[d in basis.get(a, ())] for a in response for d in documents}
    return table


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
    counts = np.array(tables, dtype=np.float64).reshape(-1, len(classes), len(classes))
    together = counts.sum(axis=0)
    n, kappa = int(together.sum()), float(_kappa(together[None])[0])
    agreement = Agreement(
        classes,
        together.astype(int).tolist(),
        records=len(counts),
        n=n,
        interval=None,
        accuracy=float(np.trace(together) / n) if n else None,
        kappa=None if np.isnan(kappa) else kappa,
    )
    return agreement if agreement.few else agreement._replace(interval=_interval(counts))


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
