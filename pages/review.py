"""Review: correct the labels of a run, the most doubtful first; and how far the labels can be trusted."""

import streamlit as st

from pages.components.review.queue import PARTS, correct_labels
from pages.components.review.trust import show_trust
from pages.components.shared.text import show_errors


@show_errors()
def main() -> None:
    """Draw the open part of the page."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title("Review", anchor=False, width="stretch")
        place = st.container(horizontal=True, vertical_alignment="center", width="content")
    tabs = st.tabs(PARTS, key="part", bind="query-params")
    for tab, draw in zip(tabs, (correct_labels, show_trust), strict=True):
        if tab.open:
            with tab:
                draw(place)


main()
