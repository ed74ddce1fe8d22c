"""One record under review: its sentences with their labels, to be corrected in place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import streamlit as st

from pages.components.record.evidence import evidence_view
from pages.components.record.scorecard import change_text, show_scorecard
from pages.components.shared import services
from pages.components.shared.access import is_mine
from pages.components.shared.text import plain, time_text
from trace_core import review
from trace_core.facts.corrections import Correction, active, effective, read
from trace_core.facts.labels import SPECIAL_KEYS, Labels
from trace_core.facts.records import Record
from trace_core.rescoring import relevance_divisor
from trace_core.store.runs import Run

STATUSES = ("fully", "partially", "unsupported")
Change = tuple[str, str, Any]
"""Field, sentence key, value."""


def edit(run: Run, record: Record, author: str, convention: str) -> None:
    """The record as this reviewer sees it; what is changed is written at once when saved."""
    blind = st.toggle(
        "Blind review: hide the labels until I have given mine", key="blind", persist_state="session",
        help="So the labeler cannot lead you. What you leave empty stays as the labeler said.",
    )  # fmt: skip
    mine = effective(record.labeler_labels, record.sentences(), read(record), author)
    if mine is None:
        st.warning("This record has no labels to correct: it failed, or is not labeled yet.")
        return
    if not blind:
        divisor = relevance_divisor(run.config)
        seen = review.as_seen_by(record, author, convention=convention, relevance_divisor=divisor)
        assert seen.scores is not None  # noqa: S101  # it is always scored
        show_scorecard(seen, seen.scores, divisor, key="review-scores")
        evidence_view(seen, key="review-evidence")
    changes = [*_answer_table(record, mine, author, blind), *_document_table(record, mine, author, blind)]
    reason = st.text_input("Reason (optional)", key=f"reason-{_version(record, author, blind)}")
    if changes:
        st.markdown("Changed: " + plain("; ".join(f"{key} {field} → {_word(value)}" for field, key, value in changes)))
    if not is_mine("run", run.id):
        st.caption("In demo mode you can correct only runs that you made.")
        _history(run, record, author)
        return
    with st.container(horizontal=True):
        if st.button("Save", icon=":material/save:", shortcut="Ctrl+S", disabled=not changes, key="review-save"):
            _write(run, record, author, changes, reason, convention)
            st.rerun()
        if st.button("Save and mark as reviewed", icon=":material/done_all:", shortcut="Ctrl+Enter",
                     key="review-done"):  # fmt: skip
            _write(run, record, author, [*changes, ("reviewed", "", True)], reason, convention)
            st.query_params["record"] = record.id  # its new scores are seen before the next one comes
            st.rerun()
    _history(run, record, author)


def _version(record: Record, author: str, blind: bool) -> str:
    """Another version of one's own labels is another table; what others say meanwhile takes no edit away."""
    return f"{record.id}-{author}-{blind}-{sum(event.author == author for event in read(record))}"


def _answer_table(record: Record, mine: Labels, author: str, blind: bool) -> Iterator[Change]:
    sentences = record.sentences()
    statuses = mine.statuses(sentences.response_keys())
    support = {s.response_sentence_key: s.supporting_sentence_keys for s in mine.sentence_support_information or []}
    rows = [
        {"Key": s.key, "Sentence of the answer": s.text,
         "Status": None if blind or statuses[s.key].value not in STATUSES else statuses[s.key].value,
         "Supporting keys": [] if blind else support.get(s.key, [])}
        for s in sentences.response
    ]  # fmt: skip
    if not rows:
        st.caption("There is no answer.")
        return
    options = [*sentences.document_keys(), *sorted(SPECIAL_KEYS)]
    edited = st.data_editor(
        rows, hide_index=True, disabled=["Key", "Sentence of the answer"],
        key=f"answer-{_version(record, author, blind)}",
        column_config={
            "Key": st.column_config.TextColumn(width=60),
            "Sentence of the answer": st.column_config.TextColumn(width="large"),
            "Status": st.column_config.SelectboxColumn(options=list(STATUSES)),
            "Supporting keys": st.column_config.MultiselectColumn(options=options),
        },
    )  # fmt: skip
    for before, after in zip(rows, edited, strict=True):
        key, status, keys = str(before["Key"]), after["Status"], list(after["Supporting keys"] or [])
        if keys != before["Supporting keys"] and keys != support.get(key, []):
            yield "supporting", key, keys  # first: "partially" rests on them
        if status and status != statuses[key].value:
            yield "supported", key, status


