"""Traces → rows: OTLP (OpenInference and OpenTelemetry GenAI), Phoenix, Langfuse, MLflow, LangSmith; a row a trace."""

from __future__ import annotations

from typing import Any

from trace_core.datasets.traces.stream import OF_A_TRACE, Texts, reader_of, trace_rows

TOOLS = (
    "Langfuse", "LangSmith", "MLflow", "OpenInference (OTLP JSON)", "OpenTelemetry GenAI (OTLP JSON)", "Phoenix",
)  # fmt: skip
"""Whose traces are read."""

__all__ = ["OF_A_TRACE", "TOOLS", "Texts", "is_carrier", "trace_rows"]


def is_carrier(row: Any) -> bool:
    """Whether a row of a file contains spans."""
    return isinstance(row, dict) and reader_of(row) is not None
