"""Guide: edit a worked example, and see keys, sets and formulas update."""

from textwrap import shorten
from typing import Any

import streamlit as st

from pages.components.guide.sections import show_bands, show_conventions, show_metrics, show_trace_form, show_venn
from pages.components.record.drawn import draw, show_scorecard
from pages.components.shared import services
from pages.components.shared.text import edit_texts, plain, show_errors
from pages.components.shared.visitors import fits
from trace_core.demo import guide
from trace_core.demo.guide import PRESETS, Draft, Preset, SentenceLabel
from trace_core.diagnosis.rescoring import rescore
from trace_core.evidence import view
from trace_core.facts.sentences import Sentence, response_sentences
from trace_core.metrics import Scoring

ANSWERS = {"yes": True, "no": False, "not labeled": None}
TABS = ("Metrics", "Try it", "API")


@show_errors()
def main() -> None:
    """Draw the open tab, which the address names."""
    st.title("Guide", anchor=False)
    settings = services.settings()  # they may be invalid
    if "preset" in st.query_params and "topic" not in st.query_params:
        st.session_state.setdefault("topic", TABS[1])
    metrics, example, api = st.tabs(TABS, key="topic", bind="query-params", on_change="rerun")
    if metrics.open:
        with metrics:
            show_metrics(settings.relevance_divisor)
    if example.open:
        with example:
            preset = _pick_preset()
            if preset.draft:
                _example(preset, preset.draft, settings.relevance_divisor)
            show_bands()
            title = "Where a source's printed figure differs from its formula"
            with st.expander(title, icon=":material/error_outline:"):
                st.markdown("\n".join(f"- **{plain(p.name)}.** {plain(p.slip)}" for p in PRESETS.values() if p.slip))
    if api.open:
        with api:
            show_trace_form(needs_key=settings.api_key is not None)


def _example(preset: Preset, source: Draft, divisor: float) -> None:
    editor, results = st.columns([5, 6], gap="large")
    with editor:
        texts, labels = st.tabs(("Texts", "Labels"))
        with texts:
            key = _key(preset, "texts")
            question, documents, response = edit_texts(key, source.question, source.documents, source.response)
        if not fits([question, *documents, response]):
            return
        with labels:
            relevant = _edit_keys(preset, "Relevant keys", source.relevant, "all_relevant_sentence_keys")
            utilized = _edit_keys(preset, "Utilized keys", source.utilized, "all_utilized_sentence_keys")
            sentences = response_sentences(response)
            support = {s.key: _label(preset, s, source.support.get(s.key, SentenceLabel())) for s in sentences}
        if not fits([relevant, utilized, *(label.keys for label in support.values())]):
            return
    draft = Draft(question, documents, response, relevant, utilized, support, source.overall_supported)
    labeler = "recorded" if draft == source else "human"
    record = guide.record(draft, labeler=labeler, name=f"guide-{preset.name}")
    with results:
        st.markdown("## Scores")
        show_scorecard(rescore(record, Scoring("trace", divisor)), divisor, key=f"scores-{preset.name}", trust=False)
        if record.cleaning:
            with st.container(border=True):
                st.caption("Cleaning notes")
                for note in record.cleaning:
                    st.text(note)
        show_venn(record, key=f"venn-{preset.name}")
    draw(view(record), key=f"evidence-{preset.name}")
    st.markdown("## The same labels under every convention")
    show_conventions(guide.side_by_side(record, divisor))


def _pick_preset() -> Preset:
    """The example in the address, and a button that restores the original."""
    names = [name for name, preset in PRESETS.items() if preset.draft]
    with st.container(horizontal=True, vertical_alignment="center"):
        name = st.selectbox(
            "Worked examples", names, key="preset", bind="query-params", label_visibility="collapsed", width=300
        )
        preset = PRESETS[name or names[0]]
        st.caption(f"Edit anything, and every number follows. From {plain(preset.title)}.", width="stretch")
        if st.button("Start over", icon=":material/restart_alt:", help="Restores the example as the source has it."):
            st.session_state["guide_round"] = st.session_state.get("guide_round", 0) + 1
    return preset


def _key(preset: Preset, part: str) -> str:
    return f"guide-{preset.name}-{st.session_state.get('guide_round', 0)}-{part}"


def _label(preset: Preset, sentence: Sentence, label: SentenceLabel) -> SentenceLabel:
    st.caption(f"**{sentence.key}** {plain(shorten(sentence.text, 120, placeholder='…'))}")
    left, right = st.columns(2)
    usual = next(word for word, fully in ANSWERS.items() if fully is label.fully)
    about = "`fully_supported`: “no” with a supporting key means partially supported, without one unsupported."
    more: dict[str, Any] = {"key": _key(preset, f"fully-{sentence.key}"), "persist_state": "session", "help": about}
    question = f"{sentence.key}: fully supported?"
    answer: str = left.segmented_control(question, list(ANSWERS), default=usual, required=True, **more)
    with right:
        keys = _edit_keys(preset, f"{sentence.key}: supporting keys", label.keys, "supporting_sentence_keys")
    return SentenceLabel(ANSWERS[answer or "not labeled"], keys)


def _edit_keys(preset: Preset, label: str, keys: str, field: str) -> str:
    about = f"`{field}`: keys of document sentences, separated by commas. Untidy ones are cleaned, and noted."
    key = _key(preset, label)
    return st.text_input(label, keys, key=key, help=about, live=True, persist_state="session") or ""


main()
