"""Many records under one configuration."""

from trace_core.runs.files.export import FORMATS, export
from trace_core.runs.files.exported import Exported, from_file, from_records, from_store
from trace_core.runs.files.importing import import_run
from trace_core.runs.files.reader import RunSource, looks_like_a_run, open_run
from trace_core.runs.files.schema import SCHEMA
from trace_core.runs.files.writer import run_file, write_run

__all__ = [
    "FORMATS",
    "SCHEMA",
    "Exported",
    "RunSource",
    "export",
    "from_file",
    "from_records",
    "from_store",
    "import_run",
    "looks_like_a_run",
    "open_run",
    "run_file",
    "write_run",
]
