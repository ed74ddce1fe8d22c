"""Asking the labeler again about one record: which sentences does it label differently the next time?"""

from __future__ import annotations

import streamlit as st

from pages.components.shared import language_model, visitors
from pages.components.shared.text import plain, show_error
from trace_core.errors import TraceError
from trace_core.facts.records import Record
from trace_core.labeling import GptLabeler
from trace_core.labeling.repeat import ASPECTS, Labelings, label_n

MOST = 5


def show_again(record: Record, *, key: str) -> None:
    """Label the record several times, after the cost is shown; its own labels stay. Kept for the session."""
    if not record.documents or not record.response:
        return
    held: dict[str, Labelings] = st.session_state.setdefault("labeled-again", {})
    part = st.expander(
        "Label it again", icon=":material/repeat:", expanded=key in held, key=f"{key}-twice", on_change="rerun"
    )
    if not part.open:
        return
    with part:
        st.caption(
            "How often does the judge change its mind about the same sentence? The local labeler always says the same, "
            "so GPT is asked, afresh each time. This record's labels and scores stay as they are."
        )
        if made := _ask(record, key):
            held[key] = made
            st.rerun()
        if key in held:
            _show(record, held[key])


def _ask(record: Record, key: str) -> Labelings | None:
    """The labelings, if they were just started."""
    n = int(st.number_input("Times", 2, MOST, 2, key=f"{key}-times"))
    try:
        llm = language_model.llm()
        if llm is None:
            st.caption("This needs a language model. Set OPENAI_API_KEY, or enter a key on the Ask page.")
            return None
        if not st.button(f"Label: {n} calls of gpt ({plain(llm.model)})", icon=":material/play_arrow:",
                         key=f"{key}-again"):  # fmt: skip
            return None
        read = [record.question, record.response.text if record.response else "", *(d.text for d in record.documents)]
        if not visitors.may_begin(read):
            return None
        with st.spinner("Labeling …"):
            return label_n(record, GptLabeler(llm), n)
    except TraceError as error:
        show_error(error)
        return None


def _show(record: Record, found: Labelings) -> None:
    """The rate of each aspect, and the sentences that flipped."""
    for failure in found.failures:
        st.warning(plain(failure))
    if len(found.labels) < 2:
        st.markdown("Fewer than two labelings arrived, so there is nothing to compare.")
        return
    rates = [(aspect, found.rate(aspect)) for aspect in ASPECTS]
    told = " · ".join(f"{aspect} **{'undefined' if rate is None else f'{rate:.0%}'}**" for aspect, rate in rates)
    st.markdown(f"Flip rate, the share of pairs of {len(found.labels)} labelings that disagree: {told}")
    sentences = record.sentences()
    texts = {s.key: s.text for s in (*(s for document in sentences.documents for s in document), *sentences.response)}
    rows = [
        {"Key": sentence, "Sentence": plain(texts.get(sentence, "")), "About": aspect, "Flip rate": f"{share:.0%}"}
        for aspect in ASPECTS
        for sentence, share in found.flips[aspect].items()
        if share
    ]
    if not rows:
        st.markdown("No sentence flipped.")
        return
    with st.container(key="flips"):
        st.table(rows, hide_index=True)
