"""Trends: the metrics from run to run, when to worry, and the distance from the targets."""

from __future__ import annotations

import streamlit as st

from pages.components.shared import services
from pages.components.shared.controls import run_sidebar
from pages.components.shared.picking import KEYS
from pages.components.shared.run_choice import empty, finished_runs, run_line
from pages.components.shared.run_data import scored
from pages.components.shared.run_diagnosis import show_diagnosis
from pages.components.shared.text import show_error
from pages.components.trends.view import show_alerts, show_levels, show_targets
from trace_core.demo.runs import RUNS
from trace_core.diagnosis.retrieved import retrieved
from trace_core.errors import TraceError
from trace_core.runs.analyse.trends import Point, point_of
from trace_core.store.runs import Run

NEWEST = 20  # runs shown at first
KEPT = 200


def main() -> None:
    """Draw the page."""
    st.title("Trends", anchor=False)
    st.caption("The metrics over time, with intervals, alert rules and the distance to your targets.")
    try:
        convention = run_sidebar()
        found = _chosen(convention)
        if not found:
            return
        newest = services.store().runs.load_run(found[-1].id)
        columns, scores = scored(newest, convention)
        show_diagnosis(newest, columns, scores, name=newest.name)
        show_levels(found)
        show_alerts(found)
        show_targets(found[-1], retrieved(columns.quantities(scores)))
    except TraceError as error:
        show_error(error)


def _chosen(convention: str) -> list[Point]:
    """The runs to show, all under one convention, oldest first."""
    every = list(finished_runs().values())  # newest first
    runs = [run for run in every if run.id not in RUNS] or every  # the demo's runs are not part of one's own trend
    if not runs:
        empty("There is no run yet. A trend needs two.")
        return []
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


main()
