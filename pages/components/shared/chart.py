"""A chart under its title, whose marks may be clicked."""

from collections.abc import Callable
from typing import Any

import streamlit as st


def chart(title: str, figure: Any, *, key: str, act: Callable[[Any], object], alt: str = "") -> None:
    """Draw the figure under its title; without one, `alt` describes it. `act` gets the `customdata` of a clicked mark.
    Other records need another key: a click is a place in this figure."""

    def select() -> None:
        points = st.session_state[key].selection.points
        if points:  # plotly gives the items of an array by their places as names
            data = points[0]["customdata"]
            act([data[str(n)] for n in range(len(data))] if isinstance(data, dict) else data)

    figure.update_shapes(line_color="#7d8a86")  # seen on white and on black: plotly's own is black
    if title:
        st.markdown(f"## {title}")
    config = {"displayModeBar": False}
    st.plotly_chart(figure, key=key, on_select=select, selection_mode="points", alt=alt or title, config=config)
