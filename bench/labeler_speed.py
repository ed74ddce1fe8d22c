"""The cost of labeling compared with embedding: `python bench/labeler_speed.py ROWS.jsonl [MOST]`.

Labels the rows of a file, and embeds only its distinct sentences in batches sorted by length, each with a
new model without a cache. Prints wall and processor time in seconds (compare the latter on a busy machine),
and their ratios.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from trace_core.datasets import read_whole
from trace_core.facts.records import Record
from trace_core.labeling.local.labeler import LocalLabeler
from trace_core.labeling.local.reader import packaged_reader
from trace_core.models.embedding import Embedder
from trace_core.pipeline import label_all
from trace_core.runs.files.row_records import to_record, unique_ids

BATCH = 256


def texts(records: list[Record]) -> list[str]:
    """Every distinct sentence and question, longest first."""
    found: dict[str, None] = {}
    for record in records:
        sentences = record.sentences()
        flat = (s.text for part in (*sentences.documents, sentences.response) for s in part)
        found |= dict.fromkeys(text.strip() for text in (record.question, *flat))
    return sorted(found, key=len, reverse=True)


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Wall time and processor time in seconds."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - processor


def main() -> int:
    """Measure one file."""
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    rows = read_whole(Path(sys.argv[1])).items
    rows = rows[: int(sys.argv[2])] if len(sys.argv) == 3 else rows
    records = [to_record(*named, with_labels=False) for named in zip(rows, unique_ids(rows), strict=True)]
    distinct = texts(records)
    alone, together = Embedder(), Embedder()
    for model in (alone, together):
        model.embed(["The model is loaded before the clock starts."])
    embedding = timed(lambda: [alone.embed(distinct[i : i + BATCH]) for i in range(0, len(distinct), BATCH)])
    labeling = timed(lambda: list(label_all(records, LocalLabeler(together, packaged_reader()))))
    print(f"{len(records)} rows, {len(distinct)} distinct sentences")
    print(f"{'':<12} {'clock':>8} {'processor':>10}")
    print(f"{'embedding':<12} {embedding[0]:>6.1f} s {embedding[1]:>8.1f} s")
    print(f"{'labeling':<12} {labeling[0]:>6.1f} s {labeling[1]:>8.1f} s")
    print(f"{'ratio':<12} {labeling[0] / embedding[0]:>8.2f} {labeling[1] / embedding[1]:>10.2f}   limit 3.5")
    return 0


if __name__ == "__main__":
    sys.exit(main())
