"""One run: how it was made, its diagnosis, its numbers under the convention of the page, its records and findings."""

from collections import Counter
from collections.abc import Sequence
from io import BytesIO, TextIOWrapper
from typing import Any

import numpy as np
import streamlit as st

from pages.components.runs.filters import STATUS, Selection, narrow, select_records, show_filters, show_match
from pages.components.runs.new import run_again
from pages.components.runs.overview import show_numbers, show_strip
from pages.components.runs.progress import show_progress
from pages.components.runs.records import leave, show_records
from pages.components.shared import run_data, services
from pages.components.shared.controls import pick_convention
from pages.components.shared.tables import FIRST, PICK, declining_table, pick_table, short
from pages.components.shared.text import mark_differences, mean_text, number_text, plain, show_errors, time_text
from pages.components.shared.visitors import is_demo
from trace_core.diagnosis.faults import FAULTS, Fault
from trace_core.diagnosis.over_run import RunDiagnosis
from trace_core.errors import amount, counted
from trace_core.evidence.reference import reference_view
from trace_core.facts.labels import labeler_name
from trace_core.golden.results import MEASURES, GoldenResult, by_category, group_summary, retrieval_actions
from trace_core.metrics import LABELS, METRICS
from trace_core.retrieval.collections import CORRECT_FROM, INCORRECT_BELOW, retrieval_action
from trace_core.runs.analyse.compare import run_before
from trace_core.runs.analyse.select import WORST, sort_places
from trace_core.runs.files.export import FORMATS, export
from trace_core.runs.files.exported import DOCUMENT_SCORES, from_store, only
from trace_core.store.runs import Run
from trace_core.summary.aggregation import mean
from trace_core.summary.declining import declining
from trace_core.summary.trust import run_trust

USUAL = {"json": "Run as JSON", "html": "Report", "csv": "CSV"}
GOLDEN = "Golden questions"
MEASURE_LABELS = DOCUMENT_SCORES | {name: LABELS[name] for name in METRICS}
EXPENSES = {"cost": "{:,.2f} spent", "estimated_cost": "about {:,.2f} spent", "calls_without_cost": "{:,.0f} unpriced"}
EXAMPLES = 3
"""The records of a fault of which it is said what they lack of their reference answers."""


def show_run(run_id: str) -> None:
    """Draw the run in the address: two lines about it, one chart, and its records; or one of them beside the others."""
    run = services.store().runs.load_run(run_id)
    if not run.owner and not is_demo():  # a visitor's words are for nobody else
        if n := _take_over(run.id, run.revision, services.store().corrections.state()):
            st.toast(f"People made {counted(n, 'correction')} to the same answers in other runs: they apply here, too.")
        run = services.store().runs.load_run(run_id)
    with st.container(gap="xxsmall"):
        with st.container(horizontal=True, vertical_alignment="center", key="run-head"):
            st.button("All runs", icon=":material/arrow_back:", type="tertiary", on_click=leave)
            st.title(plain(run.name), anchor=False, width="stretch")
            about_place, filter_place = st.container(width="content"), st.container(width="content")
            convention = pick_convention(compact=True)
        if run.importing or not run.counts["total"] - run.counts["pending"]:
            st.caption(" · ".join(_facts(run)))
            show_progress(run)
            return
        scores = run_data.score_run(run, convention)
        selection = select_records(run, scores)
        with filter_place:
            show_filters(selection)
        diagnosis, facts = scores.diagnosis(selection.mask), [" · ".join(_means(selection)), *_facts(run)]
        with about_place:
            _show_about(run, diagnosis, facts)
        if "record" in st.query_params:
            show_records(selection)
            return
        show_match(selection)
        _show_head(diagnosis, facts)
        show_progress(run, len(scores.columns.id))
        if selection.mask.any():
            show_strip(selection)
        tabs = {"Records": show_records, "Findings": show_findings, GOLDEN: show_golden, "Numbers": show_numbers}
        tabs |= {"Export": show_export}
        names = [name for name in tabs if name != GOLDEN or run_data.has_golden(run)]
        for name, tab in zip(names, st.tabs(names, key="tab", bind="query-params"), strict=True):
            if tab.open:  # only the open one is drawn
                with tab:
                    tabs[name](selection)
    if run.status in ("running", "stopping"):
        _refresh(run.revision)


@st.cache_data(max_entries=50, show_spinner=False)
def _take_over(run_id: str, revision: int, state: int) -> int:
    return services.store().corrections.take_over(run_id)


@st.fragment(run_every=5)
@show_errors()
def _refresh(revision: int) -> None:
    """Draw the page anew as records come in."""
    if services.store().runs.load_run(st.query_params["run"]).revision != revision:
        st.rerun()


