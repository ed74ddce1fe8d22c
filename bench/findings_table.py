"""How often each rule fires: RAGBench's rows with their own labels, under every convention.

    python bench/findings_table.py path/to/ragbench > docs/findings.md

The folder contains RAGBench's files as JSON lines. Markdown goes to standard output.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from trace_core.datasets import read_rows, to_record, unique_ids
from trace_core.diagnosis.faults import FAULTS
from trace_core.diagnosis.rescoring import rescore
from trace_core.golden.modes import MODES
from trace_core.metrics import CONVENTIONS
from trace_core.summary.columns import RunColumns, columns_of

INTRODUCTION = """\
# How often each finding fires

How often each rule on a single record's labels fires, as a share of each file's rows, on {rows} rows of RAGBench
with the labels released with them. A rule that fires on nearly every row says little about any one of them.

- A finding appears only beside a diagnosis that it does not contradict ([diagnosis](diagnosis.md)).
- Under every convention, relevance is judged as the share of chunks that contain anything relevant, use as |U| ÷ |R|.
- `healthy` is not a failure: it says that nothing needs fixing.

The rules that need more than one record's labels (golden questions, reference answers, document contribution, runs
in time) cannot fire here:
{modes}.

Made by:

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
    found = columns.diagnoses(columns.score("trace"))
    return {one.title: float((found == name).mean()) for name, one in FAULTS.items()}


def table(head: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table; all columns but the first are right-aligned."""
    names = list(head)
    lines: list[Iterable[object]] = [names, ["---", *["---:"] * (len(names) - 1)], *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def page(files: list[Path]) -> str:
    """The whole page, in Markdown."""
    found = {file.stem: read(file) for file in files}
    total = sum(len(columns.id) for columns in found.values())
    modes = ",\n".join(f"`{rule.name}`" for rule in MODES)
    parts = [INTRODUCTION.format(rows=total, modes=modes)]
    of_file = {name: diagnoses(columns) for name, columns in found.items()}
    parts += ["\n## The diagnoses, under `trace`\n", shares_table("diagnosis", of_file, found, total)]
    for convention in CONVENTIONS:
        per_file = {name: shares(columns, convention) for name, columns in found.items()}
        parts += [f"\n## Findings under `{convention}`\n", shares_table("rule", per_file, found, total)]
    return "\n".join(parts)


def shares_table(what: str, per_file: dict[str, dict[str, float]], found: dict[str, RunColumns], total: int) -> str:
    """One line per rule or diagnosis: its share of all rows, and of each file's."""
    names = next(iter(per_file.values()))
    whole = {name: sum(per_file[file][name] * len(found[file].id) for file in found) / total for name in names}
    rows = [[name, f"{whole[name]:.1%}", *(f"{one[name]:.1%}" for one in per_file.values())] for name in names]
    return table([what, "all rows", *found], rows)


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
