"""Stored runs: chosen by the address, read once until their records change, each with its diagnosis in a sentence."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np
import streamlit as st

from pages.components.shared import services, visitors
from pages.components.shared.text import distinct, number_text, plain, time_text
from trace_core import contribution, review
from trace_core.diagnosis.faults import look
from trace_core.diagnosis.over_run import RunDiagnosis
from trace_core.errors import counted
from trace_core.evidence.reference import reference_of
from trace_core.facts.records import Record
from trace_core.golden.noise import MEASURE, Noise, of_body
from trace_core.golden.results import GoldenResult, results_of
from trace_core.metrics import Scoring
from trace_core.review import PeopleAgreement
from trace_core.runs.analyse.compare import Comparable
from trace_core.runs.files.exported import comparable, from_store
from trace_core.store.measurements import Measurement, basis
from trace_core.store.record_reader import MOST_RUNS
from trace_core.store.runs import Run
from trace_core.summary.columns import RunScores

T = TypeVar("T")
USUAL, MOST = 20, 500
"""Records to measure at first, and at most."""
REVISION: dict[str | type[Any], Callable[[Any], Any]] = {Run: lambda run: (run.id, run.revision)}
"""A run is read anew once its records change."""


@st.cache_resource(max_entries=2, show_spinner=False, hash_funcs=REVISION)
def score_run(run: Run, convention: str) -> RunScores:
    """The run's scores under the convention."""
    return services.store().runs.columns(run.id).score(Scoring.of_run(run.config, convention))


@st.cache_resource(max_entries=MOST_RUNS, show_spinner="Reading the run …", hash_funcs=REVISION)
def run_data(run: Run, convention: str) -> Comparable:
    """The data for comparing the run, scored under the convention."""
    return comparable(from_store(services.store().runs, run.id), convention)


@st.cache_resource(max_entries=MOST_RUNS, show_spinner=False)
def people_of(run_id: str, revision: int) -> PeopleAgreement:
    """The agreement of labeler and people over the run: the records that a person has corrected or reviewed."""
    store = services.store()
    return review.agreement([store.runs.load_record(run_id, name) for name in store.corrections.of_run(run_id)])


def agreement_text(run: Run | None) -> str:
    """How far the run's labeler agrees with people on support; empty while too few of their labels say so."""
    for author, kinds in (people_of(run.id, run.revision).labeler if run else {}).items():
        support = kinds.get("supported")
        if support and not support.few:
            return f"Agreement with {author} on {support.n:,} sentences: κ {number_text(support.kappa, '.2f')}"
    return ""


def has_golden(run: Run) -> bool:
    """Whether any of its records has a golden question."""
    return not np.isnan(services.store().runs.columns(run.id).numbers["unanswerable"]).all()


@st.cache_resource(max_entries=4, show_spinner="Measuring the golden questions …", hash_funcs=REVISION)
def golden_results(run: Run, convention: str) -> list[GoldenResult]:
    """The results of the run's golden questions; none without them."""
    if not has_golden(run):
        return []
    return list(results_of(services.store().runs.records(run.id), Scoring.of_run(run.config, convention)))


@st.cache_resource(max_entries=2, show_spinner="Reading the records …")
def measurable_records(run_id: str, revision: int, record_ids: tuple[str, ...]) -> tuple[list[Record], dict[str, str]]:
    """The records whose documents' contribution can be measured, and reference answers by record id."""
    records = [services.store().runs.load_record(run_id, record_id) for record_id in record_ids]
    references = {record.id: reference for record in records if (reference := reference_of(record))}
    return [one for one in records if contribution.measurable(one, references.get(one.id))], references


@dataclass(frozen=True, slots=True)
class RunMeasure(Generic[T]):
    """One measure by one maker, by record id, for records that are unchanged since."""

    measure: str = ""
    made_by: str = ""
    by_record: dict[str, T] = field(default_factory=dict)


def contributions_of(run: Run) -> RunMeasure[contribution.Contribution]:
    """The latest results of any measure and answerer, if there are any."""

    def of_dict(record: Record, body: Mapping[str, Any]) -> contribution.Contribution:
        return contribution.with_labels_of(contribution.Contribution.from_dict(body), record)

    return _latest(run, tuple(contribution.DOWNSTREAM), of_dict)


