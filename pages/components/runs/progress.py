"""How far a run is, while it runs; stop, resume, retry; and what the judge left open."""

from __future__ import annotations

import streamlit as st

from pages.components.runs.filters import Selection, narrow
from pages.components.shared import services, visitors
from pages.components.shared.long_work import progress_words
from pages.components.shared.text import plain, show_error
from trace_core.errors import TraceError, counted
from trace_core.facts.corrections import Correction
from trace_core.metrics.base import UNLABELED
from trace_core.store.runs import Run

MOST_REASONS = 8
EXPECTED = "run-expected"
"""In the session: the id of the run that was started, and the seconds that it was expected to take."""
LEFT_OPEN = f"adherence:{UNLABELED}"
"""The filter of the records without adherence because the labels leave an answer sentence open."""


def show_progress(run: Run, *, empty: bool = False) -> None:
    """A live bar for a running run; for one that ended early, how to go on. `empty`: it has no finished record yet."""
    if run.importing:
        st.info(f"This run is being imported: its {run.counts['total']:,} records are shown when all of them are in.")
    elif run.status in ("running", "stopping"):
        _live(run.id, empty)
    elif run.status != "done" or run.counts["failed"]:
        _go_on(run)


@st.fragment(run_every=1)
def _live(run_id: str, empty: bool) -> None:
    """Asks the engine once a second; the page is drawn anew with the first record and when the run has ended."""
    now = services.engine().progress(run_id)
    if now is None:
        run = services.store().runs.load_run(run_id)
        if run.status != "running":
            st.rerun()
        done = run.counts["total"] - run.counts["pending"]
        st.info(f"Another process works on this run: {done:,} of {run.counts['total']:,} records.")
        return
    if now.status not in ("running", "stopping") or (empty and now.done):
        st.rerun()
    started, expected = st.session_state.get(EXPECTED, ("", None))
    text = progress_words(now, estimate=expected if started == run_id else None)
    st.progress(now.done / now.total if now.total else 0.0, text)
    if empty:
        st.caption("Numbers, charts and records appear here with the first finished record.")
    stopping = now.status == "stopping"
    if visitors.is_mine("run", run_id):
        st.button(
            "Stopping …" if stopping else "Stop",
            icon=":material/stop:",
            on_click=services.engine().stop,
            args=(run_id,),
            disabled=stopping,
            key="run-stop",
        )
    if stopping:
        st.warning(f"You stopped this run. What has begun is finished first: {counted(now.in_flight, 'record')}.")
    elif now.reason:
        st.warning(plain(now.reason))


def _go_on(run: Run) -> None:
    pending = run.counts["pending"]
    mine = bool(run.dataset_id) and visitors.is_mine("run", run.id)
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


def show_left_open(shown: Selection) -> None:
    """How many records have no adherence because of sentences without a label, and a button that shows them."""
    n = int((shown.mask & (shown.scores.reasons["adherence"] == UNLABELED)).sum())
    if not n:
        return
    st.markdown(
        f"**{n:,} of {int(shown.mask.sum()):,} records** {'has' if n == 1 else 'have'} no adherence: the labels say "
        "nothing of a sentence of the answer, and no other sentence fails."
    )
    if st.query_params.get("undefined") != LEFT_OPEN:
        st.button(
            f"Show {n:,} without adherence",
            icon=":material/filter_alt:",
            type="tertiary",
            on_click=narrow,
            kwargs={"undefined": LEFT_OPEN},
            key="left-open-show",
        )


def show_elsewhere(run: Run) -> None:
    """People's corrections of the same answers to the same documents in other runs, to be taken over with a click."""
    if run.owner or visitors.is_demo():  # a visitor's words are for nobody else
        return
    by_record = _elsewhere(run.id, run.revision, services.store().corrections.count())
    events = [(record_id, event) for record_id, of in by_record.items() for event in of]
    if events:
        with st.container(horizontal=True, vertical_alignment="center"):
            people = " and ".join(dict.fromkeys(plain(event.author) for _, event in events))
            n, answers = counted(len(events), "correction"), counted(len(by_record), "answer")
            st.markdown(f"In other runs, {people} made **{n}** of {answers} that this run has too, word for word.")
            label = f"Apply {'it' if len(events) == 1 else 'them'} here"
            st.button(label, icon=":material/done_all:", key="elsewhere", on_click=_apply, args=(run.id, events))


@st.cache_data(max_entries=20, show_spinner=False)
def _elsewhere(run_id: str, revision: int, corrections: int) -> dict[str, list[Correction]]:
    return services.store().corrections.elsewhere(run_id)


def _apply(run_id: str, events: list[tuple[str, Correction]]) -> None:
    for record_id, event in events:
        services.store().corrections.add(run_id, record_id, **event.model_dump(exclude={"id"}))
