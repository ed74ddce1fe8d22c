"""When a collection has outgrown the embedded Qdrant. The figures behind it are in `docs/scale.md`."""

from __future__ import annotations

SERVER_FROM = 20_000
"""From this number of chunks a server is advised: the embedded Qdrant reads all of them at each question and start."""


def advice(points: int, *, embedded: bool) -> str | None:
    """Advice for a collection of `points` chunks; `None` if it needs none."""
    if not embedded or points < SERVER_FROM:
        return None
    return (
        f"{points:,} chunks are many for the embedded Qdrant, which reads all of them for each question and at each "
        f"start. From {SERVER_FROM:,} on use a Qdrant server or cloud: set QDRANT_URL, and ingest the documents there."
    )
