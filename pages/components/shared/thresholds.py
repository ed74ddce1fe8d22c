"""Thresholds of findings and diagnoses that a person changed; they apply on every page until the session ends."""

from __future__ import annotations

import streamlit as st

Changed = dict[str, dict[str, float]]
"""Rule or diagnosis → quantity → threshold."""


def changed() -> Changed:
    """The thresholds that differ from their defaults."""
    thresholds: Changed = st.session_state.get("thresholds", {})
    return thresholds


def change(name: str, quantity: str, value: float | None) -> None:
    """Set a threshold; `None` restores its default."""
    new = {of: at for of, at in (changed().get(name, {}) | {quantity: value}).items() if at is not None}
    st.session_state["thresholds"] = {rule: values for rule, values in (changed() | {name: new}).items() if values}
