"""Options shared by several commands, and exit codes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

FAILED, BAD_INPUT, GATE = 1, 2, 3
"""Finished with failed records, bad input, a gate was not met; 0 is success."""

File = Annotated[Path, typer.Argument(help="Rows: JSONL, JSON, CSV, Excel or Parquet.")]
Out = Annotated[Path | None, typer.Option("--out", help="Write here instead of standard output.")]
Convention = Annotated[str | None, typer.Option("--convention", help="trace, ragbench, graded or token.")]
Labeler = Annotated[str | None, typer.Option("--labeler", help="Who labels; TRACE_LABELER by default.")]
TopK = Annotated[int | None, typer.Option("--top-k", min=1, max=100, help="How many documents to retrieve.")]
Budget = Annotated[float | None, typer.Option("--budget", min=0, help="Stop before more is spent; TRACE_BUDGET.")]
SkipBad = Annotated[bool, typer.Option("--skip-bad", help="Leave bad rows out instead of stopping.")]
Strict = Annotated[
    bool,
    typer.Option("--strict/--skip-bad", help="Stop before any work where a row is bad, instead of leaving it out."),
]
Map = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        metavar="FIELD=PATH",
        help="Where a row holds a field: response=model.reply, documents=found[].body; `auto` asks the judge.",
    ),
]
FailUnder = Annotated[
    list[str] | None, typer.Option("--fail-under", help="metric=value: exit 3 when the mean is below.")
]
Junit = Annotated[Path | None, typer.Option("--junit", help="Write test results here, one a record (JUnit XML).")]
Summary = Annotated[Path | None, typer.Option("--summary", help="Write a summary for a pipeline's page (Markdown).")]
Baseline = Annotated[
    str | None,
    typer.Option("--baseline", metavar="RUN", help="In the summary: what got worse than in this run or file."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
