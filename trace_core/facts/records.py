"""One record: a question, its documents, the response, labels, scores, as files, store and pages share it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Literal

from pydantic import Field
from pydantic_core import SchemaValidator

from trace_core.facts.failed_generation import failed_generation
from trace_core.facts.labels import Labels, Share, labeler_name
from trace_core.facts.language import language_of
from trace_core.facts.sentences import Sentence, document_sentences, response_sentences
from trace_core.facts.strict import Strict, valid
from trace_core.facts.words import tokens
from trace_core.facts.wrappers import strip_wrappers

TEXT_KEYS = tuple(
    "text page_content content document passage_text passage chunk_text chunk body context snippet document_content "
    "paragraph_text".split()
)
ID_KEYS = tuple("id doc_id document_id id_ chunk_id context_id passage_id docid node_id".split())
TITLE_KEYS = ("title", "name", "source", "file_name", "filename", "url", "doc_uri")
"""What tools call a document's text, id and title, in files, queries and Qdrant's payloads; the likeliest first."""


class Document(Strict):
    """One retrieved chunk. `rank` counts from 1; `retrieval_score` is null where none is known."""

    id: str
    rank: int
    retrieval_score: float | None = None
    title: str | None = None
    text: str
    sentences: list[Sentence] = Field(default_factory=list)


class Response(Strict):
    """The answer. `citations` are the ids of the documents that its generator cites. `original` is the text as it came,
    where something wrapped the answer."""

    text: str
    original: str | None = Field(default=None, exclude_if=lambda text: text is None)
    sentences: list[Sentence] = Field(default_factory=list)
    citations: list[str] = Field(default_factory=list)
    generator: str | None = None


class Scores(Strict):
    """The four metrics under one convention, and what follows from them; `None` is undefined. `unlabeled_sentences` and
    `undefined` (name → reason) are written only if there are any."""

    context_relevance: Share | None
    context_utilization: Share | None
    completeness: Share | None
    adherence: Share | None
    average: Share | None
    rmse_aggregation: Share | None
    consistency_score: Share | None
    overall_supported: bool | None = None
    fully_supported_sentences: int = 0
    partially_supported_sentences: int = 0
    unsupported_sentences: int = 0
    unlabeled_sentences: int = Field(default=0, exclude_if=lambda number: not number)
    convention: str
    undefined: dict[str, str] = Field(default_factory=dict, exclude_if=lambda reasons: not reasons)


class Truth(Strict):
    """What the record should have scored: labels if known, else scores and their convention."""

    labels: Labels | None = None
    scores: dict[str, Share | None] = Field(default_factory=dict)
    convention: str = "ragbench"


class Retrieval(Strict):
    """Where the documents came from. `confidence` is the top-1 retrieval score, `vector` the one that was chosen."""

    collection: str
    vector: str | None = Field(default=None, exclude_if=lambda name: name is None)
    top_k: int
    confidence: float | None = None
    action: str | None = None


class Finding(Strict):
    """A fault of a record: what it means and what usually helps. Severity 3 is the worst. `sources` are the names that
    the source documents have for it."""

    name: str
    severity: int
    title: str
    meaning: str
    fix: str
    sources: list[str] = Field(default_factory=list)


class Verdict(Strict):
    """The one thing that is said first of a record, wherever it is shown. `name` and `status` are those of its fault;
    `tone` is good, warn, bad, neutral or unknown (also where it is unsure); `author` says so; `sentence` is the key of
    the sentence that it is about, `quote` its text; `text` says it all."""

    name: str
    status: str
    confidence: Literal["sure", "unsure"] = "sure"
    tone: str
    author: str | None = None
    sentence: str | None = None
    quote: str | None = None
    text: str
    next_step: str


class Failure(Strict):
    """Why a record could not be completed; everything made before the failure is kept."""

    step: str
    message: str
    hint: str = ""


class Golden(Strict):
    """What a golden question expects, and how much retrieval found: shares in [0, 1], `None` where undefined."""

    expected_documents: list[str] = Field(default_factory=list)
    reference_answer: str | None = None
    category: str | None = None
    document_recall: Share | None = None
    document_precision: Share | None = None


class Reference(Strict):
    """A reference answer beside the answer, by content words weighted by rarity; shares in [0, 1]. `covered`: how much
    of the reference the answer has; `backed`: how much of the answer the reference has."""

    answer: str
    covered: Share | None = None
    backed: Share | None = None


EXPECTED = ("expected_documents", "reference_answer", "category")
"""What golden questions expect, as rows, tables and log lines call it; so do fields with what `Golden` cannot hold."""
ON_ANSWER = "answer: "  # how a cleaning note about the answer begins


class Turn(Strict):
    """An earlier turn of the conversation, by the `user` or the `assistant`."""

    role: str
    text: str


class Record(Strict):
    """One question with everything made from it.

    `labels` are the effective labels: the labeler's, with people's corrections applied. If a correction changes
    anything, `uncorrected` holds the labeler's own. `spans` are the ids in the trace that it came from: of the `trace`
    and of its spans `chain` and `retriever`. `golden` is what its golden question expects, if an export included it,
    `reference` the reference answer beside the answer, as exports have it. `fields` are the fields of its row that
    nothing is read from.
    """

    id: str
    source_id: str | None = None
    created_at: str | None = None
    question: str
    turns: list[Turn] = Field(default_factory=list)
    spans: dict[str, str] = Field(default_factory=dict)
    documents: list[Document] = Field(default_factory=list)
    response: Response | None = None
    labels: Labels | None = None
    uncorrected: Labels | None = Field(default=None, exclude_if=lambda labels: labels is None)
    raw_reply: Any = None
    cleaning: list[str] = Field(default_factory=list)
    overrides: list[dict[str, Any]] = Field(default_factory=list)
    scores: Scores | None = None
    ground_truth: Truth | None = None
    verdict: Verdict | None = None
    findings: list[Finding] = Field(default_factory=list)
    retrieval: Retrieval | None = None
    golden: Golden | None = Field(default=None, exclude_if=lambda golden: golden is None)
    reference: Reference | None = Field(default=None, exclude_if=lambda reference: reference is None)
    fields: dict[str, Any] = Field(default_factory=dict, exclude_if=lambda fields: not fields)
    generation_model_name: str | None = None
    usage: dict[str, float] = Field(default_factory=dict)
    seconds: dict[str, float] = Field(default_factory=dict)
    error: Failure | None = None

    def model_post_init(self, context: Any) -> None:
        """A record has its sentences from when it is made."""
        self.split()

    def split(self) -> None:
        """Split the texts that have no sentences yet. What wraps the response comes off, with a note."""
        if all(document.sentences for document in self.documents) and (not self.response or self.response.sentences):
            return
        language = language_of(" ".join(document.text for document in self.documents))
        for i, document in enumerate(self.documents):
            document.sentences = document.sentences or document_sentences(i, document.text, language)
        if self.response and not self.response.sentences:
            text, wrappers = strip_wrappers(self.response.text)
            if wrappers:
                self.response.original, self.response.text = self.response.original or self.response.text, text
                self.cleaning.append(f"{ON_ANSWER}{' and '.join(wrappers)} taken off; the text as it came is kept")
            self.response.sentences = response_sentences(text, language)

    @property
    def labeler_labels(self) -> Labels | None:
        """The labels that the labeler gave, before any correction."""
        return self.labels if self.uncorrected is None else self.uncorrected

    @property
    def labeler_name(self) -> str:
        """Who made the labels, as people read it, and whether a person corrected them; empty without labels."""
        own = self.uncorrected if self.uncorrected and self.uncorrected.labeler != "nothing" else None
        name = labeler_name((own or self.labels).labeler) if self.labels else ""
        return f"{name}, corrected" if own else name

    @property
    def notes_on_answer(self) -> list[str]:
        """The cleaning notes that are about the answer and hold whoever labels it."""
        return [note for note in self.cleaning if note.startswith(ON_ANSWER)]

    @property
    def failed_generation(self) -> str | None:
        """Why the response is not an answer (see `facts.failed_generation`); `None` for an answer, and without one."""
        return failed_generation(self.response.text) if self.response else None

    def sentences(self) -> Sentences:
        """The keyed sentences that the labels refer to."""
        response = self.response.sentences if self.response else []
        return Sentences([document.sentences for document in self.documents], response, self.turns)

    def to_dict(self) -> dict[str, Any]:
        """The record as strict JSON, without NaN or objects; the inverse of `Record.model_validate`."""
        return {name: valid(value) for name, value in self.model_dump().items()}


@dataclass
class Sentences:
    """The keyed sentences that labels refer to, per document and for the response, and the earlier turns."""

    documents: list[list[Sentence]]
    response: list[Sentence]
    turns: list[Turn] = field(default_factory=list)

    @classmethod
    def split(cls, documents: list[str], response: str) -> Sentences:
        """The keyed sentences of plain texts."""
        language = language_of(" ".join(documents))
        split = [document_sentences(i, text, language) for i, text in enumerate(documents)]
        return cls(documents=split, response=response_sentences(response, language))

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The number of tokens of every document sentence, by key."""
        return {sentence.key: tokens(sentence.text) for document in self.documents for sentence in document}

    @cached_property
    def texts(self) -> dict[str, str]:
        """The text of every sentence, by key."""
        return {sentence.key: sentence.text for part in (*self.documents, self.response) for sentence in part}

    def document_keys(self) -> list[str]:
        """Keys of all document sentences, in order."""
        return [sentence.key for document in self.documents for sentence in document]

    def response_keys(self) -> list[str]:
        """Keys of the response sentences, in order."""
        return [sentence.key for sentence in self.response]


@lru_cache(maxsize=1)
def record_reader() -> SchemaValidator:
    """Reads a record from strict JSON text (`.validate_json(text, strict=True)`), several times as fast as the model,
    which cleans every field in Python: strictly parsed JSON needs no cleaning, at any level."""
    return SchemaValidator(_without_cleaning(Record.__pydantic_core_schema__), None, _use_prebuilt=False)


def _without_cleaning(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without_cleaning(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("type") == "function-before":
        return _without_cleaning(schema["schema"])
    parts = {
        name: value if name in ("cls", "metadata", "serialization") else _without_cleaning(value)
        for name, value in schema.items()
    }
    return parts | {"allow_inf_nan": False} if parts.get("type") == "float" else parts
