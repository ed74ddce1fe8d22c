"""Traces → rows: OpenInference, OpenTelemetry GenAI, Langfuse and MLflow, one row per trace."""

from trace_core.datasets.traces.carriers import is_carrier
from trace_core.datasets.traces.stream import OF_A_TRACE, Texts, trace_rows

__all__ = ["OF_A_TRACE", "Texts", "is_carrier", "trace_rows"]
