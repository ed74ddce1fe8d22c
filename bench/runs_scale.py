"""A run of 100,000 records: processor time to import, rescore and summarize it, as multiples of other work on its data.

    python bench/runs_scale.py path/to/ragbench [--records 100000]

All measurements run in one process, in sequence, in a folder that is deleted at the end.
"""

from __future__ import annotations

import argparse
import json
import resource
import sqlite3
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import orjson

from trace_core.datasets import read_rows
from trace_core.diagnosis.rescoring import rescore
from trace_core.runs.files.importing import import_run
from trace_core.runs.files.reader import open_run
from trace_core.runs.files.row_records import to_record, unique_ids
from trace_core.store.rows import rows_of
from trace_core.store.runs import RunStore
from trace_core.summary.aggregation import count_columns, summary_of


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of processor time, and the result."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def bodies(folder: Path) -> list[dict[str, Any]]:
    """Every labeled row of the data set, scored, in the form of a run file."""
    made = []
    for path in sorted(folder.glob("*.jsonl")):
        rows, _ = read_rows(path, labels=True)
        for row, record_id in zip(rows, unique_ids(rows), strict=True):
            made.append(rescore(to_record(row, f"{path.stem} {record_id}"), "trace").to_dict())
    return made


def write_run_file(path: Path, folder: Path, count: int) -> None:
    """Write a run of `count` records, one record per line."""
    made = bodies(folder)
    info = {
        "id": "scale",
        "name": "scale",
        "created_at": "2024-01-01T00:00:00+00:00",
        "config": {"settings": {"relevance_divisor": 20}, "labeler": "recorded", "convention": "trace", "seed": 1},
    }
    counts = {"total": count, "scored": count, "undefined": 0, "failed": 0, "pending": 0}
    with path.open("w", encoding="utf-8") as file:
        head = {"schema": "trace-run/1", "run": info, "counts": counts, "summary": {}}
        for name, value in head.items():
            file.write(("{" if name == "schema" else "") + f"{json.dumps(name)}: {json.dumps(value)},\n")
        file.write('"records": [\n')
        for n, body in enumerate(islice(cycle(made), count)):
            again = {**body, "id": f"{body['id']} {n // len(made)}"}
            file.write(json.dumps(again, allow_nan=False) + (",\n" if n + 1 < count else "\n"))
        file.write("]}\n")


def bare_executemany(path: Path, source: Path) -> float:
    """Seconds for sqlite3 alone to write the same rows into tables with the same columns and indexes."""
    store = RunStore(f"sqlite:///{path}")
    store.list_runs()  # creates the tables
    store.database.close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA synchronous=FULL")
    spent = 0.0
    rows = (rows_of(record, "scale", n) for n, record in enumerate(open_run(source).records(), start=1))
    while batch := list(islice(rows, 2000)):
        for table, column in zip(("records", "bodies", "truths"), zip(*batch, strict=True), strict=True):
            if values := [row for row in column if row]:
                names = ", ".join(f'"{name}"' for name in values[0])
                marks = ", ".join("?" * len(values[0]))
                tuples = [tuple(value.values()) for value in values]
                query = f"INSERT INTO {table} ({names}) VALUES ({marks})"
                spent += timed(partial(connection.executemany, query, tuples))[0]
    spent += timed(connection.commit)[0]
    connection.close()
    return spent


def parse(path: Path) -> int:
    """Read the file with orjson, one record at a time: reading it whole would be slower."""
    with path.open("rb") as file:
        return sum(1 for line in file if line[:6] == b'{"id":' and orjson.loads(line.rstrip(b",\n")))


def peak_megabytes() -> float:
    """The peak memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Measure in a temporary folder."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("ragbench", type=Path)
    arguments.add_argument("--records", type=int, default=100_000)
    asked = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(asked.ragbench, Path(folder), asked.records)


def measure(ragbench: Path, folder: Path, count: int) -> None:
    """Print every figure as soon as it is measured."""
    run_file = folder / "run.json"
    write_run_file(run_file, ragbench, count)
    print(f"{count} records, {run_file.stat().st_size / 1e6:.0f} MB", flush=True)
    before = peak_megabytes()
    store = RunStore(f"sqlite:///{folder / 'trace.sqlite'}")
    imported, _ = timed(lambda: import_run(store, run_file))
    print(f"import: {imported:.1f} s; peak memory {peak_megabytes():.0f} MB (before: {before:.0f} MB)", flush=True)
    bare = bare_executemany(folder / "bare.sqlite", run_file)
    parsed = min(timed(lambda: parse(run_file))[0] for _ in range(2))
    print(f"orjson parses the file in {parsed:.2f} s, sqlite3 writes the rows in {bare:.1f} s")
    print(f"import = {imported / parsed:.1f} × parse (limit 15), {imported / bare:.2f} × executemany (limit 3)")
    for convention in ("graded", "ragbench"):
        store = RunStore(store.database)  # without cached columns

        def again(convention: str = convention, store: RunStore = store) -> Any:
            columns = store.columns("scale")
            scores = columns.score(convention)
            return count_columns(scores), summary_of(columns, scores)

        seconds, (counts, _) = timed(again)
        print(f"{convention}: read, scored, summed up in {seconds:.2f} s = {seconds / parsed:.2f} × parse (limit 2)")
        assert counts["total"] == count
    columns = store.columns("scale")
    warm, _ = timed(lambda: summary_of(columns, columns.score("token")))
    print(f"the same with the columns in memory: {warm:.2f} s")


if __name__ == "__main__":
    main()
