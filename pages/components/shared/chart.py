"""A chart under its title."""

from __future__ import annotations

from typing import Any

import streamlit as st


def draw(title: str, figure: Any, *, key: str) -> None:
    """Draw the figure under its title."""
    st.markdown(f"##### {title}")
    st.plotly_chart(figure, key=key)


def pickable(title: str, figure: Any, *, key: str) -> list[dict[str, Any]]:
    """Draw the figure under its title; returns the picked points."""
    st.markdown(f"##### {title}")
    event = st.plotly_chart(figure, key=key, on_select="rerun", selection_mode="points")
    return list(event.selection.points)
