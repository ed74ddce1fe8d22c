"""The guide's editors: the texts and labels of a worked example, updated while typing."""

from __future__ import annotations

import streamlit as st

from pages.components.shared.text import plain
from trace_core.demo.guide import PRESETS, Draft, Preset, SentenceLabel
from trace_core.facts.sentences import Sentence, response_sentences
from trace_core.metrics import METRICS

MOST_DOCUMENTS, MOST_SENTENCES = 20, 30
ANSWERS = {"yes": True, "no": False, "not labeled": None}


def pick_preset() -> Preset:
    """The example in the address, and a button that restores the original."""
    name = st.pills(
        "Worked examples", list(PRESETS), default=next(iter(PRESETS)), required=True, key="preset", bind="query-params"
    )
    preset = PRESETS[name or next(iter(PRESETS))]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{plain(preset.name)}.** Source: {plain(preset.title)}")
        if st.button("Start over", icon=":material/restart_alt:", help="Restores the example as the source has it."):
            st.session_state["guide_round"] = st.session_state.get("guide_round", 0) + 1
    return preset


def _key(preset: Preset, part: str) -> str:
    return f"guide-{preset.name}-{st.session_state.get('guide_round', 0)}-{part}"


def edit_texts(preset: Preset, draft: Draft) -> tuple[str, tuple[str, ...], str]:
    """The current question, documents and response."""
    question = _text(preset, "Question", draft.question)
    counter = _key(preset, "documents")
    count = st.session_state.setdefault(counter, len(draft.documents))
    given = [*draft.documents, *[""] * count][:count]
    documents = tuple(_text(preset, f"Document {i}", text) for i, text in enumerate(given))
    with st.container(horizontal=True):
        more = st.button("Add a document", icon=":material/add:", disabled=count >= MOST_DOCUMENTS)
        fewer = st.button("Remove the last", icon=":material/remove:", disabled=count == 0)
    if more or fewer:
        st.session_state[counter] = count + (1 if more else -1)
        st.rerun()
    return question, documents, _text(preset, "Response", draft.response)


def _text(preset: Preset, label: str, text: str) -> str:
    key = _key(preset, label)
    return st.text_area(label, text, key=key, height="content", persist_state="session") or ""


def edit_labels(preset: Preset, draft: Draft, response: str) -> tuple[str, str, dict[str, SentenceLabel]]:
    """Relevant and utilized keys, and the labels of every response sentence."""
    relevant = _typed(preset, "Relevant keys", draft.relevant, "all_relevant_sentence_keys")
    utilized = _typed(preset, "Utilized keys", draft.utilized, "all_utilized_sentence_keys")
    sentences = response_sentences(response)
    if not sentences:
        st.caption("The answer has no sentences to label.")
    support = {s.key: _said(preset, s, draft.support.get(s.key, SentenceLabel())) for s in sentences[:MOST_SENTENCES]}
    if len(sentences) > MOST_SENTENCES:
        st.caption(f"{len(sentences) - MOST_SENTENCES} more response sentences stay unlabeled here.")
    return relevant, utilized, support


def _said(preset: Preset, sentence: Sentence, said: SentenceLabel) -> SentenceLabel:
    st.caption(f"**{sentence.key}** {plain(_short(sentence.text))}")
    asked, named = st.columns(2)
    with asked:
        answer = st.segmented_control(
            f"{sentence.key}: fully supported?",
            list(ANSWERS),
            default=next(word for word, fully in ANSWERS.items() if fully is said.fully),
            required=True,
            help="`fully_supported`: “no” with a supporting key named is partially, without one unsupported.",
            key=_key(preset, f"fully-{sentence.key}"),
            persist_state="session",
        )
    with named:
        keys = _typed(preset, f"{sentence.key}: supporting keys", said.keys, "supporting_sentence_keys")
    return SentenceLabel(ANSWERS[answer or "not labeled"], keys)


def _typed(preset: Preset, label: str, keys: str, field: str) -> str:
    """Keys, read while typing."""
    return (
        st.text_input(
            label,
            keys,
            key=_key(preset, label),
            help=f"`{field}`: keys of document sentences, separated by commas. Untidy ones are cleaned, and noted.",
            live=True,
            persist_state="session",
        )
        or ""
    )


def edit_four(preset: Preset, four: tuple[float, float, float, float]) -> list[float]:
    """Four scores in [0, 1]."""
    found = []
    for column, metric, value in zip(st.columns(4), METRICS.values(), four, strict=True):
        with column:
            key = _key(preset, metric.name)
            typed = st.number_input(metric.label, 0.0, 1.0, value, 0.01, key=key, persist_state="session")
            found.append(typed or 0.0)
    return found


def _short(text: str) -> str:
    return text if len(text) <= 120 else f"{text[:117]}…"
