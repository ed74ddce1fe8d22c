"""A record's labels are corrected where its evidence is read: the same on Runs and on Review."""

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages.components.record.drawn import change_text, drafts, draw, whole_view
from pages.components.shared import services
from pages.components.shared.text import plain, time_text
from pages.components.shared.visitors import is_demo, is_mine
from trace_core import review
from trace_core.contribution import Contribution
from trace_core.evidence.view import SPECIAL_WORDS, blind_view
from trace_core.facts.corrections import Correction, active, read_corrections
from trace_core.facts.records import Record, Scores
from trace_core.metrics import Scoring
from trace_core.review import Change, Preview
from trace_core.store.runs import Run


@dataclass(frozen=True, slots=True)
class Correcting:
    """One record of a run under one reviewer's hands. `alone`: without what other people said."""

    run: Run
    record: Record
    convention: str
    author: str
    alone: bool = False

    @property
    def version(self) -> str:
        """Other labels are another draft; what others say meanwhile takes no edit away from who works alone."""
        events = read_corrections(self.record)
        whose = sum(event.author == self.author for event in events) if self.alone else len(events)
        return f"{self.run.id}-{self.record.id}-{whose}-{st.session_state.get('labels-discarded', 0)}"

    @property
    def scoring(self) -> Scoring:
        """The run's scoring under the page's convention."""
        return Scoring.of_run(self.run.config, self.convention)

    def changes(self) -> list[Change]:
        """What was said and is not saved."""
        return drafts().get(self.version, [])

    def draft(self, changes: list[Change]) -> Preview:
        """The record as it would be with these changes."""
        return review.draft(self.record, changes, self.author, alone=self.alone, scoring=self.scoring)

    def scores(self, changes: list[Change]) -> Scores:
        """The scores as they would be with these changes."""
        scores = self.draft(changes).record.scores
        assert scores is not None  # noqa: S101  # it is always scored
        return scores

    def save(self, changes: list[Change], reason: str, author: str = "") -> None:
        """Write each change as an event of its own; the run's numbers follow with the last of them, and are said."""
        before, record, version, author = self.scores([]), self.record, self.version, author or self.author
        scoring = Scoring.of_run(self.run.config)
        for change in changes:
            record = review.correct(record, change, author, reason=reason, scoring=scoring)
            _save(self.run, record)
        drafts().pop(version, None)
        now = replace(self, record=record, author=author)
        st.session_state["labels-saved"] = (self.run.id, record.id), change_text(before, now.scores([]))


def show_evidence(
    at: Correcting, draft: Preview, *, key: str, blind: bool = False, contribution: Contribution | None = None
) -> None:
    """The evidence of the record as it would be, with the means to correct it for those who are allowed to."""
    changes, labels = at.changes(), draft.record.labels
    data = blind_view(at.record, changes) if blind else whole_view(draft.record, contribution)
    if labels and is_mine("run", at.run.id):
        by_name = {"relevant": labels.all_relevant_sentence_keys, "utilized": labels.all_utilized_sentence_keys}
        lists = [name for name, keys in by_name.items() if keys is not None]
        data["correcting"] = {"version": at.version, "changes": changes, "lists": lists, "special": SPECIAL_WORDS}
    draw(data, key=key)
    for error in draft.errors:
        with st.bottom:  # in sight of the controls, wherever the page is scrolled to
            st.warning(plain(f"{error.message} {error.hint}"), icon=":material/edit_off:")


def save_bar(at: Correcting, draft: Preview, *, key: str, finish: str = "", blind: bool = False) -> bool:
    """Name, reason and buttons at the bottom of the window, always in sight, below what is not saved yet. With
    `finish`, a button of that name saves, too, and marks the record as reviewed; returns whether it did."""
    with st.bottom, st.container(key=f"{key}-unsaved", gap="xsmall"):
        if draft.changes:
            st.markdown("Not saved: " + plain("; ".join(change_line(*change) for change in draft.changes)))
            if not blind:
                st.markdown(change_text(at.scores([]), at.scores(draft.changes)))
        elif receipt := st.session_state.get("labels-saved"):
            st.caption(f"Saved. {receipt[1]}")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            author = (st.text_input("Your name", key="reviewer", persist_state="session", max_chars=80) or "").strip()
            reason = st.text_input("Reason (optional)", key=f"reason-{at.version}")
            save = st.button("Save", icon=":material/save:", shortcut="Ctrl+S", disabled=not draft.changes)
            last = bool(finish) and st.button(
                finish, icon=":material/done_all:", shortcut="Ctrl+Enter", type="primary", key=f"{key}-finish"
            )
            if draft.changes:
                st.button("Discard", icon=":material/undo:", key=f"{key}-discard", on_click=_discard)
        if (save or last) and not author:
            st.error("Type your name: corrections are saved under it.", icon=":material/person:")
            return False
    if save or last:
        at.save([*draft.changes, *([("reviewed", "", True)] if last else [])], reason, author)
    if save:
        st.query_params["record"] = at.record.id
        st.rerun()
    return last


def _discard() -> None:
    drafts().clear()
    st.session_state["labels-discarded"] = st.session_state.get("labels-discarded", 0) + 1


def show_history(at: Correcting) -> None:
    """What people said of this record, of one who works alone only their own; everyone takes back their own."""
    events = active(read_corrections(at.record), at.author if at.alone else None)
    if not events:
        return
    with st.expander(f"Corrections so far ({len(events)})", icon=":material/history:"):
        for event in events:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(_line(event, at.run))
                mine = event.author == at.author and is_mine("run", at.run.id)
                if mine and st.button("Undo", key=f"undo-{event.id}", icon=":material/undo:"):
                    scoring = Scoring.of_run(at.run.config)
                    _save(at.run, review.undo(at.record, event.id, author=at.author, scoring=scoring))
                    st.session_state.pop("labels-saved", None)
                    st.rerun()


def _save(run: Run, record: Record) -> None:
    """Write the record's newest event; its numbers follow in the same transaction, then those of the same answers."""
    event, corrections = dict(record.overrides[-1]), services.store().corrections
    corrections.add(run.id, record.id, **event)
    if not is_demo():  # a visitor's words are for nobody else
        corrections.spread(run.id, record.id)


def _line(event: Correction, run: Run) -> str:
    what = "reviewed" if event.field == "reviewed" else change_line(event.field, event.sentence_key, event.value)
    reason = f": {event.reason}" if event.reason else ""
    line = f"**{plain(event.author)}**, {plain(time_text(event.created_at))}: {plain(what)}{plain(reason)}"
    if origin := services.store().corrections.origin(event.id, run.id):
        names = [one.name for one in services.store().runs.list_runs() if one.id == origin]
        line += f" (in {plain(*names) if names else 'another run'}, of the same answer to the same documents)"
    return line


def change_line(field: str, key: str, value: Any) -> str:
    """One change in words: “b supported → fully”."""
    if isinstance(value, bool):
        value = "yes" if value else "no"
    elif isinstance(value, list):
        value = ", ".join(value) or "none"
    return f"{key} {field} → {value}"
