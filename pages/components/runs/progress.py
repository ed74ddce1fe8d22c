"""How far a run is, while it runs; stop, resume, retry; and what the judge left open."""

from dataclasses import replace
from typing import Any

import streamlit as st

from pages.components.shared import services, visitors
from pages.components.shared.long_work import progress_words
from pages.components.shared.text import plain, show_error, show_errors
from trace_core.errors import TraceError, counted
from trace_core.store.runs import Run

MOST_REASONS = 8
ESTIMATE = "run-expected"
"""In the session: the id of the run that was started, and the seconds that it was expected to take."""


def show_progress(run: Run, on_page: int = 0) -> None:
    """A bar for a running run, of the `on_page` records that the page shows; for one that ended early, how to go on."""
    if run.importing:
        st.info(f"This run is being imported: its {run.counts['total']:,} records are shown when all are imported.")
        return
    if run.status in ("running", "stopping"):
        _live(run.id, on_page)
        return
    mine = bool(run.dataset_id) and visitors.is_mine("run", run.id)
    if run.status != "done":
        pending = run.counts["pending"]
        remain = f"{pending:,} of {run.counts['total']:,} records remain{'s' if pending == 1 else ''}."
        st.warning(f"{plain(run.reason) or f'This run is {run.status}.'} {remain}")
        if mine:
            st.button("Resume", icon=":material/play_arrow:", on_click=_start, args=(run.id, None), key="run-resume")
    if run.counts["failed"]:
        _failures(run, mine)
    if problem := st.session_state.pop("run-problem", None):
        show_error(problem)


@st.fragment(run_every=1)
@show_errors()
def _live(run_id: str, on_page: int) -> None:
    """Asks the engine once a second; the page is drawn anew with the first record and when the run has ended."""
    now = services.engine().progress(run_id)
    if now is None or now.status not in ("running", "stopping"):  # this process's attempt may not be the last one
        services.engine().recover()
        run = services.store().runs.load_run(run_id)
        if run.status != "running":
            st.rerun()
        if not on_page and run.counts["total"] > run.counts["pending"]:
            st.rerun()
        st.info(f"Another process works on this run: {on_page:,} of {run.counts['total']:,} records.")
        return
    if not on_page and now.done:
        st.rerun()
    now = replace(now, done=on_page)
    estimate_of, seconds = st.session_state.get(ESTIMATE, ("", None))
    text = progress_words(now, estimate=seconds if estimate_of == run_id else None)
    st.progress(now.done / now.total if now.total else 0.0, text)
    if not on_page:
        st.caption("Numbers, charts and records appear here with the first finished record.")
    stopping = now.status == "stopping"
    if visitors.is_mine("run", run_id):
        action: dict[str, Any] = {"on_click": services.engine().stop, "args": (run_id,), "disabled": stopping}
        st.button("Stopping …" if stopping else "Stop", icon=":material/stop:", key="run-stop", **action)
    if stopping:
        st.warning(f"You stopped this run. What is in progress is finished first: {counted(now.in_flight, 'record')}.")
    elif now.reason:
        st.warning(plain(now.reason))


def _failures(run: Run, mine: bool) -> None:
    columns = services.store().runs.columns(run.id)
    ids: dict[str, list[str]] = {}
    for record_id, message in zip(columns.id[columns.failed], columns.error[columns.failed], strict=True):
        ids.setdefault(message or "no reason is known", []).append(record_id)
    groups = sorted(ids.items(), key=lambda group: -len(group[1]))
    every = [record_id for _, group in groups for record_id in group]
    reasons = f", for {len(groups)} reasons" if len(groups) > 1 else ""

    def again(label: str, group: list[str], key: str) -> None:
        if mine:
            st.button(label, icon=":material/replay:", on_click=_start, args=(run.id, group), key=key)

    with st.container(border=True, key="run-failures"):
        st.markdown(f"**{counted(len(every), 'record')} failed**{reasons}")
        for place, (message, group) in enumerate(groups[:MOST_REASONS]):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"{len(group):,} × {plain(message)}", width="stretch")
                again(f"Try {'it' if len(group) == 1 else f'these {len(group):,}'} again", group, f"run-retry-{place}")
        if reasons:
            again(f"Try all {len(every):,} again", every, "run-retry")


def _start(run_id: str, again: list[str] | None) -> None:
    try:
        if visitors.is_mine("run", run_id) and visitors.may_run(visitors.running()):
            services.engine().start(run_id, failed=again is not None, only=again)
    except TraceError as error:
        st.session_state["run-problem"] = error
