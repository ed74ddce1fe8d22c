"""Everything that is kept in one database."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from trace_core.store.corrections import CorrectionStore
from trace_core.store.database import Database
from trace_core.store.datasets import DatasetStore
from trace_core.store.measurements import MeasurementStore
from trace_core.store.records import RecordStore
from trace_core.store.runs import RunStore


@dataclass(frozen=True)
class Store:
    """What pages, engine and commands ask for. Each part is made when it is first needed; all share one database."""

    database: Database

    @cached_property
    def runs(self) -> RunStore:
        """Runs, and the records in them."""
        return RunStore(self.database)

    @cached_property
    def datasets(self) -> DatasetStore:
        """Data sets, and their rows."""
        return DatasetStore(self.database)

    @cached_property
    def corrections(self) -> CorrectionStore:
        """What people say in place of the labeler."""
        return CorrectionStore(self.database)

    @cached_property
    def measurements(self) -> MeasurementStore:
        """What was measured of records beside their labels."""
        return MeasurementStore(self.database)

    @cached_property
    def queries(self) -> RecordStore:
        """Single records: what was asked outside any run."""
        return RecordStore(self.database)


@lru_cache(maxsize=8)
def open_store(url: str) -> Store:
    """The process's one store in that database."""
    return Store(Database(url))
