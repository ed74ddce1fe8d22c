"""Runs: whole data sets scored; one run; two runs compared; the runs over time; and the data sets."""

import streamlit as st

from pages.components.compare.view import show_compare
from pages.components.runs.datasets import data_sets
from pages.components.runs.list import run_list
from pages.components.runs.new import new_run
from pages.components.runs.view import show_run
from pages.components.shared import services
from pages.components.shared.text import show_errors
from pages.components.trends.view import show_trends

PARTS = {
    "Runs": (new_run, run_list),
    "Compare": (show_compare,),
    "Over time": (show_trends,),
    "Data sets": (data_sets,),
}


@show_errors()
def main() -> None:
    """Draw the run in the address, else the part of the page in it."""
    services.engine().recover()
    if run_id := st.query_params.get("run"):
        services.demo_runs()  # the very first visit may start with a link to one
        show_run(run_id)
        return
    st.title("Runs", anchor=False)
    for tab, parts in zip(st.tabs(list(PARTS), key="show", bind="query-params"), PARTS.values(), strict=True):
        if tab.open:
            with tab:
                for draw in parts:
                    draw()


main()
