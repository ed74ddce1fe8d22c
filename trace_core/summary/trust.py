"""How far predictions can be trusted, measured against the truth: bias, hallucination, and each sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trace_core.facts.labels import Labels, Status
from trace_core.facts.records import Record, Sentences
from trace_core.summary.intervals import (
    auroc_interval,
    bias_interval,
    classes,
    few_words,
    rmse_interval,
    said_few,
    too_few,
)
from trace_core.summary.statistics import agreement, agreement_of, auroc, check_columns

Values = NDArray[np.float64]
KINDS = ("relevant", "utilized", "supported")
"""What a sentence can be marked as."""
KIND_FIELDS = ("n", "both", "said", "true")
"""Numbers of sentences that both sides cover, and of those marked by both, by the labels, by the truth."""


def trust_columns(columns: Mapping[str, tuple[Values, Values]]) -> dict[str, Any]:
    """Signed bias and RMSE per metric with 95 % intervals, and adherence as a detector of hallucination.

    `columns` has each metric's predictions and truths where both are defined; `bias` = mean(p − t). `hallucination`:
    positive = not adherent, score = 1 − p; its AUROC is `None` with only one class, and has no interval if a class has
    fewer than 10; `classes` counts both, positives first. `too_few` says how few values there are where an interval is
    missing. Raises `InputError` as `check_columns`.
    """
    for pair in columns.values():
        check_columns(*pair)
    known = {name: p - t for name, (p, t) in columns.items() if len(p)}
    spans = {name: rmse_interval(errors) for name, errors in known.items()}
    few = {name: too_few(len(known[name])) for name, span in spans.items() if span is None}
    return {
        "bias": {name: _bias(errors) for name, errors in known.items()},
        "rmse_intervals": spans,
        **({"too_few": few} if few else {}),
        "hallucination": _hallucination(*columns["adherence"]),
    }


def _bias(errors: Values) -> dict[str, Any]:
    interval = bias_interval(errors)
    return {"value": float(errors.mean()), "interval": interval, **said_few(interval, len(errors))}


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


def marked(kind: str, labels: Labels, sentences: Sentences) -> dict[str, bool] | None:
    """Whether each sentence is of one of `KINDS`, or `unsupported`; `None` if the labels lack the list.

    Unlabeled response sentences are left out.
    """
    if kind in ("relevant", "utilized"):
        relevant, utilized = labels.all_relevant_sentence_keys, labels.all_utilized_sentence_keys
        keys = relevant if kind == "relevant" else utilized
        return None if keys is None else {key: key in keys for key in sentences.document_keys()}
    if labels.sentence_support_information is None:
        return None
    wanted = Status.FULLY if kind == "supported" else Status.UNSUPPORTED
    statuses = labels.statuses(sentences.response_keys())
    return {key: status is wanted for key, status in statuses.items() if status is not Status.UNLABELED}


def sentence_counts(record: Record) -> list[float | None]:
    """The `KIND_FIELDS` of each of `KINDS`, in order: the labeler's own labels against the ground truth's.

    `None` where a side has no labels, or lacks the list.
    """
    truth, own = record.ground_truth.labels if record.ground_truth else None, record.labeler_labels
    counts: list[float | None] = []
    for kind in KINDS:
        true = marked(kind, truth, record.sentences()) if truth else None
        said = marked(kind, own, record.sentences()) if own else None
        if true is None or said is None:
            counts += [None] * len(KIND_FIELDS)
            continue
        pairs = [(said[key], mark) for key, mark in true.items() if key in said]
        counts += [len(pairs), sum(s and t for s, t in pairs), sum(s for s, _ in pairs), sum(t for _, t in pairs)]
    return counts


def sentence_agreement(table: Values) -> dict[str, Any] | None:
    """`agreement_of` each kind over all sentences, from one row of `sentence_counts` per record, NaN for `None`.

    The result is `None` if no record has labels on both sides.
    """
    of_kinds = dict(zip(KINDS, table.reshape(-1, len(KINDS), len(KIND_FIELDS)).swapaxes(0, 1), strict=True))
    known = {kind: counts for kind, counts in of_kinds.items() if not np.isnan(counts).all()}
    return {kind: agreement_of(*map(int, np.nansum(counts, axis=0))) for kind, counts in known.items()} or None
