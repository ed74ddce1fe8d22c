"""Thresholds of findings and diagnoses that a person changed; they apply on every page until the session ends."""

from __future__ import annotations

import streamlit as st

from trace_core.diagnosis.faults import Thresholds


def own_thresholds() -> Thresholds:
    """The thresholds that differ from their defaults: rule or diagnosis → quantity → threshold."""
    thresholds: Thresholds = st.session_state.get("thresholds", {})
    return thresholds


def change(name: str, quantity: str, value: float | None) -> None:
    """Set a threshold; `None` restores its default."""
    rule = {of: at for of, at in {**own_thresholds().get(name, {}), quantity: value}.items() if at is not None}
    every = {**own_thresholds(), name: rule}
    st.session_state["thresholds"] = {of: values for of, values in every.items() if values}
