"""Collections: the content of Qdrant, and adding one's own documents."""

from __future__ import annotations

import streamlit as st

from pages.components.corpus.add import add_documents
from pages.components.corpus.look import delete_collection, look_inside, show_list
from pages.components.shared import access, services
from pages.components.shared.controls import status
from pages.components.shared.text import plain, show_error
from trace_core.errors import TraceError
from trace_core.retrieval import CollectionInfo

TABS = ("Look inside", "Add documents")


def main() -> None:
    """Draw the page."""
    st.title("Collections", anchor=False)
    st.caption("Your documents in Qdrant: look inside a collection, search it, add your own.")
    try:
        demo = services.settings().demo
        infos = _infos()
    except TraceError as error:  # the settings are invalid, or Qdrant does not answer
        show_error(error)
        _sidebar()
        return
    message = st.session_state.pop("corpus_message", None)
    if message:
        st.success(message, icon=":material/check_circle:")
    look, add = st.tabs(TABS, key="corpus_view", on_change="rerun")
    if look.open:
        with look:
            _look(infos, demo)
    with add:  # drawn even when hidden: otherwise the choices in it would be lost
        add_documents([info.name for info in infos], demo)
    _sidebar()


def _sidebar() -> None:
    with st.sidebar:
        try:
            status()
        except TraceError as error:  # already shown on the page
            st.caption(plain(str(error)))


def _infos() -> list[CollectionInfo]:
    return [services.describe(name) for name in access.collections()]


def _look(infos: list[CollectionInfo], demo: bool) -> None:
    if not infos:
        st.info("There is no collection yet. Add documents to make one.")
        st.button(TABS[1], icon=":material/playlist_add:", on_click=_open_adding)
        return
    show_list(infos)
    by_name = {info.name: info for info in infos}
    name = st.selectbox("Collection", list(by_name), key="corpus_collection", persist_state="session")
    if name is None:
        return
    look_inside(by_name[name])
    delete_collection(by_name[name], demo)


def _open_adding() -> None:
    st.session_state.corpus_view = TABS[1]


main()
