"""A row by RAGBench's field names (arXiv:2407.11005) and ours; and rows in long form: several of one question."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import multimode
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from trace_core.datasets.cells import open_cell
from trace_core.datasets.files import MAX_TEXT
from trace_core.errors import InputError, counted
from trace_core.facts.failed_generation import is_placeholder
from trace_core.facts.labels import AUTHORS, Expected, Probabilities
from trace_core.facts.records import Truth, Turn
from trace_core.facts.strict import Strict, misfit_error
from trace_core.metrics import METRICS

LABEL_FIELDS = """relevance_explanation all_relevant_sentence_keys overall_supported_explanation
    sentence_support_information all_utilized_sentence_keys unsupported_response_sentence_keys
    unlabeled_response_sentence_keys overall_supported""".split()
"""RAGBench's fields; ours for sentences whose support is unknown; and the judge's word on the whole."""
SCORE_FIELDS = {metric: f"{metric.removeprefix('context_')}_score" for metric in METRICS}
"""Our metric → RAGBench's column; those columns use convention `ragbench`."""
_LISTS = ("all_relevant_sentence_keys", "all_utilized_sentence_keys", "sentence_support_information")
RECORDED = "recorded"
"""The labeler of labels that came with a row."""
MADE_BY, SCORED_BY, OURS = "labeler", "scored_by", "trace"
"""Our fields for who made a row's labels, and its scores: `OURS` where we computed them."""
TRUTH, PROBABILITIES = "ground_truth", "label_probabilities"
"""Our fields for the ground truth beside our own labels, and for the probabilities of these."""
ESTIMATES = {metric: f"expected_{metric}" for metric in METRICS}
"""Our metric → our field for a labeler's estimate of it."""
READ_ALONG = ("annotating_model_name", "cleaning", MADE_BY, SCORED_BY, TRUTH, PROBABILITIES, *ESTIMATES.values())
"""Columns that are not fields, yet are read where a row has labels."""
_MAY_BE_NOTHING = "id question generation_model_name conversation expected_documents reference_answer category".split()
PARALLEL = ("documents", "document_ids", "document_titles", "document_scores")
"""Lists of a row with an element for each of its documents."""


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


CellText = Annotated[str, Field(max_length=MAX_TEXT)]
Name = Annotated[str, StringConstraints(strip_whitespace=True)]
FiniteNumber = Annotated[Annotated[float, Field(allow_inf_nan=False)] | None, BeforeValidator(_number)]
Score = Annotated[Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None, BeforeValidator(_number)]
FourScores = Annotated[dict[str, Score] | None, BeforeValidator(_four)]


class OwnFields(Strict):
    """What we write of a record beside RAGBench's fields; `expected_*` are one field here."""

    ground_truth: Truth | None = None
    label_probabilities: Probabilities | None = None
    estimates: Expected | None = None


class Item(Strict):
    """A row of a data set: the fields that are read; all others are passed through. Label fields may be malformed.
    Documents, response, labels or scores may be missing: a run adds them."""

    model_config = ConfigDict(extra="allow", coerce_numbers_to_str=True)

    id: Name | None = None
    question: CellText = ""
    documents: list[CellText] | None = None
    response: CellText | None = None
    original_response: CellText | None = None
    document_ids: list[Name] | None = None
    document_titles: list[str] | None = None
    document_scores: list[FiniteNumber] | None = None
    documents_sentences: list[list[tuple[str, str]]] | None = None
    response_sentences: list[tuple[str, str]] | None = None
    generation_model_name: str | None = None
    conversation: str | None = None
    turns: list[Turn] | None = None
    spans: dict[str, str] | None = None
    relevance_score: Score = None
    utilization_score: Score = None
    completeness_score: Score = None
    adherence_score: Score = None
    expected_documents: list[Name] | None = None
    reference_answer: CellText | list[CellText] | None = None
    category: str | None = None
    metrics: FourScores = None
    ground_truth_scores: FourScores = None

    @model_validator(mode="before")
    @classmethod
    def _without_nothing(cls, row: Any) -> Any:
        """Placeholders are nothing but as an answer, which is then a failed generation. Documents that are nothing are
        left out, with their ids, unless labels point at documents by their places."""
        if not isinstance(row, dict):
            return row
        row = row | {name: _nothing(row[name]) for name in _MAY_BE_NOTHING if name in row}
        row = row | {"question": ""} if row.get("question", "") is None else row
        texts = row.get("documents")
        if not isinstance(texts, list) or any(row.get(name) is not None for name in (*_LISTS, "documents_sentences")):
            return row
        left = [place for place, text in enumerate(texts) if _nothing(text) is not None]
        lists = (name for name in PARALLEL if isinstance(row.get(name), list) and len(row[name]) == len(texts))
        return row if len(left) == len(texts) else row | {name: [row[name][i] for i in left] for name in lists}

    @property
    def made_here(self) -> bool:
        """Whether we wrote the row: its scores are then those of its labels, and no ground truth."""
        extra = self.model_extra or {}
        return extra.get(SCORED_BY) == OURS or extra.get(MADE_BY) in AUTHORS.keys() - {RECORDED}

    @property
    def own(self) -> OwnFields:
        """What we wrote beside the labels; nothing in another's row. Raises `InputError` for what no export writes."""
        if not self.made_here:
            return OwnFields()
        cells = (self.model_extra or {}).items()
        own = {name: open_cell(cell) for name, cell in cells if name in READ_ALONG and cell not in ("", None)}
        own |= {"estimates": {metric: own[name] for metric, name in ESTIMATES.items() if name in own} or None}
        if isinstance(own.get(TRUTH), str):
            del own[TRUTH]  # another's, of that name
        keys = {key for part in (*(self.documents_sentences or ()), self.response_sentences or ()) for key, _ in part}
        if keys and isinstance(parts := own.get(PROBABILITIES), dict):  # tables have nulls for other rows' sentences
            own[PROBABILITIES] = {
                name: {k: p for k, p in part.items() if k in keys or p is not None} if isinstance(part, dict) else part
                for name, part in parts.items()
            }
        try:
            result = OwnFields.model_validate(own)
        except ValidationError as error:
            reason = misfit_error(error)
            reason.field = reason.field.replace("estimates.", "expected_")
            raise reason from None
        for name, part in result.label_probabilities or ():
            if keys and (wrong := part.keys() - keys):
                raise InputError(f"{min(wrong)!r} is not a sentence of this row.", field=f"{PROBABILITIES}.{name}")
        return result

    @property
    def has_documents(self) -> bool:
        """Whether the row has documents, or a search that found none."""
        return self.documents is not None or self.documents_sentences is not None

    @property
    def has_labels(self) -> bool:
        """Whether the row has any list that a score needs."""
        return any((self.model_extra or {}).get(name) is not None for name in _LISTS)

    @property
    def uncountable(self) -> str | None:
        """The first label field that does not have RAGBench's shape: a list of keys, or of objects."""
        for name in (*_LISTS, "unsupported_response_sentence_keys"):
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
    def by_id(self) -> bool:
        """Whether it names the documents that its answer was made from by their ids alone."""
        return bool(self.document_ids) and not (self.has_documents or self.unanswered)

    @property
    def unanswered(self) -> bool:
        """Whether there is nothing to judge: no answer, and no scores."""
        return self.metrics is None and self.response is None and self.response_sentences is None


