"""Two runs compared, record by record: what changed, how sure that is, and what got worse."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from pages.components.shared import services
from pages.components.shared.chart import chart
from pages.components.shared.controls import run_controls
from pages.components.shared.run_data import finished_runs, pick, run_data, scored, show_diagnosis
from pages.components.shared.tables import FIRST, PICK, ROW_HEIGHT, SCORES, UNDEFINED, short
from pages.components.shared.text import number_text, plain
from trace_core.errors import counted
from trace_core.metrics import DERIVED, METRICS
from trace_core.runs.analyse.changes import label_changes
from trace_core.runs.analyse.compare import Change, Comparison, Worse, compare
from trace_core.runs.analyse.pairing import newest_pair
from trace_core.store.runs import Run
from trace_core.summary import charts
from trace_core.summary.intervals import too_few

SHOWN, NAME_WIDTH = 50, 146
BALANCE = f"{DERIVED['rmse_aggregation'].label}, lower is better"
NAMES = {metric.label: name for name, metric in METRICS.items()}


def show_compare() -> None:
    """The two runs in the address; by default the newest run that has an earlier one like it, and that one."""
    runs = finished_runs()
    if len(runs) < 2:
        st.info(
            f"Comparing needs two runs; there is {'one' if runs else 'none'}. "
            "Run the same data set twice, with another labeler, collection or top_k."
        )
        return
    before, after = newest_pair(list(runs.values()))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        a = runs[pick("A, before", runs, "a", before.id)]
        b = runs[pick("B, after", runs, "b", after.id)]
        convention = run_controls()
    if a.id == b.id:
        st.info("Choose two different runs.")
        return
    found = compare(run_data(a, convention), run_data(b, convention))
    st.markdown(f"##### {plain(found.verdict())}")
    if found.unlike:
        st.page_link("pages/runs.py", label="Make a new run over the same data set", icon=":material/play_arrow:")
    for warning in found.warnings:
        st.warning(plain(warning), icon=":material/rule:")
    for place, which, run in zip(st.columns(2), "AB", (a, b), strict=True):
        with place:
            show_diagnosis(run, *scored(run, convention), name=which)
            st.caption(f"Labeler {plain(str(run.config.get('labeler', 'unknown')))}, {run.counts['total']:,} records")
    if found.pairs:
        _differences(found)
    if found.pairs and not found.unlike:
        _got_worse(found, a, b)


def _differences(found: Comparison) -> None:
    changes = {METRICS[name].label: change for name, change in found.metrics.items()} | {BALANCE: found.balance}
    chart(
        "Differences, B − A, with 95 % intervals",
        charts.differences({label: (change.difference, change.interval) for label, change in changes.items()}),
        key="differences",
        act=lambda of: st.session_state.update({"worse-in": NAMES.get(of[0])}),
    )
    st.dataframe([_row(label, change) for label, change in changes.items()], hide_index=True, key="changes")
    pairs = counted(found.pairs, "pair")
    alone = f"; left out without a partner: {counted(found.only_a, 'record')} of A and {found.only_b:,} of B."
    st.caption(
        f"{pairs}{alone if found.only_a or found.only_b else ', no record left out.'} An interval leaves out 0 exactly "
        f"where p is below 0.05; the headline names what stays below after Holm's correction for {len(found.metrics)} "
        "metrics. A lower RMSE means that the four metrics are closer together, not that they are higher."
    )


def _row(label: str, change: Change) -> dict[str, object]:
    span = " … ".join(f"{end:+.3f}" for end in change.interval or ()) or too_few(change.known, "pairs")
    return {
        "Metric": label,
        "A": number_text(change.mean_a),
        "B": number_text(change.mean_b),
        "B − A": number_text(change.difference, "+.3f"),
        "95 % interval": span,
        "p": number_text(change.p_value, ".4f", ""),
        "p (Holm)": number_text(change.p_adjusted, ".4f", ""),
        "Improved": change.improved,
        "Unchanged": change.unchanged,
        "Worse": change.worse,
        "Left out": change.left_out,
    }


def _got_worse(found: Comparison, a: Run, b: Run) -> None:
    st.subheader("What got worse", anchor=False)
    if not found.got_worse:
        st.info("No pair got worse.")
        return
    metric = st.pills("Worse in", list(METRICS), format_func=lambda name: METRICS[name].label, key="worse-in")
    worse = found.got_worse
    if metric:
        fell = [one for one in worse if one.by_metric.get(metric, 0.0) < 0]
        worse = sorted(fell, key=lambda one: one.by_metric[metric])
    of = f"fall in {METRICS[metric].label.lower()}" if metric else "mean fall"
    st.caption(f"{counted(len(worse), 'pair')}, the largest {of} first. Pick one to see which labels changed.")
    shown = worse[:SHOWN]
    rows = [
        {
            "Question": str(one.b["question"]),
            "Mean fall": one.drop,
            **{SCORES[name]: one.by_metric.get(name) for name in FIRST},
        }
        for one in shown
    ]
    score, text = st.column_config.NumberColumn, st.column_config.TextColumn
    config = {"Question": text(width=NAME_WIDTH), "Mean fall": score(format="%.3f")}
    config |= {SCORES[n]: score(short(n), format="%.3f", help=f"{SCORES[n]}. {METRICS[n].question}") for n in FIRST}
    event = st.dataframe(
        rows,
        hide_index=True,
        key=f"worse-{metric}-{a.id}-{a.revision}-{b.id}-{b.revision}",
        on_select="rerun",
        selection_mode="single-row",
        column_config=config,
        row_height=ROW_HEIGHT,
        placeholder=UNDEFINED,
    )
    st.caption(PICK)
    if len(worse) > SHOWN:
        st.caption(f"… and {len(worse) - SHOWN:,} more: `python -m trace_core compare` lists all.")
    if event.selection.rows:
        _side_by_side(shown[event.selection.rows[0]], a, b)


def _side_by_side(worse: Worse, a: Run, b: Run) -> None:
    with st.container(border=True):
        st.markdown(f"##### {plain(str(worse.b['question']))}")
        store = services.store().runs
        records = [store.load_record(run.id, str(one["id"])) for run, one in ((a, worse.a), (b, worse.b))]
        for place, run, record in zip(st.columns(2), (a, b), records, strict=True):
            place.caption(f"{plain(run.name)}: the answer")
            place.text(record.response.text if record.response else "no answer")
            place.link_button("Open the record", f"runs?{urlencode({'run': run.id, 'record': record.id})}")
        rows = [
            {
                "Label": one.kind,
                "Key in A": one.key_a or "",
                "Key in B": one.key_b or "",
                "A": _word(one.a),
                "B": _word(one.b),
                "Sentence": one.text,
            }
            for one in label_changes(*records)
        ]
        if rows:
            st.dataframe(rows, hide_index=True, key="label-changes")
        else:
            st.caption("No label changed on a sentence that both runs have.")


def _word(label: bool | str | None) -> str:
    return {True: "yes", False: "no", None: "not there"}.get(label, str(label))
