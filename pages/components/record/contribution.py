"""What each retrieved document contributes: what would the answer be from that document alone?"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.components.record.saving import log
from pages.components.shared import language_model, visitors
from pages.components.shared.measurements import contributions_of
from pages.components.shared.text import show_error
from trace_core.answering import uses_llm
from trace_core.contribution import DOWNSTREAM, Contribution, contribute, contribution_cost
from trace_core.errors import TraceError
from trace_core.facts.records import Record
from trace_core.store.runs import Run


def measured(record: Record, *, key: str, run: Run | None = None) -> Contribution | None:
    """What was measured of the record in this session or, for a record of a run, with the run."""
    found = _session().get(key)
    if found is None and run and (stored := contributions_of(run)):
        return stored.by_record.get(record.id)
    return found


def _session() -> dict[str, Contribution]:
    """By key, not by record: two runs may each have a record with that id."""
    found: dict[str, Contribution] = st.session_state.setdefault("contributions", {})
    return found


@st.dialog("Document contribution", on_dismiss="rerun")
def measure_contribution(record: Record, *, key: str, run: Run | None = None) -> None:
    """The measurement, started by a click after its cost is shown; results stand in the documents' headers.

    That of a record of no run is logged as a query.
    """
    st.caption(
        "The same answerer sees each document on its own (eRAG). A document's contribution is how close that answer "
        "comes to the reference answer, or to the full answer where there is no reference."
    )
    reference = st.text_input("Reference answer (optional)", key=f"{key}-reference") or None
    measure = st.selectbox(
        "Measure", list(DOWNSTREAM), format_func=lambda name: DOWNSTREAM[name].label, key=f"{key}-measure"
    )
    answerer = str(st.session_state.get("answerer", "extractive"))
    pressed = st.button(f"Measure: {cost_text([record], answerer)}", icon=":material/play_arrow:", key=f"{key}-go")
    if not pressed or not visitors.may_begin([reference or "", *(document.text for document in record.documents)]):
        return
    bar, total = st.progress(0.0, "Asking …"), len(record.documents)
    try:
        made = contribute(
            record, language_model.answerer_of(answerer), reference=reference, measure=measure,
            on_document=lambda done: bar.progress(done / total, f"{done} of {total} documents"),
        )  # fmt: skip
    except TraceError as error:
        show_error(error)
        return
    _session()[key] = made
    if run is None:
        log(record, made.labels)
    st.rerun()


def cost_text(records: Sequence[Record], answerer: str) -> str:
    """The cost of measuring these records, in words."""
    price = contribution_cost(records)
    calls = f"{price.calls:,} answers by {answerer}"
    paid = f", about {price.prompt_tokens:,} tokens of prompts"
    return calls + (paid if uses_llm(answerer) else ", no paid call")
