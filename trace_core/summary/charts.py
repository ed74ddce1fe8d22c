"""A run as plotly figures: arrays and counts in, figures out, clickable wherever records stand behind a mark.

`values` has one array per score, in record order, NaN where undefined. External texts are escaped, as plotly interprets
some HTML. A mark's `customdata` are its records: first and last index, or a score's name and range, or a group's value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trace_core.metrics import BANDS, DERIVED, METRICS
from trace_core.summary.aggregation import EDGES, band_shares, histogram
from trace_core.summary.statistics import RANDOM_BALANCE, correlation

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Values = NDArray[np.float64]
Trace = dict[str, Any]
"""A plotly object or a part of one, by plotly's names."""
Blocks = NDArray[np.int64]
"""The first and the last index of blocks of consecutive records, a row each."""
_LAYOUT: Trace = {"margin": {"l": 10, "r": 10, "t": 30, "b": 10}, "bargap": 0.15}
_DIVERGING = [[0.0, "#b35806"], [0.5, "#f2f2f2"], [1.0, "#2166ac"]]
"""From −1 to 1: opposite is orange, together blue, neither pale; distinguishable with colour blindness."""
_DIAGONAL: Trace = {"type": "line", "x0": 0, "y0": 0, "x1": 1, "y1": 1, "line": {"dash": "dot"}}
WIDEST_BALANCE = 0.5  # the largest RMSE that four metrics between 0 and 1 can have
MOST_POINTS = 300
"""The most records drawn one by one: no chart is wide enough to distinguish more."""
BLOCKS = 100
"""The most points of a chart that draws the means of consecutive blocks of records, joined by a line."""
SHARE = (-0.02, 1.02)
"""The range of a score axis, so that points at 0 and 1 are fully visible."""
MOST_NUMBERS, MOST_NAMES, LONGEST_TICK = 20, 10, 16
"""The most numbers or names written under a chart, and a name's most characters."""
_COLOR = "#16877b"
TONES = {"good": "#16877b", "warn": "#d08724", "bad": "#c8434b", "neutral": "#7d8a86", "unknown": "#a9b2bd"}
"""A verdict's tone → its colour, seen on light and on dark."""
_COLOURS = (
    ("blue", "#2f7fc1"),
    ("violet", "#8b6fd0"),
    ("orange", "#d08724"),
    ("green", "#16877b"),
    ("red", "#c8434b"),
    ("gray", "#7d8a86"),
)
LINES = dict(zip((*METRICS, "rmse_aggregation", "consistency_score"), _COLOURS, strict=True))
"""Score → the word and the value of its line's colour on light and on dark; balance and consistency are dotted."""
STRIP: Trace = {"height": 120, "margin": {"l": 34, "r": 10, "t": 6, "b": 24}, "showlegend": False}
"""A chart above a table; its margin is fixed, as plotly would draw all marks twice to measure labels."""
_REFERENCE = {"annotation_text": f"independent metrics: {RANDOM_BALANCE}", "line_dash": "dash"}


class Estimate(NamedTuple):
    """A mean and its 95 % interval, each `None` where undefined; `n` values are written where they have no interval."""

    mean: float | None
    interval: tuple[float, float] | None = None
    n: int = 0


def rolling_mean(values: Values, window: int) -> Values:
    """At each index, the mean of those of the last `window` values that are defined; NaN if none is."""
    import pandas as pd

    return pd.Series(values).rolling(window, min_periods=1).mean().to_numpy()


