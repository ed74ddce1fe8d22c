"""A visitor's language model: the server's own, or one used with a key typed under Settings. A typed key exists only in
the session's state and in the requests made with it, never in a shared cache, file, log, export, address or message."""

import streamlit as st
from pydantic import SecretStr

from pages.components.shared import services
from trace_core import answering, labeling
from trace_core.answering import Answerer, make_answerer
from trace_core.labeling import Labeler, make_labeler
from trace_core.llm import Llm, llm_from
from trace_core.retrieval import embedder


def own_key() -> None:
    """The field for a visitor's own key."""
    with st.expander("Your own key", icon=":material/key:"):
        st.text_input(
            "OpenAI key",
            type="password",
            key="own_key",
            persist_state="session",
            placeholder="sk-…",
            help="For labels and answers by GPT. It is sent to the model's server and nowhere else.",
        )
        st.caption("Forgotten when this browser session ends.")


def llm() -> Llm | None:
    """This visitor's model; `None` without a key. Raises `SettingsError` for an impossible key."""
    key = (st.session_state.get("own_key") or "").strip()
    if not key:
        st.session_state.pop("own_llm", None)
        return services.shared_llm()
    own: tuple[str, Llm] | None = st.session_state.get("own_llm")
    if own is None or own[0] != key:
        own = key, llm_from(services.settings(), SecretStr(key))
        st.session_state.own_llm = own
    return own[1]


def labeler_of(labeler: str) -> Labeler:
    """The labeler of that name for this visitor. Raises `SettingsError`, also for GPT without a key."""
    model = llm() if labeling.uses_llm(labeler) else None
    if model is None:
        return services.shared_labeler(labeler)
    return make_labeler(labeler, embedder(services.settings().embedding_model), model)


def answerer_of(answerer: str) -> Answerer:
    """The answerer of that name for this visitor. Raises `SettingsError`, also for GPT without a key."""
    model = llm() if answering.uses_llm(answerer) else None
    return make_answerer(answerer, services.collections().embedder, model)
