"""A run over golden questions: the right documents found, unanswerable questions refused, answers as the references?"""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.components.runs.filters import Selection
from pages.components.shared.run_data import golden_results
from pages.components.shared.tables import PICK, declining_table, pick_table
from pages.components.shared.text import mean_text
from trace_core.golden.results import MEASURES, GoldenResult, by_category, described, retrieval_actions
from trace_core.metrics import METRICS
from trace_core.retrieval.collections import CORRECT_FROM, INCORRECT_BELOW, retrieval_action
from trace_core.runs.files.exported import DOCUMENT_SCORES
from trace_core.summary.declining import declining

LABELS = DOCUMENT_SCORES | {name: metric.label for name, metric in METRICS.items()}


def show_golden(selection: Selection) -> None:
    """The tab: by category, refusals, the retrieval's actions, and every question."""
    run, scores, ids = selection.run, selection.scores, set(selection.ids())
    results = [r for r in golden_results(run, scores.convention) if r.record.id in ids]
    if not results:
        st.info("None of these records has a golden question. “Show all” brings the others back.")
        return
    rows = [
        {"Category": name or "none", "Questions": of["n"], "Failed": of["failed"], "As expected": of["rightly"]}
        | {label: _level(of[measure]) for measure, label in LABELS.items()}
        for name, of in [("All", described(results)), *by_category(results).items()]
    ]
    st.dataframe(rows, hide_index=True, alt="Measures by category")
    st.caption(
        "“As expected”: answered where there is an answer, refused where not. Means come with a 95 % interval and "
        "the number of questions; a question that expects no document has no recall."
    )
    declining_table(declining(scores, selection.mask))
    upper, lower = _actions(results)
    pick_table(
        [_row(result, upper, lower) for result in results],
        [result.record.id for result in results],
        "record",
        key=f"golden-{run.id}-{run.revision}-{scores.convention}-{hash(selection.mask.tobytes())}",
        column_config={label: st.column_config.NumberColumn(label, format="%.2f") for label in LABELS.values()},
    )
    st.caption(PICK)


def _level(level: dict[str, Any]) -> str:
    mean = mean_text(level["mean"], level["interval"], level["scored"])
    return mean if level["mean"] is None else f"{mean}, {level['scored']}"


def _actions(results: Sequence[GoldenResult]) -> tuple[float, float]:
    left, right = st.columns(2)
    upper = left.number_input("Retrieval is correct from", 0.0, 1.0, CORRECT_FROM, 0.01, key="golden-correct")
    lower = right.number_input("and incorrect below", 0.0, 1.0, INCORRECT_BELOW, 0.01, key="golden-low")
    rows = [
        {"Retrieval": name, "Questions": c["n"], "An expected document was found": c["found"]}
        for name, c in retrieval_actions(results, correct_from=upper, incorrect_below=lower).items()
        if c["n"] or name != "unknown"
    ]
    st.table(rows, hide_index=True, alt="Retrieval actions")
    st.caption(
        "By the best document's retrieval score; “unknown” where the documents came with the rows. By default correct "
        f"from {CORRECT_FROM}, incorrect below {INCORRECT_BELOW}."
    )
    return upper, lower


def _row(result: GoldenResult, upper: float, lower: float) -> dict[str, Any]:
    record, golden = result.record, result.golden
    confidence = record.retrieval.confidence if record.retrieval else None
    did, ought = ("refused", "answer") if result.refused else ("answered", "refuse")
    return {
        "Question": record.question,
        "Category": golden.category or "",
        "Outcome": "failed" if record.error else did if result.rightly else f"{did}, should {ought}",
        **{LABELS[name]: result.value(name) for name in MEASURES},
        "Retrieval": retrieval_action(confidence, correct_from=upper, incorrect_below=lower) or "unknown",
        "Score": confidence,
        "Expected": golden.expected_documents,
        "Id": record.id,
    }
