"""Runs: a whole data set scored, and why its records got their scores."""

from __future__ import annotations

import streamlit as st

from pages.components.runs.datasets import data_sets
from pages.components.runs.list import run_list
from pages.components.runs.new import new_run
from pages.components.runs.view import show_run
from pages.components.shared import services
from pages.components.shared.controls import run_sidebar
from pages.components.shared.text import show_error
from trace_core.errors import TraceError

TABS = ("Runs", "Data sets")


def main() -> None:
    """Draw the page: the list of runs, or the run in the address."""
    st.title("Runs", anchor=False)
    st.caption("Score a whole data set, and see over all of its records why they scored what they scored.")
    try:
        convention = run_sidebar()
        services.engine().recover()
        wanted = st.query_params.get("run")
        if wanted:
            services.demo_runs()  # the very first visit may start with a link to one
            show_run(wanted, convention)
            return
        runs, sets = st.tabs(TABS, key="runs-view", on_change="rerun")
        with runs:
            new_run()
            run_list()
        with sets:
            data_sets()
    except TraceError as error:
        show_error(error)


main()
