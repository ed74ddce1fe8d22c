"""`python -m trace_core.runs` prints the JSON Schema of run files, as `trace-run-1.schema.json` holds it."""

from trace_core.runs.files.schema import published_text

print(published_text(), end="")
