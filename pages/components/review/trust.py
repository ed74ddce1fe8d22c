"""How far a labeler can be trusted, compared with ground truth, another labeler, or people."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components.review.queue import doubts_of
from pages.components.shared import services
from pages.components.shared.chart import chart
from pages.components.shared.controls import run_controls
from pages.components.shared.run_data import empty, finished_runs, people_of, pick, scored
from pages.components.shared.tables import PICK
from pages.components.shared.text import number_text, plain
from trace_core import review
from trace_core.errors import InputError, counted
from trace_core.facts.records import Record, Truth
from trace_core.labeling.local import FIGURES as EVERYDAY
from trace_core.labeling.trust import trust_words
from trace_core.metrics import CONVENTIONS, METRICS, Scoring, score
from trace_core.runs.analyse.pairing import pair
from trace_core.runs.files.exported import comparable, from_store
from trace_core.store.runs import Run
from trace_core.summary import calibration, charts, peers
from trace_core.summary.calibration import Agreement
from trace_core.summary.columns import RunColumns, RunScores
from trace_core.summary.intervals import FEWEST, FEWEST_OF_CLASS, few_words, spread

ROWS = "rows"
"""The choice of the rows' own ground truth, where other choices are runs' ids."""
KINDS = {
    "hallucination": "Answers that are not adherent",
    "relevant": "Relevant sentences",
    "utilized": "Utilized sentences",
    "unsupported": "Unsupported sentences",
}
PEERS = {"gpt35": "GPT-3.5 judge", "ragas": "RAGAS", "trulens": "TruLens"}
FIGURES = {
    "adherence_auroc": "Hallucination AUROC",
    "relevance_rmse": "Relevance RMSE",
    "utilization_rmse": "Utilization RMSE",
    "completeness_rmse": "Completeness RMSE",
}
RARE = f"too few (fewer than {FEWEST_OF_CLASS} sentences besides the commonest kind)"
MARK = "trust-mark"
"""In the session: label and range of the mark that was clicked."""
KAPPA = (
    "κ is the agreement beyond chance: 1 is full agreement. Near 0 the labels agree no more than two would that "
    "mark as many sentences blindly, however high the plain agreement: where nearly all sentences are alike, "
    "nearly everything agrees by chance. Below 0 they agree less than that."
)


def show_trust(place: DeltaGenerator) -> None:
    """A run's labels against ground truth, another labeler's, and people's."""
    runs = finished_runs()
    if not runs:
        empty(
            "There is no run to measure yet. Make one of rows that have labels of their own, as RAGBench's "
            "have: those become the ground truth."
        )
        return
    with place:
        run = runs[pick("Labels of", runs, "run", compact=True)]
        convention = run_controls(compact=True)
    columns, scores = scored(run, convention)
    has_truth = columns.truth is not None
    _headline(run, columns)
    _corrected(run, columns, scores)
    if not has_truth:
        _people(run)
    truths = {ROWS: "the rows' own ground truth"} if has_truth else {}
    truths |= {i: f"the labels of {other.name}" for i, other in runs.items() if i != run.id}
    truth = truths and st.selectbox(
        "Measured against",
        list(truths),
        format_func=lambda i: truths[i],
        index=0 if ROWS in truths else None,
        key=f"judge-truth-{ROWS in truths}",
        placeholder="another run, whose labels you trust",
    )
    if truth:
        _against(run, runs.get(truth), convention)
    if has_truth:
        _people(run)
    _everyday()


def _everyday() -> None:
    """What the record pages say beside the local labeler's verdicts."""
    figures = json.loads(EVERYDAY.read_text(encoding="utf-8"))
    passed, kept = figures["passed"], figures["kept"]
    rows = [
        {"Sentences written by hand": "false", "n": figures["false_sentences"], "Passed as supported": passed},
        {"Sentences written by hand": "true", "n": figures["true_sentences"], "Passed as supported": kept},
    ]
    with st.expander(f"The local labeler, measured: {trust_words([figures['labeler_version']])}", expanded=True):
        st.dataframe(rows, hide_index=True, key="judge-everyday")
        st.caption(f"Everyday sentences, each judged alone, that it was not trained on. {figures['labeler_version']}")


