"""`python -m trace_core.runs` prints the JSON Schema of run files, the content of `trace-run-1.schema.json`."""

import json

from trace_core.runs.files.schema import json_schema

print(json.dumps(json_schema(), indent=2))
