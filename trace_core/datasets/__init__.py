"""Data sets: rows read by the names that tools use, by a tool's format, or by a person's mapping."""

from trace_core.datasets.adapters import ADAPTERS, BY_NAMES
from trace_core.datasets.dataset import DataSet, read_dataset, read_whole
from trace_core.datasets.mapping import ColumnMapping
from trace_core.datasets.rows import Item
from trace_core.datasets.traces import TOOLS

FORMATS_READ = sorted({*BY_NAMES, *TOOLS, *(one.name for one in ADAPTERS if one.name != "TRACE")}, key=str.casefold)

__all__ = ["FORMATS_READ", "ColumnMapping", "DataSet", "Item", "read_dataset", "read_whole"]
