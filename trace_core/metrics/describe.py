"""The metrics in words, for the README and the guide; all texts come from the metrics' definitions."""

from __future__ import annotations

from trace_core.metrics.base import CONVENTIONS
from trace_core.metrics.scoring import METRICS, RELEVANCE_DIVISOR


def table() -> str:
    """The four metrics by convention, as a Markdown table."""
    header = ["metric", *(f"`{c.name}` ({c.label})" for c in CONVENTIONS.values())]
    rows = [header, ["---"] * len(header)]
    for metric in METRICS.values():
        texts = (metric.formulas[name].text.format(divisor=RELEVANCE_DIVISOR) for name in CONVENTIONS)
        rows.append([f"**{metric.label}**. {metric.question}", *(text.replace("|", "\\|") for text in texts)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
