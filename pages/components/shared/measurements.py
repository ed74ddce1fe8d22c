"""Measurements of a run's records, stored with the run, so that they outlive the session."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import streamlit as st

from pages.components.shared import services
from trace_core.contribution import DOWNSTREAM, Contribution, relabeled
from trace_core.facts.records import Record
from trace_core.golden.noise import MEASURE, Noise, of_body
from trace_core.store.measurements import Measurement, basis
from trace_core.store.runs import Run

T = TypeVar("T")
USUAL, MOST = 20, 500


@dataclass(frozen=True, slots=True)
class RunMeasure(Generic[T]):
    """One measure by one maker, by record id, for records that are unchanged since."""

    measure: str
    made_by: str
    by_record: dict[str, T]


def contributions_of(run: Run) -> RunMeasure[Contribution] | None:
    """The latest results of any measure and answerer; `None` where there are none."""
    return _latest(run, tuple(DOWNSTREAM), lambda record, body: relabeled(Contribution.from_dict(body), record))


def noise_of(run: Run) -> RunMeasure[Noise | str] | None:
    """The latest noise against the references, by any labeler: shares, or the reason why there are none."""
    return _latest(run, (MEASURE,), of_body)


def keep(run: Run, record: Record, measure: str, made_by: str, body: Mapping[str, Any]) -> None:
    """Store one record's result at once. Raises `StoreError`, also where the run no longer exists."""
    result = Measurement(record.id, measure, made_by, basis(record), dict(body))
    services.store().measurements.keep(run.id, result)


def how_many(what: str, n: int, *, key: str) -> int:
    """How many of `n` to measure; at first few, in the demo never more."""
    most = min(USUAL if services.settings().demo else MOST, n)
    return int(st.number_input(f"{what}, the first of {n:,}", 1, most, min(USUAL, most), key=f"{key}-{most}"))


def _latest(run: Run, measures: tuple[str, ...], view: Callable[..., T]) -> RunMeasure[T] | None:
    last = services.store().measurements.last(run.id)
    return _views(run.id, run.revision, last, measures, view) if last else None


@st.cache_resource(max_entries=8, show_spinner="Reading what was measured …")
def _views(run_id: str, revision: int, last: int, measures: tuple[str, ...], _view: Callable[..., Any]) -> Any:
    results = services.store().measurements.current(run_id, measures)
    if not results:
        return None
    first = results[0][1]
    return RunMeasure(first.measure, first.made_by, {record.id: _view(record, one.body) for record, one in results})
