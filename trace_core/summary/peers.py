"""A labeler beside the published judges, on the rows whose columns hold the judges' values; convention `ragbench`."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from trace_core.facts.records import Record
from trace_core.metrics.base import Values
from trace_core.summary.calibration import (
    Statistic,
    TruthPairs,
    figure,
    hallucination,
    not_adherent,
    rmse,
    truth_pairs,
)
from trace_core.summary.intervals import classes

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


def benchmark(
    records: Sequence[Record], columns: Sequence[Mapping[str, Any]], words: Sequence[Record] = ()
) -> dict[str, Any]:
    """The labeler's figures against the ground truth scores, with the peers' on the same rows. `words` are the same
    rows labeled by words in common alone, the line to beat; `columns` has each row's other fields. A row that lacks one
    of a peer's values is dropped for that peer, and counted. Too few of a class have no AUROC."""
    m = truth_pairs(records)
    return _measure(records, m) | {
        "peers": {peer: _peer(m, columns, fields) for peer, fields in PEERS.items()},
        **({"words": _measure(words, truth_pairs(words))} if words else {}),
    }


def _measure(records: Sequence[Record], m: TruthPairs) -> dict[str, Any]:
    return {
        "n": len(records),
        "estimate": m.estimate,
        "failed": sum(record.error is not None for record in records),
        **_figures({name: m.pair(metric) for name, (metric, _) in FIGURES.items()}),
    }


def _figures(pairs: Mapping[str, tuple[Values, Values]]) -> dict[str, Any]:
    """Each of the `FIGURES` from its predicted and true values, with `intervals` and `classes`."""
    of = {name: figure(FIGURES[name][1], *pair) for name, pair in pairs.items()}
    few = {name: one["too_few"] for name, one in of.items() if "too_few" in one and one["n"]}
    return {
        **{name: one["value"] for name, one in of.items()},
        "classes": list(classes(not_adherent(pairs["adherence_auroc"][1]))),
        "intervals": {name: one["interval"] for name, one in of.items()},
        **({"too_few": few} if few else {}),
    }


def _peer(m: TruthPairs, columns: Sequence[Mapping[str, Any]], fields: Mapping[str, str]) -> dict[str, Any]:
    import pandas as pd

    table = {metric: pd.Series([row.get(field) for row in columns], dtype=object) for metric, field in fields.items()}
    theirs = pd.DataFrame(table).apply(pd.to_numeric, errors="coerce").replace([np.inf, -np.inf], np.nan).astype(float)
    whole = theirs.notna().all(axis=1).to_numpy(dtype=bool)
    pairs = {}
    for name, (metric, _) in FIGURES.items():
        if name == "completeness_rmse":
            continue
        values = theirs[metric].to_numpy() if metric in theirs else np.full(len(whole), np.nan)
        both = whole & ~np.isnan(values) & ~np.isnan(m.truth[metric])
        pairs[name] = (values[both], m.truth[metric][both])
    return _figures(pairs) | {"n": int(whole.sum()), "dropped": int((~whole).sum())}
