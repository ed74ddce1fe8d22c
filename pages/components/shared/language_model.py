"""A visitor's language model: the server's own, or one used with a key typed under Settings.

A typed key exists only in the session's state and in the requests made with it, never in a shared cache,
file, log, export, address or message.
"""

from __future__ import annotations

import streamlit as st
from pydantic import SecretStr

from pages.components.shared import services
from trace_core import answering, labeling
from trace_core.answering import Answerer, make_answerer
from trace_core.errors import TraceError
from trace_core.health import Check
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
    key = _typed()
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
    asked = llm() if labeling.uses_llm(labeler) else None
    shared = embedder(services.settings().embedding_model)
    return make_labeler(labeler, shared, asked) if asked else services.shared_labeler(labeler)


def answerer_of(answerer: str) -> Answerer:
    """The answerer of that name for this visitor. Raises `SettingsError`, also for GPT without a key."""
    asked = llm() if answering.uses_llm(answerer) else None
    return make_answerer(answerer, services.collections().embedder, asked)


def check() -> Check:
    """Which model this visitor has, without asking it: a page looks often, and each call costs."""
    try:
        model = llm()
    except TraceError as error:
        return Check("Judge", False, str(error))
    if model is None:
        return Check("Judge", True, "no key set: local labeler, extractive answers")
    return Check("Judge", True, f"{model.model} at {model.shown}, not asked yet{', with your key' if _typed() else ''}")


def _typed() -> str:
    return (st.session_state.get("own_key") or "").strip()
