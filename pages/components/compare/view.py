"""Two runs compared, record by record: what changed, how sure that is, and what got better and worse."""

from urllib.parse import urlencode

import streamlit as st

from pages.components.record.drawn import show_scorecard
from pages.components.runs.filters import forget
from pages.components.shared import services
from pages.components.shared.chart import chart
from pages.components.shared.controls import pick_convention
from pages.components.shared.run_data import finished_runs, pick, run_data, score_run, show_diagnosis
from pages.components.shared.tables import FIRST, HEADER, KEYS, ROW_HEIGHT, declining_table, pick_table, short
from pages.components.shared.text import mark_differences, number_text, plain
from trace_core.diagnosis.rescoring import rescore
from trace_core.errors import amount, counted, cut
from trace_core.evidence.reference import reference_view
from trace_core.facts.differences import differing
from trace_core.facts.labels import labeler_name
from trace_core.metrics import DERIVED, METRICS, Scoring
from trace_core.runs.analyse.compare import EXPENSES, Comparison, PairChange, compare_runs, newest_pair, repeat_of
from trace_core.store.runs import Run
from trace_core.summary import charts
from trace_core.summary.columns import numbers_of

MOST = 50
"""The most records in a list."""
LONGEST = 72
"""The most characters of a question in a list: what fits in its cell."""
BALANCE = f"{DERIVED['rmse_aggregation'].label}, lower is better"
PAIR = "pair"
"""In the address: the id in B of the pair whose answers are side by side."""


def show_compare() -> None:
    """The two runs in the address; by default the newest run that has an earlier one like it, and that one."""
    runs = finished_runs()
    if len(runs) < 2:
        st.info("A comparison needs two runs: the same data set with another labeler, collection or top_k.")
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
    st.markdown(f"## {plain(comparison.verdict())}")
    if comparison.unlike:
        st.page_link("pages/runs.py", label="Make a new run over the same data set", icon=":material/play_arrow:")
    for warning in comparison.warnings:
        st.warning(plain(warning), icon=":material/rule:")
    for place, which, run in zip(st.columns(2), "AB", (a, b), strict=True):
        with place:
            show_diagnosis(run, score_run(run, convention), which)
            st.caption(f"Labels: {plain(labeler_name(run.config.get('labeler')))}, {run.counts['total']:,} records")
    if not comparison.pairs:
        return
    st.markdown(_flips(comparison, a, b, runs, convention))
    _differences(comparison)
    if not comparison.unlike:
        _lists(comparison, a, b, convention)


def _flips(comparison: Comparison, a: Run, b: Run, runs: dict[str, Run], convention: str) -> str:
    """How many verdicts differ, beside how many do with nothing changed where one of the two was run again."""
    words = "{:,} of {:,} verdicts differ".format(*comparison.flips)
    if repeat_of(b, a) or repeat_of(a, b):
        return f"The same run twice: **{words}** with nothing changed. A difference this small means nothing."
    twice = [(one, other) for other in runs.values() for one in (a, b) if repeat_of(other, one)]
    if not twice:
        return f"**{words}.** How many do when nothing changes is not measured: open a run, “About”, “Run it again”."
    one, other = twice[0]
    noise = "{:,} of {:,}".format(*compare_runs(run_data(one, convention), run_data(other, convention)).flips)
    return f"**{words}.** When {plain(one.name)} was run again unchanged, {noise} differed."


def _differences(comparison: Comparison) -> None:
    changes = {METRICS[name].label: change for name, change in comparison.metrics.items()}
    changes[BALANCE] = comparison.balance
    names = {metric.label: name for name, metric in METRICS.items()}
    lines = {of: charts.Estimate(one.difference, one.interval) for of, one in changes.items()}
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
            "Undefined": change.missing,
        }
        for label, change in changes.items()
    ]
    rows += [
        {"Metric": f"{EXPENSES[name]} a record", "A": amount(a), "B": amount(b), "B − A": amount(b - a, "+")}
        for name, (a, b, _) in comparison.expenses.items()
    ]
    st.dataframe(rows, hide_index=True, key="changes", placeholder="")
    only_a, only_b = counted(comparison.only_a, "record"), f"{comparison.only_b:,}"
    alone = f"; without a partner: {only_a} of A and {only_b} of B." if comparison.only_a or comparison.only_b else "."
    st.caption(
        f"{counted(comparison.pairs, 'pair')}{alone} “Undefined”: pairs without this score in A or B. The headline "
        "names metrics with p below 0.05 after Holm's correction. A lower RMSE means that the metrics are closer "
        "together, not higher."
    )
    for place, which, table in zip(st.columns(2), "AB", comparison.declining, strict=True):
        with place:
            declining_table(table, which)


