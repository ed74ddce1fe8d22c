"""What is judged of a run's retrieval: chunks that hold anything relevant, and the rank of the first."""

from __future__ import annotations

import numpy as np

from trace_core.diagnosis.signs import Quantities
from trace_core.metrics import METRICS
from trace_core.metrics.base import Values

CHUNKS = 0.5
"""The share of chunks that should hold anything relevant, as a mean over a run."""


def retrieved(found: Quantities) -> str:
    """In words, over the records where each is known."""
    share, rank = _known(found["relevance"]), _known(found["first_relevant"])
    parts = [f"{share.mean():.0%} of the chunks hold anything relevant ({CHUNKS:.0%} is wanted)"] if len(share) else []
    parts += [f"the first of them stands at rank {rank.mean():.1f}"] if len(rank) else []
    metric, values = METRICS["context_relevance"], _known(found["context_relevance"])
    if metric.offered is not None and len(values):
        missed = int((values < metric.offered).sum())
        parts.append(f"a target of {metric.offered} for {metric.label.lower()} would be missed by {missed:,} of "
                     f"{len(values):,} records ({missed / len(values):.0%})")  # fmt: skip
    return f"Over the records, {'; '.join(parts)}." if parts else ""


def _known(values: Values) -> Values:
    return values[~np.isnan(values)]
