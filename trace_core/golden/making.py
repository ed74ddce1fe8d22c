"""Golden questions that a language model writes about chunks of a collection, kept only if they pass two checks. The
chunks are spread evenly over the documents. A question is kept if a search of the collection finds its chunk again and
the model, given the chunk alone, repeats its reference answer. Every other chunk comes with the reason why not."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from random import Random
from typing import TypeVar

from pydantic import BaseModel

from trace_core.errors import InputError, TraceError
from trace_core.facts.refusal import is_refusal
from trace_core.facts.words import NEGATION
from trace_core.golden.questions import GoldenQuestion
from trace_core.labeling.base import Size
from trace_core.llm import Llm, Message, estimate_tokens
from trace_core.llm.prompts import GOLDEN, GOLDEN_ANSWER, AnswerDraft, QuestionDraft
from trace_core.metrics.found_documents import document_name
from trace_core.metrics.overlap import normalize, token_f1
from trace_core.pipeline import in_order
from trace_core.retrieval import Collections
from trace_core.runs.execute.estimate import WorkEstimate, expense
from trace_core.settings import Settings
from trace_core.summary.statistics import SEED

SHORTEST = 40
"""In characters; a shorter chunk contains nothing to ask about."""
AGREES_FROM = 0.5
"""The token F1 from which two answers may say the same."""
NOTHING = "gives nothing to ask about"
NO_MATCH = "asking does not find the chunk"
NOT_BORNE_OUT = "the chunk does not give the answer again"
TWICE = "the same question as for another chunk"
UNUSABLE = "the reply cannot be used"
CALL_ERROR = "the call failed"
_WRITTEN_TOKENS, _ANSWERED_TOKENS, _QUESTION = 80, 40, "word " * 15
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk as returned by a search, and its `document` under the name that golden questions use."""

    document: str
    id: str
    title: str | None
    text: str


def read_chunks(collections: Collections, collection: str) -> Iterator[Chunk]:
    """Every chunk with text. Raises `RetrievalError`."""
    for chunk, name in collections.chunks(collection):
        yield Chunk(document_name(chunk, name), chunk.id, chunk.title, chunk.text)


def pick(chunks: Iterable[Chunk], n: int, seed: int = SEED) -> list[Chunk]:
    """At most `n` usable chunks: one of each document, then a second one, and so on, at random by `seed`, whatever
    their order; a larger `n` begins with the same ones. Raises `InputError` if no chunk is usable."""
    usable = {chunk for chunk in chunks if len(chunk.text.strip()) >= SHORTEST}
    if not usable:
        raise InputError(f"No chunk has the {SHORTEST} characters that it takes to be asked about.", "Choose another.")
    order = sorted(usable, key=lambda chunk: (chunk.document, chunk.id, chunk.text))
    Random(seed).shuffle(order)  # noqa: S311  # a sample, no secret
    documents: dict[str, list[Chunk]] = {}
    for chunk in order:
        documents.setdefault(chunk.document, []).append(chunk)
    return [chunk for layer in zip_longest(*documents.values()) for chunk in layer if chunk][:n]


def to_write(chunk: Chunk) -> list[Message]:
    """The messages that ask for a question about the chunk."""
    return GOLDEN.messages({"title": chunk.title or "", "text": chunk.text})


def to_answer(chunk: Chunk, question: str) -> list[Message]:
    """The messages that ask for the chunk's answer to the question."""
    return GOLDEN_ANSWER.messages({"title": chunk.title or "", "text": chunk.text, "question": question})


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result for one chunk: a `question`, or the `reason` why there is none, with the model's words in `detail`."""

    chunk: Chunk
    question: GoldenQuestion | None = None
    reason: str = ""
    detail: str = ""

    @property
    def is_error(self) -> bool:
        """Whether the model is the reason, so that asking again may help."""
        return self.reason in (UNUSABLE, CALL_ERROR)


class _Unusable(TraceError):
    """The model's reply cannot be used."""


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes a question from a chunk. Thread-safe. `top_k` is the number of chunks that the search retrieves."""

    llm: Llm
    collections: Collections
    collection: str
    top_k: int = 5

    def __call__(self, chunk: Chunk) -> Outcome:
        """One call for the question, and one for its answer if the search finds the chunk. Raises no `TraceError`."""
        try:
            draft = self._ask(to_write(chunk), QuestionDraft, _WRITTEN_TOKENS)
            question, answer = draft.question.strip(), draft.answer.strip()
            pair = f"{question} “{answer}”"
            if not (question and answer) or is_refusal(answer):
                return Outcome(chunk, None, NOTHING, pair if question or answer else "")
            chunks = self.collections.search(self.collection, question, self.top_k)
            if (chunk.id, chunk.text) not in [(each.id, each.text) for each in chunks]:
                return Outcome(chunk, None, NO_MATCH, pair)
            again = self._ask(to_answer(chunk, question), AnswerDraft, _ANSWERED_TOKENS).answer.strip()
            if not same_answer(again, answer):
                return Outcome(chunk, None, NOT_BORNE_OUT, f"{pair}, from the chunk alone “{again}”")
        except TraceError as error:
            return Outcome(chunk, None, UNUSABLE if isinstance(error, _Unusable) else CALL_ERROR, str(error))
        expects = {"expected_documents": [chunk.document], "reference_answer": answer, "category": "made"}
        return Outcome(chunk, GoldenQuestion.model_validate({"question": question} | expects))

    def _ask(self, messages: Sequence[Message], schema: type[T], expected: int) -> T:
        purpose = f"golden-{schema.__name__.lower()}"
        reply = self.llm.ask(messages, schema, purpose=purpose, expected_tokens=expected)
        if reply.value is None:
            raise _Unusable(reply.problem)
        return reply.value


def same_answer(answer: str, reference: str) -> bool:
    """Whether two answers say the same: by token F1, both or neither negated, and equal numbers if both have any."""
    numbers, others = (set(_NUMBER.findall(text)) for text in (answer, reference))
    if numbers and others and numbers != others:
        return False
    one, other = (NEGATION.search(text) is not None for text in (answer, reference))
    return one == other and token_f1(answer, reference) >= AGREES_FROM


def make(chunks: Iterable[Chunk], maker: Maker, workers: int = 1) -> Iterator[Outcome]:
    """The result for each chunk, in order, `workers` at a time; once it is closed, nothing more is begun."""
    names: set[str] = set()
    for outcome in in_order(maker, chunks, workers):
        if question := outcome.question:
            name = normalize(question.question)
            if name in names:
                outcome = replace(outcome, question=None, reason=TWICE, detail=question.question)
            names.add(name)
        yield outcome


def golden_cost(chunks: Sequence[Chunk], settings: Settings) -> WorkEstimate:
    """The most that questions may cost: two calls per chunk, the second only if the search finds the chunk."""
    n = len(chunks)
    prompts = [message["content"] for c in chunks for message in (*to_write(c), *to_answer(c, _QUESTION))]
    prompt, reply = sum(map(estimate_tokens, prompts)), n * (_WRITTEN_TOKENS + _ANSWERED_TOKENS)
    return expense(Size(2 * n, prompt, reply), n, settings, ["Replies that are kept from before cost nothing."])
