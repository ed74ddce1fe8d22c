"""An ingest on the page: progress, skipped items, stop and resume. It runs on without the page."""

from __future__ import annotations

import streamlit as st

from pages.components.shared import services
from pages.components.shared.text import plain, show_error
from trace_core.errors import counted
from trace_core.retrieval.job import CHECKING, DONE, Job, State

EVERY_SECONDS = 1.0
MOST_NAMED = 100


def show_job(demo: bool) -> None:
    """Show the ingest that is running or has ended, if there is one.

    Only the visitor who started it is told that it is done. Others see it while something is left to do: in demo mode
    only that they must wait, elsewhere all of it, because they may have started it before they reloaded the page.
    """
    job = services.jobs().current
    if job is None:
        return
    running = job.state.running
    ending = (job.id, str(job.state.phase))
    if not running and ending not in _seen():  # it may have ended unobserved
        _seen().add(ending)
        services.forget_collections()
    mine = job.id in st.session_state.get("corpus_jobs", set())
    if demo and not mine:
        if running:
            st.info("Another visitor is adding documents. You can add yours when they are done.")
    elif mine or job.state.phase != DONE:
        st.fragment(_panel, run_every=EVERY_SECONDS if running else None)(job, running)


@st.cache_resource(show_spinner=False)
def _seen() -> set[tuple[str, str]]:
    return set()


def _panel(job: Job, was_running: bool) -> None:
    state = job.state
    if was_running and not state.running:
        services.forget_collections()
        st.rerun()
    with st.container(border=True):
        if state.running:
            _at_work(job, state)
        else:
            _ended(job, state)
        _skipped(state)


def _at_work(job: Job, state: State) -> None:
    st.markdown(f"##### Adding to {plain(job.collection)}")
    st.progress(state.share, plain(_how_far(state)))
    st.caption("You can close this page; it continues.")
    # A callback runs before anything is redrawn, so the click is not lost to a redraw at the same moment.
    st.button(
        "Stopping …" if job.stopping else "Stop adding",
        icon=":material/stop_circle:", key=f"corpus_stop-{job.id}", disabled=job.stopping, on_click=job.stop,
    )  # fmt: skip


def _how_far(state: State) -> str:
    if state.phase == CHECKING:
        return f"Reading the files: {counted(state.sources, 'document')} so far"
    parts = [f"{state.progress.sources:,} of {counted(state.sources, 'document')}", _chunks(state)]
    parts += [f"{state.rate:,.0f} chunks/s"] if state.rate else []
    parts += [f"{_time(state.left)} left"] if state.left is not None else []
    return ", ".join(parts)


def _chunks(state: State) -> str:
    return f"{counted(state.progress.chunks, 'chunk')} ({state.progress.written:,} new)"


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def _ended(job: Job, state: State) -> None:
    name = f"**{plain(job.collection)}**"
    done = f"{counted(state.progress.sources, 'document')}, {_chunks(state)}, in {_time(state.seconds)}"
    if state.phase == DONE:
        st.success(f"Added to {name}: {done}.", icon=":material/check_circle:")
    elif state.error:
        show_error(state.error)
    else:
        said = f"Stopped. In {name} so far: {done}. Resume continues from here."
        st.warning(said, icon=":material/pause_circle:")
    with st.container(horizontal=True, vertical_alignment="center"):
        if state.phase != DONE and st.button("Resume", icon=":material/play_circle:"):
            job.start()
            st.rerun()
        if state.phase == DONE:
            st.page_link("pages/ask.py", label="Ask it", icon=":material/search:")
        if st.button("Close", icon=":material/close:"):
            services.jobs().dismiss()
            st.rerun()


def _skipped(state: State) -> None:
    if not state.skipped:
        return
    with st.expander(f"{state.skipped:,} skipped", expanded=not state.running, icon=":material/block:"):
        st.markdown("\n".join(f"- {plain(str(error))}" for error in state.errors[:MOST_NAMED]))
        if state.skipped > MOST_NAMED:
            st.caption(f"and {state.skipped - MOST_NAMED:,} more")
