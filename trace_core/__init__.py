"""TRACE: why a RAG answer scored what it scored.

    from trace_core import evaluate

    record = evaluate(question, documents, response)
    record.scores.adherence

Modules are imported only when needed: each name stands with its module in `__init__.pyi`, for type checkers
and for this file.
"""

import os
import re
from importlib import import_module
from pathlib import Path
from typing import Any

# Libraries that would report to their makers read these when they are loaded; see docs/security.md.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"

_STUB = Path(__file__).with_suffix(".pyi").read_text("utf-8")
_HOMES = {name: module for module, name in re.findall(r"^from (\S+) import (\w+)", _STUB, re.MULTILINE)}
__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'trace_core' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return __all__
