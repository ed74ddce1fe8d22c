"""One record as an analyst reads it, wherever it is shown: question, verdict, scores, evidence, findings, the rest."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import streamlit as st

from pages.components.record.contribution import measure_contribution, show_tests
from pages.components.record.correct import Correcting, save_bar, show_evidence, show_history
from pages.components.record.drawn import draw, show_formulas, show_scorecard, whole_view
from pages.components.record.saving import add_to_run, save_problem
from pages.components.shared import services
from pages.components.shared.run_data import contributions_of
from pages.components.shared.text import plain
from trace_core.contribution import Contribution, with_labels_of
from trace_core.diagnosis.faults import look
from trace_core.diagnosis.rescoring import rescore
from trace_core.errors import counted
from trace_core.facts.language import NOTE
from trace_core.facts.records import Finding, Record, Verdict
from trace_core.metrics import Scoring
from trace_core.retrieval.collections import CORRECT_FROM, INCORRECT_BELOW
from trace_core.store.measurements import basis
from trace_core.store.runs import Run

MOST_FINDINGS = 3
SEARCHES = {"correct": "high", "ambiguous": "middling", "incorrect": "low"}
"""Retrieval action → how good the search's best score is: whether the retrieval is right, a score cannot know."""
OnEdit = Callable[[Record], None]
_LOOKS = {
    "bad": ("red", ":material/dangerous:"),
    "warn": ("orange", ":material/warning:"),
    "good": ("green", ":material/check_circle:"),
}
_NEUTRAL = "gray", ":material/radio_button_unchecked:"


def show_result(
    record: Record,
    convention: str,
    *,
    key: str,
    run: Run | None = None,
    on_edit: OnEdit | None = None,
    on_retry: Callable[[], None] | None = None,
) -> None:
    """Draw the record, scored under the convention, without labeling it again. Of a `run`, its labels can be corrected;
    with `on_edit`, a button opens its texts in the editor; with `on_retry`, one asks again what failed."""
    divisor = services.settings().relevance_divisor
    scoring = Scoring.of_run(run.config, convention) if run else Scoring(convention, divisor)
    at = Correcting(run, record, convention, st.session_state.get("reviewer", "").strip()) if run else None
    draft = at.draft(at.changes()) if at else None
    record = draft.record if draft else rescore(record, scoring)
    assert record.scores is not None  # noqa: S101  # rescore always sets them
    _before(record, on_retry=on_retry)
    with st.container(gap="xxsmall"):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.markdown(f"## {plain(record.question) or 'No question'}", width="stretch")
            _made_by(record)
        show_scorecard(record, scoring.divisor, key=f"{key}-scores", run=run)
    # Typed texts belong to the record; other widgets share their keys among all records, since Streamlit keeps the
    # state of every key, and the record with it, for the whole visit.
    own = f"{key}-{record.id}"
    contribution: Contribution | None = st.session_state.get("contributions", {}).get(basis(record))
    if contribution is None and run:
        contribution = contributions_of(run).by_record.get(record.id)
    contribution = with_labels_of(contribution, record) if contribution else None
    if at and draft:
        show_evidence(at, draft, key=f"{key}-evidence", contribution=contribution)
        last, scores = st.session_state.get("labels-saved", ("", ""))
        if draft.changes:
            save_bar(at, draft, key=key)
        elif last == (at.run.id, at.record.id):
            st.bottom.success(f"Saved. {scores}", icon=":material/check:")
        show_history(at)
    else:
        draw(whole_view(record, contribution), key=f"{key}-evidence")
    for note in contribution.notes if contribution else ():
        st.caption(plain(note))
    if st.session_state.pop("measuring", None) == f"{key}-evidence":
        measure_contribution(record, key=own, run=run)
    _actions(record, key, on_edit, offer_run=run is None)
    tabs: dict[str, Callable[[], None]] = {"Findings": lambda: _findings(record)} if record.findings else {}
    tabs["How it is scored"] = lambda: show_formulas(record, scoring.divisor, key=f"{key}-computed")
    if run is None and record.documents and record.response:
        tabs["Test the label"] = lambda: show_tests(record, key=own)
    tabs[f"JSON, cleaning notes ({len(record.cleaning)})"] = lambda: _raw(record)
    for tab, show in zip(st.tabs(list(tabs), key=f"{key}-below", on_change="rerun"), tabs.values(), strict=True):
        if tab.open:
            with tab:
                show()


