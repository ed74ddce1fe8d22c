"""Traces: OTLP (OpenInference, OpenTelemetry GenAI), Phoenix, Langfuse, MLflow, LangSmith; `join` makes their rows."""
