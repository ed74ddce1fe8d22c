"""How far a labeler can be trusted, compared with ground truth, another labeler, or people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages.components.shared import services
from pages.components.shared.chart import draw
from pages.components.shared.controls import run_controls
from pages.components.shared.picking import PICK
from pages.components.shared.run_choice import empty, finished_runs, pick
from pages.components.shared.run_data import people_of, scored
from pages.components.shared.run_diagnosis import show_diagnosis
from pages.components.shared.text import plain
from trace_core.diagnosis.rescoring import relevance_divisor
from trace_core.errors import InputError
from trace_core.evidence.scorecard import ESTIMATED
from trace_core.facts.records import Record, Truth
from trace_core.metrics import CONVENTIONS, METRICS
from trace_core.review import PeopleAgreement
from trace_core.runs.analyse.comparable import run_of
from trace_core.runs.analyse.pairing import pair
from trace_core.store.runs import Run
from trace_core.summary import calibration, charts, peers
from trace_core.summary.agreement import Agreement
from trace_core.summary.intervals import FEWEST, FEWEST_OF_CLASS, few_words, spread
from trace_core.summary.peers import PEERS

NOTHING = (
    "These rows have no ground truth, and nobody has finished reviewing a record: review some, and this page shows how "
    "far labeler and people agree."
)


def show_trust() -> None:
    """A run's labels against ground truth, another labeler's, and people's."""
    runs = finished_runs()
    if not runs:
        empty(
            "There is no run to measure yet. Make one of rows that have labels of their own, as RAGBench's "
            "have: those become the ground truth."
        )
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        run = runs[pick("Labels of", runs, "run")]
        convention = run_controls()
    columns, scores = scored(run, convention)
    show_diagnosis(run, columns, scores, name=run.name)
    if columns.truth is not None:
        _against(run, runs, convention, {AGAINST_ROWS: "the rows' own ground truth"})
        _people(run, "Nobody has finished reviewing a record of this run.")
    else:
        _people(run, NOTHING)
        _against(run, runs, convention, {})


def _against(run: Run, runs: dict[str, Run], convention: str, own: dict[str, str]) -> None:
    """The figures against the truth: the rows' `own`, if they have any, or another run's labels."""
    truths = own | {i: f"the labels of {other.name}" for i, other in runs.items() if i != run.id}
    if not truths:
        return
    truth = st.selectbox(
        "Measured against", list(truths), format_func=lambda i: truths[i], key=f"judge-truth-{len(own)}",
        index=0 if own else None, placeholder="another run, whose labels you trust",
    )  # fmt: skip
    if truth is None:
        return
    records = pairs_of(run.id, run.revision, truth, runs[truth].revision if truth in runs else 0)
    if not any(record.ground_truth for record in records):
        st.info(f"No record of {plain(runs[truth].name)} has the same documents and answer as one of this run, so its "
                "labels cannot be compared.")  # fmt: skip
        return
    divisor = relevance_divisor(run.config)
    try:
        found = show_figures(records, convention, divisor)
    except InputError as error:  # the truth consists only of scores, under another convention
        st.info(plain(str(error)))
        return
    show_sentences(found)
    if truth == AGAINST_ROWS and (columns := peers_of(run, records)):
        show_peers(records, columns)
    show_worst(run, records, convention, divisor)


def _people(run: Run, nobody: str) -> None:
    """Labeler and reviewers; the message `nobody` is shown where there are none."""
    st.subheader("Against people", anchor=False)
    found = people_of(run.id, run.revision)
    if not found.labeler:
        st.info(nobody)
        st.page_link(
            "pages/review.py", label="Review this run", icon=":material/rate_review:", query_params={"run": run.id}
        )
        return
    show_people(found)


KINDS = {"hallucination": "Answers that are not adherent", "relevant": "Relevant sentences",
         "utilized": "Utilized sentences", "unsupported": "Unsupported sentences"}  # fmt: skip
PEER_NAMES = {"gpt35": "GPT-3.5 judge", "ragas": "RAGAS", "trulens": "TruLens"}
RARE = f"too few (fewer than {FEWEST_OF_CLASS} sentences besides the commonest kind)"
FIGURES = {"adherence_auroc": "Hallucination AUROC", "relevance_rmse": "Relevance RMSE",
           "utilization_rmse": "Utilization RMSE", "completeness_rmse": "Completeness RMSE"}  # fmt: skip
MISSES = 20
KAPPA = (
    "κ is the agreement beyond chance: 1 is full agreement. Near 0 the labels agree no more than two would that "
    "mark as many sentences blindly, however high the plain agreement: where nearly all sentences are alike, "
    "nearly everything agrees by chance. Below 0 they agree less than that."
)


