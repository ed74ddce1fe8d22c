"""One run: how it was made, its diagnosis, its numbers under the convention of the page, and its records."""

from collections import Counter
from io import BytesIO, TextIOWrapper

import numpy as np
import streamlit as st

from pages.components.runs.filters import Selection, select_records, show_filters, show_match
from pages.components.runs.findings import show_findings
from pages.components.runs.golden import show_golden
from pages.components.runs.new import run_again
from pages.components.runs.overview import show_numbers, show_strip
from pages.components.runs.progress import show_progress
from pages.components.runs.records import leave, show_records
from pages.components.shared import services
from pages.components.shared.controls import pick_convention
from pages.components.shared.run_data import agreement_text, finished_runs, has_golden, score_run, show_diagnosis
from pages.components.shared.tables import FIRST, short
from pages.components.shared.text import number_text, plain, time_text
from pages.components.shared.visitors import is_demo
from trace_core.errors import counted
from trace_core.facts.labels import labeler_name
from trace_core.runs.analyse.pairing import run_before
from trace_core.runs.files.export import FORMATS, export
from trace_core.runs.files.exported import from_store, only
from trace_core.store.runs import Run
from trace_core.summary.aggregation import mean
from trace_core.summary.trust import run_trust

USUAL = {"json": "Run as JSON", "html": "Report", "csv": "CSV"}
GOLDEN = "Golden questions"


def show_run(run_id: str) -> None:
    """Draw the run in the address: two lines about it, one chart, and its records; or one of them beside the others."""
    run = services.store().runs.load_run(run_id)
    if not run.owner and not is_demo():  # a visitor's words are for nobody else
        if n := _take_over(run.id, run.revision, services.store().corrections.count()):
            st.toast(f"People made {counted(n, 'correction')} of the same answers in other runs: they hold here, too.")
        run = services.store().runs.load_run(run_id)
    with st.container(gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("All runs", icon=":material/arrow_back:", type="tertiary", on_click=leave)
            st.title(plain(run.name), anchor=False, width="stretch")
            filter_place = st.container(width="content")
            convention = pick_convention(compact=True)
        if run.importing or not run.counts["total"] - run.counts["pending"]:
            st.caption(_line(run))
            show_progress(run, empty=True)
            return
        scores = score_run(run, convention)
        selection = select_records(run, scores)
        with filter_place:
            show_filters(selection)
        if "record" in st.query_params:
            show_records(selection)
            return
        show_diagnosis(run, scores, here=True)
        _show_head(selection)
        show_progress(run)
        show_match(selection)
        if selection.mask.any():
            show_strip(selection)
        tabs = {"Records": show_records, "Findings": show_findings, GOLDEN: show_golden, "Numbers": show_numbers}
        tabs |= {"Export": show_export}
        names = [name for name in tabs if name != GOLDEN or has_golden(run)]
        for name, tab in zip(names, st.tabs(names, key="tab", bind="query-params"), strict=True):
            if tab.open:  # only the open one is drawn
                with tab:
                    tabs[name](selection)
    if run.status in ("running", "stopping"):
        _refresh(run.revision)


@st.cache_data(max_entries=50, show_spinner=False)
def _take_over(run_id: str, revision: int, corrections: int) -> int:
    return services.store().corrections.take_over(run_id)


@st.fragment(run_every=5)
def _refresh(revision: int) -> None:
    """Draw the page anew as records come in."""
    if services.store().runs.load_run(st.query_params["run"]).revision != revision:
        st.rerun()


def _show_head(selection: Selection) -> None:
    """The means and how the run was made, beside the way to the run before it, and to the same run once more."""
    run = selection.run
    before = run_before(run, list(finished_runs().values()))
    repeatable = run.status == "done" and run.dataset_id and not is_demo()
    left, right = st.columns([7, 2], vertical_alignment="center") if before or repeatable else (st, st)
    left.caption(f"{_means(selection)} · {_line(run)}")
    if before:
        label = f"Compare with {plain(before.name)}"
        if right.button(label, icon=":material/compare_arrows:", type="tertiary", key="run-compare"):
            st.switch_page("pages/runs.py", query_params={"show": "Compare", "a": before.id, "b": run.id})
    if repeatable and right.button("Run it again", icon=":material/replay:", type="tertiary", key="run-again"):
        run_again(run)


def _line(run: Run) -> str:
    config, collection = run.config, run.config.get("collection")
    raw = (config.get("settings") or {}).get("raw")
    parts = [
        f"Labels: **{plain(labeler_name(config.get('labeler')))}**",
        plain(", ".join(map(str, config.get("model") or []))),
        plain(agreement_text(run) or run_trust(config)),
        f"collection **{plain(str(collection))}**, top_k {config.get('top_k')}" if collection else "",
        plain(time_text(run.created_at)),
        _usage(run),
        plain(run.note),
        "imported with `--raw` scores; these are computed from cleaned labels" if raw else "",
    ]
    return " · ".join(filter(None, parts))


def _means(selection: Selection) -> str:
    """The mean of each score over the records where it is defined, and how many are not scored."""
    counts = Counter(selection.scores.status[selection.mask].tolist())
    aside = [f"{n:,} {status.replace('_', ' ')}" for status, n in counts.items() if status != "scored"]
    values = selection.values()
    means = [
        f"{short(name)} **{number_text(mean(values[name]), '.2f')}**"
        for name in (*FIRST, "rmse_aggregation", "consistency_score")
    ]
    return " · ".join([counted(int(selection.mask.sum()), "record"), *aside, *means])


def _usage(run: Run) -> str:
    usage = {name: value for name, value in run.usage.items() if value}
    prices = {"cost", "estimated_cost"}
    parts = [
        f"{value:,.2f} {name}" if name in prices else f"{value:,.0f} {name.replace('_', ' ')}"
        for name, value in usage.items()
    ]
    if usage and not prices & usage.keys():
        parts.append("price unknown")
    seconds = services.store().runs.columns(run.id).numbers["seconds"]
    latency = [f"{np.nanmean(seconds):.2f} s a record"] if not np.isnan(seconds).all() else []
    return plain(", ".join([*(parts or ["no paid call"]), *latency]))


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
