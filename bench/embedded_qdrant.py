"""How long the embedded Qdrant takes as a collection grows, compared with Qdrant's own engine in the process.

    python bench/embedded_qdrant.py [1000 10000 100000]

The first is what TRACE uses without `QDRANT_URL` (qdrant-client's local mode, a scan in NumPy); the other is
`qdrant-edge-py`, which must be installed to be measured. Vectors are random with 384 dimensions, like the packaged
model's; one chunk in a hundred passes the filter.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from qdrant_client import QdrantClient, models

SIZE, BATCH, TRIES, GROUPS = 384, 64, 20, 100
NAMESPACE = uuid.UUID(int=1)
TEXT = "A chunk of some hundred and fifty words is about nine hundred characters long. " * 11


def vectors(count: int, seed: int) -> NDArray[np.float32]:
    """count × SIZE unit vectors, deterministic for a seed."""
    found = np.random.default_rng(seed).standard_normal((count, SIZE)).astype(np.float32)
    lengths: NDArray[np.float32] = np.linalg.norm(found, axis=1, keepdims=True)
    return found / lengths


def payload(number: int) -> dict[str, Any]:
    """The payload of the chunk with that number."""
    return {"text": TEXT, "source": f"document-{number}", "group": number % GROUPS}


class Local:
    """qdrant-client's local mode."""

    name = "embedded (local mode)"

    def __init__(self, folder: Path) -> None:
        self.client = QdrantClient(path=str(folder))
        if not self.client.collection_exists("c"):
            self.client.create_collection(
                "c", vectors_config=models.VectorParams(size=SIZE, distance=models.Distance.COSINE)
            )

    def write(self, ids: list[str], rows: np.ndarray, payloads: list[dict[str, Any]]) -> None:
        """One batch of points."""
        parts = zip(ids, rows, payloads, strict=True)
        points = [models.PointStruct(id=i, vector=v.tolist(), payload=p) for i, v, p in parts]
        self.client.upsert("c", points)

    def search(self, query: list[float], group: int | None = None) -> list[str]:
        """The ids of the five nearest points, optionally of one group."""
        chosen = None
        if group is not None:
            same = models.FieldCondition(key="group", match=models.MatchValue(value=group))
            chosen = models.Filter(must=[same])
        return [str(p.id) for p in self.client.query_points("c", query=query, limit=5, query_filter=chosen).points]

    def close(self) -> None:
        """Close the folder."""
        self.client.close()


class Edge:
    """qdrant-edge-py, with exact search like local mode's."""

    name = "Qdrant Edge"

    def __init__(self, folder: Path) -> None:
        import qdrant_edge as edge

        self.edge = edge
        params = edge.EdgeVectorParams(size=SIZE, distance=edge.Distance.Cosine)
        there = folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        self.shard = (
            edge.EdgeShard.load(str(folder))
            if there
            else edge.EdgeShard.create(str(folder), edge.EdgeConfig(vectors=params))
        )

    def write(self, ids: list[str], rows: np.ndarray, payloads: list[dict[str, Any]]) -> None:
        """One batch of points."""
        points = [self.edge.Point(i, v.tolist(), p) for i, v, p in zip(ids, rows, payloads, strict=True)]
        self.shard.update(self.edge.UpdateOperation.upsert_points(points))

    def search(self, query: list[float], group: int | None = None) -> list[str]:
        """The ids of the five nearest points, optionally of one group."""
        e = self.edge
        chosen = None
        if group is not None:
            chosen = e.Filter(must=[e.FieldCondition(key="group", match=e.MatchValue(group))])
        request = e.SearchRequest(
            query=e.Query.Nearest(query), limit=5, filter=chosen, with_payload=True, params=e.SearchParams(exact=True)
        )
        return [str(point.id) for point in self.shard.search(request)]

    def close(self) -> None:
        """Make everything durable, and close the folder."""
        self.shard.flush()
        self.shard.close()


def timed(action: Callable[[], object]) -> float:
    """The duration of the action in seconds."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def fill(store: Any, rows: np.ndarray) -> None:
    """Write all rows in batches, as an ingest does."""
    for numbers in batched_numbers(len(rows)):
        ids = [str(uuid.uuid5(NAMESPACE, str(n))) for n in numbers]
        store.write(ids, rows[numbers], [payload(n) for n in numbers])


def batched_numbers(count: int) -> Iterator[list[int]]:
    """0 … count − 1 in lists of BATCH."""
    numbers = iter(range(count))
    while batch := list(islice(numbers, BATCH)):
        yield batch


def second_opens(kind: str, folder: Path) -> bool:
    """Whether another process can open the folder while this one has it open."""
    command = [sys.executable, __file__, "--open", kind, str(folder)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def measure(kind: type[Any], count: int) -> tuple[str, list[list[str]]]:
    """A row of the table, and the ids found by each unfiltered search."""
    rows, queries = vectors(count, 0), vectors(TRIES, 1).tolist()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "data"
        store = kind(place)
        written = timed(lambda: fill(store, rows))
        found = [store.search(query) for query in queries]  # warm-up
        plain = statistics.median(timed(partial(store.search, query)) for query in queries)
        filtered = statistics.median(timed(partial(store.search, query, 7)) for query in queries)
        locked = "no" if second_opens(kind.__name__, place) else "yes"
        store.close()
        opened: list[Any] = []
        opening = timed(lambda: opened.append(kind(place)))
        opened[0].close()
        disk = sum(path.stat().st_size for path in place.rglob("*") if path.is_file()) / 1e6
    cells = [kind.name, f"{count:,}", f"{plain * 1000:.1f}", f"{filtered * 1000:.1f}", f"{count / written:,.0f}"]
    cells += [f"{opening:.2f}", f"{disk:,.0f}", locked]
    return f"| {' | '.join(cells)} |", found


def main(counts: list[int]) -> None:
    """Print the table."""
    heads = ["engine", "chunks", "search, ms", "with a filter, ms", "written a second", "open, s", "disk, MB"]
    print(f"| {' | '.join([*heads, 'one process only'])} |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
    for count in counts:
        found = []
        for kind in (Local, Edge):
            try:
                row, ids = measure(kind, count)
            except ImportError:
                print(f"{kind.name} is not installed: pip install qdrant-edge-py", file=sys.stderr)
                continue
            print(row, flush=True)
            found.append(ids)
        if len(found) == len((Local, Edge)) and found[0] != found[1]:
            print(f"At {count:,} chunks the two found different neighbours.", file=sys.stderr)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--open"]:
        (Local if sys.argv[2] == "Local" else Edge)(Path(sys.argv[3])).close()
    else:
        main([int(argument) for argument in sys.argv[1:]] or [1_000, 10_000, 100_000])
