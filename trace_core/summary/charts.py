"""A run as plotly figures: arrays and counts in, figures out. Texts are escaped, as plotly interprets some HTML.
`values` has one array per score, in record order. A mark's `customdata` are its records: first and last index, or a
score's name and range, or a group's value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trace_core.errors import cut
from trace_core.metrics import BANDS, DERIVED, LABELS, METRICS
from trace_core.metrics.base import Values
from trace_core.summary.aggregation import EDGES, band_shares, histogram, mean_summary
from trace_core.summary.statistics import RANDOM_BALANCE

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Trace = dict[str, Any]
"""A plotly object or a part of one, by plotly's names."""
_LAYOUT: Trace = {"margin": {"l": 10, "r": 10, "t": 30, "b": 10}, "bargap": 0.15}
WIDEST_BALANCE = 0.5  # the largest RMSE that four metrics between 0 and 1 can have
MOST_POINTS = 300
"""The most records drawn one by one: no chart is wide enough to distinguish more."""
WIDE_MARKS = 100
"""The most records whose marks have gaps between them."""
SHARE = (-0.02, 1.02)
"""The range of a score axis, so that points at 0 and 1 are fully visible."""
MOST_NAMES, TICK = 7, 16
"""The most names written under a chart, and the most characters of each of a name's two lines."""
_COLOR = "#16877b"
TONES = {"bad": "#c8434b", "warn": "#d08724", "unknown": "#a9b2bd", "neutral": "#7d8a86", "good": "#16877b"}
"""A verdict's tone → its colour, seen on light and on dark; the worst first."""
_COLOURS = ("#2f7fc1", "#8b6fd0", "#d08724", "#16877b", "#c8434b", "#7d8a86")
LINES = dict(zip((*METRICS, "rmse_aggregation", "consistency_score"), _COLOURS, strict=True))
"""Score → its line's colour on light and on dark; balance and consistency are dotted."""
STRIP: Trace = {"height": 126, "margin": {"l": 48, "r": 10, "t": 6, "b": 36}, "showlegend": False}
"""A chart above a table; its margin is fixed, as plotly would draw all marks twice to measure labels."""


class Estimate(NamedTuple):
    """A mean and its 95 % interval, each `None` where undefined; `n` values are written where they have no interval."""

    mean: float | None
    interval: tuple[float, float] | None = None
    n: int = 0

    @property
    def few(self) -> str:
        """How many values there are, where they are too few for an interval."""
        return f"n = {self.n:,}" if self.n and not self.interval else ""


def estimate_of(values: Values) -> Estimate:
    """The estimate from the values that are not NaN."""
    level = mean_summary(values)
    return Estimate(level["mean"], level["interval"], level["scored"])


class Mark(NamedTuple):
    """What is said of some records: a verdict's key, its title, its tone, and their number."""

    name: str
    title: str
    tone: str
    n: int


def record_marks(marks: Sequence[Mark], hovers: Sequence[str]) -> Figure:
    """One mark a record, by verdict, the worst first; of more than `MOST_POINTS` a bar a verdict, with its count. A
    mark's `customdata` is its record's place in this order, as in `hovers`, a bar's the key of its verdict."""
    traces, x, total = [], 0, sum(mark.n for mark in marks)
    for name, title, tone, n in marks:
        bar: Trace = {"type": "bar", "name": f"{escape(title)} {n:,}", "marker": {"color": TONES[tone]}}
        if total <= MOST_POINTS:
            bar |= {
                "x": np.arange(x, x + n) + 0.5,
                "y": np.ones(n),
                "customdata": np.arange(x, x + n)[:, None],
                "hovertext": hovers[x : x + n],
                "hovertemplate": "%{hovertext}<extra></extra>",
            }
        else:
            bar |= {
                "x": [x + n / 2],
                "width": [n],
                "y": [1],
                "customdata": [[name]],
                "hovertemplate": f"{escape(title)}: {n:,} of {total:,} records<extra></extra>",
            }
        traces.append(bar)
        x += n
    y_axis = {"visible": False, "fixedrange": True, "range": (0, 1)}
    x_axis = {"range": (0, max(x, 1)), "showgrid": False, "fixedrange": True} | _title("records, the worst first")
    gap = 0.15 if x <= WIDE_MARKS else 0
    return _figure(traces, x_axis, y_axis, bargap=gap, barmode="overlay", **STRIP)


def hover(question: str, verdict: str) -> str:
    """Question and verdict in lines that fit beside a mark."""
    lines = wrap(question[:200], 60)[:3] or ["no question"]
    return "<br>".join([*map(escape, lines), f"<b>{escape(verdict)}</b>"])


def line_places(n: int, window: int) -> NDArray[np.int64]:
    """The places of `n` records at which the lines over a run have points: of each, the mean of `window` is known."""
    return np.linspace(window - 1, n - 1, min(max(n - window + 1, 0), MOST_POINTS)).round().astype(np.int64)


