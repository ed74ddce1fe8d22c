"""Collections: the content of Qdrant, and adding one's own documents."""

import streamlit as st

from pages.components.corpus.add import add_documents
from pages.components.corpus.look import look_inside
from pages.components.shared import services, visitors
from pages.components.shared.controls import pick_collection
from pages.components.shared.text import show_errors

TABS = ("Look inside", "Add documents")


@show_errors()
def main() -> None:
    """Draw the page."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title("Collections", anchor=False, width="stretch")
        place = st.container(horizontal=True, vertical_alignment="center", width="content")
    with place:
        names = visitors.collections()
        collection = pick_collection(names)
    demo = services.settings().demo
    if message := st.session_state.pop("corpus_message", None):
        st.success(message, icon=":material/check_circle:")
    look, add = st.tabs(TABS, key="corpus_view", on_change="rerun")
    with look:
        if look.open and collection:
            look_inside(services.collections().describe(collection), demo)
        elif look.open:
            st.info(f"There is no collection yet. Make one under “{TABS[1]}”.")
    with add:  # drawn even when hidden: otherwise the choices in it would be lost
        add_documents(names, demo)


main()