def _show_head(diagnosis: RunDiagnosis, facts: Sequence[str]) -> None:
    """Two lines: the diagnosis with the way to its records, and the facts; what does not fit is in “About”."""
    with st.container(horizontal=True, vertical_alignment="center", key="run-diagnosis"):
        st.markdown(plain(diagnosis.text), width="stretch")
        label, verdict = run_data.commonest_fault(diagnosis)
        if label:
            action: dict[str, Any] = {"on_click": narrow, "kwargs": {"verdict": verdict}}
            st.button(label, icon=":material/filter_alt:", type="tertiary", key="diagnosis", **action)
    with st.container(key="run-facts"):
        st.caption(" · ".join(facts))


def _means(selection: Selection) -> list[str]:
    """How many records there are, how many are not scored, and the means of the others."""
    counts, values = Counter(selection.scores.status[selection.mask].tolist()), selection.values()
    aside = [f"{n:,} {STATUS[status]}" for status, n in counts.items() if status != "scored"]
    names = *FIRST, "rmse_aggregation", "consistency_score"
    means = [f"{short(name)} **{number_text(mean(values[name]), '.2f')}**" for name in names]
    return [counted(int(selection.mask.sum()), "record"), *aside, *means]


def _show_about(run: Run, diagnosis: RunDiagnosis, facts: Sequence[str]) -> None:
    """All that is said of the run, the way to the run before it, and to the same run once more."""
    with st.popover("About", icon=":material/info:", help="About this run"):
        st.markdown(plain(diagnosis.text))
        st.markdown("\n".join(f"- {fact}" for fact in facts))
        if before := run_before(run, list(run_data.finished_runs().values())):
            label, address = f"Compare with {plain(before.name)}", {"show": "Compare", "a": before.id, "b": run.id}
            st.page_link("pages/runs.py", label=label, icon=":material/compare_arrows:", query_params=address)
        repeatable = run.status == "done" and run.dataset_id and not is_demo()
        if repeatable and st.button("Run it again", icon=":material/replay:", type="tertiary", key="run-again"):
            run_again(run)


def _facts(run: Run) -> list[str]:
    """How the run was made."""
    config, collection = run.config, run.config.get("collection")
    raw = (config.get("settings") or {}).get("raw")
    expenses = [
        EXPENSES.get(name, f"{{:,.0f}} {name.replace('_', ' ')}").format(n) for name, n in run.usage.items() if n
    ]
    expenses = expenses or ["no paid call"]
    seconds = services.store().runs.columns(run.id).numbers["seconds"]
    if not np.isnan(seconds).all():
        expenses.append(f"{amount(float(np.nanmean(seconds)))} s a record")
    parts = [
        f"Labels: **{plain(labeler_name(config.get('labeler')))}**",
        plain(run_data.agreement_text(run) or run_trust(config)),
        plain(", ".join(map(str, config.get("model") or []))),
        f"collection **{plain(str(collection))}**, top_k {config.get('top_k')}" if collection else "",
        plain(time_text(run.created_at)),
        plain(", ".join(expenses)),
        plain(run.note),
        "imported with `--raw` scores; these are computed from cleaned labels" if raw else "",
    ]
    return list(filter(None, parts))


def show_findings(selection: Selection) -> None:
    """The faults of the records, the commonest first, and those of golden questions and measurements."""
    run, mask = selection.run, selection.mask
    counts = {name: int((selection.findings[name] & mask).sum()) for name, fault in FAULTS.items() if fault.severity}
    for name in sorted(filter(counts.__getitem__, counts), key=lambda name: -counts[name]):
        _fault(FAULTS[name], counts[name], selection)
    if not any(counts.values()):
        st.info("No finding for these records under this convention.")
    documents, noise = run_data.contributions_of(run).by_record, run_data.noise_of(run).by_record
    checks = {
        "missed documents and unanswerable questions. The data set has no golden questions.": run_data.has_golden(run),
        "what documents contribute. Measure it in “Numbers”, under “More”.": documents,
        "what led an answer astray. Measure it there, where rows have a reference answer.": noise,
    }
    st.caption("  \n".join(f"Not checked: {what}" for what, there in checks.items() if not there))


