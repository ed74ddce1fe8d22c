"""How often each rule fires: RAGBench's rows with their own labels, under every convention.

    python bench/findings_table.py path/to/ragbench > docs/findings.md

The folder contains RAGBench's files as JSON lines. Markdown goes to standard output.
"""

from __future__ import annotations

import sys
from pathlib import Path

from trace_core.datasets import read_rows
from trace_core.diagnosis.faults import FAULTS as EVERY
from trace_core.diagnosis.rescoring import rescore
from trace_core.metrics import CONVENTIONS
from trace_core.runs.files.row_records import to_record, unique_ids
from trace_core.summary.columns import RunColumns, columns_of

FAULTS = {name: fault for name, fault in EVERY.items() if not fault.measured}
INTRODUCTION = """\
# How often each finding fires

How often each rule on a single record's labels fires, on {rows} rows of RAGBench with the labels released with them. A
rule that fires on nearly every row says little about any one of them.

- A finding appears only beside a verdict that it does not contradict ([diagnosis](diagnosis.md)).
- Under every convention, relevance is judged as the share of chunks that contain anything relevant, use as |U| ÷ |R|.
- `healthy` is not a failure: it says that nothing needs fixing.

The rules that need more than one record's labels (golden questions, reference answers, document contribution, runs in
time) cannot fire here. Made by:

    python bench/findings_table.py path/to/ragbench > docs/findings.md
"""


def read(file: Path) -> RunColumns:
    """The file's rows as columns of numbers."""
    rows, bad = read_rows(file, labels=True)
    assert not bad, bad[0]
    records = (to_record(row, name) for row, name in zip(rows, unique_ids(rows), strict=True))
    return columns_of(rescore(record, "trace") for record in records)  # rows without scores fire no rule


def shares(columns: RunColumns, convention: str) -> dict[str, float]:
    """Fault → share of the rows that have it."""
    fired = columns.findings(columns.score(convention))
    return {name: float(fired[name].mean()) for name in FAULTS}


def diagnoses(columns: RunColumns) -> dict[str, float]:
    """Diagnosis → share of the rows where it comes first, under the default convention."""
    found = columns.verdicts(columns.score("trace"))
    return {one.title: float((found == name).mean()) for name, one in FAULTS.items()}


def table(what: str, columns: dict[str, dict[str, float]]) -> str:
    """A Markdown table of shares: one line per rule or diagnosis, one column per file or convention."""
    lines = [f"| {what} | {' | '.join(columns)} |", f"| --- |{' ---: |' * len(columns)}"]
    names = next(iter(columns.values()))
    lines += [f"| {name} | {' | '.join(f'{column[name]:.1%}' for column in columns.values())} |" for name in names]
    return "\n".join(lines)


def page(files: list[Path]) -> str:
    """The whole page, in Markdown."""
    rows = {file.stem: read(file) for file in files}
    total = sum(len(columns.id) for columns in rows.values())

    def whole(per_file: dict[str, dict[str, float]]) -> dict[str, float]:
        names = next(iter(per_file.values()))
        return {name: sum(per_file[file][name] * len(rows[file].id) for file in rows) / total for name in names}

    first = {name: diagnoses(columns) for name, columns in rows.items()}
    fired = {c: whole({name: shares(columns, c) for name, columns in rows.items()}) for c in CONVENTIONS}
    return "\n".join(
        [
            INTRODUCTION.format(rows=total),
            "## The verdict, under `trace`\n",
            table("verdict", {"all rows": whole(first), **first}),
            "\n## Every finding, by convention, all rows\n",
            table("finding", fired),
        ]
    )


def main() -> int:
    """Print the page for the folder given."""
    files = sorted(Path(sys.argv[1]).glob("*.jsonl")) if len(sys.argv) == 2 else []
    if not files:
        print(__doc__, file=sys.stderr)
        return 2
    print(page(files))
    return 0


if __name__ == "__main__":
    sys.exit(main())
