"""The packaged embedding model on ONNX Runtime and on torch: `python bench/embedding_speed.py ROWS.jsonl [MOST]`.

Each side runs in a separate process, one as in the project and one by sentence-transformers, without a cache. Prints
wall and processor time (compare the latter on a busy machine) from the first import to the first vector, for one
sentence (of 50; the wall time is the median), for the file's distinct sentences in batches sorted by length, and for
the labeling of its rows; then peak memory (on Linux), and the largest difference between the vectors.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

BATCH = 256
ONE = "How much water does the tank of the coffee machine hold?"
SIDES = ("torch", "onnx")


def seconds(work: Callable[[], object]) -> tuple[float, float]:
    """Wall time and processor time in seconds."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - processor


def measure(side: str, folder: Path, file: Path, most: int | None) -> dict[str, Any]:
    """Measure one side in this process; its vectors are written to the folder."""
    made: list[Any] = []
    found: dict[str, Any] = {"load": seconds(lambda: made.append(loaded(side))), "loaded": peak()}
    model = made[0]
    each = [seconds(partial(model.embed, [f"{ONE} {n}"])) for n in range(50)]
    found["one"] = statistics.median(clock for clock, _ in each), sum(processor for _, processor in each) / len(each)

    from labeler_speed import texts

    from trace_core.datasets import read_whole
    from trace_core.labeling.local.labeler import LocalLabeler
    from trace_core.pipeline import label_all
    from trace_core.runs.files.row_records import to_record, unique_ids

    rows = read_whole(file).items[:most]
    records = [to_record(*named, with_labels=False) for named in zip(rows, unique_ids(rows), strict=True)]
    distinct = texts(records)
    vectors: list[Any] = []
    batches = [distinct[i : i + BATCH] for i in range(0, len(distinct), BATCH)]
    found["embedding"] = seconds(lambda: vectors.extend(model.embed(batch) for batch in batches))
    np.save(folder / f"{side}.npy", np.concatenate(vectors))
    # The model caches its latest sentences: a new one is used for labeling, loaded before the clock starts.
    fresh = loaded(side)
    found["labeling"] = seconds(lambda: list(label_all(records, LocalLabeler(fresh))))
    return found | {"sentences": len(distinct), "rows": len(records), "peak": peak()}


def loaded(side: str) -> Any:
    """A side's model, after its first sentence."""
    from trace_core.models import packaged_folder
    from trace_core.models.embedding import Embedder

    model = Embedder() if side == "onnx" else Embedder(str(packaged_folder()))
    model.embed([ONE])
    return model


def peak() -> float:
    """The peak memory of this process in MB, without its parent's."""
    status = Path("/proc/self/status")
    if not status.exists():
        return float("nan")
    return int(status.read_text(encoding="utf-8").partition("VmHWM:")[2].split()[0]) / 1000


def main() -> int:
    """Measure one file on both sides."""
    if len(sys.argv) == 5 and sys.argv[1] in SIDES:
        most = int(sys.argv[4]) or None
        print(json.dumps(measure(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), most)))
        return 0
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    most_rows = sys.argv[2] if len(sys.argv) == 3 else "0"
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        found = {}
        for side in SIDES:
            run = [sys.executable, __file__, side, made, sys.argv[1], most_rows]
            printed = subprocess.run(run, check=True, capture_output=True, text=True).stdout
            found[side] = json.loads(printed.splitlines()[-1])
        difference = np.abs(np.load(folder / "torch.npy") - np.load(folder / "onnx.npy")).max()
    show(found)
    print(f"largest difference of two vectors: {difference:.1e}")
    return 0


def show(found: dict[str, dict[str, Any]]) -> None:
    """The table."""
    torch, onnx = (found[side] for side in SIDES)
    print(f"{torch['rows']:.0f} rows, {torch['sentences']:.0f} distinct sentences, {os.cpu_count()} processors")
    print(f"{'':<28} {'clock':>20} {'processors':>21}")
    print(f"{'':<28} {'torch':>10} {'onnx':>9}  {'torch':>10} {'onnx':>9}")
    figures: tuple[tuple[str, Callable[[dict[str, Any], int], float]], ...] = (
        ("load and first vector, s", lambda f, i: f["load"][i]),
        ("one sentence, ms", lambda f, i: 1000 * f["one"][i]),
        ("sentences per second", lambda f, i: f["sentences"] / f["embedding"][i]),
        ("labeling the rows, s", lambda f, i: f["labeling"][i]),
    )
    for name, of in figures:
        values = "  ".join(f"{of(torch, i):>10.1f} {of(onnx, i):>9.1f}" for i in (0, 1))
        print(f"{name:<28} {values}")
    for name, key in (("memory once loaded, MB", "loaded"), ("most memory, MB", "peak")):
        print(f"{name:<28} {torch[key]:>10.0f} {onnx[key]:>9.0f}")


if __name__ == "__main__":
    sys.exit(main())