def _lists(comparison: Comparison, a: Run, b: Run, convention: str) -> None:
    """What got worse and what got better, each with the pair in the address where it has it."""
    pairs = {one.id: one for one in (*comparison.got_worse, *comparison.got_better)}
    metric = st.pills("Changed in", list(METRICS), format_func=lambda name: METRICS[name].label, key="changed-in")
    for word, sign, changes in (("worse", -1, comparison.got_worse), ("better", 1, comparison.got_better)):
        if metric:
            changes = [one for one in pairs.values() if sign * one.by_metric.get(metric, 0.0) > 0]
            changes.sort(key=lambda one: -sign * one.by_metric[metric])
        st.header(f"What got {word}: {len(changes):,}", anchor=False)
        if changes:
            _table(changes[:MOST], f"{word}-{a.id}-{b.id}")
        if len(changes) > MOST:
            st.caption(f"… and {len(changes) - MOST:,} more: `python -m trace_core compare --json` lists all.")
        for one in changes:
            if one.id == st.query_params.get(PAIR):
                _side_by_side(one, a, b, convention)
    st.caption(f"The largest change first; the numbers are B − A. Select a row to see both answers ({KEYS}).")


def _table(changes: list[PairChange], key: str) -> None:
    rows = [
        {"Question": cut(one.question, LONGEST), "Mean": one.change}
        | {short(n): one.by_metric.get(n) for n in FIRST}
        | {"Verdict": one.verdicts}
        for one in changes
    ]
    number = st.column_config.NumberColumn
    config = {short(name): number(format="%+.2f", width=96) for name in FIRST}
    config |= {"Question": st.column_config.TextColumn(width=200), "Mean": number(format="%+.2f", width=60)}
    ids, height = [one.id for one in changes], HEADER + ROW_HEIGHT * min(len(rows), 5)  # five whole rows
    look = {"column_config": config, "row_height": ROW_HEIGHT, "height": height}
    pick_table(rows, ids, PAIR, key=f"{key}-{hash(tuple(ids))}", **look)


def _side_by_side(pair: PairChange, a: Run, b: Run, convention: str) -> None:
    """Both records: verdict and scores, the answer with the words that differ, the reference answer, what it took."""
    with st.container(border=True, key="side-by-side"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"## {plain(pair.question)}", width="stretch")
            st.button("Close", type="tertiary", on_click=forget, args=((PAIR,),))
        records = [services.store().runs.load_record(run.id, name) for run, name in ((a, pair.id_a), (b, pair.id))]
        texts = [record.response.text if record.response else "no answer" for record in records]
        word = "the same answer" if texts[0] == texts[1] else "the answer"
        sides = zip(st.columns(2), "AB", (a, b), records, differing(*texts, both=True), strict=True)
        for place, name, run, record, pieces in sides:
            with place:
                scoring = Scoring.of_run(run.config, convention)
                show_scorecard(rescore(record, scoring), scoring.divisor, key=f"pair-{name}", run=run, trust=False)
                st.caption(f"{name}, {plain(run.name)}: {word}")
                st.markdown(mark_differences(pieces))
                if reference := reference_view(record):
                    st.caption(f"Reference answer. {plain(reference['words'])}")
                    st.markdown(mark_differences(reference["pieces"]))
                numbers = numbers_of(record)
                expenses = {of: numbers[name] for name, of in EXPENSES.items()}
                st.caption(" · ".join(f"{of} {amount(n)}" for of, n in expenses.items() if n is not None))
                st.link_button("Open the record", f"runs?{urlencode({'run': run.id, 'record': record.id})}")
