"""Golden questions that a language model writes about chunks of a collection, kept only if they pass two checks.

A question is kept if a search of the collection finds its chunk again and the model, given the chunk alone, repeats
its reference answer. Every other chunk is returned with the reason why it has no question.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from pydantic import BaseModel

from trace_core.errors import TraceError
from trace_core.facts.refusal import is_refusal
from trace_core.facts.words import NEGATION
from trace_core.golden.picking import Chunk
from trace_core.golden.prompt import AnswerDraft, QuestionDraft, to_answer, to_write
from trace_core.golden.questions import GoldenQuestion
from trace_core.llm import Llm, Message, estimate_tokens
from trace_core.metrics.overlap import normalized, token_f1
from trace_core.pipeline import in_order
from trace_core.retrieval import Collections
from trace_core.runs.execute.estimate import Expense
from trace_core.settings import Settings

AGREES_FROM = 0.5
"""The token F1 from which two answers may say the same."""
NOTHING = "gives nothing to ask about"
NOT_FOUND = "asking does not find the chunk"
NOT_BORNE_OUT = "the chunk does not give the answer again"
TWICE = "the same question as of another chunk"
UNUSABLE = "the reply cannot be used"
FAILED = "the call failed"
_WRITTEN_TOKENS, _ANSWERED_TOKENS, _QUESTION = 80, 40, "word " * 15
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result for one chunk: a `question`, or the `reason` why there is none, with the model's words in `detail`."""

    chunk: Chunk
    question: GoldenQuestion | None = None
    reason: str = ""
    detail: str = ""

    @property
    def failed(self) -> bool:
        """Whether the model is the reason, so that asking again may help."""
        return self.reason in (UNUSABLE, FAILED)


class _LeftOut(Exception):
    """There is no question; the arguments are the reason and the detail."""


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
            return Outcome(chunk, self._question(chunk))
        except _LeftOut as left_out:
            return Outcome(chunk, None, *left_out.args)
        except TraceError as error:
            return Outcome(chunk, None, FAILED, str(error))

    def _question(self, chunk: Chunk) -> GoldenQuestion:
        draft = self._ask(to_write(chunk), QuestionDraft, _WRITTEN_TOKENS)
        question, answer = draft.question.strip(), draft.answer.strip()
        pair = f"{question} “{answer}”"
        if not (question and answer) or is_refusal(answer):
            raise _LeftOut(NOTHING, pair if question or answer else "")
        if not self._finds(chunk, question):
            raise _LeftOut(NOT_FOUND, pair)
        again = self._ask(to_answer(chunk, question), AnswerDraft, _ANSWERED_TOKENS).answer.strip()
        if not same_answer(again, answer):
            raise _LeftOut(NOT_BORNE_OUT, f"{pair}, from the chunk alone “{again}”")
        names = [chunk.document]
        return GoldenQuestion(question=question, expected_documents=names, reference_answer=answer, category="made")

    def _ask(self, messages: Sequence[Message], schema: type[T], expected: int) -> T:
        purpose = f"golden-{schema.__name__.lower()}"
        reply = self.llm.ask(messages, schema, purpose=purpose, expected_tokens=expected)
        if reply.value is None:
            raise _LeftOut(UNUSABLE, reply.problem)
        return reply.value

    def _finds(self, chunk: Chunk, question: str) -> bool:
        chunks = self.collections.search(self.collection, question, self.top_k)
        return any((each.id, each.text) == (chunk.id, chunk.text) for each in chunks)


def same_answer(answer: str, reference: str) -> bool:
    """Whether two answers say the same, judging by their words.

    Token F1 must be at least `AGREES_FROM`; both or neither must be negated; numbers, if in both, must be equal.
    """
    numbers, others = (set(_NUMBER.findall(text)) for text in (answer, reference))
    if numbers and others and numbers != others:
        return False
    one, other = (NEGATION.search(text) is not None for text in (answer, reference))
    return one == other and token_f1(answer, reference) >= AGREES_FROM


def make(chunks: Iterable[Chunk], maker: Maker, workers: int = 1) -> Iterator[Outcome]:
    """The result for each chunk, in order, `workers` at a time; once it is closed, nothing more is begun."""
    names: set[str] = set()
    for outcome in in_order(maker, chunks, workers):
        if outcome.question is None:
            yield outcome
            continue
        name = normalized(outcome.question.question)
        if name in names:
            outcome = replace(outcome, question=None, reason=TWICE, detail=outcome.question.question)
        names.add(name)
        yield outcome


def left_out(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """Reason → the number of chunks without a question for that reason, most frequent first."""
    return dict(Counter(one.reason for one in outcomes if one.reason).most_common())


def golden_cost(chunks: Sequence[Chunk], settings: Settings) -> Expense:
    """The most that questions may cost: two calls per chunk, the second only if the search finds the chunk."""
    n = len(chunks)
    prompts = [message["content"] for c in chunks for message in (*to_write(c), *to_answer(c, _QUESTION))]
    prompt, reply = sum(map(estimate_tokens, prompts)), n * (_WRITTEN_TOKENS + _ANSWERED_TOKENS)
    why = ["Replies that are kept from before cost nothing."]
    return Expense.of(2 * n, (prompt, reply), n, settings, why)