def scores_over_run(values: Mapping[str, Values], hovers: Sequence[str], window: int) -> Figure:
    """The four metrics, balance (RMSE) and consistency over the run, each the mean of the last `window` records. The
    `hovers` are those of the records at `line_places`, to which the points lead."""
    import pandas as pd

    places, names = line_places(len(values["adherence"]), window), np.array(hovers, dtype=object)
    lines = []
    for name, colour in LINES.items():
        lines.append(
            {
                "type": "scatter",
                "mode": "lines+markers",  # plotly selects no point that has no marker
                "name": LABELS[name],
                "x": places + 1,
                "y": pd.Series(values[name]).rolling(window, min_periods=1).mean().to_numpy()[places],
                "text": names,  # plotly looks at every item of a list
                "customdata": places[:, None],
                "line": {"color": colour, "dash": "dot" if name in DERIVED else "solid"},
                "marker": {"size": 6, "opacity": 0},
                "unselected": {"marker": {"opacity": 0}},
                "hovertemplate": f"%{{text}}<br>{LABELS[name]} %{{y:.2f}}<extra></extra>",
            }
        )
    y_axis = {"range": (-0.06, 1.06), "tickvals": [0, 0.5, 1], "zeroline": False} | _title("mean")
    x_axis = _title("records") | ({"dtick": 1} if len(places) < WIDE_MARKS / 10 else {})
    return _figure(lines, x_axis, y_axis, **STRIP)


def _title(text: str) -> Trace:
    """The title of an axis whose margin is fixed."""
    return {"title": {"text": text, "standoff": 4, "font": {"size": 12}}, "automargin": False}


def distributions(values: Mapping[str, Values]) -> Figure:
    """The distribution of each metric over records, in bins of one tenth, one panel each, its title fit for a phone."""
    spans = [(float(low), float(high)) for low, high in pairwise(EDGES)]
    panels = {
        LABELS[n].removeprefix("Context ").capitalize(): {
            "type": "bar",
            "x": [(low + high) / 2 for low, high in spans],
            "y": histogram(values[n]),
            "width": 0.1,
            "customdata": [[n, *span] for span in spans],
            "hovertemplate": "%{y} records<extra></extra>",
        }
        for n in METRICS
    }
    figure = _panels(panels, x_axis={"range": (0, 1)} | _title("score"), row=84, columns=4)
    figure.update_yaxes(matches="y", showticklabels=False)  # one scale, written once
    figure.update_yaxes({"showticklabels": True} | _title("records"), col=1)
    return figure.update_layout(margin=STRIP["margin"] | {"t": 22})


def bands(balance: Values) -> Figure:
    """The share of records in each band of balance, each bar as wide as its band."""
    shares = band_shares(balance)
    spans = list(pairwise([*(band.low for band in BANDS), WIDEST_BALANCE]))
    bars = {
        "type": "bar",
        "x": [(low + high) / 2 for low, high in spans],
        "width": [high - low for low, high in spans],
        "y": [shares.get(band.name, 0.0) for band in BANDS],
        "text": ["<br>".join(band.title.split()) for band in BANDS],
        "marker": {"color": _COLOR},
        "customdata": [["rmse_aggregation", low, high] for low, high in spans],
    }
    x_axis, y_axis = ({"title": {"text": text}} for text in (LABELS["rmse_aggregation"], "share of records"))
    figure = _figure([bars], x_axis, y_axis, showlegend=False)
    return figure.add_vline(
        x=RANDOM_BALANCE, annotation_text=f"independent metrics: {RANDOM_BALANCE}", line_dash="dash"
    )


def groups(estimates: Mapping[str, Mapping[str, Estimate]]) -> Figure:
    """Value of a field → metric → its mean with its interval over the records that have the value: a panel a metric.
    The panels stand below one another, as the values' names fill a phone's width."""
    names = [escape(cut(name, 24)) for name in estimates]
    panels = {
        metric.label: {
            "type": "bar",
            "orientation": "h",
            "y": [" ".join([name, of[n].few]).strip() for name, of in zip(names, estimates.values(), strict=True)],
            "x": [of[n].mean for of in estimates.values()],
            "customdata": [[name] for name in estimates],
            "hovertemplate": "%{y}: %{x:.3f}<extra></extra>",
            "error_x": _error([of[n] for of in estimates.values()]),
        }
        for n, metric in METRICS.items()
    }
    row = 60 + 28 * len(names)
    y_axis = {"autorange": "reversed", "type": "category"}
    return _panels(panels, x_axis={"range": SHARE}, y_axis=y_axis, row=row, columns=1)