def long_rows(items: Sequence[Item]) -> list[list[int]]:
    """The places of rows that share id and question and differ in their passages, or in what is said of one answer.
    Rows with several answers, of several generators, or with labels of their own are records of their own."""
    groups: defaultdict[tuple[str | None, str], list[int]] = defaultdict(list)
    for place, item in enumerate(items):
        if item.metrics is None and item.documents_sentences is None and not item.has_labels:
            groups[item.id, item.question].append(place)
    several = (places for places in groups.values() if len(places) > 1)
    return [places for places in several if _are_one([items[place] for place in places])]


def _are_one(rows: Sequence[Item]) -> bool:
    if any(len({getattr(row, name) for row in rows} - {None}) > 1 for name in ("response", "generation_model_name")):
        return False
    if _differ_in_passages(rows) or len({str(row.expected_documents) for row in rows}) > 1:
        return True
    return rows[0].id is not None and not rows[0].unanswered and any(row != rows[0] for row in rows)


def _differ_in_passages(rows: Sequence[Item]) -> bool:
    return len({tuple(row.documents or ()) for row in rows}) > 1


def describe_long(items: Sequence[Item], groups: Sequence[list[int]], numbers: Sequence[int]) -> str:
    """A sentence about the groups, with the `numbers` of the first one's rows; empty where there is none."""
    if not groups:
        return ""
    n, first = sum(map(len, groups)), " and ".join(str(numbers[place]) for place in groups[0][:2])
    if any(_differ_in_passages([items[place] for place in places]) for places in groups):
        what = "id and question with others, each has another passage"
    else:
        what = "id, question, documents and answer with others, as where each annotator has a row"
    return f"{n:,} rows share {what}: {counted(len(groups), 'question')}, as rows {first}."


def join_rows(items: Sequence[Item], groups: Iterable[list[int]]) -> dict[int, Item]:
    """The items by their places, each group as one at the place of its first."""
    rows = dict(enumerate(items))
    for first, *others in groups:
        rows[first] = _join([items[first], *(rows.pop(place) for place in others)])
    return rows


def _join(rows: Sequence[Item]) -> Item:
    """One row: its passages in order, all that is expected, and of all else what most rows say."""
    cells = [row.model_dump(exclude_unset=True) for row in rows]
    joint = {name: majority(cell.get(name) for cell in cells) for name in dict.fromkeys(n for c in cells for n in c)}
    for name in ("expected_documents", "reference_answer"):  # of which each row may hold another part
        each = [value if isinstance(value, list) else [value] for cell in cells if (value := cell.get(name))]
        union = list(dict.fromkeys(one for several in each for one in several))
        joint[name] = union[0] if name == "reference_answer" and len(union) == 1 else union or None
    cells = [cell for cell in cells if cell.get("documents")]
    columns = [name for name in PARALLEL if all(len(cell.get(name) or ()) == len(cell["documents"]) for cell in cells)]
    once: dict[str, tuple[Any, ...]] = {}
    for part in (part for cell in cells for part in zip(*(cell[name] for name in columns), strict=True)):
        once.setdefault(part[0], part)
    if once:
        joint |= dict.fromkeys(PARALLEL) | dict(zip(columns, map(list, zip(*once.values(), strict=True)), strict=True))
    return Item.model_validate({name: value for name, value in joint.items() if value is not None})


def majority(values: Iterable[Any]) -> Any:
    """What most say; null for a tie, and where nobody says anything."""
    pairs = [(json.dumps(value, sort_keys=True, default=str), value) for value in values if value is not None]
    modes = multimode(text for text, _ in pairs)
    return dict(pairs)[modes[0]] if len(modes) == 1 else None