def blocks(n: int, most: int | None = None) -> Blocks:
    """Indices 0 … n − 1 in at most `most` equal blocks; by default one per index, or `BLOCKS`."""
    size = max(1, -(-n // (most or (BLOCKS if n > MOST_POINTS else MOST_POINTS))))
    first = np.arange(0, n, size)
    return np.column_stack([first, np.minimum(first + size, n) - 1])


def block_means(values: Values, places: Blocks) -> Values:
    """The mean of the defined values of each block, NaN if none is."""
    import pandas as pd

    block = np.arange(len(values)) // _size(places)
    return np.asarray(pd.Series(values, dtype=float).groupby(block).mean(), dtype=np.float64)


class Mark(NamedTuple):
    """What is said of some records: a verdict by name, its title, its tone, and the records' places, in order."""

    name: str
    title: str
    tone: str
    places: NDArray[np.int64]


def record_marks(marks: Sequence[Mark], ids: Sequence[str], hovers: Sequence[str]) -> Figure:
    """One mark a record, by verdict, the worst first; of more than `MOST_POINTS` a bar a verdict, with its count.

    A mark's `customdata` is its record's place among `ids`, a bar's the name of its verdict. `hovers` are by place.
    """
    traces, x = [], 0
    each = len(ids) <= MOST_POINTS
    for mark in marks:
        n = len(mark.places)
        bar: Trace = {"type": "bar", "name": f"{escape(mark.title)} {n:,}", "marker": {"color": TONES[mark.tone]}}
        if each:
            bar |= {
                "x": np.arange(x, x + n) + 0.5,
                "y": np.ones(n),
                "customdata": mark.places[:, None],
                "hovertext": [hovers[place] for place in mark.places],
                "hovertemplate": "%{hovertext}<extra></extra>",
            }
        else:
            bar |= {
                "x": [x + n / 2],
                "width": [n],
                "y": [1],
                "customdata": [[mark.name]],
                "hovertemplate": f"{escape(mark.title)}: {n:,} of {len(ids):,} records<extra></extra>",
            }
        traces.append(bar)
        x += n
    y_axis = {"visible": False, "fixedrange": True}
    x_axis = {"range": (0, max(x, 1)), "showgrid": False, "fixedrange": True, "automargin": False}
    gap = 0.15 if x <= BLOCKS else 0
    return _drawn(traces, "", "", (0, 1), x_axis=x_axis, y_axis=y_axis, bargap=gap, barmode="overlay", **STRIP)


def hover(question: str, verdict: str) -> str:
    """Question and verdict in lines that fit beside a mark."""
    lines = wrap(question[:200], 60)[:3] or ["no question"]
    return "<br>".join([*map(escape, lines), f"<b>{escape(verdict)}</b>"])


def scores_over_run(values: Mapping[str, Values], ids: Sequence[str], window: int) -> Figure:
    """The four metrics, balance (RMSE) and consistency over the run, each the mean of the last `window` records."""
    places = blocks(len(ids), MOST_POINTS)
    labels = {name: (METRICS.get(name) or DERIVED[name]).label for name in LINES}
    lines = [
        _line(places, ids, rolling_mean(values[name], window)[places[:, 1]], "lines")
        | {
            "name": labels[name],
            "line": {"color": colour, "dash": "dot" if name in DERIVED else "solid"},
            "hovertemplate": f"%{{text}}<br>{labels[name]} %{{y:.2f}}<extra></extra>",
        }
        for name, (_, colour) in LINES.items()
    ]
    return _drawn(lines, "", "", SHARE, x_axis={"automargin": False}, y_axis={"tickvals": [0, 0.5, 1]}, **STRIP)


def distributions(values: Mapping[str, Values]) -> Figure:
    """The distribution of each metric over records, in bins of one tenth, one panel each."""
    spans = [(float(low), float(high)) for low, high in pairwise(EDGES)]
    panels = {
        metric.label: {
            "type": "bar",
            "x": [(low + high) / 2 for low, high in spans],
            "y": histogram(values[n]),
            "width": 0.1,
            "customdata": [[n, *span] for span in spans],
            "hovertemplate": "%{y} records<extra></extra>",
        }
        for n, metric in METRICS.items()
    }
    return _panels(panels, x_range=(0, 1), row=84, columns=4)


def bands(balance: Values) -> Figure:
    """The share of records in each band of balance, each bar as wide as its band."""
    shares = band_shares(balance)
    spans = list(pairwise([*(band.low for band in BANDS), WIDEST_BALANCE]))
    bars = {
        "type": "bar",
        "x": [(low + high) / 2 for low, high in spans],
        "width": [high - low for low, high in spans],
        "y": [shares.get(band.name, 0.0) for band in BANDS],
        "text": ["<br>".join(band.shown.split()) for band in BANDS],
        "marker": {"color": _COLOR},
        "customdata": [["rmse_aggregation", low, high] for low, high in spans],
    }
    figure = _drawn([bars], DERIVED["rmse_aggregation"].label, "share of records", showlegend=False)
    return figure.add_vline(x=RANDOM_BALANCE, **_REFERENCE)


def groups(estimates: Mapping[str, Mapping[str, Estimate]]) -> Figure:
    """Value of a field → metric → its mean with its interval over the records that have the value: a panel a metric.

    The panels stand below one another, as the values' names fill a phone's width.
    """
    names = [escape(name if len(name) <= 24 else f"{name[:23]}…") for name in estimates]
    panels = {
        metric.label: {
            "type": "bar",
            "orientation": "h",
            "y": names,
            "x": [of[n].mean for of in estimates.values()],
            "text": _numbers([of[n] for of in estimates.values()]),
            "customdata": [[name] for name in estimates],
            "hovertemplate": "%{y}: %{x:.3f}<extra></extra>",
            "error_x": _error([of[n] for of in estimates.values()]),
        }
        for n, metric in METRICS.items()
    }
    row = 60 + 28 * len(names)
    return _panels(panels, x_range=SHARE, row=row, columns=1, y_axis={"autorange": "reversed", "type": "category"})


def together(values: Mapping[str, Values], *, covariance: bool = False) -> Figure:
    """The correlation (Pearson's r) or covariance of each two metrics as a cell; none where undefined."""
    from plotly.colors import sample_colorscale

    names, last = list(METRICS), len(METRICS) - 1
    pairs = {(a, b): correlation(values[a], values[b])[0 if covariance else 1] for a in names for b in names}
    known = {pair: value for pair, value in pairs.items() if value is not None}
    most = max(map(abs, known.values()), default=0.0) or 1.0 if covariance else 1.0
    # Bars, as no cell of a heatmap can be selected; one a trace, as plotly wants one colour for the text on it.
    cells = [
        {
            "type": "bar",
            "x": [names.index(b)],
            "y": [1],
            "width": 1,
            "base": [last - names.index(a)],
            "marker": {"color": sample_colorscale(_DIVERGING, [min(1.0, (value / most + 1) / 2)])[0]},
            "text": [f"{value:.2f}"],
            "textposition": "inside",
            "insidetextanchor": "middle",
            "textangle": 0,
            "textfont": {"color": "white" if abs(value) > most / 2 else "black"},
            "customdata": [[a, b]],
            "showlegend": False,
            "unselected": {"marker": {"opacity": 0.8}},  # else they fade away
            "hovertemplate": f"{METRICS[a].label} and {METRICS[b].label}: %{{text}}<extra></extra>",
        }
        for (a, b), value in known.items()
    ]
    labels = [METRICS[name].label.replace(" ", "<br>") for name in names]
    across = {"tickvals": list(range(len(names))), "ticktext": labels, "range": (-0.5, last + 0.5)}
    up = {"tickvals": [place + 0.5 for place in range(len(names))], "ticktext": labels[::-1], "showgrid": False}
    return _drawn(cells, "", "", (0, len(names)), y_axis=up, xaxis=across, bargap=0, barmode="overlay", height=340)


def _points(x: Values, y: Values, ids: Sequence[str], name: str) -> Trace:
    """A point for each record that has both scores; of more than `MOST_POINTS` records, only every k-th."""
    step = max(1, -(-len(ids) // MOST_POINTS))
    both = np.flatnonzero(~np.isnan(x) & ~np.isnan(y))
    both = both[both % step == 0]
    return {
        "type": "scatter",
        "x": x[both],
        "y": y[both],
        "mode": "markers",
        "name": name,
        "marker": {"color": _COLOR},
        "text": [escape(ids[int(i)]) for i in both],
        "customdata": np.column_stack([both, both]),
    }


def against_truth(predicted: Mapping[str, Values], truth: Mapping[str, Values], ids: Sequence[str]) -> Figure:
    """Each record's score against its ground truth, one panel per metric; points on the diagonal agree."""
    panels = {m.label: _points(truth[name], predicted[name], ids, m.label) for name, m in METRICS.items()}
    diagonal = {"y0": SHARE[0], "y1": SHARE[1], "line": {"dash": "dot"}}
    return _panels(panels, x_range=SHARE, y_range=SHARE, lines=dict.fromkeys(panels, diagonal))


def two_metrics(values: Mapping[str, Values], a: str, b: str, ids: Sequence[str]) -> Figure:
    """Each record's score in one metric against that in another."""
    axes = {"xaxis": {"title": {"text": METRICS[a].label}, "range": SHARE}}
    return _drawn([_points(values[a], values[b], ids, "records")], "", METRICS[b].label, SHARE, height=340, **axes)


def levels(
    places: Sequence[str],
    lines: Mapping[str, Sequence[Estimate]],
    goals: Mapping[str, float] | None = None,
    ids: Sequence[str] | None = None,
    axis: Sequence[str] | None = None,
) -> Figure:
    """Means over runs or ranks, in order: label → one (mean, 95 % interval) per place, one panel each.

    `axis` are the short names of the places below it, else their numbers; `ids` are what a click on one gives.
    """
    numbers = np.arange(1, len(places) + 1)
    names = [escape(place) for place in places]
    panels = {
        label: {
            "type": "scatter",
            "mode": "lines+markers+text",
            "x": numbers,
            "y": [one.mean for one in estimates],
            "text": _numbers(estimates),
            "textposition": "top center",
            "hovertext": names,
            "hovertemplate": "%{hovertext}<br>%{y:.3f}<extra></extra>",
            "error_y": _error(estimates),
            "customdata": [[name] for name in ids or places],
        }
        for label, estimates in lines.items()
    }
    targets = {
        label: {
            "y0": goal,
            "y1": goal,
            "line": {"dash": "dot", "width": 1},
            "label": {"text": f"target {goal:g}", "textposition": "middle"},
        }
        for label, goal in (goals or {}).items()
    }
    step = -(-len(places) // (MOST_NAMES if axis else MOST_NUMBERS)) or 1
    ticks: Trace = {"tickvals": numbers[::step], "range": (0.5, len(places) + 0.5)}
    if axis:  # plotly turns them where they are too wide
        ticks["ticktext"] = ["<br>".join(escape(_cut(part)) for part in name.split("\n")) for name in axis[::step]]
    return _panels(panels, y_range=SHARE, x_axis=ticks, lines=targets, below=60 if axis else 0)


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST_TICK else f"{name[: LONGEST_TICK - 1]}…"


def _error(estimates: Sequence[Estimate]) -> Trace:
    known = [(mean, span) if mean is not None and span else None for mean, span, _ in estimates]
    up = [one[1][1] - one[0] if one else np.nan for one in known]
    down = [one[0] - one[1][0] if one else np.nan for one in known]
    return {"type": "data", "symmetric": False, "array": up, "arrayminus": down, "thickness": 1}


def _numbers(estimates: Sequence[Estimate]) -> list[str]:
    """The number of values in place of an interval that they are too few for."""
    return [f"n = {n:,}" if mean is not None and not span and n else "" for mean, span, n in estimates]


def differences(lines: Mapping[str, Estimate]) -> Figure:
    """B − A for each label with its 95 % interval; the line at 0 means no difference."""
    known = {label: one for label, one in lines.items() if one.mean is not None}
    # Short lines leave room for the plot in a narrow chart.
    labels = ["<br>".join(wrap(escape(label), 15, break_long_words=False)) for label in known]
    points = {
        "type": "scatter",
        "x": [one.mean for one in known.values()],
        "y": labels,
        "mode": "markers",
        "name": "B − A",
        "marker": {"size": 10},
        "error_x": _error(list(known.values())),
        "customdata": [[name] for name in known],
    }
    # The figure sets its height: one set by the page would apply only after a first, too tall drawing.
    figure = _drawn([points], "B − A", "", y_axis={"autorange": "reversed"}, height=280)
    return figure.add_vline(x=0, line_dash="dot")


def reliability_chart(lines: Mapping[str, Sequence[Mapping[str, float | int | None]]]) -> Figure:
    """Predicted probability against true share: label → bins of `calibration.reliability`; the diagonal is right."""
    traces = [
        {
            "type": "scatter",
            "name": name,
            "mode": "lines+markers",
            "x": [one["predicted"] for one in bins if one["n"]],
            "y": [one["true"] for one in bins if one["n"]],
            "text": [f"{one['n']} in this bin" for one in bins if one["n"]],
            "customdata": [[name, one["low"], one["high"]] for one in bins if one["n"]],
        }
        for name, bins in lines.items()
    ]
    return _drawn(traces, "predicted probability", "true share", SHARE, shapes=[_DIAGONAL])


def roc_chart(lines: Mapping[str, Sequence[tuple[float, float, float]]]) -> Figure:
    """True against false positive rate, label → points of `calibration.roc`; the diagonal is chance."""
    traces = [
        {
            "type": "scatter",
            "x": [x for x, _, _ in points],
            "y": [y for _, y, _ in points],
            "name": name,
            "mode": "lines+markers",
            "marker": {"size": 5},
            "customdata": [[name, threshold, 1.0] for _, _, threshold in points],
        }
        for name, points in lines.items()
    ]
    return _drawn(traces, "false positive rate", "true positive rate", SHARE, shapes=[_DIAGONAL])


def _line(places: Blocks, ids: Sequence[str], line: Values, mode: str) -> Trace:
    names = np.array(_names(places, ids), dtype=object)  # plotly looks at every item of a list
    return {
        "type": "scatter",
        "x": places[:, 1] + 1,
        "y": line,
        "mode": mode,
        "text": names,
        "customdata": places,
        "marker": {"color": _COLOR},
    }


def _size(places: Blocks) -> int:
    """The number of records in a block; the last one may have fewer."""
    return int(places[0, 1]) + 1 if len(places) else 1


def _names(places: Blocks, ids: Sequence[str]) -> list[str]:
    return [escape(ids[first] if first == last else f"{ids[first]} … {ids[last]}") for first, last in places]


def _panels(
    panels: Mapping[str, Trace],
    *,
    x_range: Sequence[float] | None = None,
    y_range: Sequence[float] | None = None,
    x_axis: Trace | None = None,
    y_axis: Trace | None = None,
    lines: Mapping[str, Trace] | None = None,
    row: int = 190,
    columns: int = 2,
    below: int = 0,
) -> Figure:
    """Small multiples on axes of the same ranges: title → trace, title → line across.

    `row` is the height of one in pixels, with `below` for the names under it.
    """
    import plotly.graph_objects as go

    rows, traces = -(-len(panels) // columns) or 1, []
    grid: Trace = {"rows": rows, "columns": min(columns, len(panels)) or 1, "pattern": "independent"}
    grid |= {"xgap": 0.14, "ygap": (60 + below) / (row + below)}
    layout: Trace = {
        "annotations": [],
        "shapes": [],
        "showlegend": False,
        "height": 50 + (row + below) * rows,
        "grid": grid,
    }
    for place, (title, trace) in enumerate(panels.items()):
        n = str(place + 1) if place else ""
        layout |= {f"xaxis{n}": {"range": x_range} | (x_axis or {}), f"yaxis{n}": {"range": y_range} | (y_axis or {})}
        layout["annotations"].append(
            {
                "text": f"<b>{escape(title)}</b>",
                "showarrow": False,
                "xref": f"x{n} domain",
                "x": 0,
                "xanchor": "left",
                "yref": f"y{n} domain",
                "y": 1,
                "yanchor": "bottom",
            }
        )
        if line := (lines or {}).get(title):
            across = {"type": "line", "xref": f"x{n} domain", "x0": 0, "x1": 1, "yref": f"y{n}"}
            layout["shapes"].append(across | line)
        traces.append({"name": title, "marker": {"color": _COLOR}} | trace | {"xaxis": f"x{n}", "yaxis": f"y{n}"})
    return go.Figure(data=traces, layout=_LAYOUT | layout)


def _drawn(
    traces: Sequence[Trace],
    x: str,
    y: str,
    y_range: Sequence[float] | None = None,
    *,
    x_axis: Trace | None = None,
    y_axis: Trace | None = None,
    **layout: Any,
) -> Figure:
    """A figure made in one call: plotly takes three times as long to validate the parts singly and then together."""
    import plotly.graph_objects as go

    axes: dict[str, Trace] = {
        "xaxis": {"title": {"text": x}} | (x_axis or {}),
        "yaxis": {"title": {"text": y}, "range": y_range} | (y_axis or {}),
        # Beside the plot, the legend would fill a phone's width.
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
    }
    return go.Figure(data=list(traces), layout=_LAYOUT | axes | layout)
