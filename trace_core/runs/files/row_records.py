"""Rows ↔ records: a record of a row, a row with a record's labels and scores, rows stored as a data set."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from trace_core.datasets import rows as row_fields
from trace_core.datasets.cells import open_cell
from trace_core.datasets.rows import LABEL_FIELDS, MADE_BY, READ_ALONG, RECORDED, SCORE_FIELDS, Item, OwnFields
from trace_core.facts.cleaning import clean
from trace_core.facts.labels import Status
from trace_core.facts.records import EXPECTED, ON_ANSWER, Document, Golden, Record, Response, Scores, Truth
from trace_core.facts.sentences import locate
from trace_core.metrics import METRICS, scores_from
from trace_core.metrics.found_documents import document_scores

if TYPE_CHECKING:
    from trace_core.store.datasets import DatasetStore  # POST /trace needs no database

STALE = frozenset(("error", "undefined", "cleaning", *READ_ALONG)) - {row_fields.TRUTH}
"""What is dropped of a row that is labeled again."""
OWN_FIELDS = STALE | {*LABEL_FIELDS, row_fields.TRUTH}
"""What we read or write in rows beside the fields of `Item`."""


def to_record(row: Item, record_id: str, *, with_labels: bool = True) -> Record:
    """A row → a record with its sentences unchanged and its labels cleaned; not yet scored."""
    extra, own = row.model_extra or {}, row.own
    fields = {name: value for name, value in extra.items() if name not in OWN_FIELDS}
    text, lists, response = row.response, row.response_sentences, None
    if text is not None or lists is not None:
        text = _join(lists or []) if text is None else text
        response = Response(text=text, original=row.original_response, generator=row.generation_model_name)
        response.sentences = locate(text, lists) if lists else []
    record = Record(
        id=record_id,
        source_id=row.id,
        question=row.question,
        documents=_documents(row),
        response=response,
        generation_model_name=row.generation_model_name,
        turns=row.turns or [],
        spans=row.spans or {},
        fields=fields,
    )
    if row.has_labels or row.made_here:
        notes = open_cell(extra.get("cleaning"))
        before = [one for one in notes if isinstance(one, str)] if isinstance(notes, list) else []
        record.cleaning += [one for one in before if with_labels or one.startswith(ON_ANSWER)]
    if with_labels and row.has_labels:
        _label(record, row, own)
    scores = {metric: getattr(row, field) for metric, field in SCORE_FIELDS.items()}
    if row.made_here:
        record.ground_truth = own.ground_truth
    elif any(value is not None for value in scores.values()):
        record.ground_truth = Truth(scores=scores, convention="ragbench")
    return record


def _label(record: Record, row: Item, own: OwnFields) -> None:
    """Give the record the labels of its row. Who made them is known of ours, and what they estimate."""
    sentences, extra = record.sentences(), row.model_extra or {}
    raw = {name: extra.get(name) for name in LABEL_FIELDS}
    labeler = str(extra.get(MADE_BY) or RECORDED) if row.made_here else RECORDED
    version = extra.get("annotating_model_name")
    result = clean(raw, sentences.document_keys(), sentences.response_keys(), labeler=labeler, version=version)
    estimates = {"probabilities": own.label_probabilities, "expected": own.estimates}
    record.labels, record.raw_reply = result.labels.model_copy(update=estimates), raw
    record.cleaning = list(dict.fromkeys([*record.cleaning, *result.notes]))


def scores_record(item: Item, record_id: str, convention: str) -> Record:
    """A row with `metrics` → a record with its texts and, under `convention`, the four scores and those that follow.
    Raises `SettingsError` for an unknown convention."""
    true = item.ground_truth_scores
    record = to_record(item, record_id, with_labels=False)
    record.scores = scores_from(item.metrics or {}, convention)
    record.ground_truth = Truth(scores={n: true.get(n) for n in METRICS}, convention=convention) if true else None
    return record


def _documents(row: Item) -> list[Document]:
    lists = row.documents_sentences
    texts = row.documents if row.documents is not None else [_join(k) for k in lists or []]
    columns = (row.document_ids or [], row.document_titles or [], row.document_scores or [])
    documents = [
        Document(id=own or str(i), rank=i + 1, title=title, text=text, retrieval_score=score)
        for i, (text, own, title, score) in enumerate(zip_longest(texts, *(part[: len(texts)] for part in columns)))
    ]
    for document, sentences in zip(documents, lists or [], strict=False):
        document.sentences = locate(document.text, sentences)
    return documents


def _join(sentences: Sequence[tuple[str, str]]) -> str:
    return " ".join(text for _, text in sentences)


def to_row(row: Item, record: Record, scores: Scores) -> dict[str, Any]:
    """The same row with this record's labels and released-style scores (convention `ragbench`). Labels and scores are
    null, with an `error`, where it could not be labeled. `undefined` has the reasons."""
    out = {name: value for name, value in plain_row(row).items() if name not in STALE} | {
        "documents": [d.text for d in record.documents],
        "response": record.response.text if record.response else None,
        "documents_sentences": [[[s.key, s.text] for s in d.sentences] for d in record.documents],
        "response_sentences": [[s.key, s.text] for s in record.sentences().response],
    }
    if record.response and record.response.original is not None:
        out["original_response"] = record.response.original
    labels = record.labels
    if labels is None:
        out |= dict.fromkeys(LABEL_FIELDS)
    else:
        # A missing list of unsupported sentences is derived where every sentence is labeled.
        statuses = labels.statuses(record.sentences().response_keys()).items()
        out |= labels.model_dump(mode="json", include=set(LABEL_FIELDS))
        open_keys = [key for key, status in statuses if status is Status.UNLABELED]
        out["unlabeled_response_sentence_keys"] = open_keys or None
        if labels.unsupported_response_sentence_keys is None and not open_keys:
            out["unsupported_response_sentence_keys"] = [k for k, status in statuses if status is Status.UNSUPPORTED]
    out |= released_scores({metric: getattr(scores, metric) for metric in METRICS})
    if labels and labels.expected:
        out |= {row_fields.ESTIMATES[name]: value for name, value in labels.expected}
    if labels and labels.probabilities:
        out[row_fields.PROBABILITIES] = labels.probabilities.model_dump()
    out |= {"annotating_model_name": labels.labeler_version if labels else None, row_fields.SCORED_BY: row_fields.OURS}
    if labels and labels.labeler != RECORDED:
        out[MADE_BY] = labels.labeler
    error = scores.undefined["adherence"] if record.failed_generation else None
    outcome = {"error": error, "undefined": dict(scores.undefined), "cleaning": list(record.cleaning)}
    outcome |= {"error": record.error.message, "undefined": None} if record.error else {}
    return out | {name: value for name, value in outcome.items() if value}


def released_scores(scores: Mapping[str, float | None]) -> dict[str, float | bool | None]:
    """Scores of convention `ragbench` by RAGBench's columns; adherence is a bool there, unless it is another number."""
    columns: dict[str, float | bool | None] = {field: scores.get(metric) for metric, field in SCORE_FIELDS.items()}
    if (adherence := scores.get("adherence")) in (0.0, 1.0):
        columns[SCORE_FIELDS["adherence"]] = adherence == 1.0
    return columns


def unique_ids(rows: Iterable[Item | Record]) -> list[str]:
    """A record id for each row: its own, or `id#2`, `id#3` … in file order; a number where it has none."""
    last: dict[str, int] = {}  # id → the last number given to a repeat of it
    for number, row in enumerate(rows, start=1):
        base = candidate = row.id or str(number)
        while candidate in last:
            last[base] += 1
            candidate = f"{base}#{last[base]}"
        last[candidate] = 1
    return list(last)


def save_rows(datasets: DatasetStore, name: str, rows: Sequence[Item]) -> str:
    """The id of the data set with these rows, which is created if missing: the same rows are stored once. It counts the
    rows of each kind, `golden` ones, with expected documents, and `unanswered` ones, with nothing to judge."""
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
    a reference answer and a category without expected documents. Scores without documents tell nothing of these."""
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
