"""Golden questions in the store: saved as a data set, and matched to the records of a run over it.

A record matches the row with its id in the run's data set.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from trace_core.datasets import Item
from trace_core.diagnosis.rescoring import rescore
from trace_core.facts.records import Record
from trace_core.golden.questions import GoldenQuestion, read_questions
from trace_core.golden.results import GoldenResult, measured
from trace_core.metrics import RELEVANCE_DIVISOR
from trace_core.runs.files.dataset import save_rows
from trace_core.store.datasets import DatasetStore


def save_questions(
    datasets: DatasetStore, name: str, questions: Sequence[GoldenQuestion], ids: Sequence[str | None] = ()
) -> str:
    """The id of the data set with these questions, created if necessary. `ids` are the rows' own ids, in order."""
    named = [*ids, *[None] * len(questions)]
    rows = [q.to_dict() | ({"id": i} if i else {}) for q, i in zip(questions, named, strict=False)]
    return save_rows(datasets, name, [Item.model_validate(row) for row in rows])


def golden_of(datasets: DatasetStore, dataset_id: str) -> dict[str, GoldenQuestion]:
    """Record id → its golden question, in order, for the rows that name expected documents.

    A row without that field is no golden question; only an empty list means that the question has no answer.
    """
    found = {}
    for row in datasets.rows(dataset_id):
        if row.row.get("expected_documents") is not None:
            good, _ = read_questions([row.row | {"reference_answer": reference(row.row)}])
            if good:
                found[row.record_id] = good[0]
    return found


def references_of(datasets: DatasetStore, dataset_id: str, record_ids: Collection[str]) -> dict[str, str]:
    """Record id → reference answer, for records that have one. Stops reading as soon as all are found."""
    found, left = {}, set(record_ids)
    for row in datasets.rows(dataset_id) if left else ():
        if row.record_id in left and (said := reference(row.row)):
            found[row.record_id] = said
        left.discard(row.record_id)
        if not left:
            break
    return found


def reference(row: Mapping[str, Any]) -> str | None:
    """The row's reference answer; the first if there are several."""
    given = row.get("reference_answer")
    answers = given if isinstance(given, list) else [given]
    return next((a for a in answers if isinstance(a, str) and a.strip()), None)


def results_of(
    golden: Mapping[str, GoldenQuestion],
    records: Iterable[Record],
    convention: str,
    relevance_divisor: float = RELEVANCE_DIVISOR,
) -> Iterator[GoldenResult]:
    """The results of a run's records with a golden question, under the convention, with people's corrections.

    Scores without labels stay unchanged.
    """
    for record in records:
        question = golden.get(record.id) or _own(record)
        if question:
            scored = rescore(record, convention, relevance_divisor) if record.labels or record.error else record
            yield measured(question, scored)


def _own(record: Record) -> GoldenQuestion | None:
    """The golden question that came with the record of an imported run."""
    kept = record.golden
    if kept is None:
        return None
    about = {"reference_answer": kept.reference_answer, "category": kept.category}
    return GoldenQuestion(question=record.question or "?", expected_documents=kept.expected_documents, **about)
