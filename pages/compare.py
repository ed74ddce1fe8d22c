"""Compare: two runs pair by pair, and which records got worse."""

from __future__ import annotations

import streamlit as st

from pages.components.compare.view import show_comparison, show_headline
from pages.components.shared.controls import run_sidebar
from pages.components.shared.run_choice import empty, finished_runs, pick
from pages.components.shared.run_data import run_data, scored
from pages.components.shared.run_diagnosis import show_diagnosis
from pages.components.shared.text import plain, show_error
from trace_core.errors import TraceError
from trace_core.runs.analyse.compare import compare
from trace_core.runs.analyse.earlier import newest_pair
from trace_core.store.runs import Run


def main() -> None:
    """Draw the page."""
    st.title("Compare", anchor=False)
    st.caption("Did it get better? Two runs, record by record: what changed, how sure that is, and what got worse.")
    try:
        convention = run_sidebar()
        runs = finished_runs()
        if len(runs) < 2:
            empty(
                f"Comparing needs two runs; there is {'one' if runs else 'none'}. "
                "Run the same data set twice, with another labeler, collection or top_k."
            )
            return
        a, b = _pick(runs)
        if a.id == b.id:
            st.info("Choose two different runs.")
            return
        found = compare(run_data(a, convention), run_data(b, convention))
        show_headline(found)
        for place, which, run in zip(st.columns(2), "AB", (a, b), strict=True):
            with place:
                show_diagnosis(run, *scored(run, convention), name=which)
        show_comparison(found, a, b)
    except TraceError as error:
        show_error(error)


def _pick(runs: dict[str, Run]) -> tuple[Run, Run]:
    """A and B, as in the address; by default the newest run that has an earlier one like it, and that one."""
    before, after = newest_pair(list(runs.values()))
    left, right = st.columns(2)
    chosen = []
    for place, name, label, default in ((left, "a", "A, before", before.id), (right, "b", "B, after", after.id)):
        with place:
            run = runs[pick(label, runs, name, default)]
            st.caption(f"Labels: {plain(str(run.config.get('labeler', 'unknown')))}, {run.counts['total']:,} records")
            chosen.append(run)
    return chosen[0], chosen[1]


main()
