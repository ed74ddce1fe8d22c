"""The scores on a page: of one record, with its verdict, or the means of many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import streamlit as st

from pages.components.shared.run_data import people_of
from pages.components.shared.text import plain
from pages.components.shared.thresholds import changed
from trace_core.evidence import means, scorecard, scorecard_assets
from trace_core.facts.records import Record, Scores
from trace_core.metrics import METRICS
from trace_core.store.runs import Run

if TYPE_CHECKING:
    from trace_core.metrics.base import Values
    from trace_core.summary.columns import Texts

_css, _js = scorecard_assets()
_component = st.components.v2.component("trace_scorecard", css=_css, js=_js)
MEASURED = {"local": "Local model: misses 24 of 100 everyday faults"}
"""Labeler → how far it was found to be right, where no person has checked its labels: docs/labeler.md."""


def show_scorecard(
    record: Record, scores: Scores, relevance_divisor: float, *, key: str, run: Run | None = None, trust: bool = True
) -> None:
    """Draw the record's scores, with the verdict under the session's thresholds, and how far its labeler is trusted."""
    data = scorecard(record, scores, relevance_divisor, changed())
    data["trust"] = trust_text(record, run) if trust else None
    result = _component(key=key, data=data, on_trust_change=lambda: None)
    if result.trust:
        st.switch_page("pages/review.py", query_params={"part": "Trust"} | ({"run": run.id} if run else {}))


def trust_text(record: Record, run: Run | None) -> str | None:
    """How far the labeler can be trusted here: against the run's reviewers, else as measured elsewhere."""
    if record.labeler_labels is None:
        return None
    found = people_of(run.id, run.revision).labeler if run else {}
    for author, kinds in found.items():
        agreed = kinds.get("supported")
        if agreed and agreed.n:
            shown = "undefined" if agreed.kappa is None else f"{agreed.kappa:.2f}"
            return f"Agrees with {author}: κ {shown}{', too few' if agreed.few else ''}"
    labeler = record.labeler_labels.labeler
    return MEASURED.get(labeler, "No person has checked this labeler here" if labeler != "human" else None)


def change_text(before: Scores, now: Scores) -> str:
    """Each metric before and now, with the difference if there is one."""
    parts = []
    for name, metric in METRICS.items():
        a, b = getattr(before, name), getattr(now, name)
        shown = " → ".join("undefined" if value is None else f"{value:.2f}" for value in dict.fromkeys((a, b)))
        difference = f" ({b - a:+.2f})" if None not in (a, b) and a != b else ""
        parts.append(f"{metric.label} **{plain(shown + difference)}**")
    return " · ".join(parts)


def show_means(values: Mapping[str, Values], status: Texts, convention: str, *, key: str) -> None:
    """Draw the means of many records' scores; arguments as in `evidence.means`."""
    _component(key=key, data=means(values, status, convention))
