"""The view model of the Venn diagram: relevant and utilized sentences among all that were retrieved."""

from textwrap import wrap
from typing import Any

from trace_core.evidence.view import DOCUMENT_LOOKS
from trace_core.facts.records import Record

WIDTH, HEIGHT, MIDDLE, RADIUS = 360.0, 280.0, 142.0, 92.0
R, U = 130.0, 230.0
"""The centres of the circles, in pixels from the left; both are always drawn alike, and the counts are written."""
LINES, CHARACTER = 3, 7.0
"""The lines of keys in a region, and the assumed width of one character of a key."""
REGIONS = {
    (True, False): (R - RADIUS, U - RADIUS, LINES),
    (True, True): (U - RADIUS, R + RADIUS, LINES),
    (False, True): (R + RADIUS, U + RADIUS, LINES),
    (False, False): (12.0, WIDTH - 12.0, 1),
}
"""Whether its sentences are relevant and utilized → where the region begins and ends, and its lines of keys."""


def venn(record: Record) -> dict[str, Any]:
    """What the drawing shows, as JSON: circles, the keys of every region, and the same in words."""
    total = record.sentences().document_keys()
    labels = record.labels
    relevant = labels.all_relevant_sentence_keys if labels else None
    used = labels.all_utilized_sentence_keys if labels else None
    if relevant is None or used is None:
        lacking = "relevant" if relevant is None else "utilized"
        return {"drawn": False, "words": f"The labels do not say which sentences are {lacking}."}
    if not total:
        return {"drawn": False, "words": "There are no document sentences."}
    inside = {place: [key for key in total if (key in relevant, key in used) == place] for place in REGIONS}
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
        "regions": [_region(place, keys) for place, keys in inside.items()],
        "words": f"Of {len(total)} document sentences, {only_r + both} are relevant (R) and {only_u + both} utilized "
        f"(U): {both} both, {only_r} relevant only, {only_u} utilized only, {neither} neither.",
        "total": f"N = {len(total)}",
    }


def _region(place: tuple[bool, bool], keys: list[str]) -> dict[str, Any]:
    left, right, most = REGIONS[place]
    return {
        **DOCUMENT_LOOKS[place]._asdict(),
        "count": len(keys),
        "x": (left + right) / 2,
        "lines": wrap(" ".join(keys[:200]), int((right - left - 8) / CHARACTER), max_lines=most, placeholder=" …"),
        "keys": ", ".join(keys[:40]) + (f" … ({len(keys) - 40} more)" if len(keys) > 40 else ""),
    }
