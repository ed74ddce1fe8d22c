"""RAGBench's files for training and measuring: records, vectors kept on disk, subjects held out."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from trace_core.datasets import read_rows, to_record, unique_ids
from trace_core.facts.records import Record, Truth
from trace_core.retrieval.embedding import Embedder, Vectors, embedder

SUBJECTS = ("covidqa", "delucionqa", "hagrid", "hotpotqa", "emanual")
"""The five subjects with a validation file; emanual has a train file too."""


def subject(file: str) -> str:
    """emanual_train → emanual."""
    return file.partition("_")[0]


def training_files(folder: Path) -> list[Path]:
    """The files that may be learned from: their names end in `_validation` or `_train`."""
    return sorted(p for p in folder.glob("*.jsonl") if p.stem.endswith(("_validation", "_train")))


def records(file: Path) -> list[Record]:
    """The rows of a file with their released labels, which are also the ground truth."""
    rows, bad = read_rows(file, labels=True)
    if bad:
        raise bad[0]
    found = []
    for row, record_id in zip(rows, unique_ids(rows), strict=True):
        record = to_record(row, record_id)
        scores = record.ground_truth.scores if record.ground_truth else {}
        record.ground_truth = Truth(labels=record.labels, scores=scores, convention="ragbench")
        found.append(record)
    return found


class KeptVectors:
    """The packaged embedder, with its vectors kept in a folder between runs."""

    def __init__(self, folder: Path | None) -> None:
        self._model: Embedder = embedder()
        self._file = folder / "vectors.npz" if folder else None
        self._known: dict[str, Vectors] = {}
        if self._file and self._file.exists():
            with np.load(self._file) as kept:
                self._known = dict(zip(kept["keys"].tolist(), kept["vectors"], strict=True))
        self._new = False

    name = "all-MiniLM-L6-v2"
    ready = True

    def embed(self, texts: Sequence[str]) -> Vectors:
        """n texts → n × d; only those not yet known are embedded."""
        new = [t for t in dict.fromkeys(texts) if _key(t) not in self._known]
        if new:
            self._known |= zip(map(_key, new), self._model.embed(new), strict=True)
            self._new = True
        return np.stack([self._known[_key(t)] for t in texts])

    def keep(self) -> None:
        """Write what is known, if there is anything new."""
        if self._file and self._new:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            np.savez(self._file, keys=np.array(list(self._known)), vectors=np.stack(list(self._known.values())))
            self._new = False


def _key(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
