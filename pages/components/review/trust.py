"""How far a labeler can be trusted, compared with ground truth, another labeler, or people."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components.review.queue import doubts_of
from pages.components.shared import services
from pages.components.shared.controls import pick_convention
from pages.components.shared.run_data import empty, finished_runs, people_of, pick, score_run
from pages.components.shared.tables import PICK
from pages.components.shared.text import distinct, mean_text, plain
from trace_core import review
from trace_core.errors import InputError, counted
from trace_core.facts.records import Record, Truth
from trace_core.labeling.local import FIGURES as EVERYDAY
from trace_core.metrics import CONVENTIONS, METRICS, Scoring
from trace_core.store.runs import Run
from trace_core.summary import calibration, peers
from trace_core.summary.calibration import Agreement
from trace_core.summary.columns import RunColumns, RunScores
from trace_core.summary.corrected_mean import CorrectedMean
from trace_core.summary.intervals import FEWEST, FEWEST_OF_CLASS, few_words, spread
from trace_core.summary.trust import trust_words

ROWS = "rows"
"""The choice of the rows' own ground truth, where other choices are runs' ids."""
PEERS = {"gpt35": "GPT-3.5 judge", "ragas": "RAGAS", "trulens": "TruLens"}
FIGURES = {
    "adherence_auroc": "Hallucination AUROC",
    "relevance_rmse": "Relevance RMSE",
    "utilization_rmse": "Utilization RMSE",
    "completeness_rmse": "Completeness RMSE",
}
RARE = f"too few (fewer than {FEWEST_OF_CLASS} sentences apart from the most common kind)"
KAPPA = (
    "κ is the agreement beyond chance: 1 is full agreement. Near 0 the labels agree no more than if both had "
    "marked as many sentences at random, however high the plain agreement: where nearly all sentences are alike, "
    "nearly everything agrees by chance. Below 0 they agree less than that."
)


def show_trust(place: DeltaGenerator) -> None:
    """A run's labels against ground truth, another labeler's, and people's."""
    runs = finished_runs()
    if not runs:
        empty(
            "There is no run to measure yet. Make one from rows that have labels of their own, such as "
            "RAGBench's: those become the ground truth."
        )
        return
    with place:
        run = runs[pick("Labels of", runs, "run", compact=True)]
        convention = pick_convention(compact=True)
    scores = score_run(run, convention)
    columns = scores.columns
    _headline(run, columns)
    _show_means(run, scores)
    _people(run)
    truths = {ROWS: "the rows' own ground truth"} if columns.truth is not None else {}
    truths = distinct(truths | {i: f"the labels of {other.name}" for i, other in runs.items() if i != run.id})
    menu: dict[str, Any] = {"format_func": truths.__getitem__, "index": 0 if ROWS in truths else None}
    menu["placeholder"] = "another run, whose labels you trust"
    truth = st.selectbox("Measured against", list(truths), key=f"judge-truth-{ROWS in truths}", **menu)
    if truth:
        _against(run, runs.get(truth), convention)
    figures = json.loads(EVERYDAY.read_text(encoding="utf-8"))  # what records say beside the local labeler's verdicts
    version = figures["labeler_version"]
    of = f"{figures['false_sentences']:,} false and {figures['true_sentences']:,} true everyday sentences"
    st.caption(
        f"{trust_words([version])}: the local model ({plain(version)}), measured on {of} that it was "
        "not trained on, each judged alone."
    )


def _headline(run: Run, columns: RunColumns) -> None:
    """κ on support: with whoever read most of the run, else with the rows' own labels."""
    people = {who: kinds["supported"] for who, kinds in people_of(run.id, run.revision).labeler.items()}
    if people:
        who, one = max(people.items(), key=lambda pair: pair[1].n)
        kappa, over = _cell(one.kappa), f"{counted(one.n, 'sentence')} in {counted(one.records, 'record')}"
        words = f"labeler and {plain(who)}, {over}, 95 %: {_sure(one)}"
    elif columns.truth is not None:
        table = calibration.sentence_agreement(columns.truth.agreement) or {}
        support = table.get("supported")
        kappa, words = (_cell(support["kappa"]) if support else "unknown"), "labeler and the rows' own labels"
    else:
        kappa, words = "unknown", "no person has finished reading a record of this run"
    st.markdown(f"## κ on support: {kappa} :small[:gray[{words}]]", help=KAPPA)


