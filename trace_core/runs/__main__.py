"""`python -m trace_core.runs` prints the JSON Schema of run files, the content of `trace-run-1.schema.json`."""

from trace_core.runs.files.schema import published_text

print(published_text(), end="")
