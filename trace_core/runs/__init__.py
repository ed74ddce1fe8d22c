"""Many records under one configuration."""

from trace_core.runs.files.export import FORMATS, export
from trace_core.runs.files.exported import Exported, from_file, from_records, from_store, new_run
from trace_core.runs.files.importing import import_run
from trace_core.runs.files.reader import looks_like_a_run, open_run

__all__ = [
    "FORMATS",
    "Exported",
    "export",
    "from_file",
    "from_records",
    "from_store",
    "import_run",
    "looks_like_a_run",
    "new_run",
    "open_run",
]
