"""Two runs compared, record by record: what changed, how sure that is, and what got better and worse."""

from urllib.parse import urlencode

import streamlit as st

from pages.components.runs.filters import forget
from pages.components.shared import services
from pages.components.shared.chart import chart
from pages.components.shared.controls import pick_convention
from pages.components.shared.run_data import finished_runs, pick, run_data, score_run, show_diagnosis
from pages.components.shared.tables import FIRST, KEYS, ROW_HEIGHT, declining_table, pick_table, short
from pages.components.shared.text import mark_differences, number_text, plain
from trace_core.errors import counted
from trace_core.facts.differences import differing
from trace_core.facts.labels import labeler_name
from trace_core.metrics import DERIVED, METRICS
from trace_core.runs.analyse.compare import EXPENSES, Comparison, PairChange, compare_runs, newest_pair, repeat_of
from trace_core.store.runs import Run
from trace_core.summary import charts

MOST = 50
"""The most records in a list."""
BALANCE = f"{DERIVED['rmse_aggregation'].label}, lower is better"
PAIR = "pair"
"""In the address: the id in B of the pair whose answers are side by side."""


def show_compare() -> None:
    """The two runs in the address; by default the newest run that has an earlier one like it, and that one."""
    runs = finished_runs()
    if len(runs) < 2:
        st.info("Comparing needs two runs: of the same data set, with another labeler, collection or top_k.")
        return
    before, after = newest_pair(list(runs.values()))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        a = runs[pick("A, before", runs, "a", before.id)]
        b = runs[pick("B, after", runs, "b", after.id)]
        convention = pick_convention()
    st.query_params.update(a=a.id, b=b.id)
    if a.id == b.id:
        st.info("Choose two different runs.")
        return
    comparison = compare_runs(run_data(a, convention), run_data(b, convention))
    st.markdown(f"##### {plain(comparison.verdict())}")
    if comparison.unlike:
        st.page_link("pages/runs.py", label="Make a new run over the same data set", icon=":material/play_arrow:")
    for warning in comparison.warnings:
        st.warning(plain(warning), icon=":material/rule:")
    for place, which, run in zip(st.columns(2), "AB", (a, b), strict=True):
        with place:
            show_diagnosis(run, score_run(run, convention), name=which)
            st.caption(f"Labels: {plain(labeler_name(run.config.get('labeler')))}, {run.counts['total']:,} records")
    if not comparison.pairs:
        return
    st.markdown(_flips(comparison, a, b, runs, convention))
    _differences(comparison)
    if not comparison.unlike:
        _lists(comparison, a, b)


def _flips(comparison: Comparison, a: Run, b: Run, runs: dict[str, Run], convention: str) -> str:
    """How many verdicts differ, beside how many do by themselves where one of the two was run again."""
    words = "{:,} of {:,} verdicts differ".format(*comparison.flips)
    if repeat_of(b, a) or repeat_of(a, b):
        return f"The same run twice: **{words}** by themselves. A difference as small as this means nothing."
    twice = [(one, other) for other in runs.values() for one in (a, b) if repeat_of(other, one)]
    if not twice:
        return f"**{words}.** How many do by themselves is not measured: open a run and choose “Run it again”."
    one, other = twice[0]
    noise = "{:,} of {:,}".format(*compare_runs(run_data(one, convention), run_data(other, convention)).flips)
    return f"**{words}.** When {plain(one.name)} was run again unchanged, {noise} differed."


