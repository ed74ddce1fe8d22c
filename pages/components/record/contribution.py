"""Further questions about a record: what does each document contribute, does the labeler notice a fault?"""

from collections.abc import Sequence

import streamlit as st

from pages.components.record.saving import log
from pages.components.shared import language_model, visitors
from pages.components.shared.text import plain, show_errors
from trace_core import answering, labeling
from trace_core.contribution import DOWNSTREAM, contribute, contribution_cost
from trace_core.errors import TraceError, counted
from trace_core.evidence.breaking import KINDS, Break, breaks
from trace_core.evidence.view import RESPONSE_LOOKS
from trace_core.facts.labels import Status, labeler_name
from trace_core.facts.records import Record
from trace_core.labeling import LABELERS, Labeler
from trace_core.pipeline import evaluate
from trace_core.store.measurements import basis
from trace_core.store.runs import Run


@st.dialog("Document contribution", on_dismiss="rerun")
def measure_contribution(record: Record, *, key: str, run: Run | None) -> None:
    """The measurement, started by a click after its cost is shown; results stand in the documents' headers. They are
    kept in the session for these texts, whatever the record's id. That of a record of no run is logged."""
    answerer = str(st.session_state.get("answerer", "extractive"))
    own = record.response is not None and record.response.generator == answerer
    who = "The same answerer" if own else f"An answerer that did not write this answer ({plain(answerer)})"
    st.caption(
        f"{who} sees each document on its own (eRAG). A document's contribution is how close that answer "
        "comes to the reference answer, or to the full answer where there is no reference."
    )
    reference = st.text_input("Reference answer (optional)", key=f"{key}-reference") or None
    labels = {name: one.label for name, one in DOWNSTREAM.items()}
    measure = st.selectbox("Measure", list(labels), format_func=labels.__getitem__, key=f"{key}-measure")
    label = f"Measure: {cost_text([record], answerer)}"
    if not st.button(label, icon=":material/play_arrow:", key=f"{key}-go"):
        return
    if not visitors.may_begin([reference or "", *(document.text for document in record.documents)]):
        return
    bar, total = st.progress(0.0, "Asking …"), len(record.documents)
    with show_errors():
        contribution = contribute(
            record,
            language_model.answerer_of(answerer),
            reference=reference,
            measure=measure,
            on_document=lambda n: bar.progress(n / total, f"{n} of {total} documents"),
        )
        st.session_state.setdefault("contributions", {})[basis(record)] = contribution
        if run is None:
            log(record, contribution.labels)
        st.rerun()


def cost_text(records: Sequence[Record], answerer: str) -> str:
    """The cost of measuring these records, in words."""
    price = contribution_cost(records)
    tokens = f"about {price.prompt_tokens:,} tokens of prompts" if answering.uses_llm(answerer) else "no paid call"
    return f"{counted(price.calls, f'{labeler_name(answerer)} answer')}, {tokens}"


YES = "✓ yes"


@st.fragment
def show_tests(record: Record, *, key: str) -> None:
    """Break the answer and see what the labeler says; the record and its labels stay as they are."""
    faults = breaks(record)
    if not faults:
        st.markdown("Nothing to break: no sentence of the answer is fully supported.")
        return
    st.markdown(
        "Does the labeler notice a fault? A number, name or “not” is changed in a supported sentence, or the "
        "sentences that it rests on are taken out. This record stays as it is."
    )
    name = str(st.session_state.labeler)
    calls = f": {len(faults)} calls of {LABELERS[name].label}" if labeling.uses_llm(name) else ""
    if not st.button(f"Break it in {len(faults)} ways{calls}", icon=":material/bolt:", key=f"{key}-broken"):
        return
    if not visitors.may_begin([record.question, *(text for one in faults for text in (*one.documents, one.response))]):
        return
    with show_errors():
        with st.spinner("Labeling …"):
            rows = [_row(record.question, fault, language_model.labeler_of(name)) for fault in faults]
        n = sum(row["Noticed"] == YES for row in rows)
        st.markdown(f"**{LABELERS[name].label}** noticed **{n} of {len(rows)}**.")
        st.table(rows, hide_index=True, alt="Faults put into the answer")


def _row(question: str, fault: Break, labeler: Labeler) -> dict[str, str]:
    record = evaluate(question, fault.documents, fault.response, labeler=labeler)
    if record.error:
        raise TraceError(record.error.message, record.error.hint)
    assert record.labels is not None  # noqa: S101  # there is no error
    entries = record.labels.sentence_support_information or []
    support = next((entry for entry in entries if entry.response_sentence_key == fault.key), None)
    status = str(record.labels.statuses([fault.key])[fault.key])
    if support is not None and support.contradicted:
        status = "contradicted"
    return {
        "Fault": KINDS[fault.kind],
        "Sentence": plain(fault.after),
        "Noticed": "✗ no" if status == Status.FULLY else YES,
        "Now": RESPONSE_LOOKS[status].word,
        "Why": plain((support and support.explanation) or ""),
    }