def show_figures(records: Sequence[Record], convention: str, divisor: float) -> dict[str, Any]:
    """AUROC, RMSE and bias with their intervals; reliability and ROC. Returns all measured values."""
    found = calibration.judge(records, convention, divisor)
    counts = found["records"]
    st.markdown(f"**{counts['compared']:,}** of {counts['total']:,} records compared, {counts['failed']:,} failed. "
                f"Scores of labels, convention {CONVENTIONS[convention].label}.")  # fmt: skip
    few = few_words(*found["classes"])
    rows = [{"Figure": "Hallucination AUROC (0.5: chance)", **_figure(found["adherence_auroc"], few)}]
    for kind, label in (("rmse", "RMSE (0: right)"), ("bias", "bias (said − true)")):
        rows += [{"Figure": f"{m.label}: {label}", **_figure(found[kind][name])} for name, m in METRICS.items()]
    st.dataframe(rows, hide_index=True, key="judge-figures")
    if found["estimates"]:
        _show_estimates(found["estimates"])
    left, right = st.columns(2)
    with left:
        draw(
            "Reliability: said against true", charts.reliability(_named(found["reliability"])), key="judge-reliability"
        )
    with right:
        drawn = {kind: points for kind, points in found["roc"].items() if not (few and kind == "hallucination")}
        draw("ROC", charts.roc(_named(drawn)), key="judge-roc")
        if few:
            st.caption(f"{KINDS['hallucination']}: {few}, so no curve is drawn.")
    return found


def _show_estimates(found: Mapping[str, Any]) -> None:
    """The labeler's own estimates of the scores, apart from the scores of its labels."""
    with st.expander("The labeler's estimates"):
        few = few_words(*found["classes"])
        rows = [{"Figure": "Hallucination AUROC (0.5: chance)", **_figure(found["adherence_auroc"], few)}]
        rows += [{"Figure": f"{m.label}: RMSE (0: right)", **_figure(found["rmse"][name])}
                 for name, m in METRICS.items() if name in ESTIMATED]  # fmt: skip
        st.dataframe(rows, hide_index=True, key="judge-estimates")
        st.caption("What the labeler expects of a whole answer, convention RAGBench. It never stands for a score. "
                   "The curves of answers below are the estimate's: labels are 0 or 1.")  # fmt: skip


def _named(found: Mapping[str, Any]) -> dict[str, Any]:
    return {KINDS[kind]: points for kind, points in found.items() if points}


def _figure(found: Mapping[str, Any], few: str = "") -> dict[str, Any]:
    value = few if few and found["value"] is not None else _number(found["value"])
    return {"Value": value, "95 % interval": few or spread(found["interval"], found["n"]), "n": found["n"]}


def _number(value: float | None, signed: bool = False) -> str:
    return "undefined" if value is None else f"{value:+.3f}" if signed else f"{value:.3f}"


def show_sentences(found: Mapping[str, Any]) -> None:
    """The figures by sentence."""
    st.markdown("##### Sentence by sentence")
    rows = [
        {"Label": kind, **{name: _number(value) if isinstance(value, float) or value is None else value
                           for name, value in figures.items()}}
        for kind, figures in (found["sentences"] or {}).items()
    ]  # fmt: skip
    st.dataframe(rows, hide_index=True, key="judge-sentences")
    st.caption(KAPPA)


def show_peers(records: Sequence[Record], columns: Sequence[Mapping[str, Any]]) -> None:
    """The same figures of the published judges, on the same rows."""
    st.markdown("##### Beside the published judges, on the same rows")
    found = peers.benchmark(records, columns)
    judges = {"this labeler": found} | {PEER_NAMES[peer]: one for peer, one in found["peers"].items() if one["n"]}
    rows = [
        {"Judge": judge, "n": one["n"], **{label: _beside(one, k) if k in one else "" for k, label in FIGURES.items()}}
        for judge, one in judges.items()
    ]
    st.dataframe(rows, hide_index=True, key="judge-peers")
    st.caption("Rows that lack a judge's value are left out for that judge. With 95 % intervals: where they overlap "
               "widely, none is better. An AUROC needs "
               f"{FEWEST_OF_CLASS} answers that are adherent and as many that are not.")  # fmt: skip


def _beside(figures: Mapping[str, Any], name: str) -> str:
    few = few_words(*figures["classes"]) if name == "adherence_auroc" and figures.get("classes") else ""
    if few or figures[name] is None:
        return few or _number(None)
    return f"{figures[name]:.3f} ({spread(figures['intervals'][name], figures['n'])})"


