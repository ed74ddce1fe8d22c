"""A process that works until it is done or killed: `review URL RUN SAID` or `ingest DATA FOLDER`.

It prints when it starts. Each correction is written to the file SAID after it was added, when a page would show it.
"""

import os
import sys
from itertools import count
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from trace_core.retrieval import Collections, open_qdrant  # noqa: E402
from trace_core.retrieval.ingest import ingest  # noqa: E402
from trace_core.retrieval.job import readable_sources  # noqa: E402
from trace_core.retrieval.sources import find_files  # noqa: E402
from trace_core.settings import Settings  # noqa: E402
from trace_core.store.store import open_store  # noqa: E402


class Lengths:
    """An embedder that makes a vector from a text's length: quick and deterministic."""

    name, ready = "lengths", True

    def embed(self, texts):
        return np.array([[len(text), *[1.0] * 383] for text in texts], dtype=np.float32)


def begins():
    print("begins", flush=True)


def review(url, run, said):
    """Correct every record in turn, again and again, each time differently."""
    store = open_store(url)
    ids = store.runs.ids(run)
    file = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    begins()
    for number in count():
        correction = f"{os.getpid()}-{number}"
        store.corrections.add(
            run, ids[number % len(ids)], author="Ann", sentence_key="b", field="supported",
            value=("fully", "unsupported")[number // len(ids) % 2], correction_id=correction,
        )  # fmt: skip
        os.write(file, f"{correction}\n".encode())


def collections_at(data):
    """The embedded Qdrant of a data folder, with the quick embedder."""
    return Collections(open_qdrant(Settings(TRACE_DATA_DIR=data, _env_file=None)), Lengths())


def bring(data, folder):
    """Ingest a folder."""
    collections = collections_at(data)
    begins()
    ingest(collections, "c", readable_sources(find_files([Path(folder)])))
    collections.qdrant.close()


if __name__ == "__main__":
    {"review": review, "ingest": bring}[sys.argv[1]](*sys.argv[2:])
