"""Levels over time, alerts and targets on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.components.shared import services
from pages.components.shared.chart import clickable
from pages.components.shared.controls import run_controls
from pages.components.shared.picking import KEYS
from pages.components.shared.run_choice import finished_runs, run_line
from pages.components.shared.run_data import scored
from pages.components.shared.run_diagnosis import show_diagnosis
from pages.components.shared.tables import SCORES
from pages.components.shared.text import plain, time_text
from trace_core.demo.runs import RUNS
from trace_core.diagnosis.over_run import retrieved
from trace_core.errors import counted
from trace_core.metrics import CONVENTIONS, METRICS
from trace_core.metrics.base import Metric
from trace_core.runs.analyse.alerts import ALERT_RULES, COUNTED, alerts
from trace_core.runs.analyse.trends import QUANTITIES, Gap, Point, Target, diagnosis, like, plan, point_of
from trace_core.store.runs import Run
from trace_core.summary import charts
from trace_core.summary.intervals import spread

NEWEST = 20
"""The runs shown at first."""
KEPT = 200
MOST_NAMED = 6
"""The most runs that are listed under their chart."""


def show_trends() -> None:
    """The metrics from run to run, with intervals, alert rules and the distance to the targets."""
    if not finished_runs():
        st.info("There is no run yet. A trend needs two.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        convention = run_controls()
    found = _chosen(convention)
    newest = services.store().runs.load_run(found[-1].id)
    columns, scores = scored(newest, convention)
    show_diagnosis(newest, columns, scores, name=newest.name)
    _show_levels(found)
    _show_alerts(found)
    show_targets(found[-1], retrieved(columns.quantities(scores)))


def _chosen(convention: str) -> list[Point]:
    """The runs to show, all under one convention, oldest first."""
    every = list(finished_runs().values())  # newest first
    runs = [run for run in every if run.id not in RUNS] or every  # the demo's runs are not part of one's own trend
    chosen = _ticked(runs)
    return [_point(run.id, run.revision, run.name, convention) for run in reversed(chosen)]


def _ticked(runs: list[Run]) -> list[Run]:
    """The runs ticked in a table; the newest ones until some are ticked."""
    with st.expander("Which runs"):
        ticked = st.dataframe(
            [run_line(run) for run in runs],
            key=f"trend-runs-{hash(tuple(run.id for run in runs))}",  # positions are ticked: other runs, another table
            on_select="rerun", selection_mode="multi-row", hide_index=True,
        )  # fmt: skip
        st.caption(f"Select the runs to show ({KEYS}). Without a selection, the newest {NEWEST} are shown.")
    rows = ticked.selection.rows or range(min(NEWEST, len(runs)))
    st.caption(f"{len(rows):,} of {len(runs):,} runs shown, oldest first.")
    return [runs[row] for row in sorted(rows)]


@st.cache_resource(max_entries=KEPT, show_spinner="Reading the runs …")
def _point(run_id: str, revision: int, name: str, convention: str) -> Point:
    """One run's levels, cached until its records or its name change."""
    return point_of(services.store(), run_id, convention)


def _show_levels(found: Sequence[Point]) -> None:
    """For comparable runs, the four metrics on one chart, balance and consistency on another; and the numbers."""
    groups = like(found)
    if len(groups) > 1:
        st.info(f"These runs have {len(groups)} data sets, labelers or conventions: their means are different "
                "quantities, so each has lines of its own.")  # fmt: skip
    for number, (condition, places) in enumerate(groups.items()):
        own = [found[place] for place in places]
        if len(groups) > 1:
            st.markdown(f"##### {plain(condition.title)}")
        goals = {m.label: goal for m in METRICS.values() if (goal := m.goal(condition.convention)) is not None}
        _levels("The four metrics, run after run", own, list(METRICS), f"levels-{number}", goals)
        st.caption(_which(own))
        st.caption(plain(condition.details if len(groups) > 1 else f"{condition.title}, {condition.details}"))
        with st.expander("Average and balance"):
            _levels("Average and balance", own, ["average", "rmse_aggregation"], f"levels-derived-{number}")
            st.caption("Consistency is 1 − RMSE, so it has no line of its own.")
        with st.expander("The numbers"):
            rows = [{"Number": place, **_row(point)} for place, point in enumerate(own, start=1)]
            st.dataframe(rows, hide_index=True, key=f"level-table-{number}")


def _which(found: Sequence[Point]) -> str:
    """Which number is which run; of many runs only the first and the last."""
    named = [f"**{place}** {plain(point.name)}" for place, point in enumerate(found, start=1)]
    if len(named) <= MOST_NAMED:
        return " · ".join(named)
    return f"{named[0]} … {named[-1]}. All names stand under “The numbers”."


def _levels(
    title: str, found: Sequence[Point], names: Sequence[str], key: str, goals: dict[str, float] | None = None
) -> None:
    """One panel per quantity; a point leads to its run."""
    lines = {SCORES[n]: [(point.levels[n].mean, point.levels[n].interval) for point in found] for n in names}
    figure = charts.levels([point.name for point in found], lines, goals, [point.id for point in found])
    clickable(title, figure, key=key, act=_open)


def _open(of: Sequence[str]) -> None:
    st.query_params["run"] = of[0]


