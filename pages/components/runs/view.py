"""One run: how it was made, its diagnosis, its numbers under the chosen convention, and its records."""

from __future__ import annotations

from collections import Counter
from io import BytesIO, TextIOWrapper

import numpy as np
import streamlit as st

from pages.components.runs.filters import Selection, selection, show_filters, show_match
from pages.components.runs.findings import show_findings
from pages.components.runs.golden import show_golden
from pages.components.runs.new import run_again
from pages.components.runs.overview import show_numbers, show_strip
from pages.components.runs.progress import show_elsewhere, show_left_open, show_progress
from pages.components.runs.records import leave, show_records
from pages.components.shared import services
from pages.components.shared.controls import pick_convention
from pages.components.shared.run_data import agreement_text, finished_runs, has_golden, score_run, show_diagnosis
from pages.components.shared.tables import FIRST, short
from pages.components.shared.text import number_text, plain, time_text
from pages.components.shared.visitors import is_demo
from trace_core.errors import counted
from trace_core.facts.labels import labeler_name
from trace_core.labeling.local.trust import run_trust
from trace_core.runs.analyse.pairing import run_before
from trace_core.runs.files.export import FORMATS, export
from trace_core.runs.files.exported import from_store, only
from trace_core.store.runs import Run
from trace_core.summary.aggregation import mean

USUAL = {"json": "Run as JSON", "html": "Report", "csv": "CSV"}
BALANCE = ("rmse_aggregation", "consistency_score")


def show_export(run: Run, shown: Selection) -> None:
    """The three usual formats, the others in a popover."""
    n, of, ids = int(shown.mask.sum()), len(shown.mask), None
    if n < of:
        choices = [f"The {n:,} records that the filter shows", f"All {of:,} records"]
        which = st.segmented_control("Records", choices, default=choices[0], key="export-which", required=True)
        ids = shown.ids() if which == choices[0] else None
    with st.container(horizontal=True):
        for kind, label in USUAL.items():
            _button(run, kind, label, ids, shown.words)
        with st.popover("Other formats", icon=":material/download:"):
            for kind, form in FORMATS.items():
                if kind not in USUAL:
                    _button(run, kind, form.label, ids, shown.words)
    st.caption("Exports use the run's own convention. The report opens in any browser, also offline.")


def _button(run: Run, kind: str, label: str, ids: list[str] | None, words: str) -> None:
    part = "" if ids is None else f"-{len(ids)}-of-{run.counts['total']}"
    st.download_button(
        label,
        data=lambda: _written(run.id, kind, ids, words),
        icon=":material/download:",
        on_click="ignore",
        file_name=f"trace-{run.id}{part}.{FORMATS[kind].suffix}",
        mime=FORMATS[kind].media_type,
        key=f"export-{kind}",
    )


def _written(run_id: str, kind: str, ids: list[str] | None, words: str) -> BytesIO:
    whole, content = from_store(services.store().runs, run_id), BytesIO()
    out = TextIOWrapper(content, "utf-8", newline="\n", write_through=True)
    export(whole if ids is None else only(whole, ids, words), kind, out)
    out.detach()
    return content


GOLDEN = "Golden questions"
TABS = {
    "Records": show_records,
    "Findings": show_findings,
    GOLDEN: show_golden,
    "Numbers": show_numbers,
    "Export": show_export,
}


def show_run(run_id: str) -> None:
    """Draw the run in the address: two lines about it, one chart, and its records; or one of them beside the others."""
    run = services.store().runs.load_run(run_id)
    with st.container(gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("All runs", icon=":material/arrow_back:", type="tertiary", on_click=leave)
            st.title(plain(run.name), anchor=False, width="stretch")
            filter_place = st.container(width="content")
            convention = pick_convention(compact=True)
        if run.importing or not run.counts["total"] - run.counts["pending"]:
            _made_how(run)
            show_progress(run, empty=True)
            return
        columns, scores = score_run(run, convention)
        shown = selection(run, columns, scores)
        with filter_place:
            show_filters(run, shown)
        if "record" in st.query_params:
            show_records(run, shown)
            return
        show_diagnosis(run, columns, scores, here=True)
        _made_how(run, shown)
        show_progress(run)
        show_left_open(shown)
        show_elsewhere(run)
        show_match(shown)
        if shown.mask.any():
            show_strip(run, shown)
        names = [name for name in TABS if name != GOLDEN or has_golden(run)]
        for name, tab in zip(names, st.tabs(names, key="tab", bind="query-params"), strict=True):
            if tab.open:  # only the open one is drawn
                with tab:
                    TABS[name](run, shown)
    if run.status in ("running", "stopping"):
        _refresh(run.revision)


@st.fragment(run_every=5)
def _refresh(drawn: int) -> None:
    """Draw the page anew as records come in."""
    if services.store().runs.load_run(st.query_params["run"]).revision != drawn:
        st.rerun()


def _made_how(run: Run, shown: Selection | None = None) -> None:
    config = run.config
    model = plain(", ".join(map(str, config.get("model") or [])))
    collection = config.get("collection")
    parts = [
        _means(shown) if shown else "",
        f"Labels: **{plain(labeler_name(config.get('labeler')))}**",
        model,
        plain(agreement_text(run) or run_trust(config)),
        f"collection **{plain(str(collection))}**, top_k {config.get('top_k')}" if collection else "",
        plain(time_text(run.created_at)),
        _usage(run),
        plain(run.note),
    ]
    if (config.get("settings") or {}).get("raw"):
        parts.append("imported with `--raw` scores; these are computed from cleaned labels")
    before = run_before(run, list(finished_runs().values())) if shown else None
    again = shown and run.status == "done" and run.dataset_id and not is_demo()
    left, right = st.columns([7, 2], vertical_alignment="center") if before or again else (st.container(), st)
    left.caption(" · ".join(filter(None, parts)))
    if before:
        label = f"Compare with {plain(before.name)}"
        if right.button(label, icon=":material/compare_arrows:", type="tertiary", key="run-compare"):
            st.switch_page("pages/runs.py", query_params={"show": "Compare", "a": before.id, "b": run.id})
    if again and right.button("Run it again", icon=":material/replay:", type="tertiary", key="run-again"):
        run_again(run)


def _means(shown: Selection) -> str:
    """The mean of each score over the records where it is defined, and how many are not scored."""
    parts = [f"{short(name)} **{number_text(mean(shown.values()[name]), '.2f')}**" for name in (*FIRST, *BALANCE)]
    lost = {name: n for name, n in Counter(shown.scores.status[shown.mask].tolist()).items() if name != "scored"}
    aside = [f"{n:,} {name.replace('_', ' ')}" for name, n in lost.items()]
    return " · ".join([f"{counted(int(shown.mask.sum()), 'record')}", *aside, *parts])


def _usage(run: Run) -> str:
    used = {name: value for name, value in run.usage.items() if value}
    parts = [
        f"{value:,.2f} {name}" if name in ("cost", "estimated_cost") else f"{value:,.0f} {name.replace('_', ' ')}"
        for name, value in used.items()
    ]
    if used and not {"cost", "estimated_cost"} & used.keys():
        parts.append("price unknown")
    seconds = services.store().runs.columns(run.id).facts["seconds"]
    seconds = seconds[~np.isnan(seconds)]
    latency = [f"{seconds.mean():.2f} s a record"] if len(seconds) else []
    return plain(", ".join([*(parts or ["no paid call"]), *latency]))