def _show_means(run: Run, scores: RunScores) -> None:
    """Each mean as the labeler has it, and as the records that people read correct it."""
    store = services.store()
    events = store.corrections.of_run(run.id)
    order, records = list(doubts_of(run, events)), [store.runs.load_record(run.id, name) for name in events]
    means, fair = review.corrected_means(records, scores, order)
    if not any(one.n for one in means.values()):
        return
    rows = [
        {
            "Mean": METRICS[name].label,
            "Labeler": _cell(one.raw),
            "Corrected by people": _cell(one.value),
            "95 % interval": _interval(one, fair=fair),
            "Records read": f"{one.n:,} of {one.total:,}",
        }
        for name, one in means.items()
    ]
    st.table(rows, hide_index=True, alt="Means, as people correct them")
    how = "Prediction-powered: the labeler's mean over all records, corrected by what people say of those they read."
    unfair = " Those are among the most doubtful, so there is no interval: review some in random order (“Guidelines”)."
    st.caption(how + ("" if fair else unfair))


def _interval(one: CorrectedMean, *, fair: bool) -> str:
    if one.n == one.total:
        return "certain: all are read"
    return spread(one.interval, one.n) if fair else "no fair sample"


def _against(run: Run, other: Run | None, convention: str) -> None:
    records = _records(run.id, run.revision, other.id if other else "", other.revision if other else 0)
    if other and not any(record.ground_truth for record in records):
        st.info(
            f"No record of {plain(other.name)} has the same question, documents and answer as one of this run, so its "
            "labels cannot be compared."
        )
        return
    scoring = Scoring.of_run(run.config, convention)
    try:
        figures = calibration.judge_labeler(records, scoring)
    except InputError as error:  # the truth consists only of scores, under another convention
        st.info(plain(str(error)))
        return
    counts, few = figures["records"], few_words(*figures["classes"])
    st.markdown(
        f"**{counts['compared']:,}** of {counts['total']:,} records compared, {counts['failed']:,} failed. "
        f"Scores of labels, convention {CONVENTIONS[figures['convention']].label}."
    )
    rows = [
        _row("Hallucination AUROC (0.5: chance)", figures["adherence_auroc"], few),
        *(_row(f"{m.label}: RMSE (0: right)", figures["rmse"][name]) for name, m in METRICS.items()),
        *(_row(f"{m.label}: bias (predicted − true)", figures["bias"][name]) for name, m in METRICS.items()),
    ]
    st.dataframe(rows, hide_index=True, key="judge-figures")
    st.markdown("## Sentence by sentence")
    rows = [
        {"Label": kind, **{name: _cell(value) for name, value in of.items()}}
        for kind, of in (figures["sentences"] or {}).items()
    ]
    st.dataframe(rows, hide_index=True, key="judge-sentences")
    st.caption(KAPPA)
    if other is None:
        _peers(run, records)
    _worst(run, records, scoring)


def _row(label: str, figure: Mapping[str, Any], few: str = "") -> dict[str, Any]:
    return {
        "Figure": label,
        "Value": few if few and figure["value"] is not None else _cell(figure["value"]),
        "95 % interval": few or spread(figure["interval"], figure["n"]),
        "n": figure["n"],
    }


def _cell(value: Any) -> Any:
    return "undefined" if value is None else f"{value:.3f}" if isinstance(value, float) else value


