"""Where the quotations of a text stand, and whether words between two of them only join them."""

from __future__ import annotations

import re

from trace_core.endpoint.reading.language.ordinals import is_ordinal

_CLOSING = {'"': '"', "“": "”", "„": "“”", "«": "»", "”": "”", "»": "«", "‘": "’", "'": "'"}
_OPENS = re.compile("[\"“„«]|(?<![^\\s(])['‘”»](?=\\S)")
_JOINING = frozenset("and or plus und oder sowie et ou y o e en och i oraz then dann luego".split())


def spans_of(text: str) -> list[tuple[int, int]]:
    """The start and end of each quotation, found in one pass."""
    spans: list[tuple[int, int]] = []
    place = 0
    while start := _OPENS.search(text, place):
        ends = _CLOSING[start[0]]
        end = next((i for i in range(start.end(), len(text)) if text[i] in ends and _closes(text, i)), -1)
        if end < 0:
            return spans
        spans.append((start.start(), end))
        place = end + 1
    return spans


def _closes(text: str, place: int) -> bool:
    """Whether the mark closes a quotation; an apostrophe within a word does not."""
    return text[place] not in "'’" or not text[place + 1 : place + 2].isalnum()


def nested(text: str, start: int, end: int) -> bool:
    """Whether the second mark seems to open a quotation within the first: `"The sign says "no entry"."`."""
    return text[end] == '"' and text[end + 1 : end + 2].isalnum() and text[end - 1].isspace() and start < end - 1


def joins(gap: str) -> bool:
    """Whether the words between two quoted parts only join them."""
    words = gap.strip(" ,;.&\n").lower().split()
    return all(word.strip(",;:") in _JOINING or is_ordinal(word.strip(",;:")) for word in words)
