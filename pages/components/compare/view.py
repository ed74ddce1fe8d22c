"""A comparison on a page: verdict, differences with their intervals, and what got worse."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from pages.components.shared import services
from pages.components.shared.chart import draw
from pages.components.shared.controls import run_controls
from pages.components.shared.picking import PICK, UNDEFINED
from pages.components.shared.run_choice import finished_runs, pick
from pages.components.shared.run_data import run_data, scored
from pages.components.shared.run_diagnosis import show_diagnosis
from pages.components.shared.tables import FIRST, ROW_HEIGHT, SCORES, columns
from pages.components.shared.text import plain
from trace_core.errors import counted
from trace_core.metrics import DERIVED, METRICS
from trace_core.runs.analyse.changes import Changed, label_changes
from trace_core.runs.analyse.compare import Change, Comparison, Worse, compare
from trace_core.runs.analyse.earlier import newest_pair
from trace_core.store.runs import Run
from trace_core.summary import charts
from trace_core.summary.intervals import too_few

SHOWN = 50


def show_compare() -> None:
    """Two runs, record by record: what changed, how sure that is, and what got worse."""
    runs = finished_runs()
    if len(runs) < 2:
        st.info(
            f"Comparing needs two runs; there is {'one' if runs else 'none'}. "
            "Run the same data set twice, with another labeler, collection or top_k."
        )
        return
    a, b, convention = _pick(runs)
    if a.id == b.id:
        st.info("Choose two different runs.")
        return
    found = compare(run_data(a, convention), run_data(b, convention))
    _headline(found)
    for place, which, run in zip(st.columns(2), "AB", (a, b), strict=True):
        with place:
            show_diagnosis(run, *scored(run, convention), name=which)
            st.caption(f"Labeler {plain(str(run.config.get('labeler', 'unknown')))}, {run.counts['total']:,} records")
    _comparison(found, a, b)


def _pick(runs: dict[str, Run]) -> tuple[Run, Run, str]:
    """A and B, as in the address, and the convention; by default the newest run that has an earlier one like it."""
    before, after = newest_pair(list(runs.values()))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        a = runs[pick("A, before", runs, "a", before.id)]
        b = runs[pick("B, after", runs, "b", after.id)]
        convention = run_controls()
    return a, b, convention


def _headline(found: Comparison) -> None:
    """The conclusion, and the warnings that go with it."""
    st.markdown(f"##### {plain(found.verdict())}")
    if found.unlike:
        st.page_link("pages/runs.py", label="Make a new run over the same data set", icon=":material/play_arrow:")
    for warning in found.warnings:
        st.warning(plain(warning), icon=":material/rule:")


def _comparison(found: Comparison, a: Run, b: Run) -> None:
    """Differences with their intervals, and what got worse."""
    if not found.pairs:
        return
    changes = {METRICS[name].label: change for name, change in found.metrics.items()}
    changes[f"{DERIVED['rmse_aggregation'].label}, lower is better"] = found.balance
    draw(
        "Differences, B − A, with 95 % intervals",
        charts.differences({label: (change.difference, change.interval) for label, change in changes.items()}),
        key="differences",
    )  # fmt: skip
    st.dataframe([_row(label, change) for label, change in changes.items()], hide_index=True, key="changes")
    st.caption(
        f"{_paired(found)} An interval leaves out 0 exactly where p is below 0.05; the headline names what stays "
        f"below after Holm's correction for {len(found.metrics)} metrics. A lower RMSE means that the four metrics "
        "are closer together, not that they are higher."
    )
    if not found.unlike:
        _got_worse(found, a, b)


def _paired(found: Comparison) -> str:
    pairs = counted(found.pairs, "pair")
    if not found.only_a and not found.only_b:
        return f"{pairs}, no record left out."
    alone = f"{counted(found.only_a, 'record')} of A and {found.only_b:,} of B"
    return f"{pairs}; left out without a partner: {alone}."


def _row(label: str, change: Change) -> dict[str, object]:
    return {
        "Metric": label,
        "A": _shown(change.mean_a),
        "B": _shown(change.mean_b),
        "B − A": "undefined" if change.difference is None else f"{change.difference:+.3f}",
        "95 % interval": _span(change),
        "p": "" if change.p_value is None else f"{change.p_value:.4f}",
        "p (Holm)": "" if change.p_adjusted is None else f"{change.p_adjusted:.4f}",
        "Improved": change.improved,
        "Unchanged": change.unchanged,
        "Worse": change.worse,
        "Left out": change.left_out,
    }


def _span(change: Change) -> str:
    n = change.improved + change.unchanged + change.worse
    return f"{change.interval[0]:+.3f} … {change.interval[1]:+.3f}" if change.interval else too_few(n, "pairs")


def _shown(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


def _got_worse(found: Comparison, a: Run, b: Run) -> None:
    st.subheader("What got worse", anchor=False)
    if not found.got_worse:
        st.info("No pair got worse.")
        return
    n = len(found.got_worse)
    st.caption(f"{counted(n, 'pair')}, the largest mean fall first. Pick one to see which labels changed.")
    shown = found.got_worse[:SHOWN]
    rows = [
        {
            "Question": str(worse.b["question"]),
            "Mean fall": worse.drop,
            **{SCORES[name]: worse.by_metric.get(name) for name in FIRST},
        }
        for worse in shown
    ]
    drawn = columns("Question", FIRST, 3) | {"Mean fall": st.column_config.NumberColumn(format="%.3f")}
    event = st.dataframe(
        rows, hide_index=True, key=f"worse-{a.id}-{a.revision}-{b.id}-{b.revision}", on_select="rerun",
        selection_mode="single-row", column_config=drawn, row_height=ROW_HEIGHT, placeholder=UNDEFINED,
    )  # fmt: skip
    st.caption(PICK)
    if len(found.got_worse) > SHOWN:
        st.caption(f"… and {len(found.got_worse) - SHOWN:,} more: `python -m trace_core compare` lists all.")
    picked = event.selection.rows
    if picked and picked[0] < len(shown):
        _side_by_side(shown[picked[0]], a, b)


def _side_by_side(worse: Worse, a: Run, b: Run) -> None:
    """The labels of the pair that changed."""
    with st.container(border=True):
        st.markdown(f"##### {plain(str(worse.b['question']))}")
        left, right = st.columns(2)
        store = services.store().runs
        records = [store.load_record(run.id, str(one["id"])) for run, one in ((a, worse.a), (b, worse.b))]
        for place, run, record in zip((left, right), (a, b), records, strict=True):
            place.caption(f"{plain(run.name)}: the answer")
            place.text(record.response.text if record.response else "no answer")
            place.link_button("Open the record", f"runs?{urlencode({'run': run.id, 'record': record.id})}")
        changed = label_changes(*records)
        if changed:
            st.dataframe([_change(one) for one in changed], hide_index=True, key="label-changes")
        else:
            st.caption("No label changed on a sentence that both runs have.")


def _change(one: Changed) -> dict[str, object]:
    return {
        "Label": one.kind,
        "Key in A": one.key_a or "",
        "Key in B": one.key_b or "",
        "A": _word(one.a),
        "B": _word(one.b),
        "Sentence": one.text,
    }


def _word(label: bool | str | None) -> str:
    if isinstance(label, bool):
        return "yes" if label else "no"
    return label or "not there"
