"""Levels over time, alerts and targets on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.components.shared.text import plain
from trace_core import charts
from trace_core.metrics import DERIVED, METRICS
from trace_core.runs.analyse.trends import ALERT_RULES, QUANTITIES, Gap, Point, Target, alerts, diagnosis, plan, series

LABELS = {**{name: m.label for name, m in METRICS.items()}, **{name: d.label for name, d in DERIVED.items()}}


def show_levels(found: Sequence[Point]) -> None:
    """The four metrics on one chart, balance and consistency on another; and the numbers."""
    _levels(found, list(METRICS), "levels")
    with st.expander("Balance, consistency and average"):
        _levels(found, list(DERIVED), "levels-derived")
    with st.expander("The numbers"):
        st.dataframe([_row(point) for point in found], hide_index=True, key="level-table")


def _levels(found: Sequence[Point], names: Sequence[str], key: str) -> None:
    lines = {LABELS[n]: [(point.levels[n].mean, point.levels[n].interval) for point in found] for n in names}
    st.plotly_chart(charts.levels([point.name for point in found], lines), key=key)


def _row(point: Point) -> dict[str, Any]:
    row: dict[str, Any] = {"Run": point.name, "Created": point.created_at}
    for name in QUANTITIES:
        level = point.levels[name]
        value = "undefined" if level.mean is None else f"{level.mean:.3f}"
        spread = f" ({level.interval[0]:.3f} … {level.interval[1]:.3f})" if level.interval else ""
        row[LABELS[name]] = f"{value}{spread}, {level.scored} of {level.total}"
    return row


def show_alerts(found: Sequence[Point]) -> None:
    """What the rules say; their limits can be changed here."""
    st.subheader("Alerts", anchor=False)
    thresholds = _rules()
    fired = alerts(series(found), thresholds)
    if not fired:
        st.info(f"No rule fired over {len(found)} run{'s' if len(found) > 1 else ''}.")
    for alert in reversed(fired):
        said = (f"**{plain(LABELS[alert.rule.quantity])}** at {plain(found[alert.at].name)}: {plain(alert.reason)}. "
                f"{plain(alert.rule.meaning)} **What helps:** {plain(alert.rule.fix)}")  # fmt: skip
        st.warning(said, icon=":material/trending_down:")


def _rules() -> dict[str, dict[str, float | None]]:
    thresholds: dict[str, dict[str, float | None]] = {}
    with st.expander("Rules"):
        st.caption("A rule fires past its limit, or after that many steps in a row in the worse direction. Empty: off.")
        for rule in ALERT_RULES:
            left, right = st.columns(2)
            limit = left.number_input(
                f"{LABELS[rule.quantity]}: {'above' if rule.worse == 'up' else 'below'}", 0.0, 1.0, rule.limit, 0.01,
                key=f"limit-{rule.name}", persist_state="session", placeholder="off",
            )  # fmt: skip
            row = right.number_input(
                f"{LABELS[rule.quantity]}: {rule.worse} … runs in a row", 1, 50, rule.in_a_row,
                key=f"row-{rule.name}", persist_state="session", placeholder="off",
            )  # fmt: skip
            thresholds[rule.name] = {"limit": limit, "in_a_row": row}
    return thresholds


def show_targets(newest: Point, of_retrieval: str) -> None:
    """How far the newest run is from the targets, what is judged of its retrieval, and what its means say together."""
    st.subheader(f"Targets, for {plain(newest.name)}", anchor=False)
    goals: dict[str, Target | None] = {}
    for place, (name, metric) in zip(st.columns(4), METRICS.items(), strict=True):
        offered = f"; the sources have {metric.offered:g}" if metric.offered else ""
        goal = place.number_input(
            metric.label, 0.0, 1.0, metric.target, 0.05, key=f"target-{name}", persist_state="session",
            placeholder="off", help=f"Empty: no target{offered}.",
        )  # fmt: skip
        exact = place.checkbox("exactly", key=f"exact-{name}", persist_state="session",
                               help="Else it is a floor: more is fine.")  # fmt: skip
        goals[name] = None if goal is None else Target(goal, exact)
    values = {name: newest.levels[name].mean for name in METRICS}
    found = plan(values, goals)
    st.dataframe([_gap(gap) for gap in found.gaps], hide_index=True, key="gaps")
    if of_retrieval:
        st.caption(plain(of_retrieval))
    if found.focus:
        st.markdown(f"Most is to be gained in **{plain(LABELS[found.focus].lower())}**: "
                    f"{plain('; '.join(METRICS[found.focus].fixes))}.")  # fmt: skip
    if found.balance is not None and found.balance_at_target is not None:
        st.caption(f"Balance (RMSE) of the means now {found.balance:.3f}, "
                   f"with every target just met {found.balance_at_target:.3f}.")  # fmt: skip
    for finding in diagnosis(values, newest.convention):
        st.markdown(f"**{plain(finding.title)}** {plain(finding.meaning)} **What helps:** {plain(finding.fix)}")


def _gap(gap: Gap) -> dict[str, Any]:
    return {
        "Metric": LABELS[gap.metric],
        "Now": "undefined" if gap.value is None else f"{gap.value:.3f}",
        "Target": f"{'exactly' if gap.exact else 'at least'} {gap.target:.2f}",
        "Missing": "undefined" if gap.missing is None else "met" if gap.met else f"{gap.missing:.3f}",
    }