def two_metrics(values: Mapping[str, Values], a: str, b: str, ids: Sequence[str]) -> Figure:
    """A point for each record that has both scores; of more than `MOST_POINTS` records, only every k-th."""
    x, y, step = values[a], values[b], max(1, -(-len(ids) // MOST_POINTS))
    both = np.flatnonzero(~np.isnan(x) & ~np.isnan(y))
    both = both[both % step == 0]
    points: Trace = {
        "type": "scatter",
        "x": x[both],
        "y": y[both],
        "mode": "markers",
        "name": "records",
        "marker": {"color": _COLOR},
        "text": [escape(ids[int(i)]) for i in both],
        "customdata": np.column_stack([both, both]),
    }
    x_axis, y_axis = ({"title": {"text": LABELS[name]}, "range": SHARE} for name in (a, b))
    return _figure([points], x_axis, y_axis, height=340)


def levels(
    lines: Mapping[str, Sequence[Estimate]],
    goals: Mapping[str, float],
    names: Sequence[str],
    days: Sequence[str],
    ids: Sequence[str],
) -> Figure:
    """Means over runs, in order: label → one (mean, 95 % interval) per run, one panel each; a click gives the run's id.
    Names and days stand below the last panel; `goals` are in the titles, so that no mark is beneath their words."""
    numbers, step = np.arange(1, len(names) + 1), -(-len(names) // MOST_NAMES) or 1
    panels = {
        f"{label}{f', target {goals[label]:g}' if label in goals else ''}": {
            "type": "scatter",
            "mode": "lines+markers+text",
            "name": label,
            "x": numbers,
            "y": [one.mean for one in estimates],
            "text": [one.few for one in estimates],
            "textposition": "top center",
            "hovertext": list(map(escape, names)),
            "hovertemplate": "%{hovertext}<br>%{y:.3f}<extra></extra>",
            "error_y": _error(estimates),
            "customdata": [[run_id] for run_id in ids],
        }
        for label, estimates in lines.items()
    }
    ticks = ["<br>".join(map(escape, [day, *_tick(name)])) for day, name in zip(days, names, strict=True)]
    x_axis = {"tickvals": numbers[::step], "ticktext": ticks[::step], "range": (0.5, len(names) + 0.5)}
    y_axis = {"range": SHARE, "tickvals": (0, 0.5, 1)}
    figure = _panels(panels, x_axis=x_axis | {"autotickangles": (0, 90)}, y_axis=y_axis, row=140, columns=0)
    for row, label in enumerate(lines, start=1):
        if label in goals:
            figure.add_hline(goals[label], line={"dash": "dot", "width": 1}, row=row, col=1)
    return figure


def _tick(name: str) -> list[str]:
    """A run's name in two lines at most; of a long one both ends, as names differ at either."""
    lines = wrap(name, TICK)
    return lines if len(lines) <= 2 else [cut(name, TICK), f"…{name[1 - TICK :]}"]


def _error(estimates: Sequence[Estimate]) -> Trace:
    ends = [(one.interval or (np.nan, np.nan), np.nan if one.mean is None else one.mean) for one in estimates]
    up, down = [high - mean for (_, high), mean in ends], [mean - low for (low, _), mean in ends]
    return {"type": "data", "symmetric": False, "array": up, "arrayminus": down, "thickness": 1}


def differences(lines: Mapping[str, Estimate]) -> Figure:
    """B − A for each label with its 95 % interval; the line at 0 means no difference."""
    changes = {label: one for label, one in lines.items() if one.mean is not None}
    # Short lines leave room for the plot in a narrow chart.
    labels = ["<br>".join(wrap(escape(label), 15, break_long_words=False)) for label in changes]
    points = {
        "type": "scatter",
        "x": [one.mean for one in changes.values()],
        "y": labels,
        "mode": "markers",
        "name": "B − A",
        "marker": {"size": 10},
        "error_x": _error(list(changes.values())),
        "customdata": [[name] for name in changes],
    }
    # The figure sets its height: one set by the page would apply only after a first, too tall drawing.
    figure = _figure([points], {"title": {"text": "B − A"}}, {"autorange": "reversed"}, height=280)
    return figure.add_vline(x=0, line_dash="dot")


def _panels(
    panels: Mapping[str, Trace],
    *,
    x_axis: Trace,
    y_axis: Trace | None = None,
    row: int,
    columns: int,
) -> Figure:
    """Small multiples on equal axes: title → trace; in no `columns` below one another, with one axis for all. `row` is
    the height of one in pixels."""
    from plotly.subplots import make_subplots

    one_axis, columns = not columns, min(columns or 1, len(panels)) or 1
    rows = -(-len(panels) // columns) or 1
    height = 50 + row * rows
    gaps = {"horizontal_spacing": 0.14 / columns, "vertical_spacing": (36 if one_axis else 80) / height}
    titles = [f"<b>{escape(title)}</b>" for title in panels]
    figure = make_subplots(rows, columns, subplot_titles=titles, shared_xaxes=one_axis, **gaps)
    for place, (title, trace) in enumerate(panels.items()):
        at = {"row": place // columns + 1, "col": place % columns + 1}
        figure.add_trace({"name": title, "marker": {"color": _COLOR}} | trace, **at)
    figure.update_xaxes(x_axis).update_yaxes(y_axis).update_annotations(font_size=12)
    return figure.update_layout(_LAYOUT | {"showlegend": False, "height": height})


def _figure(traces: Sequence[Trace], x_axis: Trace, y_axis: Trace, **layout: Any) -> Figure:
    """A figure made in one call: plotly takes three times as long to validate the parts singly and then together."""
    import plotly.graph_objects as go

    # Beside the plot, the legend would fill a phone's width.
    legend = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"}
    layout = {"xaxis": x_axis, "yaxis": y_axis, "legend": legend} | layout
    return go.Figure(data=list(traces), layout=_LAYOUT | layout)
