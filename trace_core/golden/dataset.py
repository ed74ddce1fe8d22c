"""Golden questions in the store: saved as a data set, and the results of a run's records, which carry theirs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

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
    questions = {}
    for row in datasets.rows(dataset_id):
        if row.row.get("expected_documents") is not None:
            good, _ = read_questions([row.row | {"reference_answer": _first(row.row.get("reference_answer"))}])
            if good:
                questions[row.record_id] = good[0]
    return questions


def reference_of(record: Record) -> str | None:
    """The reference answer that came with the record's row; the first if there are several."""
    return _first(record.golden.reference_answer if record.golden else record.fields.get("reference_answer"))


def _first(answers: object) -> str | None:
    listed = answers if isinstance(answers, list) else [answers]
    return next((answer for answer in listed if isinstance(answer, str) and answer.strip()), None)


def results_of(
    records: Iterable[Record], convention: str, relevance_divisor: float = RELEVANCE_DIVISOR
) -> Iterator[GoldenResult]:
    """The results of the records that have a golden question, under the convention, with people's corrections.

    Scores without labels stay unchanged.
    """
    for record in records:
        if record.golden:
            rescored = rescore(record, convention, relevance_divisor) if record.labels or record.error else record
            yield measured(rescored, record.golden)
