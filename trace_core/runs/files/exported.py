"""A run with its records, wherever it is kept: in the store, in a file, in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from trace_core.aggregation import count_columns, summary_of
from trace_core.columns import RunColumns, RunScores, columns_of
from trace_core.contribution import DOWNSTREAM
from trace_core.diagnosis.diagnose import find
from trace_core.errors import RunTaken
from trace_core.facts.records import Record
from trace_core.rescoring import relevance_divisor, rescore
from trace_core.runs.files.reader import RunSource

if TYPE_CHECKING:
    from trace_core.store.measurements import Measurement
    from trace_core.store.runs import RunStore


@dataclass(frozen=True, slots=True)
class Exported:
    """A run to be written or compared, wherever it is kept: `run` is the file's block of that name.

    `read` gives its records anew at every call, `numbers` its columns. `measured` gives what was kept of its
    documents' contributions, by record id; a file has none.
    """

    run: dict[str, Any]
    counts: dict[str, int]
    read: Callable[[], Iterable[Record]]
    numbers: Callable[[], RunColumns]
    measured: Callable[[], Mapping[str, Measurement]] = dict

    @property
    def convention(self) -> str:
        """The convention that its scores stand under."""
        return str(self.run["config"]["convention"])

    @property
    def divisor(self) -> float:
        """What relevance is divided by under convention `trace`."""
        return relevance_divisor(self.run["config"])

    def scores(self) -> RunScores:
        """Its records' scores as columns."""
        return self.numbers().score(self.convention, self.divisor, as_stored=True)

    def summary(self) -> dict[str, Any]:
        """What its records say together."""
        return summary_of(self.numbers(), self.scores(), self.divisor)

    def records(self) -> Iterator[Record]:
        """Its records under its convention, with their findings."""
        for record in self.read():
            scored = _under(record, self.convention, self.divisor)
            found = find(scored, scored.scores) if scored.scores else []
            yield scored.model_copy(update={"findings": found})


def from_store(store: RunStore, run_id: str) -> Exported:
    """A run of the store, as people corrected it. Raises `UnknownRun`, and `RunTaken` before all of it is in."""
    found = store.load_run(run_id)
    if found.importing:
        raise RunTaken(f"Run {run_id!r} is being imported.", "Wait until all of it is in.")
    block = {"id": found.id, "name": found.name, "created_at": found.created_at}
    block |= {"note": found.note} if found.note else {}
    return Exported(
        {**block, "config": found.config}, found.counts, lambda: store.records(run_id),
        lambda: store.columns(run_id), lambda: _measured(store, run_id),
    )  # fmt: skip


def _measured(store: RunStore, run_id: str) -> dict[str, Measurement]:
    from trace_core.store.measurements import MeasurementStore  # a run in a file needs no database

    return {one.record_id: one for one in MeasurementStore(store.database).of_run(run_id, DOWNSTREAM)}


def under(run: Exported, convention: str) -> Exported:
    """The same run with its scores under another convention."""
    return replace(run, run=run.run | {"config": run.run["config"] | {"convention": convention}})


def from_file(source: RunSource) -> Exported:
    """A run that is in a file."""
    return Exported(
        source.block, source.head.counts.model_dump(), source.records, cache(lambda: columns_of(source.records()))
    )


def from_records(records: list[Record], run: dict[str, Any]) -> Exported:
    """A run that is in memory."""
    columns = columns_of(records)
    counts = count_columns(columns.score(str(run["config"]["convention"]), as_stored=True))
    return Exported(run, counts, lambda: records, lambda: columns)


def _under(record: Record, convention: str, divisor: float) -> Record:
    """With scores under the run's convention: those it has, or new ones from its labels."""
    if record.scores is None or record.scores.convention == convention:
        return record
    return rescore(record, convention, divisor)
