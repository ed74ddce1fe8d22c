"""The runs over time: levels, alerts, and the distance to the targets."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components.shared import services
from pages.components.shared.chart import chart
from pages.components.shared.controls import pick_convention
from pages.components.shared.run_data import finished_runs, score_run, show_diagnosis, shown_names
from pages.components.shared.text import mean_text, number_text, plain, time_text
from trace_core.demo.runs import RUNS
from trace_core.diagnosis.over_run import retrieval_text
from trace_core.errors import counted
from trace_core.metrics import CONVENTIONS, LABELS, METRICS
from trace_core.metrics.base import Metric
from trace_core.runs.analyse.alerts import NO_SHARE, alerts
from trace_core.runs.analyse.trends import Condition, RunPoint, Target, diagnosis, like, plan, point_of
from trace_core.summary import charts

NEWEST = 20


def show_trends() -> None:
    """The metrics from run to run, with intervals, alert rules and the distance to the targets."""
    every = finished_runs()  # newest first
    if not every:
        st.info("There is no run yet. A trend needs two.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        convention = pick_convention()
    runs = {i: run for i, run in every.items() if i not in RUNS} or every  # the demo's are no part of one's own trend
    newest = list(runs)[:NEWEST]
    words = f"the newest {len(newest)} of {len(runs):,}; choose others"
    choice = st.multiselect("Runs", list(runs), format_func=shown_names(runs).__getitem__, placeholder=words) or newest
    points = [_point(i, runs[i].revision, runs[i].name, convention) for i in reversed(runs) if i in choice]
    run = services.store().runs.load_run(points[-1].id)
    scores = score_run(run, convention)
    show_diagnosis(run, scores, run.name)
    groups = like(points)
    if len(groups) > 1:
        st.info(
            f"These runs have {len(groups)} sets of questions, labelers or conventions: their means are different "
            "quantities, so each has lines of its own."
        )
    for number, places in enumerate(groups.values()):
        _show_levels([points[place] for place in places], str(number), alone=len(groups) == 1)
    _show_alerts(points, groups)
    show_targets(points[-1], retrieval_text(scores.quantities))


@st.cache_resource(max_entries=200, show_spinner="Reading the runs …")
def _point(run_id: str, revision: int, name: str, convention: str) -> RunPoint:
    return point_of(services.store(), run_id, convention)


def _show_levels(points: Sequence[RunPoint], key: str, *, alone: bool) -> None:
    """Comparable runs: the four metrics on one chart, average and balance on another; and the numbers."""
    condition = points[0].condition
    if not alone:
        st.markdown(f"## {plain(condition.title)}")
    goals = {m.label: goal for m in METRICS.values() if (goal := m.goal(condition.convention)) is not None}
    _levels("The four metrics, run after run", points, list(METRICS), f"levels-{key}", goals)
    st.caption(plain(f"{condition.title}, {condition.details}" if alone else condition.details))
    with st.expander("Average and balance"):
        _levels("Average and balance", points, ["average", "rmse_aggregation"], f"levels-derived-{key}", {})
        st.caption("Consistency is 1 − RMSE, so it has no line of its own.")
    with st.expander("The numbers"):
        rows = [
            {"Run": point.name, "Created": time_text(point.created_at)}
            | {
                LABELS[name]: f"{mean_text(of.mean, of.interval, of.n, 3)}, {of.n} of {len(point.ids)}"
                for name, of in point.levels.items()
            }
            for point in points
        ]
        st.dataframe(rows, hide_index=True, key=f"level-table-{key}")


def _levels(title: str, points: Sequence[RunPoint], names: Sequence[str], key: str, goals: dict[str, float]) -> None:
    lines = {LABELS[n]: [point.levels[n] for point in points] for n in names}
    days = [" ".join(time_text(point.created_at).split()[:2]) for point in points]  # as “3 Nov”
    figure = charts.levels(lines, goals, [point.name for point in points], days, [point.id for point in points])
    chart(title, figure, key=key, act=lambda of: st.query_params.update(run=of[0]))


def _show_alerts(points: Sequence[RunPoint], groups: Mapping[Condition, Sequence[int]]) -> None:
    st.header("Alerts", anchor=False)
    st.caption("An alert means that a metric got worse by more than equal runs differ.")
    every = alerts(points)
    for alert in reversed(every):
        st.warning(
            f"**{plain(LABELS[alert.rule.quantity])}** at {plain(points[alert.at].name)}: {plain(alert.reason)}. "
            f"{plain(alert.rule.meaning)} **What helps:** {plain(alert.rule.fix)}",
            icon=":material/trending_down:",
        )
    if not every:
        st.info(f"No rule fired over {counted(len(points), 'run')}.")
    if len(points) > 1 and (alone := sum(len(places) == 1 for places in groups.values())):
        st.caption(
            f"{alone} of {len(points)} runs stand alone: no other run here has their questions, labeler and "
            "convention, so there is nothing to compare them with."
        )
    if any(condition.convention == NO_SHARE[0] for condition in groups):
        st.caption("A count ÷ 20 says nothing about quality and raises no alert: choose a convention of shares.")


def show_targets(newest: RunPoint, of_retrieval: str) -> None:
    """The distance of the newest run from the targets, the verdict on its retrieval, and the findings of its means."""
    st.header("Targets for the newest run", anchor=False)
    st.caption(plain(newest.name))
    convention = newest.condition.convention
    places = zip(st.columns(4), METRICS.values(), strict=True)
    goals = {metric.name: _goal(place, metric, convention) for place, metric in places}
    values = {name: newest.levels[name].mean for name in METRICS}
    way = plan(values, goals)
    rows = [
        {
            "Metric": LABELS[gap.metric],
            "Now": number_text(gap.value),
            "Target": f"{'exactly' if gap.target.exact else 'at least'} {gap.target.value:.2f}",
            "Missing": "met" if gap.missing == 0 else number_text(gap.missing),
        }
        for gap in way.gaps
    ]
    st.dataframe(rows, hide_index=True, key="gaps")
    st.caption(plain(of_retrieval))
    if way.focus:
        fixes = plain("; ".join(METRICS[way.focus].fixes))
        st.markdown(f"Biggest gap: **{plain(LABELS[way.focus].lower())}**. What helps: {fixes}.")
    if way.balance is not None and way.balance_at_target is not None:
        at_target = f"{way.balance_at_target:.3f} if every target were just met"
        st.caption(f"Balance (RMSE) of the means: {way.balance:.3f} now, {at_target}.")
    for finding in diagnosis(values, convention):
        title = plain(finding.title.capitalize())
        st.markdown(f"**{title}.** {plain(finding.meaning)} **What helps:** {plain(finding.fix)}")


def _goal(place: DeltaGenerator, metric: Metric, convention: str) -> Target | None:
    """The target chosen for a metric; at first the one that it has under the convention."""
    elsewhere = f"; {metric.target:g} holds under {CONVENTIONS['trace'].label} only" if metric.of_trace else ""
    source = f"; the sources suggest {metric.suggestion:g}" if metric.suggestion else ""
    # Where a target holds on one scale only, another convention has a target of its own.
    own = f"{metric.name}-{convention}" if metric.of_trace else metric.name
    about = f"Empty: no target{source}{elsewhere}."
    options: dict[str, Any] = {"key": f"target-{own}", "placeholder": "off", "help": about}
    goal = place.number_input(metric.label, 0.0, 1.0, metric.goal(convention), 0.05, persist_state="session", **options)
    floor = "Otherwise it is a floor: more is fine."
    exact = place.checkbox("exactly", key=f"exact-{own}", persist_state="session", help=floor)
    return None if goal is None else Target(goal, exact)