def _document_table(record: Record, mine: Labels, author: str, blind: bool) -> Iterator[Change]:
    lists = {"relevant": mine.all_relevant_sentence_keys, "utilized": mine.all_utilized_sentence_keys}
    known = {field: keys for field, keys in lists.items() if keys is not None}
    for field in lists.keys() - known.keys():
        st.warning(f"The labels have no list of {field} sentences, so single ones cannot be corrected.")
    rows = [
        {"Key": s.key, "Sentence of the documents": s.text,
         **{field: None if blind else s.key in keys for field, keys in known.items()}}
        for document in record.documents for s in document.sentences
    ]  # fmt: skip
    if not rows:
        st.caption("There is no document.")
        return
    edited = st.data_editor(
        rows, hide_index=True, disabled=["Key", "Sentence of the documents"],
        key=f"documents-{_version(record, author, blind)}",
        column_config={
            "Key": st.column_config.TextColumn(width=60),
            "Sentence of the documents": st.column_config.TextColumn(width="large"),
            **{field: st.column_config.CheckboxColumn(field.capitalize()) for field in known},
        },
    )  # fmt: skip
    for before, after in zip(rows, edited, strict=True):
        for field, keys in known.items():
            if after[field] is not None and bool(after[field]) != (before["Key"] in keys):
                yield field, str(before["Key"]), bool(after[field])


def _write(run: Run, record: Record, author: str, changes: list[Change], reason: str, convention: str) -> None:
    """Each change is an event of its own; the run's numbers follow with the last of them, and are said."""
    divisor = relevance_divisor(run.config)
    before = review.as_seen_by(record, author, convention=convention, relevance_divisor=divisor).scores
    for field, key, value in changes:
        record = review.correct(
            record, author=author, field=field, key=key, value=value, reason=reason, relevance_divisor=divisor
        )
        _save(run, record)
    now = review.as_seen_by(record, author, convention=convention, relevance_divisor=divisor).scores
    assert before is not None and now is not None  # noqa: PT018, S101  # it is always scored
    st.session_state["review-said"] = record.id, change_text(before, now)


def _save(run: Run, record: Record) -> None:
    """Write the record's newest event; the run's numbers follow in the same transaction."""
    event = dict(record.overrides[-1])
    services.store().corrections.add(run.id, record.id, correction_id=event.pop("id"), **event)


def _history(run: Run, record: Record, author: str) -> None:
    """What people said of this record; everyone takes back their own."""
    events = active(read(record))
    if not events:
        return
    with st.expander(f"Corrections so far ({len(events)})", icon=":material/history:"):
        for event in events:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(_line(event))
                if event.author == author and is_mine("run", run.id):
                    st.button("Undo", key=f"undo-{event.id}", icon=":material/undo:", on_click=_undo,
                              args=(run, record, event.id, author))  # fmt: skip


def _line(event: Correction) -> str:
    what = "reviewed" if event.field == "reviewed" else f"{event.sentence_key} {event.field} → {_word(event.value)}"
    reason = f": {event.reason}" if event.reason else ""
    return f"**{plain(event.author)}**, {plain(time_text(event.created_at))}: {plain(what)}{plain(reason)}"


def _undo(run: Run, record: Record, event_id: str, author: str) -> None:
    _save(run, review.undo(record, event_id, author=author, relevance_divisor=relevance_divisor(run.config)))


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) or "none" if isinstance(value, list) else str(value)
