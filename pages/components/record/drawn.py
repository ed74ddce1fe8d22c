"""What is drawn of a record: its evidence; its scores with the verdict, or the means of many."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.components.shared.run_data import agreement_text
from pages.components.shared.text import number_text, plain
from trace_core.contribution import Contribution
from trace_core.datasets.rows import RECORDED
from trace_core.evidence import assets, means, scorecard, view
from trace_core.facts.records import Record, Scores
from trace_core.metrics import METRICS
from trace_core.metrics.base import Values
from trace_core.store.runs import Run
from trace_core.summary.columns import Texts
from trace_core.summary.trust import trust_words

_evidence_css, _evidence_js = assets()
_evidence = st.components.v2.component("trace_evidence", css=_evidence_css, js=_evidence_js)


def whole_view(record: Record, contribution: Contribution | None) -> dict[str, Any]:
    """The evidence with the labels' JSON below it, and in each document's header what it contributes."""
    data = view(record)
    labels = record.labels.model_dump(mode="json") if record.labels else None
    data["labels"] = labels and {name: value for name, value in labels.items() if value is not None}
    data["measurable"] = bool(record.documents and record.response)
    for document, part in zip(data["documents"], contribution.parts if contribution else (), strict=False):
        words = {"redundant": part.redundant, "harmful": part.harmful, "never used": part.never_used}
        label = "failed" if part.label is None else f"{part.label:.2f}"
        document["contribution"] = ", ".join([label, *(word for word, true in words.items() if true)])
    return data


def draw(data: Mapping[str, Any], *, key: str) -> str | None:
    """Draw a view; returns the sentence key that was just pinned, else `None`. If it contains `correcting`, labels can
    be corrected; see `drafts`."""
    # In a list, since Streamlit would import pandas to look for data frames in a dictionary. The first callback only
    # makes Streamlit know `picked` before the first click.
    result = _evidence(
        key=key,
        data=[data],
        on_picked_change=lambda: None,
        on_draft_change=lambda: _keep(key),
        on_measure_change=lambda: st.session_state.update(measuring=key),
    )
    sentence: str | None = result.picked
    return sentence


def drafts() -> dict[str, list[tuple[str, str, Any]]]:
    """This visitor's unsaved corrections of labels, by the version of the labels they correct."""
    by_version: dict[str, list[tuple[str, str, Any]]] = st.session_state.setdefault("label-drafts", {})
    return by_version


def _keep(key: str) -> None:
    draft = st.session_state[key].draft
    changes = [(field, sentence, value) for field, sentence, value in draft["changes"] if field != "reviewed"]
    drafts()[str(draft["version"])] = changes


_scores_css, _scores_js = assets("scorecard")
_scores = st.components.v2.component("trace_scorecard", css=_scores_css, js=_scores_js)


def show_scorecard(record: Record, divisor: float, *, key: str, run: Run | None = None, trust: bool = True) -> None:
    """Draw the record's verdict and scores in a row, and how far its labeler is trusted."""
    data = scorecard(record, divisor) | {"part": "row"}
    data["trust"] = trust_text(record, run) if trust else None
    result = _scores(key=key, data=[data], on_trust_change=lambda: None)
    if result.trust:
        st.switch_page("pages/review.py", query_params={"part": "Trust"} | ({"run": run.id} if run else {}))


def show_formulas(record: Record, divisor: float, *, key: str) -> None:
    """How the record's scores are computed."""
    _scores(key=key, data=[scorecard(record, divisor) | {"part": "behind", "trust": None}])


def trust_text(record: Record, run: Run | None) -> str | None:
    """How far the record's labeler can be trusted; `None` where a person or a file labeled it."""
    own = record.labeler_labels
    if own is None or own.labeler in ("human", RECORDED):
        return None
    return agreement_text(run) or trust_words([own.labeler_version])


def change_text(before: Scores, now: Scores) -> str:
    """Each metric before and now, with the difference if there is one."""
    parts = []
    for name, metric in METRICS.items():
        a, b = getattr(before, name), getattr(now, name)
        values = " → ".join(number_text(value, ".2f") for value in dict.fromkeys((a, b)))
        difference = f" ({b - a:+.2f})" if None not in (a, b) and a != b else ""
        parts.append(f"{metric.label} **{plain(values + difference)}**")
    return " · ".join(parts)


def show_means(values: Mapping[str, Values], status: Texts, convention: str, *, key: str) -> None:
    """Draw the means of many records' scores; arguments as in `evidence.means`."""
    _scores(key=key, data=[means(values, status, convention)])
