"""How far a run is, while it runs; stop, resume, retry."""

from __future__ import annotations

import streamlit as st

from pages.components.shared import access, services, visitors
from pages.components.shared.text import plain, show_error
from trace_core.errors import TraceError, UnknownRun, counted
from trace_core.runs.progress import Progress
from trace_core.store.runs import Run

MOST_REASONS = 8


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
    if access.is_mine("run", run_id):
        stopping = now.status == "stopping"
        st.button("Stopping …" if stopping else "Stop", icon=":material/stop:", on_click=services.engine().stop,
                  args=(run_id,), disabled=stopping, key="run-stop")  # fmt: skip
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
    """Why a run stopped and what is left to do in it; its failures by what went wrong, each to be tried again."""
    pending = run.counts["pending"]
    mine = bool(run.dataset_id) and access.is_mine("run", run.id)
    if run.status != "done":
        remain = f"{pending:,} of {run.counts['total']:,} records remain{'s' if pending == 1 else ''}."
        st.warning(f"{plain(run.reason) or f'This run is {run.status}.'} {remain}")
        if mine:
            st.button("Resume", icon=":material/play_arrow:", on_click=_start, args=(run.id, None), key="run-resume")
    if run.counts["failed"]:
        _failures(run, mine)
    if problem := st.session_state.pop("run-problem", None):
        show_error(problem)


def _failures(run: Run, mine: bool) -> None:
    columns = services.store().runs.columns(run.id)
    ids: dict[str, list[str]] = {}
    for record_id, message in zip(columns.id[columns.failed], columns.error[columns.failed], strict=True):
        ids.setdefault(message or "no reason is known", []).append(record_id)
    groups = sorted(ids.items(), key=lambda group: -len(group[1]))
    with st.container(border=True, key="run-failures"):
        n = len(groups)
        every = [record_id for _, group in groups for record_id in group]
        st.markdown(f"**{counted(len(every), 'record')} failed**" + (f", for {n} reasons" if n > 1 else ""))
        for place, (message, group) in enumerate(groups[:MOST_REASONS]):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"{len(group):,} × {plain(message)}", width="stretch")
                if mine:
                    st.button(f"Try {'it' if len(group) == 1 else f'these {len(group):,}'} again",
                              icon=":material/replay:", on_click=_start, args=(run.id, group),
                              key=f"run-retry-{place}")  # fmt: skip
        if mine and n > 1:
            st.button(f"Try all {len(every):,} again", icon=":material/replay:", on_click=_start,
                      args=(run.id, every), key="run-retry")  # fmt: skip


def _start(run_id: str, again: list[str] | None) -> None:
    """Resume the run, or try these failed records `again`."""
    try:
        if access.is_mine("run", run_id) and visitors.may_run(access.running()):
            services.engine().start(run_id, failed=again is not None, only=again)
    except TraceError as error:
        st.session_state["run-problem"] = error
