"""The view model of the Venn diagram: relevant and utilized sentences among all that were retrieved."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from trace_core.evidence.view import DOCUMENT_LOOKS, DocumentStatus
from trace_core.facts.records import Record

WIDTH, HEIGHT = 360.0, 280.0
MIDDLE, LARGEST, NARROWEST, MARGIN = 142.0, 92.0, 46.0, 12.0
LINES, CHARACTER = 3, 7.0
"""The lines of keys in a region, and the assumed width of one character of a key."""
REGIONS = (
    DocumentStatus.MISSED,
    DocumentStatus.GROUNDING,
    DocumentStatus.STRAY,
    DocumentStatus.NEITHER,
)


@dataclass(frozen=True, slots=True)
class Circles:
    """Where R and U are drawn: centres on one line, and radii; a radius of 0 is an empty set."""

    r_x: float
    r: float
    u_x: float
    u: float

    def spans(self, both: int) -> tuple[tuple[float, float], ...]:
        """The extents of R only, both, and U only on the line through the centres."""
        r_left, r_right = self.r_x - self.r, self.r_x + self.r
        u_left, u_right = self.u_x - self.u, self.u_x + self.u
        if not both:
            return (r_left, r_right), (0.0, 0.0), (u_left, u_right)
        return (r_left, max(u_left, r_left)), (max(r_left, u_left), min(r_right, u_right)), (r_right, u_right)


def venn_assets() -> tuple[str, str]:
    """The style sheet and the script that draw it: `(css, js)`."""
    folder = files("trace_core.evidence")
    css, js = (folder.joinpath(name).read_text(encoding="utf-8") for name in ("venn.css", "venn.js"))
    return css, js


def venn(record: Record) -> dict[str, Any]:
    """What the drawing shows, as JSON: circles, the keys of every region, and the same in words.

    If the labels lack a list, there is nothing to draw, and the words say so.
    """
    total = [sentence.key for document in record.sentences().documents for sentence in document]
    labels = record.labels
    relevant = labels.all_relevant_sentence_keys if labels else None
    utilized = labels.all_utilized_sentence_keys if labels else None
    if relevant is None or utilized is None:
        lacking = "relevant" if relevant is None else "utilized"
        return {"drawn": False, "words": f"The labels do not say which sentences are {lacking}."}
    if not total:
        return {"drawn": False, "words": "There are no document sentences."}
    return _drawing(total, set(relevant), set(utilized))


def _drawing(total: Sequence[str], relevant: Collection[str], utilized: Collection[str]) -> dict[str, Any]:
    inside = [_keys_where(total, relevant, utilized, status) for status in REGIONS]
    only_r, both, only_u, neither = (len(keys) for keys in inside)
    circles = place(only_r, both, only_u, len(total))
    spans = (*circles.spans(both), (MARGIN, WIDTH - MARGIN))
    return {
        "drawn": True,
        "width": WIDTH,
        "height": HEIGHT,
        "middle": MIDDLE,
        "circles": [
            {"name": "relevant", "x": circles.r_x, "r": circles.r, "label": f"R relevant: {only_r + both}"},
            {"name": "utilized", "x": circles.u_x, "r": circles.u, "label": f"U utilized: {only_u + both}"},
        ],
        "regions": [_region(status, keys, span) for status, keys, span in zip(REGIONS, inside, spans, strict=True)],
        "words": f"Of {len(total)} document sentences, {only_r + both} are relevant (R) and {only_u + both} utilized "
        f"(U): {both} both, {only_r} relevant only, {only_u} utilized only, {neither} neither.",
        "total": f"N = {len(total)}",
    }


def _keys_where(
    total: Sequence[str], relevant: Collection[str], utilized: Collection[str], status: DocumentStatus
) -> list[str]:
    in_r = status in (DocumentStatus.MISSED, DocumentStatus.GROUNDING)
    in_u = status in (DocumentStatus.STRAY, DocumentStatus.GROUNDING)
    return [key for key in total if (key in relevant) is in_r and (key in utilized) is in_u]


def _region(status: DocumentStatus, keys: list[str], span: tuple[float, float]) -> dict[str, Any]:
    look, width = DOCUMENT_LOOKS[status], span[1] - span[0]
    return {
        "status": str(status),
        "mark": look.mark,
        "word": look.word,
        "count": len(keys),
        "x": (span[0] + span[1]) / 2,
        "lines": lines(keys, width - 8, 1 if status is DocumentStatus.NEITHER else LINES),
        "keys": ", ".join(keys[:40]) + (f" … ({len(keys) - 40} more)" if len(keys) > 40 else ""),
    }


def lines(keys: Sequence[str], width: float, most: int = LINES) -> list[str]:
    """The first keys that fit in at most `most` lines, with an ellipsis if there are more."""
    if not keys:
        return []
    longest = max(len(key) for key in keys[:40]) + 1
    a_line = max(1, int(width / CHARACTER / longest))
    room = a_line * most
    shown = [*keys] if len(keys) <= room else [*keys[: max(1, room - 1)], "…"]
    return [" ".join(shown[i : i + a_line]) for i in range(0, len(shown), a_line)]


def place(only_r: int, both: int, only_u: int, total: int) -> Circles:
    """Circles whose areas roughly follow the counts; every region with keys gets room for them."""
    r, u = _radius(only_r + both, total), _radius(only_u + both, total)
    if both and only_r and not only_u:
        u = min(u, r - NARROWEST / 2)
    if both and only_u and not only_r:
        r = min(r, u - NARROWEST / 2)
    distance = _distance(r, u, only_r, both, only_u)
    left, right = min(-r, distance - u), max(r, distance + u)
    scale = min(1.0, (WIDTH - 2 * MARGIN) / (right - left)) if right > left else 1.0
    shift = WIDTH / 2 - scale * (left + right) / 2
    return Circles(shift, r * scale, shift + distance * scale, u * scale)


def _radius(count: int, total: int) -> float:
    """The radius for the set's share of the frame, within readable limits; 0 for an empty set."""
    if not count:
        return 0.0
    fair = math.sqrt(count / total * WIDTH * HEIGHT / math.pi)
    return min(LARGEST, max(1.2 * NARROWEST, fair))


def _distance(r: float, u: float, only_r: int, both: int, only_u: int) -> float:
    """The distance between the centres that gives the overlap its share of the smaller circle."""
    if not both:
        return r + u + (10.0 if r and u else 0.0)
    if not only_r and not only_u:
        return 0.0
    if not only_u:
        return r - u - 3.0
    if not only_r:
        return u - r - 3.0
    share = both / min(only_r + both, only_u + both)
    wanted = share * math.pi * min(r, u) ** 2
    low, high = abs(r - u), r + u
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if _overlap(r, u, middle) > wanted else (low, middle)
    return min(max(low, abs(r - u) + NARROWEST), r + u - NARROWEST)


def _overlap(r: float, u: float, distance: float) -> float:
    """The area that two circles share, for |r − u| < distance < r + u."""
    a = _angle(distance, r, u)
    b = _angle(distance, u, r)
    return r**2 * (a - math.sin(2 * a) / 2) + u**2 * (b - math.sin(2 * b) / 2)


def _angle(distance: float, near: float, far: float) -> float:
    """Half the arc of the circle `near` inside `far`; clamped, because rounding may leave the cosine's range."""
    cosine = (distance**2 + near**2 - far**2) / (2 * distance * near)
    return math.acos(min(1.0, max(-1.0, cosine)))
