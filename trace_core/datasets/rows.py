"""Rows ↔ records, by RAGBench's field names (arXiv:2407.11005) and ours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import Annotated, Any

import numpy as np
from pydantic import BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from trace_core.datasets.cells import opened
from trace_core.datasets.files import MAX_TEXT
from trace_core.errors import InputError
from trace_core.facts.cleaning import clean
from trace_core.facts.failed_generation import is_placeholder
from trace_core.facts.labels import Labels, Status
from trace_core.facts.records import Document, Record, Response, Scores, Truth, Turn, with_sentences
from trace_core.facts.sentences import locate
from trace_core.facts.strict import Strict
from trace_core.metrics import METRICS, check_convention, combine

LABEL_FIELDS = tuple(
    "relevance_explanation all_relevant_sentence_keys overall_supported_explanation sentence_support_information "
    "all_utilized_sentence_keys unsupported_response_sentence_keys unlabeled_response_sentence_keys "
    "overall_supported".split()
)
"""RAGBench's fields; ours for sentences whose support is unknown; and the judge's word on the whole."""
SCORE_FIELDS = {metric: f"{metric.removeprefix('context_')}_score" for metric in METRICS}
"""Our metric → RAGBench's column; those columns use convention `ragbench`."""
_NEEDED = ("all_relevant_sentence_keys", "all_utilized_sentence_keys", "sentence_support_information")
_OUTCOME = ("error", "undefined", "cleaning")
"""What a row says about its labeling; dropped when it is labeled again."""
MADE_BY = "labeler"
"""Our field for who made a row's labels and its scores."""
LABELERS = ("gpt", "decisions", "local", "human")
RECORDED = "recorded"
"""The labeler of labels that came with a row."""
SCORED_BY, OURS = "scored_by", "trace"
"""Our field, and its value, in rows whose scores were computed from their labels, whoever made these."""
READ_ALONG = ("annotating_model_name", "cleaning", MADE_BY, SCORED_BY)
"""Columns that are not fields, yet are read where a row has labels."""
TRUTH = "ground_truth"
"""Our field for the ground truth beside our own labels."""
OWN_FIELDS = frozenset((*LABEL_FIELDS, *_OUTCOME, *READ_ALONG, TRUTH, *(f"expected_{metric}" for metric in METRICS)))
"""What we read or write in rows beside the fields of `Item`."""

_MAY_BE_NOTHING = tuple(
    "id question generation_model_name conversation expected_documents reference_answer category".split()
)
PARALLEL = ("documents", "document_ids", "document_titles", "document_scores")
"""Lists of a row with an element for each of its documents."""

Keyed = list[tuple[str, str]]


def _nothing(value: object) -> object:
    """Null for what programs write where there is nothing; in a list it is left out."""
    if isinstance(value, list):
        return [one for one in value if one is not None and _nothing(one) is not None]
    return None if isinstance(value, str) and is_placeholder(value) else value


def _number(value: object) -> object:
    """A score, where a table wrote True, False or NaN as a word."""
    words: dict[str, object] = {"true": 1.0, "false": 0.0, "": None}
    return _nothing(words.get(value.strip().lower(), value)) if isinstance(value, str) else value


def _four(value: object) -> object:
    four = {name: score for name, score in value.items() if name in METRICS} if isinstance(value, dict) else value
    if four == {}:
        raise ValueError(f"None of the four metrics is there. They are {', '.join(METRICS)}")
    return four


Text = Annotated[str, Field(max_length=MAX_TEXT)]
Name = Annotated[str, StringConstraints(strip_whitespace=True)]
Number = Annotated[Annotated[float, Field(allow_inf_nan=False)] | None, BeforeValidator(_number)]
Score = Annotated[Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None, BeforeValidator(_number)]
Scored = Annotated[dict[str, Score] | None, BeforeValidator(_four)]