def _before(record: Record, on_retry: Callable[[], None] | None) -> None:
    if record.error:
        message = f"The step “{record.error.step}” failed: {record.error.message} {record.error.hint}"
        st.error(plain(message), icon=":material/error:")
        if on_retry:
            st.button("Retry", icon=":material/refresh:", key=f"retry-{record.id}", on_click=on_retry)
    if reason := save_problem(record):
        message = f"{reason} The record is shown but not saved, so a link to it will not work."
        st.error(plain(message), icon=":material/link_off:")
    if NOTE in record.cleaning:
        st.warning(plain(NOTE), icon=":material/translate:")
    if record.turns:
        with st.expander(f"{len(record.turns)} earlier turns of this conversation", icon=":material/forum:"):
            for turn in record.turns:
                st.markdown(f"**{'Asked' if turn.role == 'user' else 'Answered'}:** {plain(turn.text)}")


def _made_by(record: Record) -> None:
    parts = []
    if record.labels:
        parts.append(f"Labels: **{plain(record.labeler_name)}**")
    if record.response and record.response.generator:
        parts.append(f"Answer: **{plain(record.response.generator)}**")
    if record.retrieval:
        source = f"{counted(len(record.documents), 'document')} from **{plain(record.retrieval.collection)}**"
        if record.retrieval.vector:  # it was chosen among several
            source += f", vector **{plain(record.retrieval.vector)}**"
        if record.retrieval.confidence is not None:
            level = SEARCHES.get(record.retrieval.action or "", "unknown")
            source += f", search score **{level}** ({record.retrieval.confidence:.2f})"
        parts.append(source)
    if record.seconds:
        parts.append(f"{sum(record.seconds.values()):.2f} s")
    high = f"A search score is high from {CORRECT_FROM} and low below {INCORRECT_BELOW}." if record.retrieval else None
    st.caption(" · ".join(parts), help=high, width="content")


def _findings(record: Record) -> None:
    for finding in record.findings[:MOST_FINDINGS]:
        _finding(finding, record.verdict)
    if more := record.findings[MOST_FINDINGS:]:
        with st.expander(f"{len(more)} more"):
            for finding in more:
                _finding(finding, record.verdict)


def _finding(finding: Finding, verdict: Verdict | None) -> None:
    tone = verdict.tone if verdict and verdict.name == finding.name else look(finding.name).tone
    color, icon = _LOOKS.get(tone, _NEUTRAL)
    title = f":{color}[{icon} **{finding.title.capitalize()}**]"
    sources = f"  \n:small[In the sources: {', '.join(finding.sources)}.]" if finding.sources else ""
    helps = "**What helps:** " if finding.severity else ""
    st.markdown(f"{title} {plain(finding.meaning)} {helps}{plain(finding.fix)}{sources}")


def _raw(record: Record) -> None:
    for note in record.cleaning or ["Nothing had to be cleaned."]:
        st.text(note)
    scores, raw = st.columns(2)
    scores.caption("Scores")
    scores.json(record.scores.model_dump() if record.scores else {})
    raw.caption("The labeler's reply before cleaning")
    raw.json(record.raw_reply or {})


def _actions(record: Record, key: str, on_edit: OnEdit | None, *, offer_run: bool) -> None:
    with st.container(horizontal=True):
        if on_edit:
            act: dict[str, Any] = {"on_click": on_edit, "args": (record,), "key": f"{key}-edit"}
            words = "Opens these texts under “Score your own”."
            st.button("Edit and score again", icon=":material/edit:", help=words, **act)
        if offer_run and record.labels:
            with st.popover("Add to a run", icon=":material/dataset:", key=f"{key}-to-run"):
                add_to_run(record)
        st.download_button(
            "Download JSON",
            data=lambda: json.dumps(record.to_dict(), allow_nan=False, indent=2),
            file_name=f"trace-{record.id}.json",
            mime="application/json",
            icon=":material/download:",
            on_click="ignore",
            key=f"{key}-download",
        )
        if not save_problem(record):
            with st.popover("Link", icon=":material/link:"):
                st.caption("Anyone who opens this address sees this record.")
                base = (st.context.url or "").split("?")[0].rstrip("/")
                place = f"&collection={quote(record.retrieval.collection)}" if record.retrieval else ""
                st.code(f"{base}/?record={record.id}{place}", language=None)
