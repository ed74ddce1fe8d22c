"""A labeler beside the published judges, on the rows whose columns hold the judges' values; convention `ragbench`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from trace_core.facts.records import Record
from trace_core.summary.calibration import (
    Measured,
    Statistic,
    classes_of,
    column,
    hallucination,
    interval,
    measured,
    paired_difference,
    rmse,
)
from trace_core.summary.intervals import Span, few_words, too_few

PEERS: Mapping[str, Mapping[str, str]] = {
    "gpt35": {
        "adherence": "gpt3_adherence",
        "context_relevance": "gpt3_context_relevance",
        "context_utilization": "gpt35_utilization",
    },
    "ragas": {"adherence": "ragas_faithfulness", "context_relevance": "ragas_context_relevance"},
    "trulens": {"adherence": "trulens_groundedness", "context_relevance": "trulens_context_relevance"},
}
"""Peer → our metric → the data set's column with the peer's value."""
FIGURES: Mapping[str, tuple[str, Statistic]] = {
    "adherence_auroc": ("adherence", hallucination),
    "relevance_rmse": ("context_relevance", rmse),
    "utilization_rmse": ("context_utilization", rmse),
    "completeness_rmse": ("completeness", rmse),
}


def benchmark(records: Sequence[Record], columns: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The labeler's figures against the ground truth scores, with the peers' on the same rows.

    `columns` has each row's other fields, including peers' values. A row that lacks one of a peer's values is
    dropped for that peer, and counted. `difference` is ours − theirs on the remaining rows; `classes` counts the
    responses that are not adherent and those that are: with fewer than 10 of either, no AUROC is ranked. `too_few`
    gives the sample sizes of figures without an interval.
    """
    m = measured(records)
    found: dict[str, Any] = {"n": len(records), "estimate": m.estimate}
    pairs = {name: m.pair(metric) for name, (metric, _) in FIGURES.items()}
    found |= {name: FIGURES[name][1](*pair) for name, pair in pairs.items()}
    found["failed"] = sum(record.error is not None for record in records)
    found["classes"] = classes_of(*pairs["adherence_auroc"])
    found["intervals"] = {name: interval(FIGURES[name][1], *pair) for name, pair in pairs.items()}
    found |= _said_few(found["intervals"], {name: len(said) for name, (said, _) in pairs.items()}, found["classes"])
    found["peers"] = {peer: _peer(m, columns, fields) for peer, fields in PEERS.items()}
    return found


def _peer(m: Measured, columns: Sequence[Mapping[str, Any]], fields: Mapping[str, str]) -> dict[str, Any]:
    theirs = {metric: column([_plain(row.get(field)) for row in columns]) for metric, field in fields.items()}
    whole = ~np.isnan(np.stack(list(theirs.values()))).any(axis=0)
    found: dict[str, Any] = {}
    intervals, differences, sizes = {}, {}, {}
    counted: dict[str, list[int]] = {}
    for name, (metric, statistic) in FIGURES.items():
        if name == "completeness_rmse":
            continue
        keep = whole & ~np.isnan(m.truth[metric])
        known = metric in theirs and keep.any()
        said, truth = (theirs[metric][keep], m.truth[metric][keep]) if known else (np.zeros(0), np.zeros(0))
        found[name] = statistic(said, truth) if known else None
        intervals[name], sizes[name] = interval(statistic, said, truth) if known else None, len(said)
        counted |= {"classes": classes_of(said, truth)} if metric == "adherence" else {}
        both = keep & ~np.isnan(m.said[metric])
        if known and both.any():
            differences[name] = paired_difference(
                statistic, m.said[metric][both], theirs[metric][both], m.truth[metric][both]
            )
    aside = {"n": int(whole.sum()), "dropped": int((~whole).sum())}
    few = _said_few({name: span for name, span in intervals.items() if sizes[name]}, sizes, counted["classes"])
    return found | counted | aside | {"intervals": intervals, "difference": differences} | few


def _said_few(intervals: Mapping[str, Span | None], sizes: Mapping[str, int], told: Sequence[int]) -> dict[str, Any]:
    """Figure → the words shown in place of a missing interval; empty if none is missing."""
    words = {name: too_few(sizes[name]) for name, span in intervals.items() if span is None}
    if "adherence_auroc" in words:
        words["adherence_auroc"] = few_words(*told)
    return {"too_few": words} if words else {}


def _plain(value: object) -> float | None:
    """The value as a number, or `None`; tables write numbers as text."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return number if np.isfinite(number) else None