def _fault(fault: Fault, n: int, selection: Selection) -> None:
    of = int(selection.mask.sum())
    if fault.measured:  # of the records that were measured
        quantities = [selection.measurements[name][selection.mask] for name in fault.quantities]
        of = min(int((~np.isnan(values)).sum()) for values in quantities)
    places, lines = np.flatnonzero(selection.findings[fault.name] & selection.mask), []
    worst = sort_places(selection.scores, places, WORST)[:EXAMPLES]
    for record in services.store().runs.load_records(selection.run.id, selection.columns.id[worst].tolist()):
        reference = reference_view(record)
        if reference and any(differs for _, differs in reference["pieces"]):
            lines.append(f"**{plain(record.question)}** {mark_differences(reference['pieces'])}")
    with st.container(border=True):
        left, right = st.columns([5, 1], vertical_alignment="center")
        title = plain(fault.title[:1].upper() + fault.title[1:])
        first, leads = int((selection.scores.verdicts[selection.mask] == fault.name).sum()), not fault.measured
        share = f"{n:,} of {of:,}" + (f", the verdict on {first:,}" if leads and fault.leads and first < n else "")
        left.markdown(f"**{title}**: {share}. {plain(fault.meaning)} **What helps:** {plain(fault.fix)}")
        action: dict[str, Any] = {"on_click": narrow, "kwargs": {"finding": fault.name}}
        right.button(f"Show {counted(n, 'record')}", key=f"rule-{fault.name}", width="stretch", **action)
        if lines:
            st.caption("  \n".join(["What the answers lack of their reference answers is marked.", *lines]))


def show_golden(selection: Selection) -> None:
    """The tab: by category, refusals, the retrieval's actions, and every question."""
    run, scores, ids = selection.run, selection.scores, set(selection.ids())
    results = [r for r in run_data.golden_results(run, scores.convention) if r.record.id in ids]
    if not results:
        st.info("None of these records has a golden question. “Show all” brings the others back.")
        return
    rows = [
        {"Category": name or "none", "Questions": of["n"], "Failed": of["failed"], "As expected": of["rightly"]}
        | {label: _level(of[measure]) for measure, label in MEASURE_LABELS.items()}
        for name, of in [("All", group_summary(results)), *by_category(results).items()]
    ]
    st.dataframe(rows, hide_index=True, alt="Measures by category")
    st.caption(
        "“As expected”: answered if there is an answer, else refused. Means come with a 95 % interval and "
        "the number of questions; a question that expects no document has no recall."
    )
    declining_table(declining(scores, selection.mask))
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
    pick_table(
        [_row(result, upper, lower) for result in results],
        [result.record.id for result in results],
        "record",
        key=f"golden-{run.id}-{run.revision}-{scores.convention}-{hash(selection.mask.tobytes())}",
        column_config={label: st.column_config.NumberColumn(label, format="%.2f") for label in MEASURE_LABELS.values()},
    )
    st.caption(PICK)


def _level(level: dict[str, Any]) -> str:
    mean = mean_text(level["mean"], level["interval"], level["scored"])
    return mean if level["mean"] is None else f"{mean}, {level['scored']}"


def _row(result: GoldenResult, upper: float, lower: float) -> dict[str, Any]:
    record, golden = result.record, result.golden
    confidence = record.retrieval.confidence if record.retrieval else None
    did, ought = ("refused", "answer") if result.refused else ("answered", "refuse")
    return {
        "Question": record.question,
        "Category": golden.category or "",
        "Outcome": "failed" if record.error else did if result.rightly else f"{did}, should {ought}",
        **{MEASURE_LABELS[name]: result.value(name) for name in MEASURES},
        "Retrieval": retrieval_action(confidence, correct_from=upper, incorrect_below=lower) or "unknown",
        "Score": confidence,
        "Expected": golden.expected_documents,
        "Id": record.id,
    }


def show_export(selection: Selection) -> None:
    """The three usual formats, the others in a popover."""
    n, of, ids = int(selection.mask.sum()), len(selection.mask), None
    if n < of:
        choices = [f"The {n:,} records that the filter shows", f"All {of:,} records"]
        which = st.segmented_control("Records", choices, default=choices[0], key="export-which", required=True)
        ids = selection.ids() if which == choices[0] else None
    with st.container(horizontal=True):
        for kind, label in USUAL.items():
            _download(selection, kind, label, ids)
        with st.popover("Other formats", icon=":material/download:"):
            for kind in (name for name in FORMATS if name not in USUAL):
                _download(selection, kind, FORMATS[kind].label, ids)
    st.caption("Exports use the run's own convention. The report opens in any browser, also offline.")


def _download(selection: Selection, kind: str, label: str, ids: list[str] | None) -> None:
    run_id, part = selection.run.id, "" if ids is None else f"-{len(ids)}-of-{len(selection.mask)}"

    def content() -> BytesIO:
        whole, file = from_store(services.store().runs, run_id), BytesIO()
        out = TextIOWrapper(file, "utf-8", newline="\n", write_through=True)
        export(whole if ids is None else only(whole, ids, selection.words), kind, out)
        out.detach()
        return file

    st.download_button(
        label,
        data=content,
        icon=":material/download:",
        on_click="ignore",
        file_name=f"trace-{run_id}{part}.{FORMATS[kind].suffix}",
        mime=FORMATS[kind].media_type,
        key=f"export-{kind}",
    )
