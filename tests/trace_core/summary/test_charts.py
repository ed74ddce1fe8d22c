"""Every number in a figure is what a few lines of numpy give."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from trace_core.metrics import BANDS, METRICS, combine
from trace_core.summary import charts
from trace_core.summary.charts import Estimate

RNG = np.random.default_rng(7)
N = 300
FOUR = {name: np.where(RNG.random(N) < 0.05, np.nan, RNG.random(N).round(2)) for name in METRICS}
AVERAGE, BALANCE, CONSISTENCY = combine(np.array(list(FOUR.values())))
VALUES = FOUR | {"average": AVERAGE, "rmse_aggregation": BALANCE, "consistency_score": CONSISTENCY}
IDS = [f"<b>{n}</b>" for n in range(N)]


def same(drawn, expected):
    return np.allclose(np.array(drawn, dtype=float), np.array(expected, dtype=float), equal_nan=True)


def marks_of(*sizes):
    """A bad verdict and a good one."""
    names = (("unsupported", "unsupported claim", "bad"), ("healthy", "healthy", "good"))
    return [charts.Mark(*name, n) for name, n in zip(names, sizes, strict=True)]


def test_each_record_is_one_mark_grouped_by_verdict_that_leads_to_its_record():
    bad, good = charts.record_marks(marks_of(1, 2), ["<i>a", "b", "c"]).data
    assert (list(bad.x), list(good.x)) == ([0.5], [1.5, 2.5])
    assert good.customdata.tolist() == [[1], [2]]
    assert list(good.hovertext) == ["b", "c"]
    assert bad.marker.color == charts.TONES["bad"]
    assert (bad.name, good.name) == ("unsupported claim 1", "healthy 2")


def test_marks_of_many_records_are_counted_not_merged():
    bad, good = charts.record_marks(marks_of(100, 300), []).data
    assert (list(bad.width), list(good.width)) == ([100], [300])
    assert good.customdata == (["healthy"],)
    assert "300 of 400 records" in good.hovertemplate


def test_a_marks_hover_has_question_and_verdict_as_text():
    assert charts.hover("<b>Why?</b>", "healthy") == "&lt;b&gt;Why?&lt;/b&gt;<br><b>healthy</b>"


def test_the_run_has_a_line_for_each_metric_for_balance_and_for_consistency():
    lines = charts.scores_over_run(VALUES, IDS[19:], 20).data
    names = [*(metric.label for metric in METRICS.values()), "Balance (RMSE)", "Consistency"]
    assert [line.name for line in lines] == names
    # the first point is where twenty records have been: fewer would be a spike
    assert same(lines[3].y, pd.Series(FOUR["adherence"]).rolling(20, min_periods=1).mean()[19:])
    assert lines[0].customdata[4].tolist() == [23]  # a point leads to its record
    assert "markers" in lines[0].mode  # plotly selects no point of a bare line


def test_the_distribution_counts_the_defined_scores():
    figure = charts.distributions(VALUES)
    for bars, name in zip(figure.data, METRICS, strict=True):
        known = FOUR[name][~np.isnan(FOUR[name])]
        assert list(bars.y) == list(np.histogram(known, np.linspace(0, 1, 11))[0])
        assert bars.customdata[3] == [name, pytest.approx(0.3), pytest.approx(0.4)]  # a bar leads to its records
    assert len({bars.xaxis for bars in figure.data}) == 4  # each metric has a panel of its own
    assert [axis.showticklabels for axis in figure.select_yaxes()] == [True, False, False, False]  # one scale for all


def test_the_bands_are_shares_of_the_records_with_a_balance():
    figure = charts.bands(BALANCE)
    known = BALANCE[~np.isnan(BALANCE)]
    lows = [band.low for band in BANDS] + [np.inf]
    shares = [((known >= low) & (known < high)).mean() for low, high in pairwise(lows)]
    assert same(figure.data[0].y, shares)
    assert sum(figure.data[0].y) == pytest.approx(1)
    assert same(figure.data[0].x, [0.05, 0.15, 0.25, 0.4])
    assert figure.layout.shapes[0].x0 == 0.237
    assert charts.bands(np.array([0.1, np.nan])).data[0].y == (0, 1, 0, 0)  # a lower bound belongs to its band


@pytest.mark.parametrize("n", [0, 1])
def test_a_run_of_none_or_one_can_be_drawn(n):
    values = {name: np.full(n, np.nan) for name in VALUES}
    ids = [str(i) for i in range(n)]
    charts.scores_over_run(values, ids, 1)
    charts.record_marks(marks_of(n, 0), ids)
    charts.distributions(values)
    charts.bands(values["rmse_aggregation"])


def test_groups_have_a_panel_for_each_metric_and_a_bar_for_each_value():
    of = dict.fromkeys(METRICS, Estimate(0.5, (0.4, 0.7), 8))
    figure = charts.groups(
        {"red <b>": of, "blue": of | {"adherence": Estimate(None)}, "few": {**of, "adherence": Estimate(1.0, None, 3)}}
    )
    assert [list(bars.y) for bars in figure.data] == [["red &lt;b&gt;", "blue", "few"]] * 3 + [
        ["red &lt;b&gt;", "blue", "few n = 3"]
    ]
    assert list(figure.data[-1].x) == [0.5, None, 1.0]
    assert list(figure.data[0].error_x.array) == pytest.approx([0.2] * 3)
    assert list(figure.data[0].error_x.arrayminus) == pytest.approx([0.1] * 3)
    assert figure.data[0].customdata[0] == ["red <b>"]


def over(lines, goals=None, names=("first",)):
    return charts.levels(lines, goals or {}, names, ["1 Nov"] * len(names), names)


def test_names_of_runs_stand_below_the_last_panel_a_few_of_many_with_both_their_ends():
    names = [
        "<b>",
        "1 chunk, again",
        "Demo: 1 chunk, loose prompt",
        *["a name too long to stand in its two lines"] * 17,
    ]
    figure = over(dict.fromkeys("AB", [Estimate(0.5)] * 20), names=names)
    assert list(figure.layout.xaxis2.tickvals[:2]) == [1, 4]
    assert figure.layout.xaxis2.ticktext[1] == "1 Nov<br>a name too long…<br>…n its two lines"
    assert (figure.layout.xaxis.showticklabels, figure.layout.xaxis.matches) == (False, "x2")
    few = over({"A": [Estimate(0.5)] * 3}, names=names[:3]).layout.xaxis
    assert list(few.ticktext) == [
        "1 Nov<br>&lt;b&gt;",
        "1 Nov<br>1 chunk, again",
        "1 Nov<br>Demo: 1 chunk,<br>loose prompt",
    ]


def test_too_few_values_for_an_interval_have_none_and_their_number_is_written():
    lines = {"Adherence": [Estimate(0.5, None, 3), Estimate(0.5, (0.4, 0.6), 20), Estimate(None, None, 0)]}
    line = over(lines, names="abc").data[0]
    assert list(line.text) == ["n = 3", "", ""]
    assert np.isnan(line.error_y.array[0])
    assert line.error_y.array[1] == pytest.approx(0.1)


def test_each_quantity_of_levels_has_a_panel_whose_title_says_its_target():
    figure = over({name: [Estimate(0.5)] for name in "AB"}, {"B": 0.8})
    assert [(line.name, line.xaxis) for line in figure.data] == [("A", "x"), ("B", "x2")]
    assert [(shape.y0, shape.yref) for shape in figure.layout.shapes] == [(0.8, "y2")]
    assert [one.text for one in figure.layout.annotations] == ["<b>A</b>", "<b>B, target 0.8</b>"]
