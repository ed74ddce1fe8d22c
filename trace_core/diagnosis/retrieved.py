"""Judge a run's retrieval: the chunks that contain anything relevant, and the rank of the first."""

from __future__ import annotations

import numpy as np

from trace_core.diagnosis.signs import Quantities
from trace_core.metrics import METRICS
from trace_core.metrics.base import Values

CHUNKS = 0.5
"""The share of chunks that should contain something relevant, as a mean over a run."""


def retrieved(found: Quantities) -> str:
    """The judgment in words; each figure covers the records where it is known."""
    share, rank = _known(found["relevance"]), _known(found["first_relevant"])
    said = []
    if len(share):
        said.append(f"On average {share.mean():.0%} of a record's chunks hold something relevant "
                    f"(at least {CHUNKS:.0%} is wanted).")  # fmt: skip
    if len(rank):
        said.append(f"The first relevant chunk comes at rank {rank.mean():.1f} on average.")
    metric, values = METRICS["context_relevance"], _known(found["context_relevance"])
    if metric.offered is not None and len(values):
        missed = int((values < metric.offered).sum())
        said.append(f"{missed:,} of {len(values):,} records ({missed / len(values):.0%}) would miss a target of "
                    f"{metric.offered} for {metric.label.lower()}.")  # fmt: skip
    return " ".join(said)


def _known(values: Values) -> Values:
    return values[~np.isnan(values)]