def _peers(run: Run, records: list[Record]) -> None:
    """Where the rows' other columns include a published judge's values."""
    fields = {field for own in peers.PEERS.values() for field in own.values()}
    dataset_rows = services.store().datasets.rows(run.dataset_id) if run.dataset_id else ()
    by_id = {row.record_id: row.row for row in dataset_rows}
    columns = [{name: by_id.get(record.id, {}).get(name) for name in fields} for record in records]
    if not any(value is not None for row in columns for value in row.values()):
        return
    st.markdown("## Beside the published judges, on the same rows")
    figures = peers.benchmark(records, columns)
    judges = {"this labeler": figures} | {PEERS[peer]: one for peer, one in figures["peers"].items() if one["n"]}
    rows = [
        {"Judge": judge, "n": one["n"], **{label: _beside(one, k) if k in one else "" for k, label in FIGURES.items()}}
        for judge, one in judges.items()
    ]
    st.dataframe(rows, hide_index=True, key="judge-peers")
    st.caption(
        "Rows that lack a judge's value are left out for that judge. With 95 % intervals: where they overlap "
        "widely, none is better. An AUROC needs "
        f"{FEWEST_OF_CLASS} answers that are adherent and as many that are not."
    )


def _beside(figures: Mapping[str, Any], name: str) -> str:
    few = few_words(*figures["classes"]) if name == "adherence_auroc" and figures.get("classes") else ""
    return few or mean_text(figures[name], figures["intervals"].get(name), figures["n"], 3)


def _worst(run: Run, records: Sequence[Record], scoring: Scoring) -> None:
    st.markdown("## Worst misses")
    metric = st.selectbox("Metric", list(METRICS), format_func=lambda name: METRICS[name].label, key="judge-metric")
    misses = calibration.worst(records, metric, scoring)
    if not misses:
        st.caption("No record misses the ground truth in this metric.")
        return
    questions = {record.id: record.question for record in records}
    event = st.dataframe(
        [
            {"Question": questions[m["id"]], "Predicted": m["predicted"], "True": m["truth"], "Error": m["error"]}
            for m in misses
        ],
        hide_index=True,
        key=f"misses-{metric}-{run.id}-{run.revision}-{hash(tuple(m['id'] for m in misses))}",
        on_select="rerun",
        selection_mode="single-row",
        column_config=dict.fromkeys(("Predicted", "True", "Error"), st.column_config.NumberColumn(format="%.2f")),
    )
    if event.selection.rows:
        st.switch_page("pages/runs.py", query_params={"run": run.id, "record": misses[event.selection.rows[0]]["id"]})
    st.caption(PICK)


def _people(run: Run) -> None:
    st.header("Against people", anchor=False)
    people = people_of(run.id, run.revision)
    if not people.labeler:
        st.info(
            "Nobody has finished reviewing a record of this run. Once somebody has, this page shows how far "
            "labeler and people agree."
        )
        st.page_link(
            "pages/review.py", label="Review this run", icon=":material/rate_review:", query_params={"run": run.id}
        )
        return
    pairs = {f"labeler and {author}": kinds for author, kinds in people.labeler.items()}
    pairs |= {f"{a} and {b}": kinds for (a, b), kinds in people.people.items()}
    rows = [
        {
            "Label": "supporting keys" if kind == "supporting" else kind,
            "κ": _cell(one.kappa),
            "95 % interval": _sure(one),
            "Agreement": _cell(one.accuracy),
            "Sentences": one.n,
            "Records": one.records,
            "Between": who,
        }
        for who, kinds in pairs.items()
        for kind, one in kinds.items()
    ]
    st.dataframe(rows, hide_index=True, key="judge-people")
    left_out = ", ".join(f"{plain(author)} {n}" for author, n in people.left_out.items())
    st.caption("Counts only records whose review is finished." + (f" Left out: {left_out}." if left_out else ""))
    st.caption(KAPPA)


def _sure(one: Agreement) -> str:
    return spread(one.interval, one.records) if one.records < FEWEST or one.interval else RARE


@st.cache_resource(max_entries=4, show_spinner="Reading the run …")
def _records(run_id: str, revision: int, other_id: str, other_revision: int) -> list[Record]:
    """The run's records; another run's labels are the ground truth of those with the same documents and answer."""
    store = services.store().runs
    records = list(store.records(run_id))
    if not other_id:
        return records
    labels = {_texts(record): record.labels for record in store.records(other_id)}
    for record in records:
        own = labels.get(_texts(record))
        record.ground_truth = Truth(labels=own) if own else None
    return records


def _texts(record: Record) -> tuple[object, ...]:
    """What is equal for the same question, documents and answer."""
    answer = record.response.text if record.response else None
    return record.question, answer, *(document.text for document in record.documents)
