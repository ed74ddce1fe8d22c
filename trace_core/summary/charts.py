"""A run as plotly figures: arrays and counts in, figures out, with colours of their own only where 0 is the middle.

`values` has one float array per score, in record order, NaN where undefined, as in `RunScores.values`.
External texts are escaped, because plotly interprets some HTML. The `customdata` of a point are the first and
last index (0 or more) of the records that it represents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from trace_core.metrics import BANDS, DERIVED, METRICS
from trace_core.summary.statistics import RANDOM_BALANCE, correlation

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Values = NDArray[np.float64]
Trace = dict[str, Any]
"""A plotly object or a part of one, by plotly's names."""
_LAYOUT: Trace = {"margin": {"l": 10, "r": 10, "t": 30, "b": 10}, "bargap": 0.15}
_ROOM: Trace = {"l": 92, "r": 10, "t": 40, "b": 56}
_ABOVE: Trace = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"}
_DIVERGING = [[0.0, "#b35806"], [0.5, "#f2f2f2"], [1.0, "#2166ac"]]
"""From −1 to 1: opposite is orange, together blue, neither pale; distinguishable with colour blindness."""
_DIAGONAL: Trace = {"type": "line", "x0": 0, "y0": 0, "x1": 1, "y1": 1, "line": {"dash": "dot"}}
EDGES = np.linspace(0.0, 1.0, 11)
WIDEST_BALANCE = 0.5
"""The largest RMSE that four metrics between 0 and 1 can have."""
MOST_POINTS = 300
"""The most records drawn one by one: a browser draws thousands of points slowly, and no chart is wide enough
to distinguish them."""
SHARE = (-0.02, 1.02)
"""The range of a score axis, so that points at 0 and 1 are fully visible."""
BESIDE = 0.04
"""The horizontal offset between the lines of a chart of runs; consecutive runs are 1 apart."""
MOST_NUMBERS = 20
"""The most numbers written under such a chart."""
_STRIPS = len(METRICS)
_FAINT = 0.08
"""The opacity of a cell with score 0, in the colour of its metric. Numbers as colours would each cost a console message
with a stack trace, half the time of drawing a page again (plotly.js of Streamlit 1.67).
"""
BLOCKS = 100
"""The most points of a chart that draws the means of consecutive blocks of records, joined by a line."""


def rolling_mean(values: Values, window: int) -> Values:
    """At each index, the mean of those of the last `window` values that are defined; NaN if none is."""
    known = ~np.isnan(values)
    sums = np.concatenate([[0.0], np.cumsum(np.where(known, values, 0.0))])
    counts = np.concatenate([[0], np.cumsum(known)])
    starts = np.maximum(np.arange(1, len(values) + 1) - window, 0)
    ends = np.arange(1, len(values) + 1)
    return _means(sums[ends] - sums[starts], counts[ends] - counts[starts])


