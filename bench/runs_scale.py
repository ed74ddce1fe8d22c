"""A large run: processor time to import and to export a record, and what the page of a run of a million asks for.

    python bench/runs_scale.py path/to/ragbench [--records 5000] [--page 1000000]

The million are copies of the imported records' columns under other ids, made in the database; their texts are not
copied. Everything is in a folder that is deleted at the end.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import text

from trace_core.datasets import read_whole
from trace_core.diagnosis.rescoring import rescore
from trace_core.facts.records import Record
from trace_core.runs.analyse.select import WORST, Filters, select, sort_places
from trace_core.runs.files.export import export
from trace_core.runs.files.exported import from_store
from trace_core.runs.files.importing import import_run
from trace_core.runs.files.row_records import to_record, unique_ids
from trace_core.store.runs import RunStore
from trace_core.store.schema import RECORDS, TRUTHS
from trace_core.summary.aggregation import summary_of

INFO = {
    "id": "scale",
    "name": "scale",
    "created_at": "2024-01-01T00:00:00+00:00",
    "config": {"settings": {"relevance_divisor": 20}, "labeler": "recorded", "convention": "trace", "seed": 1},
}


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of processor time, and the result."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def records_of(folder: Path) -> Iterator[Record]:
    """Every labeled row of the data set, scored."""
    for path in sorted(folder.glob("*.jsonl")):
        rows = read_whole(path, labels=True).items
        for row, record_id in zip(rows, unique_ids(rows), strict=True):
            yield rescore(to_record(row, f"{path.stem} {record_id}"), "trace")


def write_run_file(path: Path, folder: Path, count: int) -> None:
    """Write a run of `count` records, one a line; the rows again under other ids where they are fewer."""
    records = list(islice(records_of(folder), count))
    counts = {"total": count, "scored": count, "undefined": 0, "failed": 0, "pending": 0}
    head = {"schema": "trace-run/1", "run": INFO, "counts": counts, "summary": {}}
    with path.open("w", encoding="utf-8") as file:
        file.write("{" + "".join(f'"{name}": {json.dumps(value)},\n' for name, value in head.items()))
        file.write('"records": [')
        for n, record in enumerate(islice(cycle(records), count)):
            body = record.model_copy(update={"id": f"{record.id} {n // len(records)}"}).to_dict()
            file.write((",\n" if n else "\n") + json.dumps(body, allow_nan=False))
        file.write("\n]}\n")


def multiply(url: str, records: int, page: int) -> None:
    """Copy the records' columns until there are `page` of them."""
    series = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {page // records - 1})"
    with RunStore(url).database.writing() as connection:
        for table in (RECORDS, TRUTHS):
            copies = {"id": "id || ' copy ' || i", "position": f"position + i * {records}"}
            names = [f'"{column.name}"' for column in table.columns]
            values = [copies.get(column.name, f'"{column.name}"') for column in table.columns]
            into = f"INSERT INTO {table.name} ({', '.join(names)})"
            connection.execute(text(f"{into} {series} SELECT {', '.join(values)} FROM {table.name}, n"))
        connection.execute(text("UPDATE runs SET revision = revision + 1"))


def megabytes() -> float:
    """The peak memory of this process (Linux); `resource` would tell its parent's, where that is larger."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def page_of(url: str) -> None:
    """Print what a run's page asks for, in a process of its own."""
    store, before = RunStore(url), megabytes()
    seconds, columns = timed(lambda: store.columns("scale"))
    n = len(columns)
    print(f"{n:,} records: columns read in {seconds:.1f} s")
    print(f"peak memory: {megabytes():,.0f} MB ({before:.0f} MB before)")
    seconds, scores = timed(lambda: columns.score("graded"))
    print(f"scored under another convention in {seconds:.2f} s")
    seconds, _ = timed(lambda: (scores.verdicts, scores.unsure, scores.findings))
    print(f"verdicts, which are unsure, and findings in {seconds:.2f} s")
    seconds, _ = timed(lambda: sort_places(scores, np.arange(n), WORST))
    print(f"sorted, the worst first, in {seconds:.2f} s")
    seconds, mask = timed(lambda: select(store, "scale", scores, Filters(words="water")))
    print(f"searched in {seconds:.2f} s: {int(mask.sum()):,} found")
    print(f"summed up in {timed(lambda: summary_of(scores))[0]:.2f} s")
    print(f"peak memory at the end: {megabytes():,.0f} MB", flush=True)


def main() -> None:
    """Measure in a temporary folder, and print every figure as soon as it is there."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("ragbench", type=Path)
    arguments.add_argument("--records", type=int, default=5000)
    arguments.add_argument("--page", type=int, default=1_000_000)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, url, count = Path(name), f"sqlite:///{name}/trace.sqlite", options.records
        write_run_file(folder / "run.json", options.ragbench, count)
        print(f"{count:,} records, {(folder / 'run.json').stat().st_size / 1e6:.0f} MB", flush=True)
        store = RunStore(url)
        store.list_runs()  # makes the tables
        print(f"import: {1000 * timed(lambda: import_run(store, folder / 'run.json'))[0] / count:.2f} ms a record")
        for kind in ("json", "csv"):
            with (folder / kind).open("w", encoding="utf-8") as out:
                seconds, _ = timed(partial(export, from_store(store, "scale"), kind, out))
            print(f"export as {kind}: {1000 * seconds / count:.2f} ms a record", flush=True)
        multiply(url, count, options.page)
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            process.submit(page_of, url).result()


if __name__ == "__main__":
    main()
