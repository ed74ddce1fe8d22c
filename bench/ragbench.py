"""RAGBench's files for training and measuring: records, vectors cached on disk, held-out subjects."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trace_core.datasets import read_whole
from trace_core.facts.records import Record, Truth
from trace_core.labeling.local.evidence import Evidence, Sample, as_read, gather, texts_to_embed
from trace_core.labeling.local.reader import OnRead, PackagedReader, Pair, Read, packaged_reader
from trace_core.models.embedding import Embedder, Vectors, embedder
from trace_core.runs.files.row_records import to_record, unique_ids

SUBJECTS = ("covidqa", "delucionqa", "hagrid", "hotpotqa", "emanual")
"""The five subjects with a validation file; emanual has a train file too."""


def subject(file: str) -> str:
    """emanual_train → emanual."""
    return file.partition("_")[0]


def training_files(folder: Path) -> list[Path]:
    """The files allowed for training: their names end in `_validation` or `_train`."""
    return sorted(p for p in folder.glob("*.jsonl") if p.stem.endswith(("_validation", "_train")))


def records(file: Path) -> list[Record]:
    """The rows of a file with their released labels, which are also the ground truth."""
    data = read_whole(file, labels=True)
    rows, bad = data.items, data.errors
    if bad:
        raise bad[0]
    found = []
    for row, record_id in zip(rows, unique_ids(rows), strict=True):
        record = to_record(row, record_id)
        scores = record.ground_truth.scores if record.ground_truth else {}
        record.ground_truth = Truth(labels=record.labels, scores=scores, convention="ragbench")
        found.append(record)
    return found


class Kept(PackagedReader):
    """The packaged embedder and reader, with their results cached in a folder between runs."""

    name = "all-MiniLM-L6-v2"
    ready = True

    def __init__(self, folder: Path | None, reader: PackagedReader | None = None) -> None:
        self._embedder: Embedder = embedder()
        self._reader = reader or packaged_reader()
        self._folder = folder
        self._known = {name: _loaded(folder, name) for name in ("vectors", "says", "answers")}
        self._new: set[str] = set()
        self._asks = True

    def embed(self, texts: Sequence[str]) -> Vectors:
        """n texts → n × d; only new texts are embedded."""
        return self._found("vectors", list(texts), self._embedder.embed)

    def says(self, pairs: Sequence[Pair], on_read: OnRead = lambda n: None) -> Read:
        """The reader's results for the pairs; only new pairs are read."""
        return self._found("says", list(pairs), self._reader.says).reshape(-1, 4)

    def answers(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        """The reader's relevance for the pairs; only new pairs are read."""
        if not self._asks:
            return np.zeros(len(pairs), dtype=np.float32)
        return self._found("answers", list(pairs), self._reader.answers)

    def gather(self, items: Sequence[Sample], asks: bool = True) -> list[Evidence]:
        """The evidence of every record, in one notation; each has a document sentence. Without `asks`, what answers the
        question is not read.
        """
        self._asks = asks
        whole = [as_read(item) for item in items]
        texts = texts_to_embed(whole)
        return gather(whole, dict(zip(texts, self.embed(texts), strict=True)), self)

    def keep(self) -> None:
        """Write the cache, if it has changed."""
        folder = self._folder
        for name in self._new if folder else ():
            assert folder
            folder.mkdir(parents=True, exist_ok=True)
            known = self._known[name]
            np.savez(folder / f"{name}.npz", keys=np.array(list(known)), values=np.stack(list(known.values())))
        self._new.clear()

    def _found(self, name: str, asked: list[Any], make: Callable[[list[Any]], Any]) -> NDArray[np.float32]:
        known = self._known[name]
        new = [one for one in dict.fromkeys(asked) if _key(one) not in known]
        if new:
            known |= zip(map(_key, new), make(new), strict=True)
            self._new.add(name)
        return np.stack([known[_key(one)] for one in asked]) if asked else np.zeros(0, dtype=np.float32)


def _loaded(folder: Path | None, name: str) -> dict[str, NDArray[np.float32]]:
    file = folder / f"{name}.npz" if folder else None
    if file is None or not file.exists():
        return {}
    with np.load(file) as kept:
        return dict(zip(kept["keys"].tolist(), kept["values"], strict=True))


def _key(text: object) -> str:
    return hashlib.blake2b(repr(text).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