class Item(Strict):
    """A row of a data set: the fields that are read; all others are passed through. Label fields may be malformed.

    Documents, response, labels or scores may be missing: a run adds them.
    """

    model_config = ConfigDict(extra="allow", coerce_numbers_to_str=True)

    id: Name | None = None
    question: Text = ""
    documents: list[Text] | None = None
    response: Text | None = None
    original_response: Text | None = None
    document_ids: list[Name] | None = None
    document_titles: list[str] | None = None
    document_scores: list[Number] | None = None
    documents_sentences: list[Keyed] | None = None
    response_sentences: Keyed | None = None
    generation_model_name: str | None = None
    conversation: str | None = None
    turns: list[Turn] | None = None
    spans: dict[str, str] | None = None
    relevance_score: Score = None
    utilization_score: Score = None
    completeness_score: Score = None
    adherence_score: Score = None
    expected_documents: list[Name] | None = None
    reference_answer: Text | list[Text] | None = None
    category: str | None = None
    metrics: Scored = None
    ground_truth_scores: Scored = None

    @model_validator(mode="before")
    @classmethod
    def _without_nothing(cls, row: Any) -> Any:
        """Placeholders are nothing but as an answer, which is then a failed generation.

        Documents that are nothing are left out, with their ids, unless labels point at documents by their places.
        """
        if not isinstance(row, dict):
            return row
        row = row | {name: _nothing(row[name]) for name in _MAY_BE_NOTHING if name in row}
        row = row | {"question": ""} if row.get("question", "") is None else row
        texts = row.get("documents")
        if not isinstance(texts, list) or any(row.get(name) is not None for name in (*_NEEDED, "documents_sentences")):
            return row
        left = [place for place, text in enumerate(texts) if _nothing(text) is not None]
        lists = (name for name in PARALLEL if isinstance(row.get(name), list) and len(row[name]) == len(texts))
        return row if len(left) == len(texts) else row | {name: [row[name][i] for i in left] for name in lists}

    @property
    def has_documents(self) -> bool:
        """Whether the row has documents, or a search that found none."""
        return self.documents is not None or self.documents_sentences is not None

    @property
    def has_labels(self) -> bool:
        """Whether the row has any list that a score needs."""
        return any((self.model_extra or {}).get(name) is not None for name in _NEEDED)

    @property
    def uncountable(self) -> str | None:
        """The first label field that does not have RAGBench's shape: a list of keys, or of objects."""
        for name in (*_NEEDED, "unsupported_response_sentence_keys"):
            value = (self.model_extra or {}).get(name)
            item = dict if name == "sentence_support_information" else str
            if value is not None and not (isinstance(value, list) and all(isinstance(v, item) for v in value)):
                return name
        return None

    @property
    def kind(self) -> str:
        """The work left to a run: `scores` (none), `labeled` (score), `label`, `answer` or `ask`."""
        if self.metrics is not None:
            return "scores"
        if not self.has_documents:
            return "ask"
        if self.unanswered:
            return "answer"
        return "labeled" if self.has_labels else "label"

    @property
    def looked_up(self) -> bool:
        """Whether it names the documents that its answer was made from by their ids alone."""
        return bool(self.document_ids) and not (self.has_documents or self.unanswered)

    @property
    def unanswered(self) -> bool:
        """Whether there is nothing to judge: no answer, and no scores."""
        return self.metrics is None and self.response is None and self.response_sentences is None


def to_record(row: Item, record_id: str, *, with_labels: bool = True) -> Record:
    """A row → a record with its sentences unchanged and its labels cleaned; not yet scored."""
    extra = row.model_extra or {}
    fields = {name: value for name, value in extra.items() if name not in OWN_FIELDS}
    record = Record(
        id=record_id,
        source_id=row.id,
        question=row.question,
        documents=_documents(row),
        response=_response(row),
        generation_model_name=row.generation_model_name,
        turns=row.turns or [],
        spans=row.spans or {},
        fields=fields,
    )
    with_sentences(record)
    if with_labels and row.has_labels:
        _label(record, extra, ours=made_here(row))
    known = {metric: getattr(row, field) for metric, field in SCORE_FIELDS.items()}
    if made_here(row):
        record.ground_truth = _truth(extra.get(TRUTH))
    elif any(value is not None for value in known.values()):
        record.ground_truth = Truth(scores=known, convention="ragbench")
    return record


def _label(record: Record, extra: Mapping[str, Any], *, ours: bool) -> None:
    """Give the record the labels of its row. Who made them is known of ours."""
    sentences = record.sentences()
    raw = {name: extra.get(name) for name in LABEL_FIELDS}
    expected = {name: extra.get(f"expected_{name}") for name in METRICS}
    if ours and any(value is not None for value in expected.values()):
        raw["expected"] = expected
    labeler = str(extra.get(MADE_BY) or RECORDED) if ours else RECORDED
    version = extra.get("annotating_model_name")
    cleaned = clean(raw, sentences.document_keys(), sentences.response_keys(), labeler=labeler, version=version)
    record.labels, record.raw_reply = cleaned.labels, raw
    notes = opened(extra.get("cleaning"))
    before = [note for note in notes if isinstance(note, str)] if isinstance(notes, list) else []
    record.cleaning = list(dict.fromkeys([*record.cleaning, *before, *cleaned.notes]))


def scores_record(item: Item, record_id: str, convention: str) -> Record:
    """A row with `metrics` → a record with its texts and, under `convention`, the four scores and those that follow.

    Raises `SettingsError` for an unknown convention.
    """
    true = item.ground_truth_scores
    record = to_record(item, record_id, with_labels=False)
    record.scores = scores_from(item.metrics or {}, convention)
    record.ground_truth = Truth(scores={n: true.get(n) for n in METRICS}, convention=convention) if true else None
    return record


def scores_from(values: Mapping[str, float | None], convention: str = "trace") -> Scores:
    """The four given metrics, and the scores derived from them. Raises `SettingsError` for an unknown convention."""
    check_convention(convention)
    four = {name: values.get(name) for name in METRICS}
    derived = combine(np.array([[value] for value in four.values()], dtype=np.float64))  # null becomes NaN
    average, rmse, consistency = (None if np.isnan(one[0]) else float(one[0]) for one in derived)
    missing = {name: "not given" for name, value in four.items() if value is None}
    three = {"average": average, "rmse_aggregation": rmse, "consistency_score": consistency}
    return Scores(**four, **three, convention=convention, undefined=missing)


