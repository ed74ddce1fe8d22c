"""How many scores cleaning changes: RAGBench's rows scored before and after cleaning.

    python bench/cleaning_table.py path/to/ragbench > docs/cleaning.md

The folder contains RAGBench's files as JSON lines. Markdown goes to standard output.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from trace_core.facts.cleaning import clean
from trace_core.facts.records import Sentences
from trace_core.facts.sentences import Sentence
from trace_core.metrics import CONVENTIONS, METRICS, Column, Counts, columns, count, count_raw, score_columns

INTRODUCTION = """\
# What cleaning changes

TRACE cleans a judge's labels once, on arrival. It strips dots, quotes and brackets from keys, splits several keys in
one string, expands a range of two keys, and drops duplicates and keys that do not exist. A `fully_supported` of null is
read as RAGBench means it. Nothing more is read out of a judge's prose: a list in which nothing can be read is unknown,
so that the judge is asked again and no score is made of it. A response sentence without an entry stays unlabeled.

This page counts how many scores of RAGBench's {rows} rows differ between the cleaned labels and the raw ones.

- **Relevance, utilization and completeness** hardly change: only a repeated, dotted or unknown key in a list can move
  them. Under `token` a dotted key has no tokens until it is cleaned; where all relevant keys have dots, there is no raw
  completeness to compare with.
- **Adherence under `ragbench`** does not change unless the row's own list of unsupported sentences does, because that
  list decides.
- **Adherence under the others** changes most, and it should: in the raw labels a `fully_supported` of null counts as
  false, so one null makes a supported response fail. After cleaning, such a sentence is supported unless the row's list
  of unsupported sentences names it.
- **Undefined**: in these responses no labeled sentence fails, but one sentence has no entry. In the raw labels a null
  made them fail first.

Under `ragbench` the scores of the raw labels equal those that RAGBench released, on every row. Made by:

    python bench/cleaning_table.py path/to/ragbench > docs/cleaning.md
"""


class Change(NamedTuple):
    """The effect on one metric under one convention."""

    compared: int
    changed: int
    undefined: int


def counts(file: Path) -> Iterator[tuple[Counts, Counts]]:
    """Counts of each row: before and after cleaning."""
    with file.open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            documents = [_keyed(document) for document in row["documents_sentences"]]
            sentences = Sentences(documents=documents, response=_keyed(row["response_sentences"]))
            labels, _ = clean(row, sentences.document_keys(), sentences.response_keys())
            yield count_raw(row, sentences), count(labels, sentences)


def _keyed(pairs: Iterable[tuple[str, str]]) -> list[Sentence]:
    return [Sentence(key, text, None, None) for key, text in pairs]


def changes(counted: list[tuple[Counts, Counts]]) -> dict[tuple[str, str], Change]:
    """Every convention and metric → how many scores changed or became undefined."""
    raw, cleaned = (columns(side) for side in zip(*counted, strict=True))
    found: dict[tuple[str, str], Change] = {}
    for convention in CONVENTIONS:
        before, after = score_columns(raw, convention), score_columns(cleaned, convention)
        found |= {(convention, name): _change(before[name], after[name]) for name in METRICS}
    return found


def _change(before: Column, after: Column) -> Change:
    defined = ~np.isnan(before.values)
    lost = defined & np.isnan(after.values)
    changed = defined & ~lost & (np.abs(before.values - after.values) > 1e-9)
    return Change(int(defined.sum()), int(changed.sum()), int(lost.sum()))


def page(files: list[Path]) -> str:
    """The whole page, in Markdown."""
    counted = [pair for file in files for pair in counts(file)]
    lines = [
        INTRODUCTION.format(rows=len(counted)),
        "| convention | metric | rows compared | changed | became undefined |",
        "| --- | --- | ---: | ---: | ---: |",
        *(
            f"| {c} | {METRICS[m].label} | {' | '.join(map(str, change))} |"
            for (c, m), change in changes(counted).items()
        ),
    ]
    return "\n".join(lines)


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