def _row(point: Point) -> dict[str, Any]:
    row: dict[str, Any] = {"Run": point.name, "Created": time_text(point.created_at)}
    for name in QUANTITIES:
        level = point.levels[name]
        value = "undefined" if level.mean is None else f"{level.mean:.3f} ({spread(level.interval, level.scored)})"
        row[SCORES[name]] = f"{value}, {level.scored} of {level.total}"
    return row


def _show_alerts(found: Sequence[Point]) -> None:
    """The alerts; their rules can be changed here."""
    st.subheader("Alerts", anchor=False)
    thresholds = _rules()
    fired, groups = alerts(found, thresholds), like(found)
    for alert in reversed(fired):
        said = (f"**{plain(SCORES[alert.rule.quantity])}** at {plain(found[alert.at].name)}: {plain(alert.reason)}. "
                f"{plain(alert.rule.meaning)} **What helps:** {plain(alert.rule.fix)}")  # fmt: skip
        st.warning(said, icon=":material/trending_down:")
    alone = sum(len(places) == 1 for places in groups.values())
    if not fired:
        st.info(f"No rule fired over {counted(len(found), 'run')}.")
    if alone:
        st.caption(f"{alone} of {len(found)} runs stand alone: no other one here has their data set, labeler and "
                   "convention, so there is nothing to compare them with.")  # fmt: skip
    if any(condition.convention == COUNTED[0] for condition in groups):
        st.caption("Context relevance raises no alert where it is a count ÷ 20, which says nothing about quality: "
                   "choose a convention of shares to follow it.")  # fmt: skip


def _rules() -> dict[str, dict[str, float | None]]:
    thresholds: dict[str, dict[str, float | None]] = {}
    with st.expander("Rules"):
        st.caption(
            "A rule fires where a metric gets worse than before by more than equal runs would, or over "
            "that many steps in a row; and where all of the interval lies past a limit. Empty: off."
        )
        for rule in ALERT_RULES:
            left, right = st.columns(2)
            limit = left.number_input(
                f"{SCORES[rule.quantity]}: {'above' if rule.worse == 'up' else 'below'}", 0.0, 1.0, rule.limit, 0.01,
                key=f"limit-{rule.name}", persist_state="session", placeholder="off",
            )  # fmt: skip
            row = right.number_input(
                f"{SCORES[rule.quantity]}: {rule.worse} … runs in a row", 1, 50, rule.in_a_row,
                key=f"row-{rule.name}", persist_state="session", placeholder="off",
            )  # fmt: skip
            thresholds[rule.name] = {"limit": limit, "in_a_row": row}
    return thresholds


def show_targets(newest: Point, of_retrieval: str) -> None:
    """The distance of the newest run from the targets, the verdict on its retrieval, and the findings of its means."""
    st.subheader("Targets for the newest run", anchor=False)
    st.caption(plain(newest.name))
    convention = newest.condition.convention
    goals = {
        name: _goal(place, metric, convention)
        for place, (name, metric) in zip(st.columns(4), METRICS.items(), strict=True)
    }
    values = {name: newest.levels[name].mean for name in METRICS}
    found = plan(values, goals, convention)
    st.dataframe([_gap(gap) for gap in found.gaps], hide_index=True, key="gaps")
    if of_retrieval:
        st.caption(plain(of_retrieval))
    if found.focus:
        st.markdown(f"Biggest gap: **{plain(SCORES[found.focus].lower())}**. What helps: "
                    f"{plain('; '.join(METRICS[found.focus].fixes))}.")  # fmt: skip
    if found.balance is not None and found.balance_at_target is not None:
        st.caption(f"Balance (RMSE) of the means: {found.balance:.3f} now, {found.balance_at_target:.3f} if every "
                   "target were just met.")  # fmt: skip
    for finding in diagnosis(values, convention):
        st.markdown(f"**{plain(finding.title)}.** {plain(finding.meaning)} **What helps:** {plain(finding.fix)}")


def _goal(place: st.delta_generator.DeltaGenerator, metric: Metric, convention: str) -> Target | None:
    """The target chosen for a metric; at first the one that it has under the convention."""
    elsewhere = f"; {metric.target:g} holds under {CONVENTIONS['trace'].label} only" if metric.of_trace else ""
    offered = f"; the sources have {metric.offered:g}" if metric.offered else ""
    # Where a target holds on one scale only, another convention has a target of its own.
    own = f"{metric.name}-{convention}" if metric.of_trace else metric.name
    goal = place.number_input(
        metric.label, 0.0, 1.0, metric.goal(convention), 0.05, key=f"target-{own}", persist_state="session",
        placeholder="off", help=f"Empty: no target{offered}{elsewhere}.",
    )  # fmt: skip
    exact = place.checkbox("exactly", key=f"exact-{own}", persist_state="session",
                           help="Else it is a floor: more is fine.")  # fmt: skip
    return None if goal is None else Target(goal, exact)


def _gap(gap: Gap) -> dict[str, Any]:
    return {
        "Metric": SCORES[gap.metric],
        "Now": "undefined" if gap.value is None else f"{gap.value:.3f}",
        "Target": f"{'exactly' if gap.exact else 'at least'} {gap.target:.2f}",
        "Missing": "undefined" if gap.missing is None else "met" if gap.met else f"{gap.missing:.3f}",
    }
