"""A run over golden questions: were the right documents found, and unanswerable questions refused?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.components.runs.filters import Filtered
from pages.components.runs.noise import show_noise
from pages.components.shared.picking import record_table
from pages.components.shared.run_data import golden_results
from pages.components.shared.text import mean_text, plain
from trace_core.golden import GoldenResult, by_category, described, retrieval_actions
from trace_core.golden.results import MEASURES
from trace_core.metrics import METRICS
from trace_core.retrieval import retrieval_action
from trace_core.retrieval.confidence import CORRECT_FROM, INCORRECT_BELOW
from trace_core.runs.files.exported import DOCUMENT_SCORES
from trace_core.store.runs import Run

LABELS = DOCUMENT_SCORES | {name: metric.label for name, metric in METRICS.items()}


def show_golden(run: Run, shown: Filtered) -> None:
    """The tab: by category, the retrieval's actions, refusals, and every question."""
    wanted = set(shown.ids())
    results = [r for r in golden_results(run, shown.scores.convention) if r.record.id in wanted]
    if not results:
        st.info("None of these records has a golden question. “Show all” brings the others back.")
        return
    _categories(results)
    results = _of_category(results)
    _refusals(results)
    thresholds = _actions(results)
    _questions(results, thresholds, f"golden-{run.id}-{run.revision}-{shown.scores.convention}")
    show_noise(run, results)


def _categories(results: Sequence[GoldenResult]) -> None:
    levels = [("All", described(results)), *by_category(results).items()]
    rows = [
        {"Category": plain(name) or "none", "Questions": d["n"], "Failed": d["failed"], "Right": d["rightly"]}
        | {label: _level(d[measure]) for measure, label in LABELS.items()}
        for name, d in levels
    ]
    with st.container(key="golden-categories"):
        st.table(rows, hide_index=True)
    st.caption(
        "“Right”: answered where there is an answer, refused where there is none. Means come with a 95 % interval and "
        "the number of questions; a question that expects no document has no recall."
    )


def _of_category(results: Sequence[GoldenResult]) -> Sequence[GoldenResult]:
    """The results of the chosen category, where there are several."""
    names = list(by_category(results))
    if len(names) < 2:
        return results
    chosen = st.pills("Category", names, format_func=lambda name: plain(name) or "none", key="golden-category")
    return results if chosen is None else [r for r in results if (r.golden.category or "") == chosen]


def _level(found: dict[str, Any]) -> str:
    told = mean_text(found["mean"], found["interval"], found["scored"])
    return told if found["mean"] is None else f"{told}, {found['scored']}"


def _refusals(results: Sequence[GoldenResult]) -> None:
    done = [result for result in results if result.record.error is None]
    without = [result for result in done if not result.answerable]
    answerable = [result for result in done if result.answerable]
    st.markdown(
        f"Questions without an answer: **{sum(r.refused for r in without)} of {len(without)}** were refused, which is "
        f"right. Questions with an answer: **{sum(r.refused for r in answerable)} of {len(answerable)}** were refused."
    )


def _actions(results: Sequence[GoldenResult]) -> tuple[float, float]:
    """The retrieval action by the best retrieval score, with thresholds that can be changed here."""
    left, right = st.columns(2)
    upper = left.number_input(
        "Retrieval is correct from", 0.0, 1.0, CORRECT_FROM, 0.01, key="golden-correct", help=f"Default {CORRECT_FROM}"
    )
    lower = right.number_input(
        "and incorrect below", 0.0, 1.0, INCORRECT_BELOW, 0.01, key="golden-low", help=f"Default {INCORRECT_BELOW}"
    )
    if lower > upper:
        st.warning("“Incorrect below” is above “correct from”, so nothing counts as ambiguous.")
    counted = retrieval_actions(results, correct_from=upper, incorrect_below=lower)
    rows = [
        {"Retrieval": name, "Questions": c["n"], "An expected document was found": c["found"]}
        for name, c in counted.items()
        if c["n"] or name != "unknown"
    ]
    with st.container(key="golden-actions"):
        st.table(rows, hide_index=True)
    st.caption("By the best document's retrieval score; “unknown” where the documents came with the rows.")
    return upper, lower


def _questions(results: Sequence[GoldenResult], thresholds: tuple[float, float], key: str) -> None:
    ids = [result.record.id for result in results]
    score = st.column_config.NumberColumn
    record_table(
        [_row(result, *thresholds) for result in results], ids, key=f"{key}-{hash(tuple(ids))}",
        config={label: score(label, format="%.2f") for label in LABELS.values()},
    )  # fmt: skip


def _row(result: GoldenResult, upper: float, lower: float) -> dict[str, Any]:
    record, golden = result.record, result.golden
    confidence = record.retrieval.confidence if record.retrieval else None
    verdict = "failed" if record.error else ("refused" if result.refused else "answered")
    return {
        "Question": golden.question,
        "Category": golden.category or "",
        "Outcome": verdict + ("" if record.error else ", rightly" if result.rightly else ", wrongly"),
        **{LABELS[name]: result.value(name) for name in MEASURES},
        "Retrieval": retrieval_action(confidence, correct_from=upper, incorrect_below=lower) or "unknown",
        "Score": confidence,
        "Expected": golden.expected_documents,
        "Id": record.id,
    }
