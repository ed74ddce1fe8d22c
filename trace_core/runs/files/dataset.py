"""Rows of a file into the store as a data set: once, however often the same rows come."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from trace_core.datasets import Item, unique_ids
from trace_core.store.datasets import Dataset, DatasetStore

UNANSWERED = "unanswered"
"""How a data set's counts call the rows that have nothing to judge."""


def save_rows(datasets: DatasetStore, name: str, rows: Sequence[Item]) -> str:
    """The id of the data set that holds these rows; made where there is none.

    Its counts say how many rows are of which kind, how many are `golden`: they name expected
    documents, and how many have no answer yet.
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
    """How many of its rows have no answer; looked up where the data set is older than the count."""
    if UNANSWERED in dataset.counts or not dataset.counts.keys() & {"ask", "answer"}:
        return dataset.counts.get(UNANSWERED, 0)
    return sum(Item.model_validate(row.row).unanswered for row in datasets.rows(dataset.id))


def digest_of(rows: Sequence[dict[str, Any]]) -> str:
    """Tells data sets with other content apart."""
    made = hashlib.sha256()
    for row in rows:
        made.update(json.dumps(row, sort_keys=True).encode() + b"\n")
    return made.hexdigest()


def plain_row(row: Item) -> dict[str, Any]:
    """The row's own fields; what it did not say is not written down as null."""
    return row.model_dump(mode="json", exclude_unset=True)
