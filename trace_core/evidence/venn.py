"""The view model of the Venn diagram: relevant and utilized sentences among all that were retrieved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trace_core.evidence.view import DOCUMENT_LOOKS, DocumentStatus
from trace_core.facts.records import Record

WIDTH, HEIGHT, MIDDLE, RADIUS = 360.0, 280.0, 142.0, 92.0
R, U = 130.0, 230.0
"""The centres of the circles, in pixels from the left; both are always drawn alike, and the counts are written."""
LINES, CHARACTER = 3, 7.0
"""The lines of keys in a region, and the assumed width of one character of a key."""
REGIONS = {
    DocumentStatus.MISSED: (True, False, R - RADIUS, U - RADIUS, LINES),
    DocumentStatus.GROUNDING: (True, True, U - RADIUS, R + RADIUS, LINES),
    DocumentStatus.STRAY: (False, True, R + RADIUS, U + RADIUS, LINES),
    DocumentStatus.NEITHER: (False, False, 12.0, WIDTH - 12.0, 1),
}
"""Status → whether it is relevant and utilized, where its region begins and ends, and its lines of keys."""


def venn(record: Record) -> dict[str, Any]:
    """What the drawing shows, as JSON: circles, the keys of every region, and the same in words."""
    total = record.sentences().document_keys()
    labels = record.labels
    relevant = labels.all_relevant_sentence_keys if labels else None
    utilized = labels.all_utilized_sentence_keys if labels else None
    if relevant is None or utilized is None:
        lacking = "relevant" if relevant is None else "utilized"
        return {"drawn": False, "words": f"The labels do not say which sentences are {lacking}."}
    if not total:
        return {"drawn": False, "words": "There are no document sentences."}
    inside = {
        status: [key for key in total if (key in relevant, key in utilized) == (in_r, in_u)]
        for status, (in_r, in_u, *_) in REGIONS.items()
    }
    only_r, both, only_u, neither = (len(keys) for keys in inside.values())
    return {
        "drawn": True,
        "width": WIDTH,
        "height": HEIGHT,
        "middle": MIDDLE,
        "circles": [
            {"name": name, "x": x, "r": RADIUS if n else 0, "label": f"{letter} {name}: {n}"}
            for name, letter, x, n in (("relevant", "R", R, only_r + both), ("utilized", "U", U, only_u + both))
        ],
        "regions": [_region(status, keys) for status, keys in inside.items()],
        "words": f"Of {len(total)} document sentences, {only_r + both} are relevant (R) and {only_u + both} utilized "
        f"(U): {both} both, {only_r} relevant only, {only_u} utilized only, {neither} neither.",
        "total": f"N = {len(total)}",
    }


def _region(status: DocumentStatus, keys: list[str]) -> dict[str, Any]:
    look, (_, _, left, right, most) = DOCUMENT_LOOKS[status], REGIONS[status]
    return {
        "status": str(status),
        "mark": look.mark,
        "word": look.word,
        "count": len(keys),
        "x": (left + right) / 2,
        "lines": key_lines(keys, right - left - 8, most),
        "keys": ", ".join(keys[:40]) + (f" … ({len(keys) - 40} more)" if len(keys) > 40 else ""),
    }


def key_lines(keys: Sequence[str], width: float, most: int = LINES) -> list[str]:
    """The first keys that fit in at most `most` lines, with an ellipsis if there are more."""
    longest = max((len(key) for key in keys[:40]), default=0) + 1
    a_line = max(1, int(width / CHARACTER / longest))
    room = a_line * most
    shown = [*keys] if len(keys) <= room else [*keys[: max(1, room - 1)], "…"]
    return [" ".join(shown[i : i + a_line]) for i in range(0, len(shown), a_line)]