def show_worst(run: Run, records: Sequence[Record], convention: str, divisor: float) -> None:
    """The worst misses, each one click from its evidence."""
    st.markdown("##### Worst misses")
    metric = st.selectbox("Metric", list(METRICS), format_func=lambda name: METRICS[name].label, key="judge-metric")
    missed = calibration.worst(records, metric, MISSES, convention, divisor)
    if not missed:
        st.caption("No record misses the ground truth in this metric.")
        return
    questions = {record.id: record.question for record in records}
    rows = [
        {"Question": questions[miss["id"]], "Said": miss["said"], "True": miss["truth"], "Error": miss["error"]}
        for miss in missed
    ]
    event = st.dataframe(
        rows, hide_index=True, key=f"misses-{run.id}-{run.revision}-{metric}", on_select="rerun",
        selection_mode="single-row",
        column_config={name: st.column_config.NumberColumn(name, format="%.2f") for name in ("Said", "True", "Error")},
    )  # fmt: skip
    picked = event.selection.rows
    if picked and picked[0] < len(missed):
        st.switch_page("pages/runs.py", query_params={"run": run.id, "record": missed[picked[0]]["id"]})
    st.caption(PICK)


def show_people(found: PeopleAgreement) -> None:
    """κ and confusion between labeler and people, and between people."""
    rows = [_agreement(f"labeler and {author}", kind, one)
            for author, kinds in found.labeler.items() for kind, one in kinds.items()]  # fmt: skip
    rows += [_agreement(f"{a} and {b}", kind, one)
             for (a, b), kinds in found.people.items() for kind, one in kinds.items()]  # fmt: skip
    st.dataframe(rows, hide_index=True, key="judge-people")
    left_out = ", ".join(f"{plain(author)} {n}" for author, n in found.left_out.items())
    st.caption("Counts only records whose review is finished."
               + (f" Left out: {left_out}." if left_out else ""))  # fmt: skip
    st.caption(KAPPA)
    with st.expander("Confusion"):
        for author, kinds in found.labeler.items():
            for kind, one in kinds.items():
                st.caption(f"{plain(author)}, {kind}: rows the labeler, columns the person")
                st.dataframe([{"": name, **dict(zip(map(str, one.classes), row, strict=True))}
                              for name, row in zip(map(str, one.classes), one.confusion, strict=True)],
                             hide_index=True, key=f"confusion-{author}-{kind}")  # fmt: skip


def _agreement(who: str, kind: str, one: Agreement) -> dict[str, Any]:
    return {
        "Label": kind,
        "κ": _number(one.kappa),
        "95 % interval": spread(one.interval, one.records) if one.records < FEWEST or one.interval else RARE,
        "Agreement": _number(one.accuracy),
        "Sentences": one.n,
        "Records": one.records,
        "Between": who,
    }


AGAINST_ROWS = "rows"
KEPT = 4


@st.cache_resource(max_entries=KEPT, show_spinner="Reading the run …")
def pairs_of(run_id: str, revision: int, truth: str, truth_revision: int) -> list[Record]:
    """The run's records; with another run as `truth`, its labels serve as the ground truth.

    They do so only where documents and answer are the same: labels of other sentences would not apply.
    """
    store = services.store().runs
    records = list(store.records(run_id))
    if truth == AGAINST_ROWS:
        return records
    labels = {record.id: (record.labels, _texts(record)) for record in store.records(truth)}
    found = pair(run_of(store, run_id)["records"], run_of(store, truth)["records"])
    partner = {str(one["id"]): str(other["id"]) for one, other in found.pairs}
    return [
        record.model_copy(update={"ground_truth": Truth(labels=said) if said and texts == _texts(record) else None})
        for record in records
        for said, texts in [labels.get(partner.get(record.id, ""), (None, 0))]
    ]


def _texts(record: Record) -> int:
    """A hash that is equal for the same documents and answer."""
    return hash((tuple(one.text for one in record.documents), record.response.text if record.response else None))


def peers_of(run: Run, records: list[Record]) -> list[dict[str, Any]]:
    """The rows' other columns, in the records' order, if they include a published peer's values."""
    if not run.dataset_id:
        return []
    wanted = {field for fields in PEERS.values() for field in fields.values()}
    rows = {row.record_id: row.row for row in services.store().datasets.rows(run.dataset_id)}
    found = [{name: rows.get(record.id, {}).get(name) for name in wanted} for record in records]
    return found if any(value is not None for row in found for value in row.values()) else []
