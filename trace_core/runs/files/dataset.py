"""A file's rows and a run's records: rows stored as a data set, and what golden questions among them expect."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from trace_core.datasets import Item
from trace_core.facts.records import EXPECTED, Golden, Record
from trace_core.metrics.found_documents import document_scores
from trace_core.runs.files.row_records import unique_ids
from trace_core.store.datasets import DatasetStore


def save_rows(datasets: DatasetStore, name: str, rows: Sequence[Item]) -> str:
    """The id of the data set with these rows, which is created if missing: the same rows are stored once.

    It counts the rows of each kind, `golden` ones, with expected documents, and `unanswered` ones, with nothing to
    judge.
    """
    bodies = [plain_row(row) for row in rows]
    digest = digest_of(bodies)
    for dataset in datasets.list_datasets():
        if dataset.digest == digest:
            return dataset.id
    counts = Counter(row.kind for row in rows)
    counts["golden"] = sum(row.expected_documents is not None for row in rows)
    counts["unanswered"] = sum(row.unanswered for row in rows)
    return datasets.add_dataset(name, zip(unique_ids(rows), bodies, strict=True), counts=+counts, digest=digest)


def digest_of(rows: Sequence[dict[str, Any]]) -> str:
    """A digest that identifies the content of a data set."""
    digest = hashlib.sha256()
    for row in rows:
        digest.update(json.dumps(row, sort_keys=True).encode() + b"\n")
    return digest.hexdigest()


def plain_row(row: Item) -> dict[str, Any]:
    """The row's own fields; fields that it did not set are not written as null."""
    return row.model_dump(mode="json", exclude_unset=True)


def expecting(record: Record, row: Item) -> Record:
    """The record with its golden question; what that cannot hold stays among its fields: several reference answers, and
    a reference answer and a category without expected documents. Scores without documents do not tell how these match.
    """
    more = {name: value for name, value in row.model_dump(include={*EXPECTED}).items() if value}
    if row.expected_documents is None:
        return record.model_copy(update={"fields": record.fields | more})
    answers = [row.reference_answer] if isinstance(row.reference_answer, str) else row.reference_answer or []
    golden = Golden(
        expected_documents=list(dict.fromkeys(name.strip() for name in row.expected_documents if name.strip())),
        reference_answer=next((answer for answer in answers if answer.strip()), None),
        category=row.category,
    )
    if record.documents or row.kind != "scores":
        recall, precision = document_scores(golden.expected_documents, record.documents)
        golden = golden.model_copy(update={"document_recall": recall, "document_precision": precision})
    several = {"reference_answer": answers} if len(answers) > 1 else {}
    return record.model_copy(update={"golden": golden, "fields": record.fields | several})
