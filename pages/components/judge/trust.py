"""How far a labeler can be trusted, compared with ground truth, another labeler, or people."""

from __future__ import annotations

import streamlit as st

from pages.components.judge.data import AGAINST_ROWS, pairs_of, peers_of, people_of
from pages.components.judge.view import show_figures, show_peers, show_people, show_sentences, show_worst
from pages.components.shared.controls import run_controls
from pages.components.shared.run_choice import empty, finished_runs, pick
from pages.components.shared.run_data import scored
from pages.components.shared.run_diagnosis import show_diagnosis
from pages.components.shared.text import plain
from trace_core.diagnosis.rescoring import relevance_divisor
from trace_core.errors import InputError
from trace_core.store.runs import Run

NOTHING = (
    "These rows have no ground truth, and nobody has finished reviewing a record: review some, and this page shows how "
    "far labeler and people agree."
)


def show_trust() -> None:
    """A run's labels against ground truth, another labeler's, and people's."""
    runs = finished_runs()
    if not runs:
        empty(
            "There is no run to measure yet. Make one of rows that have labels of their own, as RAGBench's "
            "have: those become the ground truth."
        )
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        run = runs[pick("Labels of", runs, "run")]
        convention = run_controls()
    columns, scores = scored(run, convention)
    show_diagnosis(run, columns, scores, name=run.name)
    if columns.truth is not None:
        _against(run, runs, convention, {AGAINST_ROWS: "the rows' own ground truth"})
        _people(run, "Nobody has finished reviewing a record of this run.")
    else:
        _people(run, NOTHING)
        _against(run, runs, convention, {})


def _against(run: Run, runs: dict[str, Run], convention: str, own: dict[str, str]) -> None:
    """The figures against the truth: the rows' `own`, if they have any, or another run's labels."""
    truths = own | {i: f"the labels of {other.name}" for i, other in runs.items() if i != run.id}
    if not truths:
        return
    truth = st.selectbox(
        "Measured against", list(truths), format_func=lambda i: truths[i], key=f"judge-truth-{len(own)}",
        index=0 if own else None, placeholder="another run, whose labels you trust",
    )  # fmt: skip
    if truth is None:
        return
    records = pairs_of(run.id, run.revision, truth, runs[truth].revision if truth in runs else 0)
    if not any(record.ground_truth for record in records):
        st.info(f"No record of {plain(runs[truth].name)} has the same documents and answer as one of this run, so its "
                "labels cannot be compared.")  # fmt: skip
        return
    divisor = relevance_divisor(run.config)
    try:
        found = show_figures(records, convention, divisor)
    except InputError as error:  # the truth consists only of scores, under another convention
        st.info(plain(str(error)))
        return
    show_sentences(found)
    if truth == AGAINST_ROWS and (columns := peers_of(run, records)):
        show_peers(records, columns)
    show_worst(run, records, convention, divisor)


def _people(run: Run, nobody: str) -> None:
    """Labeler and reviewers; the message `nobody` is shown where there are none."""
    st.subheader("Against people", anchor=False)
    found = people_of(run.id, run.revision)
    if not found.labeler:
        st.info(nobody)
        st.page_link(
            "pages/review.py", label="Review this run", icon=":material/rate_review:", query_params={"run": run.id}
        )
        return
    show_people(found)