def made_here(row: Item) -> bool:
    """Whether we wrote the row: its scores are then those of its labels, and no ground truth."""
    extra = row.model_extra or {}
    return extra.get(MADE_BY) in LABELERS or extra.get(SCORED_BY) == OURS


def _truth(value: Any) -> Truth | None:
    try:
        return Truth.model_validate(value) if isinstance(value, dict) else None
    except ValidationError:
        raise InputError("This is not a ground truth as an export writes it.", field=TRUTH) from None


def _documents(row: Item) -> list[Document]:
    keyed = row.documents_sentences
    texts = row.documents if row.documents is not None else [_joined(k) for k in keyed or []]
    given = (row.document_ids or [], row.document_titles or [], row.document_scores or [])
    found = [
        Document(id=own or str(i), rank=i + 1, title=title, text=text, retrieval_score=score)
        for i, (text, own, title, score) in enumerate(zip_longest(texts, *(part[: len(texts)] for part in given)))
    ]
    for document, sentences in zip(found, keyed or [], strict=False):
        document.sentences = locate(document.text, sentences)
    return found


def _response(row: Item) -> Response | None:
    keyed = row.response_sentences
    if row.response is None and keyed is None:
        return None
    text = _joined(keyed or []) if row.response is None else row.response
    sentences = locate(text, keyed) if keyed else []
    return Response(text=text, original=row.original_response, sentences=sentences, generator=row.generation_model_name)


def _joined(keyed: Keyed) -> str:
    return " ".join(text for _, text in keyed)


def to_row(row: Item, record: Record, scores: Scores) -> dict[str, Any]:
    """The same row with this record's labels and released-style scores (convention `ragbench`).

    Labels and scores are null, with an `error`, where it could not be labeled. `undefined` has the reasons.
    """
    given = row.model_dump(mode="json", exclude_unset=True)
    out = {name: value for name, value in given.items() if name not in _OUTCOME} | {
        "documents": [d.text for d in record.documents],
        "response": record.response.text if record.response else None,
        "documents_sentences": [[[s.key, s.text] for s in d.sentences] for d in record.documents],
        "response_sentences": [[s.key, s.text] for s in record.sentences().response],
    }
    if record.response and record.response.original is not None:
        out["original_response"] = record.response.original
    labels = record.labels
    out |= _label_fields(labels, record) if labels else dict.fromkeys(LABEL_FIELDS)
    out |= released_scores({metric: getattr(scores, metric) for metric in METRICS})
    if labels and labels.expected:
        out |= {f"expected_{name}": value for name, value in labels.expected.model_dump().items()}
    out["annotating_model_name"] = labels.labeler_version if labels else None
    if labels and labels.labeler != RECORDED:
        out[MADE_BY] = labels.labeler
    if record.error:
        return out | {"error": record.error.message}
    if record.failed_generation:
        return out | {"error": scores.undefined["adherence"], "undefined": dict(scores.undefined)}
    notes = {"undefined": dict(scores.undefined), "cleaning": list(record.cleaning)}
    return out | {name: value for name, value in notes.items() if value}


def released_scores(scores: Mapping[str, float | None]) -> dict[str, float | bool | None]:
    """Scores of convention `ragbench` by RAGBench's columns; adherence is a bool there, unless it is another number."""
    found: dict[str, float | bool | None] = {field: scores.get(metric) for metric, field in SCORE_FIELDS.items()}
    if (adherence := scores.get("adherence")) in (0.0, 1.0):
        found[SCORE_FIELDS["adherence"]] = adherence == 1.0
    return found


def _label_fields(labels: Labels, record: Record) -> dict[str, Any]:
    """The label fields; a missing list of unsupported sentences is derived where every sentence is labeled."""
    statuses = labels.statuses(record.sentences().response_keys()).items()
    fields = labels.model_dump(mode="json", include=set(LABEL_FIELDS))
    unlabeled = [key for key, status in statuses if status is Status.UNLABELED]
    fields["unlabeled_response_sentence_keys"] = unlabeled or None
    if labels.unsupported_response_sentence_keys is None and not unlabeled:
        fields["unsupported_response_sentence_keys"] = [k for k, status in statuses if status is Status.UNSUPPORTED]
    return fields


def unique_ids(rows: Iterable[Item | Record]) -> list[str]:
    """A record id for each row: its own, or `id#2`, `id#3` … in file order; a number where it has none."""
    taken: dict[str, int] = {}  # id → the last number given to a repeat of it
    for number, row in enumerate(rows, start=1):
        base = candidate = row.id or str(number)
        while candidate in taken:
            taken[base] += 1
            candidate = f"{base}#{taken[base]}"
        taken[candidate] = 1
    return list(taken)
