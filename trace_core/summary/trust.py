"""How far predictions can be trusted, measured against the truth: bias, hallucination, and each sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trace_core.facts.labels import Labels, Status
from trace_core.facts.records import Record, Sentences
from trace_core.metrics.scoring import METRICS
from trace_core.metrics.truth import Pair, value_in
from trace_core.summary.intervals import (
    auroc_interval,
    bias_interval,
    classes,
    few_words,
    rmse_interval,
    said_few,
    too_few,
)
from trace_core.summary.statistics import agreement, auroc

Values = NDArray[np.float64]
Marks = Callable[[Labels, Sentences], dict[str, bool] | None]


def trust(pairs: Sequence[Pair], records: Iterable[Record]) -> dict[str, Any]:
    """Signed bias and RMSE per metric with 95 % intervals, adherence as a detector, κ over sentences.

    `bias` = mean(p − t). `hallucination`: positive = not adherent, score = 1 − p; its AUROC is `None`
    with only one class, and has no interval if a class has fewer than 10; `classes` counts both, positives first.
    `too_few` says how few values there are where an interval is missing. `sentences` needs ground truth labels,
    and is `None` if no record has them.
    """
    return trust_columns({name: _columns(pairs, name) for name in METRICS}) | {"sentences": _sentences(records)}


def trust_columns(columns: Mapping[str, tuple[Values, Values]]) -> dict[str, Any]:
    """What `trust` returns without `sentences`, from each metric's predictions and truths where both are defined."""
    known = {name: (p, t) for name, (p, t) in columns.items() if len(p)}
    spans = {name: rmse_interval(p - t) for name, (p, t) in known.items()}
    few = {name: too_few(len(known[name][0])) for name, span in spans.items() if span is None}
    return {
        "bias": {name: _bias(p - t) for name, (p, t) in known.items()},
        "rmse_intervals": spans,
        **({"too_few": few} if few else {}),
        "hallucination": _hallucination(*columns["adherence"]),
    }


def _bias(errors: Values) -> dict[str, Any]:
    interval = bias_interval(errors)
    return {"value": float(errors.mean()), "interval": interval, **said_few(interval, len(errors))}


def _columns(pairs: Sequence[Pair], name: str) -> tuple[Values, Values]:
    found = [(value_in(predicted, name), value_in(truth, name)) for predicted, truth in pairs]
    both = np.array([(p, t) for p, t in found if p is not None and t is not None], dtype=np.float64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def _hallucination(predicted: Values, truth: Values) -> dict[str, Any]:
    positive, flagged = (truth < 1).astype(float), (predicted < 1).astype(float)
    few = few_words(*classes(positive))
    return {
        "auroc": auroc(positive, 1 - predicted),
        "auroc_interval": auroc_interval(positive, 1 - predicted),
        **({"too_few": few} if few else {}),
        "classes": list(classes(positive)),
        **agreement(positive, flagged),
    }


def _relevant(labels: Labels, sentences: Sentences) -> dict[str, bool] | None:
    return _listed(labels.all_relevant_sentence_keys, sentences)


def _utilized(labels: Labels, sentences: Sentences) -> dict[str, bool] | None:
    return _listed(labels.all_utilized_sentence_keys, sentences)


def _listed(keys: Sequence[str] | None, sentences: Sentences) -> dict[str, bool] | None:
    return None if keys is None else {key: key in keys for key in sentences.document_keys()}


def _supported(labels: Labels, sentences: Sentences) -> dict[str, bool] | None:
    """Whether each labeled response sentence is fully supported; unlabeled ones are left out."""
    if labels.sentence_support_information is None:
        return None
    statuses = labels.statuses(sentences.response_keys())
    return {key: status is Status.FULLY for key, status in statuses.items() if status is not Status.UNLABELED}


KINDS: Mapping[str, Marks] = {"relevant": _relevant, "utilized": _utilized, "supported": _supported}
"""What a sentence can be marked as → the mark of each sentence; `None` if the labels lack the list."""


def both_marked(kind: str, truth: Labels, said: Labels, sentences: Sentences) -> list[tuple[bool, bool]] | None:
    """For each sentence that both cover, whether the truth and whether the labels mark it."""
    true, other = KINDS[kind](truth, sentences), KINDS[kind](said, sentences)
    if true is None or other is None:
        return None
    return [(mark, other[key]) for key, mark in true.items() if key in other]


def _sentences(records: Iterable[Record]) -> dict[str, Any] | None:
    """Precision, recall and κ over every sentence of the records that have labels on both sides."""
    marks: dict[str, list[tuple[bool, bool]]] = {kind: [] for kind in KINDS}
    for record in records:
        truth = record.ground_truth.labels if record.ground_truth else None
        own = record.labeler_labels
        if truth is None or own is None:
            continue
        for kind, found in marks.items():
            found += both_marked(kind, truth, own, record.sentences()) or []
    tables = {kind: np.array(pairs, dtype=np.float64) for kind, pairs in marks.items() if pairs}
    return {kind: agreement(table[:, 0], table[:, 1]) for kind, table in tables.items()} or None
