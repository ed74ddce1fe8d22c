"""Small things about text that the reading of plain language shares."""

from __future__ import annotations

_QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "«": "»", "„": "“"}


def unquoted(text: str) -> str:
    """The text without separators at its end, and without the quotation marks around all of it."""
    text = text.strip().rstrip(";|").rstrip()
    closing = _QUOTES.get(text[:1])
    whole = len(text) > 1 and closing and text.endswith(closing) and closing not in text[1:-1]
    return text[1:-1].strip() if whole else text
