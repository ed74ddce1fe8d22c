"""Many records under one configuration."""

from trace_core.runs.export import FORMATS, Exported, export, from_file, from_records, from_store
from trace_core.runs.file import run_file, write_run
from trace_core.runs.importing import import_run
from trace_core.runs.schema import SCHEMA
from trace_core.runs.source import RunSource, looks_like_a_run, open_run

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
