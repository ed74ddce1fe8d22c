"""Fields for a question, its documents and an answer."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

MOST_DOCUMENTS = 20


def edit_texts(key: str, question: str, documents: Sequence[str], answer: str) -> tuple[str, tuple[str, ...], str]:
    """Draw the fields, which begin with these texts; returns what they hold. Documents can be added and removed."""

    def typed(label: str, text: str) -> str:
        return st.text_area(label, text, key=f"{key}-{label}", height="content", persist_state="session") or ""

    question = typed("Question", question)
    counter = f"{key}-documents"
    count = st.session_state.setdefault(counter, min(len(documents), MOST_DOCUMENTS))
    texts = tuple(typed(f"Document {i}", documents[i] if i < len(documents) else "") for i in range(count))
    with st.container(horizontal=True):
        more = st.button("Add a document", icon=":material/add:", disabled=count >= MOST_DOCUMENTS)
        fewer = st.button("Remove the last", icon=":material/remove:", disabled=count == 0)
    if more or fewer:
        st.session_state[counter] = count + (1 if more else -1)
        st.rerun()
    return question, texts, typed("Answer", answer)
