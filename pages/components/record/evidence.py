"""The evidence view on a page: which document sentences support which sentence of the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from trace_core.contribution import Contribution
from trace_core.evidence import assets, view
from trace_core.facts.records import Record

_css, _js = assets()
_component = st.components.v2.component("trace_evidence", css=_css, js=_js)


def evidence_view(record: Record, *, key: str) -> str | None:
    """Draw the record's evidence; returns the sentence key that was just pinned, else `None`."""
    return draw(view(record), key=key)


def whole_view(record: Record, contribution: Contribution | None = None) -> dict[str, Any]:
    """The evidence with the labels' JSON below it, and in each document's header what it contributes."""
    data = view(record)
    data["labels"] = record.labels.model_dump(mode="json") if record.labels else None
    data["measurable"] = bool(record.documents and record.response)
    for document, part in zip(data["documents"], contribution.parts if contribution else (), strict=False):
        words = {"redundant": part.redundant, "harmful": part.harmful, "never used": part.never_used}
        label = "failed" if part.label is None else f"{part.label:.2f}"
        document["contribution"] = ", ".join([label, *(word for word, true in words.items() if true)])
    return data


def draw(data: Mapping[str, Any], *, key: str) -> str | None:
    """Draw a view; returns as `evidence_view`. If it contains `correcting`, labels can be corrected; see `drafts`."""
    # The first callback only makes Streamlit know `picked` before the first click.
    result = _component(
        key=key, data=data, on_picked_change=lambda: None, on_draft_change=lambda: _keep(key),
        on_measure_change=lambda: st.session_state.update(measuring=key),
    )  # fmt: skip
    picked: str | None = result.picked
    return picked


def drafts() -> dict[str, list[tuple[str, str, Any]]]:
    """This visitor's unsaved corrections of labels, by the version of the labels they correct."""
    unsaved: dict[str, list[tuple[str, str, Any]]] = st.session_state.setdefault("label-drafts", {})
    return unsaved


def _keep(key: str) -> None:
    draft = st.session_state[key].draft
    changes = [(field, sentence, value) for field, sentence, value in draft["changes"] if field != "reviewed"]
    drafts()[str(draft["version"])] = changes
