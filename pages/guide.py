"""Guide: edit a worked example, and see keys, sets and formulas update."""

from __future__ import annotations

import streamlit as st

from pages.components.guide.editor import edit_four, edit_labels, edit_texts, pick_preset
from pages.components.guide.tables import show_bands, show_combined, show_conventions, show_metrics
from pages.components.guide.trace_form import show_trace_form
from pages.components.guide.venn import show_venn
from pages.components.record.evidence import evidence_view
from pages.components.record.scorecard import show_scorecard
from pages.components.shared import services
from pages.components.shared.text import plain, show_error
from pages.components.shared.visitors import fits
from trace_core.demo import guide
from trace_core.demo.guide import Draft, Preset
from trace_core.diagnosis.rescoring import rescore
from trace_core.errors import TraceError
from trace_core.facts.records import Record
from trace_core.metrics import DERIVED


def main() -> None:
    """Draw the page."""
    st.title("Guide", anchor=False)
    st.caption("How labels become scores. Edit an example and watch keys, sets and formulas follow.")
    try:
        settings = services.settings()
    except TraceError as error:  # the settings themselves are invalid
        show_error(error)
        return
    divisor = settings.relevance_divisor
    preset = pick_preset()
    if preset.slip:
        st.info(f"**The source has a slip here.** {plain(preset.slip)}", icon=":material/error_outline:")
    if preset.draft:
        _example(preset, preset.draft, divisor)
    elif preset.four:
        _scores(preset, preset.four)
    _heading("The four metrics")
    show_metrics(divisor)
    _heading("POST /trace")
    show_trace_form(needs_key=settings.api_key is not None)


def _heading(text: str) -> None:
    st.subheader(text, anchor=False)


def _example(preset: Preset, source: Draft, divisor: float) -> None:
    """Texts and labels on one side, the sets on the other; below, everything derived from them."""
    texts, labels = st.columns(2, gap="large")
    with texts:
        _heading("Texts")
        question, documents, response = edit_texts(preset, source)
    if not fits([question, *documents, response]):
        return
    with labels:
        _heading("Labels")
        relevant, utilized, support = edit_labels(preset, source, response)
    if not fits([relevant, utilized, *(said.keys for said in support.values())]):
        return
    draft = Draft(question, documents, response, relevant, utilized, support, source.overall_supported)
    labeler = "recorded" if draft == source else "human"
    record = guide.record(draft, labeler=labeler, name=f"guide-{preset.name}")
    with labels:
        _notes(record)
    sets, formulas = st.columns(2, gap="large")
    with sets:
        _heading("Sets")
        show_venn(record, key=f"venn-{preset.name}")
    with formulas:
        _heading("Formulas with the numbers filled in")
        scored = rescore(record, "trace", divisor)
        assert scored.scores is not None  # noqa: S101  # rescore always sets them
        show_scorecard(scored, scored.scores, divisor, key=f"scores-{preset.name}", trust=False)
    _heading("Keys and evidence")
    evidence_view(record, key=f"evidence-{preset.name}")
    _heading("The same labels under every convention")
    show_conventions(guide.side_by_side(record, divisor))
    show_bands()


def _notes(record: Record) -> None:
    """What cleaning changed in the labels as typed."""
    if record.cleaning:
        with st.container(border=True):
            st.caption("Cleaning notes")
            for note in record.cleaning:
                st.text(note)


def _scores(preset: Preset, four: tuple[float, float, float, float]) -> None:
    """Four scores without labels: only the combined scores are derived from them."""
    st.caption("The source gives these four scores without labels. Edit them, and average and balance follow.")
    typed = edit_four(preset, four)
    _heading("Formulas with the numbers filled in")
    show_combined(guide.combined(typed), {name: derived.label for name, derived in DERIVED.items()})
    for derived in DERIVED.values():
        st.caption(f"**{plain(derived.label)}.** {plain(derived.description)}")
    show_bands()


main()
