"""Small charts as SVG text, for pages without scripts: bars and lines only."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 460.0, 190.0
LEFT, RIGHT, TOP, BOTTOM = 44.0, 10.0, 12.0, 34.0
_PLOT_W, _PLOT_H = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
_ROW = 24.0


def columns(
    title: str, bars: Sequence[tuple[str, float]], *, reference: tuple[float, str] | None = None, share: bool = False
) -> str:
    """Vertical bars; `reference` is a line across, at a position from 0 (left) to 1 (right), with its text."""
    most = max((value for _, value in bars), default=0.0) or 1.0
    step = _PLOT_W / max(1, len(bars))
    parts = [_axis(most, share)]
    for i, (label, value) in enumerate(bars):
        height = value / most * _PLOT_H
        x, y = LEFT + i * step, TOP + _PLOT_H - height
        shown = f"{value:.0%}" if share else f"{value:g}"
        tip = f"<title>{escape(label)}: {shown}</title>"
        parts.append(
            f'<rect class="bar" x="{x + 2:.1f}" y="{y:.1f}" width="{step - 4:.1f}" height="{height:.1f}">{tip}</rect>'
            f'<text class="tick" x="{x + step / 2:.1f}" y="{HEIGHT - 16:.1f}" text-anchor="middle">'
            f"{escape(label)}</text>"
        )
    if reference:
        x = LEFT + reference[0] * _PLOT_W
        beside = f'x="{x - 4:.1f}" text-anchor="end"' if reference[0] > 0.5 else f'x="{x + 4:.1f}"'
        parts.append(
            f'<line class="reference" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{TOP + _PLOT_H}"/>'
            f'<text class="tick" {beside} y="{TOP + 10}">{escape(reference[1])}</text>'
        )
    return _svg(title, parts, HEIGHT)


def rows(title: str, bars: Sequence[tuple[str, float]]) -> str:
    """Horizontal bars with long names; values are written at their ends."""
    most = max((value for _, value in bars), default=0.0) or 1.0
    room = WIDTH - 190 - 50
    parts = []
    for i, (label, value) in enumerate(bars):
        y, width = TOP + i * _ROW, value / most * room
        parts.append(
            f'<text class="name" x="182" y="{y + 15:.1f}" text-anchor="end">{escape(label)}</text>'
            f'<rect class="bar" x="190" y="{y + 3:.1f}" width="{width:.1f}" height="16"/>'
            f'<text class="tick" x="{194 + width:.1f}" y="{y + 15:.1f}">{value:g}</text>'
        )
    return _svg(title, parts, TOP + _ROW * max(1, len(bars)))


def lines(title: str, series: Mapping[str, Sequence[float]], *, reference: tuple[float, str] | None = None) -> str:
    """Values from 0 to 1 over equal steps; NaN leaves a gap. Each line has its own dash pattern and name."""
    parts, legend = [_axis(1.0, False)], LEFT
    for number, (name, values) in enumerate(series.items()):
        step = _PLOT_W / max(1, len(values) - 1)
        for run in _unbroken(values):
            points = " ".join(f"{LEFT + i * step:.1f},{TOP + (1 - values[i]) * _PLOT_H:.1f}" for i in run)
            if len(run) > 1:
                parts.append(f'<polyline class="line l{number}" points="{points}"/>')
            else:
                alone, height = points.split(",")
                parts.append(f'<circle class="dot l{number}" cx="{alone}" cy="{height}" r="2.5"/>')
        parts.append(
            f'<line class="line l{number}" x1="{legend:.0f}" x2="{legend + 14:.0f}"'
            f' y1="{HEIGHT - 8}" y2="{HEIGHT - 8}"/>'
            f'<text class="tick" x="{legend + 17:.0f}" y="{HEIGHT - 4}">{escape(name)}</text>'
        )
        legend += 24 + 5.3 * len(name)
    if reference:
        y = TOP + (1 - reference[0]) * _PLOT_H
        parts.append(
            f'<line class="reference" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text class="tick" x="{WIDTH - RIGHT}" y="{y - 4:.1f}" text-anchor="end">{escape(reference[1])}</text>'
        )
    return _svg(title, parts, HEIGHT)


def _unbroken(values: Sequence[float]) -> list[list[int]]:
    runs: list[list[int]] = [[]]
    for i, value in enumerate(values):
        if math.isnan(value):
            runs.append([])
        else:
            runs[-1].append(i)
    return [run for run in runs if run]


def _axis(most: float, share: bool) -> str:
    top = f"{most:.0%}" if share else f"{most:g}"
    return (
        f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{TOP + _PLOT_H}" y2="{TOP + _PLOT_H}"/>'
        f'<text class="tick" x="{LEFT - 6}" y="{TOP + 8}" text-anchor="end">{top}</text>'
        f'<text class="tick" x="{LEFT - 6}" y="{TOP + _PLOT_H}" text-anchor="end">0</text>'
    )


def _svg(title: str, parts: Sequence[str], height: float) -> str:
    name = escape(title, quote=True)
    return f'<svg viewBox="0 0 {WIDTH:g} {height:g}" role="img" aria-label="{name}">{"".join(parts)}</svg>'
