"""When a collection has outgrown the embedded Qdrant. The figures behind it are in `docs/scale.md`."""

from __future__ import annotations

SERVER_FROM = 20_000
"""Chunks in an embedded collection from which a server is advised: each question reads them all, each start too."""


def advice(points: int, *, embedded: bool) -> str | None:
    """What to tell a person whose collection has that many chunks; `None` while all is well."""
    if not embedded or points < SERVER_FROM:
        return None
    return (
        f"{points:,} chunks are many for the embedded Qdrant, which reads all of them for each question and at each "
        f"start. From {SERVER_FROM:,} on use a Qdrant server or cloud: set QDRANT_URL, and ingest the documents there."
    )
