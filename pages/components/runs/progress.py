"""How far a run is, while it runs; stop, resume, retry."""

from __future__ import annotations

import streamlit as st

from pages.components.shared import access, services, visitors
from pages.components.shared.text import plain, show_error
from trace_core.errors import TraceError, UnknownRun
from trace_core.runs.progress import Progress
from trace_core.store.runs import Run


def show_progress(run: Run) -> None:
    """A live bar for a running run; for one that ended early, how to go on."""
    if run.importing:
        _coming(run.id)
        return
    if run.status in ("running", "stopping"):
        _live(run.id)
        return
    if run.status != "done" or run.counts["failed"]:
        _go_on(run)


@st.fragment(run_every=1)
def _live(run_id: str) -> None:
    """Asks the engine once a second; the page is drawn anew when the run has ended."""
    now = services.engine().progress(run_id)
    if now is None:
        run = services.store().runs.load_run(run_id)
        if run.status != "running":
            st.rerun()
        done = run.counts["total"] - run.counts["pending"]
        st.info(f"Another process works on this run: {done:,} of {run.counts['total']:,} records.")
        return
    if now.status not in ("running", "stopping"):
        st.rerun()
    st.progress(now.done / now.total if now.total else 0.0, progress_words(now))
    with st.container(horizontal=True):
        if access.is_mine("run", run_id):
            stopping = now.status == "stopping"
            st.button("Stopping …" if stopping else "Stop", icon=":material/stop:", on_click=services.engine().stop,
                      args=(run_id,), disabled=stopping, key="run-stop")  # fmt: skip
        st.button("Show results so far", icon=":material/refresh:", on_click=st.rerun, key="run-refresh")
    if now.status == "stopping":
        begun = f"{now.in_flight:,} record{' that was' if now.in_flight == 1 else 's that were'} begun"
        st.warning(f"You stopped this run. Nothing more is begun; {begun} {'is' if now.in_flight == 1 else 'are'} "
                   "finished first.")  # fmt: skip
    elif now.reason:
        st.warning(plain(now.reason))


@st.fragment(run_every=1)
def _coming(run_id: str) -> None:
    """An import shows nothing before all of it is in; one that was killed leaves nothing."""
    try:
        run = services.store().runs.load_run(run_id)
    except UnknownRun:
        st.rerun()
    if not run.importing:
        st.rerun()
    st.info(f"This run is being imported: its {run.counts['total']:,} records are shown when all of them are in.")


def progress_words(now: Progress, what: str = "records") -> str:
    """How many, how fast, how long still."""
    words = f"{now.done:,} of {now.total:,} {what}"
    if now.failed:
        words += f", {now.failed:,} failed"
    if now.rate:
        words += f" · {now.rate:,.1f} a second"
    if now.seconds_left is not None:
        words += f" · about {time_text(now.seconds_left)} left"
    return words


def time_text(seconds: float) -> str:
    """Seconds as people say them."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _go_on(run: Run) -> None:
    """What is left to do in a run that is not running."""
    pending, failed = run.counts["pending"], run.counts["failed"]
    if run.status != "done":
        remain = f"{pending:,} of {run.counts['total']:,} records remain{'s' if pending == 1 else ''}."
        st.warning(f"{plain(run.reason) or f'This run is {run.status}.'} {remain}")
    if not run.dataset_id or not access.is_mine("run", run.id):
        return
    with st.container(horizontal=True):
        if run.status != "done":
            st.button("Resume", icon=":material/play_arrow:", on_click=_start, args=(run.id, False), key="run-resume")
        if failed:
            which = "failed one" if failed == 1 else f"{failed:,} failed ones"
            st.button(f"Try the {which} again", icon=":material/replay:", on_click=_start, args=(run.id, True),
                      key="run-retry")  # fmt: skip
    if problem := st.session_state.pop("run-problem", None):
        show_error(problem)


def _start(run_id: str, failed: bool) -> None:
    try:
        if access.is_mine("run", run_id) and visitors.may_run(access.running()):
            services.engine().start(run_id, failed=failed)
    except TraceError as error:
        st.session_state["run-problem"] = error
