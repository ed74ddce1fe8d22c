"""An ingest on the page: progress, skipped items, stop and resume. It runs on without the page."""

from __future__ import annotations

import streamlit as st

from pages.components.shared import services
from pages.components.shared.text import plain, show_error
from trace_core.errors import counted
from trace_core.retrieval.job import CHECKING, DONE, Job

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
    running = job.running
    ending = (job.id, str(job.phase))
    if not running and ending not in _seen():  # it may have ended unobserved
        _seen().add(ending)
        services.forget_collections()
    mine = job.id in st.session_state.get("corpus_jobs", set())
    if demo and not mine:
        if running:
            st.info("Another visitor is adding documents. You can add yours when they are done.")
    elif mine or job.phase != DONE:
        st.fragment(_panel, run_every=EVERY_SECONDS if running else None)(job, running)


@st.cache_resource(show_spinner=False)
def _seen() -> set[tuple[str, str]]:
    return set()


def _panel(job: Job, was_running: bool) -> None:
    running = job.running
    if was_running and not running:
        services.forget_collections()
        st.rerun()
    with st.container(border=True):
        if running:
            _at_work(job)
        else:
            _ended(job)
        _skipped(job, running)


def _at_work(job: Job) -> None:
    st.markdown(f"##### Adding to {plain(job.collection)}")
    st.progress(job.share, plain(_how_far(job)))
    st.caption("You can close this page; it continues.")
    # A callback runs before anything is redrawn, so the click is not lost to a redraw at the same moment.
    st.button(
        "Stopping …" if job.stopping else "Stop adding",
        icon=":material/stop_circle:", key=f"corpus_stop-{job.id}", disabled=job.stopping, on_click=job.stop,
    )  # fmt: skip


def _how_far(job: Job) -> str:
    if job.phase == CHECKING:
        return f"Reading the files: {counted(job.survey.sources, 'document')} so far"
    parts = [f"{job.progress.sources:,} of {counted(job.survey.sources, 'document')}", _chunks(job)]
    parts += [f"{job.rate:,.0f} chunks/s"] if job.rate else []
    parts += [f"{_time(job.left)} left"] if job.left is not None else []
    return ", ".join(parts)


def _chunks(job: Job) -> str:
    return f"{counted(job.progress.chunks, 'chunk')} ({job.progress.written:,} new)"


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def _ended(job: Job) -> None:
    name = f"**{plain(job.collection)}**"
    done = f"{counted(job.progress.sources, 'document')}, {_chunks(job)}, in {_time(job.seconds)}"
    if job.phase == DONE:
        st.success(f"Added to {name}: {done}.", icon=":material/check_circle:")
    elif job.error:
        show_error(job.error)
    else:
        st.warning(f"Stopped. In {name} so far: {done}. Resume continues from here.", icon=":material/pause_circle:")
    with st.container(horizontal=True, vertical_alignment="center"):
        if job.phase != DONE and st.button("Resume", icon=":material/play_circle:"):
            job.start()
            st.rerun()
        if job.phase == DONE:
            st.page_link("pages/ask.py", label="Ask it", icon=":material/search:")
        if st.button("Close", icon=":material/close:"):
            services.jobs().dismiss()
            st.rerun()


def _skipped(job: Job, running: bool) -> None:
    if not job.survey.skipped:
        return
    with st.expander(f"{job.survey.skipped:,} skipped", expanded=not running, icon=":material/block:"):
        st.markdown("\n".join(f"- {plain(str(error))}" for error in job.survey.errors[:MOST_NAMED]))
        if job.survey.skipped > MOST_NAMED:
            st.caption(f"and {job.survey.skipped - MOST_NAMED:,} more")