def _headline(run: Run, columns: RunColumns) -> None:
    """κ on support: with whoever read most of the run, else with the rows' own labels."""
    people = {who: kinds["supported"] for who, kinds in people_of(run.id, run.revision).labeler.items()}
    if people:
        who, one = max(people.items(), key=lambda pair: pair[1].n)
        kappa, over = _cell(one.kappa), f"{counted(one.n, 'sentence')} in {counted(one.records, 'record')}"
        words = f"labeler and {plain(who)}, {over}, 95 %: {_sure(one)}"
    elif columns.truth is not None:
        table = calibration.sentence_agreement(columns.truth.agreement) or {}
        found = table.get("supported")
        kappa, words = (_cell(found["kappa"]) if found else "unknown"), "labeler and the rows' own labels"
    else:
        kappa, words = "unknown", "no person has finished reading a record of this run"
    st.markdown(f"#### κ on support: {kappa} :small[:gray[{words}]]", help=KAPPA)


def _corrected(run: Run, columns: RunColumns, scores: RunScores) -> None:
    """Each mean as the labeler has it, and as the records that people read correct it."""
    order = list(doubts_of(run.id, run.counts["total"] - run.counts["pending"]))
    means, fair = _means(run, columns, scores, order)
    if not any(one.n for one in means.values()):
        return

    def sure(one: review.CorrectedMean) -> str:
        return spread(one.interval, one.n) if fair else "no fair sample"

    rows = [
        {
            "Mean": METRICS[name].label,
            "Labeler": number_text(one.raw, ".3f"),
            "Corrected by people": number_text(one.value, ".3f"),
            "95 % interval": "certain: all are read" if one.n == one.total else sure(one),
            "Records read": f"{one.n:,} of {one.total:,}",
        }
        for name, one in means.items()
    ]
    st.table(rows, hide_index=True, alt="Means, as people correct them")
    how = "Prediction-powered: the labeler's mean over all records, moved by what people say of those they read."
    unfair = " Those are among the most doubtful, so no interval: review some in random order (“Guidelines”)."
    st.caption(how + ("" if fair else unfair))


def _means(
    run: Run, columns: RunColumns, scores: RunScores, order: list[str]
) -> tuple[dict[str, review.CorrectedMean], bool]:
    store = services.store()
    records = [store.runs.load_record(run.id, name) for name in store.corrections.of_run(run.id)]
    return review.corrected_means(records, columns.id.tolist(), scores, order)


def _against(run: Run, other: Run | None, convention: str) -> None:
    records = _records(run.id, run.revision, other.id if other else "", other.revision if other else 0)
    if other and not any(record.ground_truth for record in records):
        st.info(
            f"No record of {plain(other.name)} has the same documents and answer as one of this run, so its "
            "labels cannot be compared."
        )
        return
    scoring = Scoring.of_run(run.config, convention)
    try:
        found = calibration.judge_labeler(records, scoring)
    except InputError as error:  # the truth consists only of scores, under another convention
        st.info(plain(str(error)))
        return
    _figures(run, records, found)
    st.markdown("##### Sentence by sentence")
    rows = [
        {"Label": kind, **{name: _cell(value) for name, value in figures.items()}}
        for kind, figures in (found["sentences"] or {}).items()
    ]
    st.dataframe(rows, hide_index=True, key="judge-sentences")
    st.caption(KAPPA)
    if other is None and (columns := _peer_columns(run, records)):
        _peers(records, columns)
    _worst(run, records, scoring)


