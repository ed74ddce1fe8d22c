"""Store a file's rows as a data set, once however often the same rows arrive."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from trace_core.datasets import Item, unique_ids
from trace_core.store.datasets import Dataset, DatasetStore

UNANSWERED = "unanswered"
"""The key in a data set's counts for rows that have nothing to judge."""


def save_rows(datasets: DatasetStore, name: str, rows: Sequence[Item]) -> str:
    """The id of the data set with these rows, which is created if missing.

    Its counts give the number of rows of each kind, of `golden` rows, which name expected documents, and of
    rows without an answer.
    """
    found = [plain_row(row) for row in rows]
    digest = digest_of(found)
    for known in datasets.list_datasets():
        if known.digest == digest:
            return known.id
    counts = Counter(row.kind for row in rows)
    if golden := sum(row.expected_documents is not None for row in rows):
        counts["golden"] = golden
    if unanswered := sum(row.unanswered for row in rows):
        counts[UNANSWERED] = unanswered
    return datasets.add_dataset(name, zip(unique_ids(rows), found, strict=True), counts=counts, digest=digest)


def unanswered(datasets: DatasetStore, dataset: Dataset) -> int:
    """The number of rows without an answer; computed where the data set is older than the count."""
    if UNANSWERED in dataset.counts or not dataset.counts.keys() & {"ask", "answer"}:
        return dataset.counts.get(UNANSWERED, 0)
    return sum(Item.model_validate(row.row).unanswered for row in datasets.rows(dataset.id))


def digest_of(rows: Sequence[dict[str, Any]]) -> str:
    """A digest that identifies the content of a data set."""
    made = hashlib.sha256()
    for row in rows:
        made.update(json.dumps(row, sort_keys=True).encode() + b"\n")
    return made.hexdigest()


def plain_row(row: Item) -> dict[str, Any]:
    """The row's own fields; fields that it did not set are not written as null."""
    return row.model_dump(mode="json", exclude_unset=True)