def blocks(n: int, most: int | None = None) -> list[tuple[int, int]]:
    """Indices 0 … n − 1 in at most `most` equal blocks `(first, last)`; by default one per index, or `BLOCKS`."""
    size = max(1, -(-n // (most or (BLOCKS if n > MOST_POINTS else MOST_POINTS))))
    return [(first, min(first + size, n) - 1) for first in range(0, n, size)]


def block_means(values: Values, places: Sequence[tuple[int, int]]) -> Values:
    """The mean of the defined values of each block, NaN if none is."""
    starts = [first for first, _ in places]
    if not starts:
        return np.empty(0)
    known = ~np.isnan(values)
    sums = np.add.reduceat(np.where(known, values, 0.0), starts)
    return _means(sums, np.add.reduceat(known.astype(np.int64), starts))


def _means(sums: Values, counts: NDArray[np.int64]) -> Values:
    """The means, NaN where the count is 0."""
    means = np.full(len(sums), np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means


def histogram(values: Values, edges: Values = EDGES) -> list[int]:
    """The number of defined values in each bin; the last bin includes its upper edge."""
    return [int(n) for n in np.histogram(values[~np.isnan(values)], edges)[0]]


def band_shares(balance: Values) -> dict[str, float]:
    """The share of records in each band of balance; empty if none is defined."""
    known = np.round(balance[~np.isnan(balance)], 12)
    if not len(known):
        return {}
    names = np.searchsorted([band.low for band in BANDS], known, side="right") - 1
    return {band.name: float((names == i).mean()) for i, band in enumerate(BANDS)}


def metrics_by_record(values: Mapping[str, Values], ids: Sequence[str]) -> Figure:
    """One strip per metric: each record is a cell, fuller for higher scores; a cross if undefined or failed.

    If there are many records, a cell is the mean of consecutive ones.
    """
    places = blocks(len(ids), MOST_POINTS)
    size = places[0][1] - places[0][0] + 1 if places else 1
    rows = np.array(places, dtype=np.int64).reshape(-1, 2)
    middle, shown = rows.mean(axis=1) + 1, np.array(_names(places, ids), dtype=object)
    means = {n: block_means(values[n], places) for n in METRICS}
    cells = [
        {
            "type": "bar", "name": METRICS[n].label, "x": middle, "y": np.ones(len(rows)), "base": _STRIPS - 1 - row,
            "width": size, "customdata": rows, "hovertemplate": "%{hovertext}<extra></extra>",
            "hovertext": [f"{one}<br>{METRICS[n].label} {mean:.2f}" for one, mean in zip(shown, means[n], strict=True)],
            "marker": {"opacity": np.clip(np.nan_to_num(_FAINT + (1 - _FAINT) * means[n]), 0, 1)},
        }
        for row, n in enumerate(METRICS)
    ]  # fmt: skip
    lacking = [(row, np.isnan(mean)) for row, mean in enumerate(means.values())]
    crosses = {
        "type": "scatter", "mode": "markers", "marker": {"symbol": "x-thin-open"}, "showlegend": False,
        "x": np.concatenate([middle[none] for _, none in lacking]),
        "y": np.concatenate([np.full(int(none.sum()), _STRIPS - 0.5 - row) for row, none in lacking]),
        "hovertext": np.concatenate([shown[none] for _, none in lacking]),
        "customdata": np.concatenate([rows[none] for _, none in lacking]),
        "hovertemplate": "%{hovertext}<br>undefined or failed<extra></extra>",
    }  # fmt: skip
    labels = [METRICS[n].label.replace(" ", "<br>") for n in METRICS]
    ticks = {"tickvals": [_STRIPS - 0.5 - row for row in range(_STRIPS)], "ticktext": labels, "showgrid": False}
    each = "record" if size == 1 else f"record (each cell the mean of {size})"
    return _drawn(
        [*cells, crosses], f"{each}; faint is 0, full colour is 1", "", (0, _STRIPS),
        short_ticks=True, legend_above=False, y_axis=ticks, barmode="overlay", bargap=0, showlegend=False, height=300,
    )  # fmt: skip


def rolling(values: Mapping[str, Values], ids: Sequence[str], window: int = 20) -> Figure:
    """The rolling mean of the four metrics over the last `window` records."""
    places = blocks(len(ids), MOST_POINTS)
    last = [end for _, end in places]
    lines = {METRICS[n].label: rolling_mean(values[n], window)[last] for n in METRICS}
    traces = _over_the_run(places, ids, lines, "lines")
    return _drawn(traces, "record", f"mean of the last {window}", SHARE, short_ticks=True)


def balance_over_run(values: Mapping[str, Values], ids: Sequence[str]) -> Figure:
    """Balance (RMSE) and consistency, record by record, with the reference for independent metrics."""
    places = blocks(len(ids))
    names = ("rmse_aggregation", "consistency_score")
    traces = _over_the_run(
        places, ids, {DERIVED[n].label: block_means(values[n], places) for n in names}, _mode(places)
    )
    return _reference(_drawn(traces, _record_axis(places), "value", SHARE, short_ticks=True), "y")


def distributions(values: Mapping[str, Values]) -> Figure:
    """The distribution of each of the four metrics over records, in bins of one tenth."""
    tenths = [f"{low:.1f}–{high:.1f}" for low, high in pairwise(EDGES)]
    bars = [
        {"type": "bar", "name": METRICS[n].label, "x": tenths, "y": histogram(values[n]), "meta": n} for n in METRICS
    ]
    return _drawn(bars, "score", "records")


def bands(balance: Values) -> Figure:
    """The share of records in each band of balance, each bar as wide as its band, with the reference line."""
    shares = band_shares(balance)
    edges = [*(band.low for band in BANDS), WIDEST_BALANCE]
    bars = {
        "type": "bar",
        "x": [(low + high) / 2 for low, high in pairwise(edges)],
        "width": [high - low for low, high in pairwise(edges)],
        "y": [shares.get(band.name, 0.0) for band in BANDS],
        "text": [band.name for band in BANDS],
        "customdata": [[band.name] for band in BANDS],
        "name": "records",
    }
    return _reference(_drawn([bars], DERIVED["rmse_aggregation"].label, "share of records"), "x")


def together(values: Mapping[str, Values], *, covariance: bool = False) -> Figure:
    """The correlation (Pearson's r) or covariance of the four metrics; empty where undefined."""
    labels = [metric.label for metric in METRICS.values()]
    table = [[correlation(values[a], values[b])[0 if covariance else 1] for b in METRICS] for a in METRICS]
    most = {"zmid": 0, "colorscale": _DIVERGING} | ({} if covariance else {"zmin": -1, "zmax": 1})
    shown = {"type": "heatmap", "x": labels, "y": labels, "z": table, "texttemplate": "%{z:.2f}", "hoverongaps": False}
    return _drawn([shown | most], "", "", y_axis={"autorange": "reversed"})


def findings(counted: Mapping[str, int], titles: Mapping[str, str]) -> Figure:
    """The number of records on which each rule fires, most frequent first; `titles` name the rules."""
    names = sorted((name for name, n in counted.items() if n), key=lambda name: (counted[name], name))
    bars = {
        "type": "bar",
        "x": [counted[name] for name in names],
        "y": [escape(titles.get(name, name)) for name in names],
        "customdata": [[name] for name in names],
        "orientation": "h",
        "name": "records",
    }
    return _drawn([bars], "records", "")


def usage(totals: Mapping[str, float]) -> Figure:
    """What the run used: calls, tokens, money, one bar each, with separate axes because their scales differ."""
    from plotly.subplots import make_subplots

    names = [name for name, value in totals.items() if value]
    figure = make_subplots(rows=1, cols=max(1, len(names)), subplot_titles=[escape(_words(name)) for name in names])
    for place, name in enumerate(names, start=1):
        figure.add_bar(x=[""], y=[totals[name]], name=escape(_words(name)), row=1, col=place)
    figure.update_layout(_LAYOUT | {"legend": _ABOVE})
    return figure


def against_truth(predicted: Mapping[str, Values], truth: Mapping[str, Values], ids: Sequence[str]) -> Figure:
    """Each record's score against its ground truth; points on the diagonal agree.

    Of more than `MOST_POINTS` records, only every k-th is drawn, and the axis says so.
    """
    step = max(1, -(-len(ids) // MOST_POINTS))
    traces = []
    for name, metric in METRICS.items():
        both = np.flatnonzero(~np.isnan(predicted[name]) & ~np.isnan(truth[name]))
        both = both[both % step == 0]
        traces.append({
            "type": "scatter", "x": truth[name][both], "y": predicted[name][both], "mode": "markers",
            "name": metric.label, "text": [escape(ids[int(i)]) for i in both],
            "customdata": np.column_stack([both, both]),
        })  # fmt: skip
    axis = "ground truth" if step == 1 else f"ground truth (one of every {step} records drawn)"
    return _drawn(traces, axis, "score", SHARE, shapes=[_DIAGONAL])


def levels(
    runs: Sequence[str],
    lines: Mapping[str, Sequence[tuple[float | None, tuple[float, float] | None]]],
    axis: str = "run",
) -> Figure:
    """Means over runs, oldest first: label → one (mean, 95 % interval) per run, `None` where undefined.

    Runs are numbered from 1 and named on hover, because names have no room under a narrow chart. The lines are
    slightly offset so that their intervals do not overlap. For another ordered sequence, pass another name as
    `axis`.
    """
    places = np.arange(1, len(runs) + 1)
    names = [escape(run) for run in runs]
    traces = []
    for line, (name, found) in enumerate(lines.items()):
        up = [0.0 if mean is None or not span else span[1] - mean for mean, span in found]
        down = [0.0 if mean is None or not span else mean - span[0] for mean, span in found]
        traces.append({
            "type": "scatter", "mode": "lines+markers", "name": name,
            "x": places + (line - (len(lines) - 1) / 2) * BESIDE, "y": [mean for mean, _ in found],
            "hovertext": names, "hovertemplate": f"%{{hovertext}}<br>{escape(name)} %{{y:.3f}}<extra></extra>",
            "error_y": {"type": "data", "symmetric": False, "array": up, "arrayminus": down, "thickness": 1},
        })  # fmt: skip
    numbers = {"tickvals": places[:: -(-len(runs) // MOST_NUMBERS) or 1]}
    return _drawn(traces, axis, "mean", SHARE, x_axis=numbers)


def differences(lines: Mapping[str, tuple[float | None, tuple[float, float] | None]]) -> Figure:
    """B − A for each label with its 95 % interval; the line at 0 means no difference."""
    known = {name: (d, span or (d, d)) for name, (d, span) in lines.items() if d is not None}
    points = {
        "type": "scatter", "x": [d for d, _ in known.values()], "y": list(map(_lines, known)), "mode": "markers",
        "marker": {"size": 10}, "name": "B − A",
        "error_x": {
            "type": "data", "symmetric": False,
            "array": [span[1] - d for d, span in known.values()],
            "arrayminus": [d - span[0] for d, span in known.values()],
        },
    }  # fmt: skip
    # The figure sets its height: one set by the page would apply only after a first, too tall drawing.
    figure = _drawn([points], "B − A", "", y_axis={"autorange": "reversed"}, height=280)
    figure.add_vline(x=0, line_dash="dot")
    return figure


def _lines(label: str) -> str:
    """The label in short lines, to leave room for the plot in a narrow chart."""
    return "<br>".join(wrap(escape(label), 15, break_long_words=False))


def reliability(lines: Mapping[str, Sequence[Mapping[str, float | int | None]]]) -> Figure:
    """Predicted probability against true share, one point per bin; probabilities on the diagonal are calibrated.

    `lines` is label → bins with `said`, `true` and `n`, as returned by `calibration.reliability`.
    """
    traces = []
    for name, bins in lines.items():
        known = [one for one in bins if one["n"]]
        traces.append({
            "type": "scatter", "name": name, "mode": "lines+markers",
            "x": [one["said"] for one in known], "y": [one["true"] for one in known],
            "text": [f"{one['n']} in this bin" for one in known],
        })  # fmt: skip
    return _drawn(traces, "said probability", "true share", SHARE, shapes=[_DIAGONAL])


def roc(lines: Mapping[str, Sequence[tuple[float, float]]]) -> Figure:
    """True positive rate against false positive rate; the diagonal is chance."""
    traces = [
        {"type": "scatter", "x": [x for x, _ in points], "y": [y for _, y in points], "name": name, "mode": "lines"}
        for name, points in lines.items()
    ]
    return _drawn(traces, "false positive rate", "true positive rate", SHARE, shapes=[_DIAGONAL])


def truth_errors(per_metric_rmse: Mapping[str, float]) -> Figure:
    """The root mean squared error of each metric against ground truth."""
    names = [name for name in METRICS if name in per_metric_rmse]
    bars = {
        "type": "bar", "x": [METRICS[n].label for n in names], "y": [per_metric_rmse[n] for n in names], "name": "RMSE",
    }  # fmt: skip
    return _drawn([bars], "", "RMSE against ground truth")


def _over_the_run(
    places: Sequence[tuple[int, int]], ids: Sequence[str], lines: Mapping[str, Values], mode: str
) -> list[Trace]:
    x = np.array([last + 1 for _, last in places])
    texts = np.array(_names(places, ids), dtype=object)  # plotly looks at every item of a list
    rows = np.array(places, dtype=np.int64).reshape(-1, 2)
    same = {"type": "scatter", "x": x, "mode": mode, "text": texts, "customdata": rows, "connectgaps": False}
    return [same | {"y": line, "name": name} for name, line in lines.items()]


def _names(places: Sequence[tuple[int, int]], ids: Sequence[str]) -> list[str]:
    return [escape(ids[first] if first == last else f"{ids[first]} … {ids[last]}") for first, last in places]


def _mode(places: Sequence[tuple[int, int]]) -> str:
    """The drawing mode: records are points, means of blocks are joined."""
    return "lines+markers" if places and places[0][1] > places[0][0] else "markers"


def _record_axis(places: Sequence[tuple[int, int]]) -> str:
    size = places[0][1] - places[0][0] + 1 if places else 1
    return "record" if size == 1 else f"record (each point the mean of {size})"


def _reference(figure: Figure, axis: str) -> Figure:
    """The figure with a line at the balance of four independent metrics."""
    words = {"annotation_text": f"independent metrics: {RANDOM_BALANCE}", "line_dash": "dash"}
    if axis == "x":
        figure.add_vline(x=RANDOM_BALANCE, **words)
    else:
        figure.add_hline(y=RANDOM_BALANCE, **words)
    return figure


def _words(name: str) -> str:
    return name.replace("_", " ")


def _drawn(
    traces: Sequence[Trace],
    x: str,
    y: str,
    y_range: Sequence[float] | None = None,
    *,
    short_ticks: bool = False,
    legend_above: bool = True,
    x_axis: Trace | None = None,
    y_axis: Trace | None = None,
    **layout: Any,
) -> Figure:
    """A figure made in one call: plotly takes three times as long to validate the parts singly and then together.

    With `short_ticks`, the tick labels are numbers that fit a fixed margin, so that plotly need not draw twice to
    measure it.
    """
    import plotly.graph_objects as go

    axes: dict[str, Trace] = {
        "xaxis": {"title": {"text": x}} | (x_axis or {}),
        "yaxis": {"title": {"text": y}, "range": y_range} | (y_axis or {}),
    }
    if short_ticks:
        axes = {name: axis | {"automargin": False} for name, axis in axes.items()}
        layout["margin"] = _ROOM
    if legend_above:  # beside the plot it would fill a phone's width
        layout["legend"] = _ABOVE
    return go.Figure(data=list(traces), layout=_LAYOUT | axes | layout)
