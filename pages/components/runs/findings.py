"""How often each fault occurs, with its meaning, its next step, and its records."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import streamlit as st

from pages.components.runs.filters import Selection, narrow
from pages.components.shared import services
from pages.components.shared.run_data import contributions_of, has_golden, noise_of
from pages.components.shared.text import mark_differences, plain
from trace_core.diagnosis.faults import FAULTS, Fault
from trace_core.errors import counted
from trace_core.evidence.reference import reference_view
from trace_core.runs.analyse.select import WORST, sort_places

EXAMPLES = 3
"""The records of a fault of which it is said what they lack of their reference answers."""


def show_findings(selection: Selection) -> None:
    """The faults of the records, the commonest first, and those of golden questions and measurements."""
    run, mask = selection.run, selection.mask
    counts = {name: int((selection.findings[name] & mask).sum()) for name, fault in FAULTS.items() if fault.severity}
    for name in sorted(filter(counts.__getitem__, counts), key=lambda name: -counts[name]):
        _fault(FAULTS[name], counts[name], selection)
    if not any(counts.values()):
        st.info("No finding for these records under this convention.")
    checks = {
        "missed documents and unanswerable questions. The data set has no golden questions.": has_golden(run),
        "what documents contribute. Measure it in “Numbers”, under “More”.": contributions_of(run),
        "what led an answer astray. Measure it there, where rows have a reference answer.": noise_of(run),
    }
    st.caption("  \n".join(f"Not checked: {what}" for what, there in checks.items() if not there))


def _fault(fault: Fault, n: int, selection: Selection) -> None:
    of = int(selection.mask.sum())
    if fault.measured:  # of the records that were measured
        quantities = [selection.measurements[c.quantity][selection.mask] for c in fault.conditions]
        of = min(int((~np.isnan(values)).sum()) for values in quantities)
    with st.container(border=True):
        left, right = st.columns([5, 1], vertical_alignment="center")
        title = plain(fault.title[:1].upper() + fault.title[1:])
        left.markdown(f"**{title}**: {n:,} of {of:,}. {plain(fault.meaning)} **What helps:** {plain(fault.fix)}")
        action: dict[str, Any] = {"on_click": narrow, "kwargs": {"finding": fault.name}}
        right.button(f"Show {counted(n, 'record')}", key=f"rule-{fault.name}", width="stretch", **action)
        if lines := list(_missing(selection, fault.name)):
            st.caption("  \n".join(["What the answers lack of their reference answers is marked.", *lines]))


def _missing(selection: Selection, name: str) -> Iterator[str]:
    """The reference answers of the worst records with that fault; what the answers lack of them is marked."""
    columns, places = selection.columns, np.flatnonzero(selection.findings[name] & selection.mask)
    worst = sort_places(selection.scores, places, WORST)[:EXAMPLES]
    for record in services.store().runs.load_records(selection.run.id, columns.id[worst].tolist()):
        reference = reference_view(record)
        if reference and any(differs for _, differs in reference["pieces"]):
            yield f"**{plain(record.question)}** {mark_differences(reference['pieces'])}"
