"""Speed and memory of ingesting documents into the embedded Qdrant: `python bench/ingest.py`.

A PDF of 300 pages, 5,000 Markdown files and a CSV of 50,000 rows are made in an empty folder. Each is
ingested in a separate process: stopped in the middle, resumed in a second one, and counted. `--share 0.1`
ingests a tenth of each. `--no-model` replaces the model's vectors by noise, which leaves the speed and the
memory of reading, chunking and writing, in a fraction of the time.
"""

from __future__ import annotations

import argparse
import csv
import resource
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from trace_core.retrieval import Collections, embedder, open_qdrant  # noqa: E402  # after the path is set
from trace_core.retrieval.ingest import Contents, IngestProgress, ingest, read_contents, readable_sources  # noqa: E402
from trace_core.retrieval.sources import find_files  # noqa: E402
from trace_core.settings import Settings  # noqa: E402

PAGES, FILES, ROWS = 300, 5_000, 50_000


def sentence(n: int) -> str:
    """A short, unique sentence."""
    return f"Pump {n} runs at {n % 17} bar."


def make_pdf(folder: Path, pages: int) -> None:
    """One PDF, twenty sentences per page."""
    from fpdf import FPDF

    pdf = FPDF()
    pdf.set_font("helvetica", size=11)
    for page in range(pages):
        pdf.add_page()
        pdf.multi_cell(0, 6, " ".join(sentence(page * 20 + i) for i in range(20)))
    pdf.output(str(folder / "manual.pdf"))


def make_markdown(folder: Path, files: int) -> None:
    """Many small files, each with a heading and a sentence."""
    for n in range(files):
        (folder / f"{n:05}.md").write_text(f"# Pump {n}\n{sentence(n)}\n", encoding="utf-8")


def make_csv(folder: Path, rows: int) -> None:
    """One table, a sentence per row."""
    with (folder / "rows.csv").open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["id", "text"])
        writer.writerows([n, sentence(n)] for n in range(rows))


CASES: dict[str, tuple[Callable[[Path, int], None], int]] = {
    "PDF, pages": (make_pdf, PAGES),
    "Markdown, files": (make_markdown, FILES),
    "CSV, rows": (make_csv, ROWS),
}


class Noise:
    """An embedder that returns 384 random numbers per text."""

    name, ready = "noise", True

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """n texts → n × 384."""
        return np.stack([np.random.default_rng(zlib.crc32(t.encode())).random(384, dtype=np.float32) for t in texts])


def peak() -> float:
    """The peak memory of this process, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def work(folder: Path, data: Path, stop_after: int, model: bool) -> None:
    """Ingest the folder, up to `stop_after` new chunks (0: all), and print the figures."""
    model_of_texts: Any = embedder() if model else Noise()
    collections = Collections(open_qdrant(Settings(TRACE_DATA_DIR=data)), model_of_texts)
    collections.embedder.embed(["loads the model"])
    loaded, start = peak(), time.perf_counter()
    files = find_files([folder])
    contents = read_contents(files, Contents())
    read = time.perf_counter() - start
    written = 0

    def tell(progress: IngestProgress) -> None:
        nonlocal written
        written = progress.new_chunks

    start = time.perf_counter()
    done = ingest(
        collections, "bench", readable_sources(files), on_progress=tell, stop=lambda: 0 < stop_after <= written
    )
    seconds = time.perf_counter() - start
    points = collections.describe("bench").points
    print(
        f"  {'through' if done.complete else 'stopped'}: {contents.sources} documents read in {read:.1f} s, "
        f"{done.chunks} chunks, {done.new_chunks} new in {seconds:.1f} s ({done.new_chunks / seconds:.0f}/s), "
        f"{points} points there, peak {peak():.0f} MB ({loaded:.0f} MB before)",
        flush=True,
    )
    collections.qdrant.close()


def main() -> None:
    """Make each case and ingest it in two runs; or, as a child process, do one of them."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--share", type=float, default=1.0)
    options.add_argument("--work", nargs=3, metavar=("FOLDER", "DATA", "STOP"), help=argparse.SUPPRESS)
    options.add_argument("--no-model", action="store_true")
    chosen = options.parse_args()
    if chosen.work:
        work(Path(chosen.work[0]), Path(chosen.work[1]), int(chosen.work[2]), not chosen.no_model)
        return
    for name, (make, count) in CASES.items():
        number = max(1, round(count * chosen.share))
        with TemporaryDirectory() as temporary:
            folder, data = Path(temporary) / "docs", Path(temporary) / "data"
            folder.mkdir()
            make(folder, number)
            print(f"{name}: {number:,}", flush=True)
            half = {"PDF, pages": number // 3, "Markdown, files": number // 2, "CSV, rows": number // 2}[name]
            for stop in (max(1, half), 0):
                child = [sys.executable, "-W", "ignore::UserWarning", __file__, "--work", str(folder), str(data)]
                subprocess.run([*child, str(stop), *(["--no-model"] if chosen.no_model else [])], check=True)


if __name__ == "__main__":
    main()