def _differences(comparison: Comparison) -> None:
    changes = {METRICS[name].label: change for name, change in comparison.metrics.items()}
    changes[BALANCE] = comparison.balance
    names = {metric.label: name for name, metric in METRICS.items()}
    lines = {of: charts.Estimate(one.difference, None if one.equal else one.interval) for of, one in changes.items()}
    title, figure = "Differences, B − A, with 95 % intervals", charts.differences(lines)
    chart(title, figure, key="differences", act=lambda of: st.session_state.update({"changed-in": names.get(of[0])}))
    rows: list[dict[str, object]] = [
        {
            "Metric": label,
            "A": number_text(change.mean_a),
            "B": number_text(change.mean_b),
            "B − A": number_text(change.difference, "+.3f"),
            "95 % interval": change.span,
            "p": number_text(change.p_value, ".4f", ""),
            "p (Holm)": number_text(change.p_adjusted, ".4f", ""),
            "Better": change.improved,
            "Unchanged": change.unchanged,
            "Worse": change.worse,
            "Left out": change.left_out,
        }
        for label, change in changes.items()
    ]
    rows += [
        {"Metric": EXPENSES[name], "A": f"{before:.4g}", "B": f"{after:.4g}", "B − A": f"{after - before:+.4g}"}
        for name, (before, after, _) in comparison.expenses.items()
    ]
    st.dataframe(rows, hide_index=True, key="changes", placeholder="")
    only_a, only_b = counted(comparison.only_a, "record"), f"{comparison.only_b:,}"
    alone = f"; left out without a partner: {only_a} of A and {only_b} of B."
    st.caption(
        f"{counted(comparison.pairs, 'pair')}"
        f"{alone if comparison.only_a or comparison.only_b else ', no record left out.'} The headline names where p "
        "stays below 0.05 after Holm's correction. A lower RMSE means that the metrics are closer together, not higher."
    )
    for place, which, table in zip(st.columns(2), "AB", comparison.declining, strict=True):
        with place:
            declining_table(table, which)


def _lists(comparison: Comparison, a: Run, b: Run) -> None:
    """The pair in the address, above what got worse and what got better."""
    pairs = {one.id: one for one in (*comparison.got_worse, *comparison.got_better)}
    if one := pairs.get(st.query_params.get(PAIR, "")):
        _side_by_side(one, a, b)
    metric = st.pills("Changed in", list(METRICS), format_func=lambda name: METRICS[name].label, key="changed-in")
    lists = (("worse", -1, comparison.got_worse), ("better", 1, comparison.got_better))
    for place, (word, sign, changes) in zip(st.columns(2), lists, strict=True):
        if metric:
            changes = [one for one in pairs.values() if sign * one.by_metric.get(metric, 0.0) > 0]
            changes.sort(key=lambda one: -sign * one.by_metric[metric])
        with place:
            st.subheader(f"What got {word}: {len(changes):,}", anchor=False)
            if changes:
                _table(changes[:MOST], f"{word}-{metric}-{a.id}-{a.revision}-{b.id}-{b.revision}")
            if len(changes) > MOST:
                st.caption(f"… and {len(changes) - MOST:,} more: `python -m trace_core compare --json` lists all.")
    st.caption(f"The largest change first; the numbers are B − A. Select a row to see both answers ({KEYS}).")


def _table(changes: list[PairChange], key: str) -> None:
    rows = [
        {"Question": one.question, "Mean": one.change} | {short(n): one.by_metric.get(n) for n in FIRST}
        for one in changes
    ]
    number = st.column_config.NumberColumn
    config = {short(name): number(format="%+.2f", width=96) for name in FIRST}
    config |= {"Question": st.column_config.TextColumn(width=130), "Mean": number(format="%+.2f", width=60)}
    pick_table(rows, [one.id for one in changes], PAIR, key=key, column_config=config, row_height=ROW_HEIGHT)


def _side_by_side(pair: PairChange, a: Run, b: Run) -> None:
    """Both answers with the words that differ."""
    with st.container(border=True, key="side-by-side"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"##### {plain(pair.question)}", width="stretch")
            st.button("Close", type="tertiary", on_click=forget, args=((PAIR,),))
        store = services.store().runs
        records = [store.load_record(run.id, name) for run, name in ((a, pair.id_a), (b, pair.id))]
        texts = [record.response.text if record.response else "no answer" for record in records]
        word = "the same answer" if texts[0] == texts[1] else "the answer"
        sides = zip(st.columns(2), (a, b), records, differing(*texts, both=True), strict=True)
        for place, run, record, pieces in sides:
            place.caption(f"{plain(run.name)}: {word}")
            place.markdown(mark_differences(pieces))
            place.link_button("Open the record", f"runs?{urlencode({'run': run.id, 'record': record.id})}")
