"""The scores on a page: of one record, with its verdict, or the means of many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import streamlit as st

from pages.components.shared.text import plain
from pages.components.shared.thresholds import changed
from trace_core.evidence import means, scorecard, scorecard_assets
from trace_core.facts.records import Record, Scores
from trace_core.metrics import METRICS

if TYPE_CHECKING:
    from trace_core.metrics.base import Values
    from trace_core.summary.columns import Texts

_css, _js = scorecard_assets()
_component = st.components.v2.component("trace_scorecard", css=_css, js=_js)


def show_scorecard(record: Record, scores: Scores, relevance_divisor: float, *, key: str) -> None:
    """Draw the record's scores, with the verdict under the session's thresholds."""
    _component(key=key, data=scorecard(record, scores, relevance_divisor, changed()))


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
