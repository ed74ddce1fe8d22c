"""A labeler beside the published judges, on the rows whose columns hold the judges' values; convention `ragbench`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from trace_core.facts.records import Record
from trace_core.summary.calibration import (
    Measured,
    Statistic,
    Values,
    figure,
    hallucination,
    measured,
    not_adherent,
    paired_difference,
    rmse,
)
from trace_core.summary.intervals import classes, few_words, too_few

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
    return {
        "n": len(records),
        "estimate": m.estimate,
        "failed": sum(record.error is not None for record in records),
        **_figures({name: m.pair(metric) for name, (metric, _) in FIGURES.items()}),
        "peers": {peer: _peer(m, columns, fields) for peer, fields in PEERS.items()},
    }


def _figures(pairs: Mapping[str, tuple[Values, Values]]) -> dict[str, Any]:
    """Each of the `FIGURES` from its predicted and true values, with `intervals` and `classes`."""
    of = {name: figure(FIGURES[name][1], *pair) for name, pair in pairs.items()}
    counts = list(classes(not_adherent(pairs["adherence_auroc"][1])))
    few = {name: too_few(one["n"]) for name, one in of.items() if one["interval"] is None and one["n"]}
    if "adherence_auroc" in few:
        few["adherence_auroc"] = few_words(*counts)
    found = {name: one["value"] for name, one in of.items()}
    found |= {"classes": counts, "intervals": {name: one["interval"] for name, one in of.items()}}
    return found | ({"too_few": few} if few else {})


def _peer(m: Measured, columns: Sequence[Mapping[str, Any]], fields: Mapping[str, str]) -> dict[str, Any]:
    theirs = {metric: _numbers([row.get(field) for row in columns]) for metric, field in fields.items()}
    whole = np.all([~np.isnan(values) for values in theirs.values()], axis=0)
    pairs, differences = {}, {}
    for name, (metric, statistic) in FIGURES.items():
        if name == "completeness_rmse":
            continue
        said, truth = theirs.get(metric, np.full(len(whole), np.nan)), m.truth[metric]
        keep = whole & ~np.isnan(said) & ~np.isnan(truth)
        pairs[name] = (said[keep], truth[keep])
        both = keep & ~np.isnan(m.said[metric])
        if both.any():
            differences[name] = paired_difference(statistic, m.said[metric][both], said[both], truth[both])
    aside = {"n": int(whole.sum()), "dropped": int((~whole).sum()), "difference": differences}
    return _figures(pairs) | aside


def _numbers(values: Sequence[Any]) -> Values:
    """The values as numbers, NaN for what is none; tables write numbers as text."""
    import pandas as pd

    numbers = pd.to_numeric(pd.Series(values, dtype=object), errors="coerce").to_numpy(dtype=np.float64)
    return np.where(np.isfinite(numbers), numbers, np.nan)
