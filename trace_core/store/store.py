"""All the stores of one database."""

from __future__ import annotations

from functools import lru_cache

from trace_core.store.corrections import CorrectionStore
from trace_core.store.database import Database
from trace_core.store.datasets import DatasetStore
from trace_core.store.measurements import MeasurementStore
from trace_core.store.records import RecordStore
from trace_core.store.runs import RunStore


class Store:
    """The stores for pages, engine and commands; all share one database. `queries` are questions outside any run."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.runs, self.datasets = RunStore(database), DatasetStore(database)
        self.corrections, self.measurements = CorrectionStore(database), MeasurementStore(database)
        self.queries = RecordStore(database)


@lru_cache(maxsize=8)
def open_store(url: str) -> Store:
    """The process's only store for that database."""
    return Store(Database(url))