def _figures(run: Run, records: Sequence[Record], found: Mapping[str, Any]) -> None:
    counts, few = found["records"], few_words(*found["classes"])
    st.markdown(
        f"**{counts['compared']:,}** of {counts['total']:,} records compared, {counts['failed']:,} failed. "
        f"Scores of labels, convention {CONVENTIONS[found['convention']].label}."
    )
    rows = [
        *_rows(found, METRICS),
        *(_row(f"{m.label}: bias (predicted − true)", found["bias"][name]) for name, m in METRICS.items()),
    ]
    st.dataframe(rows, hide_index=True, key="judge-figures")
    left, right = st.columns(2)
    lines = {KINDS[kind]: bins for kind, bins in found["reliability"].items() if bins}
    curves = {
        KINDS[kind]: points for kind, points in found["roc"].items() if points and not (few and kind == "hallucination")
    }
    with left:
        chart(
            "Reliability: predicted against true", charts.reliability_chart(lines), key="judge-reliability", act=_mark
        )
    with right:
        chart("ROC", charts.roc_chart(curves), key="judge-roc", act=_mark)
        if few:
            st.caption(f"{KINDS['hallucination']}: {few}, so no curve is drawn.")
    st.caption("Click on a mark to see the records behind it.")
    if mark := st.session_state.get(MARK):
        _behind(run, records, found, *mark)


def _mark(of: list[Any]) -> None:
    if of[1] <= 1:  # the corner where ROC begins is above all probabilities
        st.session_state[MARK] = of


def _behind(run: Run, records: Sequence[Record], found: Mapping[str, Any], label: str, low: float, high: float) -> None:
    """The records with a sentence, or an answer, of this kind whose probability is in the mark's range."""
    kind = next(kind for kind, name in KINDS.items() if name == label)
    shown = [record for record in records if any(low <= p <= high for p in _probabilities(record, kind, found))]
    st.markdown(f"**{label}**, probability {low:.2f} to {high:.2f}: {counted(len(shown), 'record')}")
    _open_one(run, [record.id for record in shown], [{"Question": record.question} for record in shown], label)


def _probabilities(record: Record, kind: str, found: Mapping[str, Any]) -> Iterable[float]:
    labels = record.labeler_labels
    if labels is None or kind != "hallucination":
        return getattr(labels.probabilities, kind).values() if labels and labels.probabilities else []
    if found["estimates"] and labels.expected:
        adherence = labels.expected.adherence
    else:
        adherence = score(labels, record.sentences(), found["convention"]).adherence
    return [] if adherence is None else [1 - adherence]


def _open_one(run: Run, ids: Sequence[str], rows: Sequence[Mapping[str, Any]], key: str) -> None:
    event = st.dataframe(
        list(rows),
        hide_index=True,
        key=f"{key}-{run.id}-{run.revision}-{hash(tuple(ids))}",
        on_select="rerun",
        selection_mode="single-row",
        column_config=dict.fromkeys(("Predicted", "True", "Error"), st.column_config.NumberColumn(format="%.2f")),
    )
    if event.selection.rows:
        st.switch_page("pages/runs.py", query_params={"run": run.id, "record": ids[event.selection.rows[0]]})
    st.caption(PICK)


def _rows(found: Mapping[str, Any], metrics: Sequence[str] | Mapping[str, Any]) -> list[dict[str, Any]]:
    few = few_words(*found["classes"])
    return [
        _row("Hallucination AUROC (0.5: chance)", found["adherence_auroc"], few),
        *(_row(f"{METRICS[name].label}: RMSE (0: right)", found["rmse"][name]) for name in metrics),
    ]


def _row(label: str, found: Mapping[str, Any], few: str = "") -> dict[str, Any]:
    value = few if few and found["value"] is not None else _cell(found["value"])
    return {
        "Figure": label,
        "Value": value,
        "95 % interval": few or spread(found["interval"], found["n"]),
        "n": found["n"],
    }


def _cell(value: Any) -> Any:
    return "undefined" if value is None else f"{value:.3f}" if isinstance(value, float) else value


