"""Reading rows and traces: CPU seconds and memory beside pandas or orjson, which read the same file in the same run.

    python bench/reading.py [--rows 100000]

Writes a CSV, a JSON list and a file of OpenInference spans (three lines per trace) into a folder that is deleted at the
end. Each file is read by a process of its own, in full and in a quarter of its length: memory that grows with the file
shows. CPU seconds do not depend on what else the machine does.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WORDS = "the museum is open on mondays and closed in winter for all visitors who come by train or on foot".split()
SEED = 7


def main() -> None:
    """Write the files, read each, print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000, help="rows or spans of each file")
    parser.add_argument("--read", nargs=2, metavar=("HOW", "FILE"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.read:
        print(json.dumps(read(asked.read[0], Path(asked.read[1]))))
        return
    print("| file | rows | MB | peer | peer CPU s | ours CPU s | ratio | peer MB | ours MB | ours MB, a quarter |")
    print("| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        for name, write, peer in (
            ("rows.csv", csv_file, "pandas"),
            ("rows.json", json_file, "orjson"),
            ("spans.jsonl", spans_file, "orjson lines"),
        ):
            whole, part = Path(folder) / name, Path(folder) / f"part-{name}"
            write(whole, asked.rows)
            write(part, asked.rows // 4)
            other, ours, less = measured(peer, whole), measured("ours", whole), measured("ours", part)
            print(
                f"| {name} | {ours['rows']:,} | {whole.stat().st_size / 1e6:.0f} | {peer} | {other['seconds']:.2f} "
                f"| {ours['seconds']:.2f} | {ours['seconds'] / other['seconds']:.1f} | {other['memory']:.0f} "
                f"| {ours['memory']:.0f} | {less['memory']:.0f} |",
                flush=True,
            )


def measured(how: str, file: Path) -> dict[str, Any]:
    """Read the file in a new process."""
    command = [sys.executable, __file__, "--read", how, str(file)]
    found: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found


def read(how: str, file: Path) -> dict[str, float]:
    """Rows, CPU seconds without imports, and the most memory above that before reading, in MB."""
    import orjson
    import pandas as pd

    from trace_core.datasets import read_dataset

    ways = {
        "pandas": lambda: len(pd.read_csv(file)),
        "orjson": lambda: len(orjson.loads(file.read_bytes())),
        "orjson lines": lambda: sum(1 for line in file.open("rb") if orjson.loads(line)),
        "ours": lambda: read_dataset(file).total,
    }
    before, start = peak(), time.process_time()
    rows = ways[how]()
    return {"rows": rows, "seconds": time.process_time() - start, "memory": peak() - before}


def peak() -> float:
    """The process's highest memory so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def texts(count: int) -> Iterator[tuple[str, list[str], str]]:
    """Question, three documents and answer of each row."""
    chance = random.Random(SEED)

    def text(words: int) -> str:
        return f"{' '.join(chance.choices(WORDS, k=words))}."

    for _ in range(count):
        yield text(8), [text(30) for _ in range(3)], text(20)


def csv_file(file: Path, rows: int) -> None:
    """Documents as a JSON list in a cell."""
    with file.open("w", encoding="utf-8", newline="") as opened:
        table = csv.writer(opened)
        table.writerow(["id", "question", "documents", "response"])
        for n, (question, documents, answer) in enumerate(texts(rows)):
            table.writerow([f"r{n}", question, json.dumps(documents), answer])


def json_file(file: Path, rows: int) -> None:
    """One list of objects."""
    with file.open("w", encoding="utf-8") as opened:
        for n, (question, documents, answer) in enumerate(texts(rows)):
            row = {"id": f"r{n}", "question": question, "documents": documents, "response": answer}
            opened.write(("[" if n == 0 else ",\n") + json.dumps(row))
        opened.write("]\n")


def spans_file(file: Path, rows: int) -> None:
    """`rows` spans: a chain with a retriever and a language model a trace."""
    with file.open("w", encoding="utf-8") as opened:
        for n, (question, documents, answer) in enumerate(texts(rows // 3)):
            found = {
                f"retrieval.documents.{i}.document.{key}": value
                for i, text in enumerate(documents)
                for key, value in (("content", text), ("id", f"d{i}"))
            }
            ends = {"input.value": question, "output.value": answer}
            for place, (kind, attributes) in enumerate(
                (("CHAIN", ends), ("RETRIEVER", {"input.value": question, **found}), ("LLM", ends))
            ):
                span = {
                    "name": kind.lower(),
                    "context": {"trace_id": f"{n:032x}", "span_id": f"{n * 3 + place:016x}"},
                    "parent_id": f"{n * 3:016x}" if place else None,
                    "attributes": {"openinference.span.kind": kind, **attributes},
                }
                opened.write(json.dumps(span) + "\n")


if __name__ == "__main__":
    main()
