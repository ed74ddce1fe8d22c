"""Numbers in sentences for people."""

from __future__ import annotations


def counted(n: int, noun: str) -> str:
    """The number with its noun: “1 record”, “1,200 records”."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
