"""Traces → rows: OTLP (OpenInference and OpenTelemetry GenAI), Phoenix, Langfuse, MLflow, LangSmith; a row a trace."""

from __future__ import annotations

from trace_core.datasets.traces.join import OF_A_TRACE
from trace_core.datasets.traces.spans import is_carrier
from trace_core.datasets.traces.stream import Texts, trace_rows

TOOLS = (
    "Langfuse", "LangSmith", "MLflow", "OpenInference (OTLP JSON)", "OpenTelemetry GenAI (OTLP JSON)", "Phoenix",
)  # fmt: skip
"""Whose traces are read."""

__all__ = ["OF_A_TRACE", "TOOLS", "Texts", "is_carrier", "trace_rows"]
