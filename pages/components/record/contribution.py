"""What each retrieved document contributes: what would the answer be from that document alone?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.components.record.saving import log
from pages.components.shared import language_model, visitors
from pages.components.shared.measurements import contributions_of
from pages.components.shared.text import plain, show_error
from trace_core.answering import ANSWERERS, Answerer, uses_llm
from trace_core.contribution import DOWNSTREAM, Contribution, Part, contribute, cost
from trace_core.errors import TraceError
from trace_core.facts.records import Record
from trace_core.store.runs import Run

RANKING = {"map": "MAP", "mrr": "MRR", "ndcg": "nDCG"}
"""The usual spelling of the ranking measures; others are upper case."""


def measured(record: Record, *, key: str, run: Run | None = None) -> Contribution | None:
    """What was measured of the record in this session or, for a record of a run, with the run."""
    found = _session().get(key)
    if found is None and run and (stored := contributions_of(run)):
        return stored.found.get(record.id)
    return found


def _session() -> dict[str, Contribution]:
    """By key, not by record: two runs may each have a record with that id."""
    found: dict[str, Contribution] = st.session_state.setdefault("contributions", {})
    return found


@st.dialog("Document contribution", width="large", on_dismiss="rerun")
def measure_contribution(record: Record, *, key: str, run: Run | None = None) -> None:
    """The measurement, started by a click after its cost is shown. That of a record of no run is logged as a query."""
    st.caption(
        "The same answerer sees each document on its own (eRAG). A document's contribution is how close that answer "
        "comes to the reference answer, or to the full answer where there is no reference."
    )
    if made := _measure(record, key):
        _session()[key] = made
        if run is None:
            log(record, made.labels)
    if found := measured(record, key=key, run=run):
        _show(found, key)


def _measure(record: Record, key: str) -> Contribution | None:
    """The measurement, if it was just started."""
    left, right = st.columns([2, 1], vertical_alignment="bottom")
    reference = left.text_input("Reference answer (optional)", key=f"{key}-reference")
    measure = right.selectbox(
        "Measure", list(DOWNSTREAM), format_func=lambda name: DOWNSTREAM[name].label, key=f"{key}-measure"
    )
    answerer = str(st.session_state.get("answerer", "extractive"))
    told = cost_text([record], answerer)
    if not st.button(f"Measure: {told}", icon=":material/play_arrow:", key=f"{key}-contribute"):
        return None
    if not visitors.may_begin([reference or "", *(document.text for document in record.documents)]):
        return None
    bar = st.progress(0.0, "Asking …")
    total = len(record.documents)
    try:
        return contribute(
            record, answerer_named(answerer), reference=reference or None, measure=measure,
            on_document=lambda done: bar.progress(done / total, f"{done} of {total} documents"),
        )  # fmt: skip
    except TraceError as error:
        show_error(error)
        return None
    finally:
        bar.empty()


def cost_text(records: Sequence[Record], answerer: str) -> str:
    """The cost of measuring these records, in words."""
    price = cost(records)
    calls = f"{price.calls:,} answers by {answerer}"
    paid = f", about {price.prompt_tokens:,} tokens of prompts"
    return calls + (paid if uses_llm(answerer) else ", no paid call")


def answerer_named(name: str) -> Answerer:
    """The answerer of that name for this visitor. Raises `SettingsError`, also for GPT without a key."""
    return language_model.answerer_of(name if name in ANSWERERS else "extractive")


def _show(found: Contribution, key: str) -> None:
    for note in found.notes:
        st.caption(plain(note))
    label = DOWNSTREAM[found.measure].label
    rows = [_row(part, label) for part in found.parts]
    st.dataframe(rows, hide_index=True, key=f"{key}-parts")
    if found.measures:
        shown = [f"{RANKING.get(name, name.upper())} **{value:.2f}**" for name, value in found.measures.items()]
        st.markdown("Ranking measured by these labels: " + " · ".join(shown))


def _row(part: Part, label: str) -> dict[str, Any]:
    words = {"redundant": part.redundant, "harmful": part.harmful, "never used": part.never_used}
    return {
        "Rank": part.rank,
        "Document": part.title or part.id,
        label: part.label,
        "Relevant": part.relevant,
        "Utilized": part.utilized,
        "Noted": ", ".join(word for word, true in words.items() if true),
        "Answer from it alone": part.error or part.answer,
    }
