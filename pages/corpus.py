"""Collections: the content of Qdrant, and adding one's own documents."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from pages.components.corpus.add import add_documents
from pages.components.corpus.look import delete_collection, look_inside, show_list
from pages.components.shared import services, visitors
from pages.components.shared.controls import status
from pages.components.shared.text import show_error
from trace_core.errors import TraceError
from trace_core.retrieval import CollectionInfo

TABS = ("Look inside", "Add documents")


def main() -> None:
    """Draw the page."""
    st.title("Collections", anchor=False)
    st.caption("Your documents in Qdrant: look inside a collection, search it, add your own.")
    try:
        _tabs([services.describe(name) for name in visitors.collections()], services.settings().demo)
    except TraceError as error:  # the settings are invalid, or Qdrant does not answer
        show_error(error)
    with st.sidebar, suppress(TraceError):  # already shown on the page
        status()


def _tabs(infos: list[CollectionInfo], demo: bool) -> None:
    if message := st.session_state.pop("corpus_message", None):
        st.success(message, icon=":material/check_circle:")
    look, add = st.tabs(TABS, key="corpus_view", on_change="rerun")
    if look.open:
        with look:
            _look(infos, demo)
    with add:  # drawn even when hidden: otherwise the choices in it would be lost
        add_documents([info.name for info in infos], demo)


def _look(infos: list[CollectionInfo], demo: bool) -> None:
    if not infos:
        st.info("There is no collection yet. Add documents to make one.")
        to_add = {"corpus_view": TABS[1]}
        st.button(TABS[1], icon=":material/playlist_add:", on_click=st.session_state.update, kwargs=to_add)
        return
    show_list(infos)
    by_name = {info.name: info for info in infos}
    name = st.selectbox("Collection", list(by_name), key="corpus_collection", persist_state="session")
    if name is not None:
        look_inside(by_name[name])
        delete_collection(by_name[name], demo)


main()
