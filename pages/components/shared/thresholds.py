"""Thresholds of findings and diagnoses that a person changed; they apply on every page until the session ends."""

from __future__ import annotations

import streamlit as st

Changed = dict[str, dict[str, float]]
"""Rule or diagnosis → quantity → threshold."""
_KEY = "thresholds"


def changed() -> Changed:
    """The thresholds that differ from their defaults."""
    held: Changed = st.session_state.get(_KEY, {})
    return held


def change(name: str, quantity: str, value: float | None) -> None:
    """Set a threshold; `None` restores its default."""
    new = {one: at for one, at in (changed().get(name, {}) | {quantity: value}).items() if at is not None}
    st.session_state[_KEY] = {one: given for one, given in (changed() | {name: new}).items() if given}


def reset() -> None:
    """Restore all defaults."""
    st.session_state[_KEY] = {}
