"""One run: how it was made, its diagnosis, its numbers under the chosen convention, and its records."""

from __future__ import annotations

from collections import Counter
from io import StringIO

import numpy as np
import streamlit as st

from pages.components.record.drawn import show_means
from pages.components.runs.filters import Selection, selection, show_filters
from pages.components.runs.findings import show_findings
from pages.components.runs.golden import show_golden
from pages.components.runs.overview import show_overview
from pages.components.runs.progress import show_left_open, show_progress
from pages.components.runs.records import leave, show_record, show_records
from pages.components.shared import services
from pages.components.shared.controls import run_controls
from pages.components.shared.run_data import finished_runs, has_golden, scored, show_diagnosis, shown_name
from pages.components.shared.text import plain, show_error, time_text
from trace_core.errors import TraceError, counted
from trace_core.runs.analyse.pairing import run_before
from trace_core.runs.files.export import FORMATS, export
from trace_core.runs.files.exported import from_store, only
from trace_core.store.runs import Run
from trace_core.summary.columns import STATUSES

FIRST = {"json": "Run as JSON", "html": "Report", "csv": "CSV"}


def show_export(run: Run, shown: Selection) -> None:
    """The three usual formats, the others in a popover."""
    n, of, ids = int(shown.mask.sum()), len(shown.mask), None
    if n < of:
        choices = [f"The {n:,} records that the filter shows", f"All {of:,} records"]
        if (
            st.segmented_control("Records", choices, default=choices[0], key="export-which", required=True)
            == choices[0]
        ):
            ids = shown.ids()
    with st.container(horizontal=True):
        for kind, label in FIRST.items():
            _button(run, kind, label, ids, shown.words)
        with st.popover("Other formats", icon=":material/download:"):
            for kind, form in FORMATS.items():
                if kind not in FIRST:
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


def _written(run_id: str, kind: str, ids: list[str] | None, words: str) -> str:
    out, whole = StringIO(), from_store(services.store().runs, run_id)
    export(whole if ids is None else only(whole, ids, words), kind, out)
    return out.getvalue()


GOLDEN = "Golden questions"
TABS = {"Overview": show_overview, "Findings": show_findings, GOLDEN: show_golden, "Export": show_export}


def show_run(run_id: str) -> None:
    """Draw the run in the address, or its record in the address."""
    record_id = st.query_params.get("record")
    if not record_id:
        st.button("All runs", icon=":material/arrow_back:", type="tertiary", on_click=leave)
    run = services.store().runs.load_run(run_id)
    if record_id:
        show_record(run, record_id)
        return
    st.title(plain(run.name), anchor=False)
    _made_how(run)
    show_progress(run)
    if run.importing:
        return
    if not run.counts["total"] - run.counts["pending"]:
        st.info("No record is finished yet. Numbers and charts appear here with the first one.")
    # A filter, a search or another tab does not redraw the rest of the page.
    st.fragment(_numbers, run_every=5 if run.status in ("running", "stopping") else None)(run.id)


def _numbers(run_id: str) -> None:
    if "record" in st.query_params:
        st.rerun()  # one was picked: it has the page for itself
    try:
        run = services.store().runs.load_run(run_id)
        if not run.counts["total"] - run.counts["pending"]:
            return
        headline = st.container()
        with st.container(horizontal=True, vertical_alignment="bottom"):
            filter_place = st.container(width="stretch")
            convention = run_controls()
        columns, scores = scored(run, convention)
        with headline:
            show_diagnosis(run, columns, scores, here=True)
        shown = selection(run, columns, scores)
        with filter_place:
            show_filters(run, shown)
        status = scores.status[shown.mask]
        counts = Counter(status.tolist())
        parts = [f"**{counts[n]:,}** {n.replace('_', ' ')}" for n in STATUSES if counts[n] or n == "scored"]
        st.markdown(f"{counted(len(status), 'record')}: " + " · ".join(parts))
        show_means(shown.values(), status, convention, key="run-means")
        show_left_open(run, shown)
        names = [name for name in TABS if name != GOLDEN or has_golden(run)]
        for name, tab in zip(names, st.tabs(names, key="tab", bind="query-params"), strict=True):
            if tab.open:  # only the open one is drawn
                with tab:
                    TABS[name](run, shown)
        show_records(run, shown)
    except TraceError as error:
        show_error(error)


def _made_how(run: Run) -> None:
    config = run.config
    model = plain(", ".join(map(str, config.get("model") or [])))
    collection = config.get("collection")
    parts = [
        f"Labeler **{plain(str(config.get('labeler', 'unknown')))}**",
        model,
        f"collection **{plain(str(collection))}**, top_k {config.get('top_k')}" if collection else "",
        f"convention **{plain(str(config.get('convention', '')))}**",
        plain(time_text(run.created_at)),
        _usage(run),
    ]
    if (config.get("settings") or {}).get("raw"):
        parts.append("imported with `--raw` scores; these are computed from cleaned labels")
    st.caption(" · ".join(filter(None, parts)))
    if run.note:
        st.text(run.note)
    before = run_before(run, list(finished_runs().values()))
    if before is not None:
        label = f"Did it get better? Compare with {plain(shown_name(before))}"
        if st.button(label, icon=":material/compare_arrows:", type="tertiary", key="run-compare"):
            st.switch_page("pages/runs.py", query_params={"show": "Compare", "a": before.id, "b": run.id})


def _usage(run: Run) -> str:
    used = {name: value for name, value in run.usage.items() if value}
    parts = [
        f"{value:,.2f} {name}" if name == "cost" else f"{value:,.0f} {name.replace('_', ' ')}"
        for name, value in used.items()
    ]
    seconds = services.store().runs.columns(run.id).facts["seconds"]
    seconds = seconds[~np.isnan(seconds)]
    latency = [f"{seconds.mean():.2f} s a record"] if len(seconds) else []
    return plain(", ".join([*(parts or ["no paid call"]), *latency]))