def noise_of(run: Run) -> RunMeasure[Noise | str]:
    """The latest noise against the references, by any labeler, if any: shares, or the reason why there are none."""
    return _latest(run, (MEASURE,), of_body)


def keep_measurement(run: Run, record: Record, measure: str, made_by: str, body: Mapping[str, Any]) -> None:
    """Store one record's result at once. Raises `StoreError`, also where the run no longer exists."""
    result = Measurement(record.id, measure, made_by, basis(record), dict(body))
    services.store().measurements.keep(run.id, result)


def how_many(what: str, n: int, *, key: str) -> int:
    """How many of `n` to measure; at first few, in the demo never more."""
    most = min(USUAL if services.settings().demo else MOST, n)
    return int(
        st.number_input(f"{what} to measure (of {n:,}, in order)", 1, most, min(USUAL, most), key=f"{key}-{most}")
    )


def _latest(run: Run, measures: tuple[str, ...], view: Callable[..., T]) -> RunMeasure[T]:
    last = services.store().measurements.last(run.id)
    return _views(run.id, run.revision, last, measures, view) if last else RunMeasure()


@st.cache_resource(max_entries=8, show_spinner="Reading what was measured …")
def _views(run_id: str, revision: int, last: int, measures: tuple[str, ...], _view: Callable[..., Any]) -> Any:
    results = services.store().measurements.current(run_id, measures)
    if not results:
        return RunMeasure()
    first = results[0][1]
    return RunMeasure(first.measure, first.made_by, {record.id: _view(record, one.body) for record, one in results})


def finished_runs() -> dict[str, Run]:
    """The runs with at least one finished record, newest first, by id."""
    return {run.id: run for run in visitors.runs() if run.counts["total"] > run.counts["pending"]}


def empty(text: str) -> None:
    """Show what is missing, and a link to it."""
    st.info(text)
    st.page_link("pages/runs.py", label="Go to Runs", icon=":material/dataset:")


def shown_names(runs: dict[str, Run]) -> dict[str, str]:
    """Name and time of each, since names repeat."""
    return distinct({i: f"{run.name} ({time_text(run.created_at)})" for i, run in runs.items()})


def pick(label: str, runs: dict[str, Run], name: str, default: str | None = None, *, compact: bool = False) -> str:
    """A menu of runs; the choice is in the address under `name`. Returns its id. `compact`: without visible label."""
    ids, address = list(runs), st.query_params.get(name)
    index = ids.index(address if address in runs else default or ids[0])
    look: dict[str, Any] = {"label_visibility": "collapsed", "width": 400} if compact else {}
    menu: dict[str, Any] = {"format_func": shown_names(runs).__getitem__, "on_change": _name, "args": (name,)}
    return str(st.selectbox(label, ids, index, key=f"run-of-{name}", **menu, **look))


def _name(name: str) -> None:
    st.query_params[name] = st.session_state[f"run-of-{name}"]
    st.query_params.pop("record", None)


def look_key(verdict: str, unsure: bool) -> str:
    """A verdict's look as the address names it."""
    return f"{verdict}:{'unsure' if unsure else 'sure'}"


def commonest_fault(diagnosis: RunDiagnosis) -> tuple[str, str]:
    """What leads to the records of the commonest fault: its words, and the verdict's look in the address; or empty."""
    fault, sure = diagnosis.commonest, diagnosis.commonest_sure
    doubts = diagnosis.unsure.get(fault, 0)
    label = f"Show {counted(sure or doubts, 'record')}: {look(fault, not sure).title}" if fault else ""
    return label, look_key(fault, not sure) if doubts else fault


def show_diagnosis(run: Run, scores: RunScores, name: str) -> None:
    """The sentence, after the run's `name`, and the way to the records of its commonest fault."""
    diagnosis = scores.diagnosis()
    st.markdown(f"**{plain(name)}** · {plain(diagnosis.text)}")
    label, verdict = commonest_fault(diagnosis)
    if label:
        address = {"run": run.id, "verdict": verdict}
        st.page_link("pages/runs.py", label=label, icon=":material/filter_alt:", query_params=address)
