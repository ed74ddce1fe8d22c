"""Data sets: rows in many layouts, read and written under RAGBench's field names."""

from trace_core.datasets.dataset import DataSet, Item, dataset, preview, read_dataset, read_items
from trace_core.datasets.files import read_rows, read_whole
from trace_core.datasets.mapping import ColumnMapping, guess_mapping
from trace_core.datasets.rows import Row, to_record, to_row, unique_ids
from trace_core.datasets.scores import scores_record

__all__ = [
    "ColumnMapping",
    "DataSet",
    "Item",
    "Row",
    "dataset",
    "guess_mapping",
    "preview",
    "read_dataset",
    "read_items",
    "read_rows",
    "read_whole",
    "scores_record",
    "to_record",
    "to_row",
    "unique_ids",
]
