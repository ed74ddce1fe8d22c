"""Whether the first diagnosis is the injected fault: RAGBench's validation rows with faults injected.

    python bench/diagnosis.py path/to/ragbench                  recorded labels, every healthy row
    python bench/diagnosis.py path/to/ragbench --local 40       and the local labeler on 40 seeded rows per fault

Markdown goes to standard output; docs/diagnosis.md contains it. The faults are defined in `bench/faults`.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

from faults.rows import FAULTS, Row, healthy
from ragbench import records, subject

from trace_core.diagnosis.faults import FAULTS as DIAGNOSES
from trace_core.diagnosis.verdict import examine
from trace_core.facts.records import Record
from trace_core.labeling import make_labeler
from trace_core.metrics import score
from trace_core.pipeline import label_all
from trace_core.retrieval.embedding import embedder

SEED = 7
OTHERS = 30
"""Rows of the same file that provide sentences or names of other answers."""
Made = dict[str, list[Record]]
"""Fault → the rows with it."""


def rows(folder: Path) -> list[Row]:
    """The healthy rows of the validation files, each with others to take from; deterministic."""
    files = {file.stem: records(file) for file in sorted(folder.glob("*_validation.jsonl"))}
    rng = random.Random(SEED)
    found = []
    for name, own in files.items():
        elsewhere = [r for other, rs in files.items() if subject(other) != subject(name) for r in rs if r.documents]
        for record in own:
            if healthy(record):
                texts = {d.text for d in record.documents}
                apart = [o for o in own if o.question != record.question and not texts & {d.text for d in o.documents}]
                found.append(Row(record, elsewhere, rng.sample(apart, min(OTHERS, len(apart)))))
    return found


def with_faults(found: Sequence[Row]) -> Made:
    """Every fault in every row where it is possible."""
    made: Made = {}
    for name, (_, fault) in FAULTS.items():
        rng = random.Random(f"{SEED} {name}")
        made[name] = [record for row in found if (record := fault(row, rng)) is not None]
    return made


def drawn(made: Made, most: int) -> Made:
    """Rows of each fault, up to a limit, drawn by their questions: a row more or less elsewhere changes no draw."""
    by_question = {
        name: sorted(each, key=lambda r: crc32(f"{SEED} {r.question} {r.id}".encode())) for name, each in made.items()
    }
    return {name: each[:most] for name, each in by_question.items()}


def labeled(made: Made) -> Made:
    """The rows with the local labeler's labels."""
    labeler = make_labeler("local", embedder())
    bare = {name: [r.model_copy(update={"labels": None}) for r in each] for name, each in made.items()}
    return {name: list(label_all(each, labeler)) for name, each in bare.items()}


def confusion(made: Made) -> dict[str, Counter[str]]:
    """Fault → how often each diagnosis came first."""
    return {
        name: Counter(examine(r, score(r.labels, r.sentences())).verdict.name for r in each)
        for name, each in made.items()
    }


def page(title: str, found: dict[str, Counter[str]]) -> str:
    """A confusion matrix and its totals, in Markdown."""
    columns = [name for name in DIAGNOSES if any(counted[name] for counted in found.values())]
    head = ["what was done", "n", "right", *columns]
    lines = ["| " + " | ".join(head) + " |", "| --- " + "| ---: " * (len(head) - 1) + "|"]
    right = total = shown = 0
    for name, counted in found.items():
        wanted, n = FAULTS[name][0], counted.total()
        cells = [f"**{counted[c]}**" if c == wanted else str(counted[c] or "") for c in columns]
        lines.append(f"| {name} | {n} | {counted[wanted] / n:.1%} | " + " | ".join(cells) + " |")
        if wanted != "healthy":
            right, total, shown = right + counted[wanted], total + n, shown + counted[wanted] / n
    calm = found["untouched"]
    alarms = 1 - calm["healthy"] / calm.total()
    return (
        f"## {title}\n\n" + "\n".join(lines) + f"\n\nFirst diagnosis right: **{right / total:.1%}** of {total:,} rows "
        f"with a fault, {shown / (len(found) - 1):.1%} as the mean of the faults. "
        f"Alarm on untouched healthy rows: **{alarms:.1%}** of {calm.total():,}.\n"
    )


def main() -> int:
    """Print the page."""
    if len(sys.argv) not in (2, 4):
        print(__doc__, file=sys.stderr)
        return 2
    made = with_faults(rows(Path(sys.argv[1])))
    print(page("Recorded labels", confusion(made)))
    if len(sys.argv) == 4:
        few = drawn(made, int(sys.argv[3]))
        told = f"The local labeler, at most {sys.argv[3]} rows a fault"
        labeled_rows = labeled(few)
        print(page(told, confusion(labeled_rows)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
