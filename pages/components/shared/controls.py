"""The choices at the head of a page: collection, labeler, scoring."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components.shared import language_model, services, visitors
from pages.components.shared.text import plain
from trace_core.answering import ANSWERERS
from trace_core.errors import TraceError
from trace_core.labeling import LABELERS
from trace_core.metrics import CONVENTIONS
from trace_core.pipeline import Search, default_answerer


@dataclass(frozen=True, slots=True)
class AskChoice:
    """The person's choices. `search` is `None` where there is no collection; `error` says why Qdrant gives no list."""

    search: Search | None
    labeler: str
    answerer: str
    error: TraceError | None


def choose(bar: DeltaGenerator, head: DeltaGenerator, *, own: bool) -> AskChoice:
    """Draw the choices: collection and convention in the bar, all others on a click at the head of the page. Where a
    person scores texts of their `own`, only the labeler is asked for."""
    collection, error = None, None
    with bar:
        if not own:
            try:
                st.session_state["collections-seen"] = visitors.collections()
            except TraceError as failure:  # the latest known ones, so that the choice stays
                error = failure
            collection = pick_collection(st.session_state.get("collections-seen", []), width=200)
        with st.container(horizontal=True, vertical_alignment="center", width="content", gap="xsmall"):
            st.caption("Convention", width="content")
            pick_convention(compact=True)
    settings = services.settings()
    top_k, answerer = min(settings.top_k, 20), default_answerer(settings)
    with head, st.popover("Settings", icon=":material/tune:", type="tertiary"):
        if not own:
            about = "How many documents to retrieve."
            top_k = st.slider("top_k", 1, 20, top_k, key="top_k", persist_state="session", help=about)
            about = "Who answers: an extract of the documents' own sentences, or a language model that cites them."
            answerer = _kind("Answers", ANSWERERS, answerer, "answerer", about)
        about = (
            "Who decides which sentences are relevant, utilized and supported. The local model compares meanings and "
            "words on this machine; it is not GPT."
        )
        labeler = _kind("Labeler", LABELERS, services.default_labeler(), "labeler", about)
        language_model.own_key()
    # How a collection is read is chosen on the page Collections.
    vector, field = (st.session_state.get(f"{part}-of-{collection}") for part in ("vector", "field"))
    search = Search(collection, top_k, vector, field) if collection else None
    return AskChoice(search, labeler, answerer, error)


def pick_collection(names: Sequence[str], *, width: int = 260) -> str | None:
    """The menu of collections, the same on Ask and on Collections; the choice is in the address."""
    state = st.session_state
    if (following := state.get("collection-next")) in names:  # another menu, which the browser has no choice for
        state.update({"collection": following, "collection-next": None, "menu": state.get("menu", 0) + 1})
    usual = (state.get("collection"), st.query_params.get("collection"), "espresso-manual", *names)
    index = next((names.index(name) for name in usual if name in names), None)
    key = f"collection-{state.get('menu', 0)}"
    look: dict[str, Any] = {"label_visibility": "collapsed", "placeholder": "No collection", "width": width}
    collection: str | None = st.selectbox("Collection", names, index, key=key, on_change=_let_go, **look)
    state["collection"] = collection
    if collection:
        st.query_params["collection"] = collection
    return collection


def _let_go() -> None:
    """The record of one collection does not stand beside another's."""
    st.session_state.update({"record": None, "ask-failure": None})
    st.query_params.pop("record", None)


def _kind(label: str, kinds: Mapping[str, Any], default: str, key: str, about: str) -> str:
    places, look = list(kinds).index(default), lambda name: kinds[name].label
    return str(st.selectbox(label, list(kinds), places, look, key=key, persist_state="session", help=about))


def convention() -> str:
    """The convention that is picked, else the one in the address, else that of the settings."""
    names = (st.session_state.get("convention"), st.query_params.get("convention"), services.settings().convention)
    return next(str(name) for name in names if name in CONVENTIONS)


def pick_convention(*, compact: bool = False) -> str:
    """The menu of conventions, to stand beside the scores; one a page. `compact` leaves out its visible label."""
    titles = {name: one.label for name, one in CONVENTIONS.items()}
    about = ["How labels become scores. Switching is instant: the labels stay as they are."]
    about += [f"**{plain(one.label)}**: {plain(one.description)}" for one in CONVENTIONS.values()]
    menu: dict[str, Any] = {"format_func": titles.__getitem__, "index": list(titles).index(convention())}
    menu |= {"label_visibility": "collapsed", "width": 210} if compact else {"width": 250}
    # Its name goes into the address: labels may be reworded, links must last.
    menu |= {"on_change": lambda: st.query_params.update(convention=st.session_state.convention)}
    return str(st.selectbox("Convention", list(titles), key="convention", help="\n\n".join(about), **menu))