def _peers(records: Sequence[Record], columns: Sequence[Mapping[str, Any]]) -> None:
    st.markdown("##### Beside the published judges, on the same rows")
    found = peers.benchmark(records, columns)
    judges = {"this labeler": found} | {PEERS[peer]: one for peer, one in found["peers"].items() if one["n"]}
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
    if few or figures[name] is None:
        return few or "undefined"
    return f"{figures[name]:.3f} ({spread(figures['intervals'][name], figures['n'])})"


def _worst(run: Run, records: Sequence[Record], scoring: Scoring) -> None:
    st.markdown("##### Worst misses")
    metric = st.selectbox("Metric", list(METRICS), format_func=lambda name: METRICS[name].label, key="judge-metric")
    missed = calibration.worst(records, metric, scoring)
    if not missed:
        st.caption("No record misses the ground truth in this metric.")
        return
    questions = {record.id: record.question for record in records}
    rows = [
        {"Question": questions[m["id"]], "Predicted": m["predicted"], "True": m["truth"], "Error": m["error"]}
        for m in missed
    ]
    _open_one(run, [m["id"] for m in missed], rows, f"misses-{metric}")


def _people(run: Run) -> None:
    st.subheader("Against people", anchor=False)
    found = people_of(run.id, run.revision)
    if not found.labeler:
        st.info(
            "Nobody has finished reviewing a record of this run. Once somebody has, this page shows how far "
            "labeler and people agree."
        )
        st.page_link(
            "pages/review.py", label="Review this run", icon=":material/rate_review:", query_params={"run": run.id}
        )
        return
    pairs = {f"labeler and {author}": kinds for author, kinds in found.labeler.items()}
    pairs |= {f"{a} and {b}": kinds for (a, b), kinds in found.people.items()}
    rows = [_agreement(who, kind, one) for who, kinds in pairs.items() for kind, one in kinds.items()]
    st.dataframe(rows, hide_index=True, key="judge-people")
    left_out = ", ".join(f"{plain(author)} {n}" for author, n in found.left_out.items())
    st.caption("Counts only records whose review is finished." + (f" Left out: {left_out}." if left_out else ""))
    st.caption(KAPPA)


def _agreement(who: str, kind: str, one: Agreement) -> dict[str, Any]:
    return {
        "Label": kind,
        "κ": _cell(one.kappa),
        "95 % interval": _sure(one),
        "Agreement": _cell(one.accuracy),
        "Sentences": one.n,
        "Records": one.records,
        "Between": who,
    }


def _sure(one: Agreement) -> str:
    return spread(one.interval, one.records) if one.records < FEWEST or one.interval else RARE


@st.cache_resource(max_entries=4, show_spinner="Reading the run …")
def _records(run_id: str, revision: int, other_id: str, other_revision: int) -> list[Record]:
    """The run's records; another run's labels are the ground truth of those with the same documents and answer."""
    store = services.store().runs
    records = list(store.records(run_id))
    if not other_id:
        return records
    labels = {record.id: (record.labels, _texts(record)) for record in store.records(other_id)}
    found = pair(*(comparable(from_store(store, one))["records"] for one in (run_id, other_id)))
    partner = {str(one["id"]): str(other["id"]) for one, other in found.pairs}
    for record in records:
        own, texts = labels.get(partner.get(record.id, ""), (None, 0))
        record.ground_truth = Truth(labels=own) if own and texts == _texts(record) else None
    return records


def _texts(record: Record) -> int:
    """A hash that is equal for the same documents and answer."""
    return hash((tuple(one.text for one in record.documents), record.response.text if record.response else None))


def _peer_columns(run: Run, records: list[Record]) -> list[dict[str, Any]]:
    """The rows' other columns, in the records' order, if they include a published judge's values."""
    if not run.dataset_id:
        return []
    wanted = {field for fields in peers.PEERS.values() for field in fields.values()}
    rows = {row.record_id: row.row for row in services.store().datasets.rows(run.dataset_id)}
    found = [{name: rows.get(record.id, {}).get(name) for name in wanted} for record in records]
    return found if any(value is not None for row in found for value in row.values()) else []
