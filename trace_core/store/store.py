"""All the stores of one database."""

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
    """The stores for pages, engine and commands. Each is created at first use; all share one database."""

    database: Database

    @cached_property
    def runs(self) -> RunStore:
        """Runs and their records."""
        return RunStore(self.database)

    @cached_property
    def datasets(self) -> DatasetStore:
        """Data sets and their rows."""
        return DatasetStore(self.database)

    @cached_property
    def corrections(self) -> CorrectionStore:
        """People's corrections of labels."""
        return CorrectionStore(self.database)

    @cached_property
    def measurements(self) -> MeasurementStore:
        """Measurements of records beside their labels."""
        return MeasurementStore(self.database)

    @cached_property
    def queries(self) -> RecordStore:
        """Single records: questions asked outside any run."""
        return RecordStore(self.database)


@lru_cache(maxsize=8)
def open_store(url: str) -> Store:
    """The process's only store for that database."""
    return Store(Database(url))
