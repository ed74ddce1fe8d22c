"""The endpoint's requests to a language model beyond labels: a rating, questions, the reading of a query."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel

from trace_core.endpoint.names import ALIASES
from trace_core.endpoint.payload import QueryError
from trace_core.errors import LabelingError
from trace_core.llm import Llm, Prompt
from trace_core.llm.prompts import BEST_RATING, QUESTIONS, RATING, READING, Questions, Rating, ReadQuery

_T = TypeVar("_T", bound=BaseModel)


class LlmJudge:
    """A judge behind an OpenAI-compatible server; one call each. Raises `LlmError` or `LabelingError`."""

    def __init__(self, llm: Llm) -> None:
        self._llm = llm

    def rate(self, question: str, answer: str, truth: str) -> float:
        """How well the answer agrees with the ground truth: 0, 1/4, 1/2, 3/4 or 1."""
        material = {"question": question, "answer": answer, "ground_truth": truth}
        return self._ask(RATING, material, Rating, 100).rating / BEST_RATING

    def questions_for(self, answer: str) -> list[str]:
        """At most three questions that the answer would answer; none for an evasive answer."""
        reply = self._ask(QUESTIONS, {"answer": answer}, Questions, 120)
        return [] if reply.evades else [question for question in reply.questions if question.strip()][:3]

    def read(self, query: str) -> Mapping[str, Any]:
        """The parts of a query in free words, as the canonical JSON. Raises `QueryError` where the judge returns a text
        or an id that does not stand in the query, white space aside."""
        reply = self._ask(READING, {"query": query}, ReadQuery, 400)
        contexts = [text for context in reply.contexts for text in (context.id, context.text)]
        others = [name for name in reply.tests if name not in ALIASES]
        texts = [reply.question, reply.answer, *reply.ground_truth, *contexts, *reply.relevant_context_ids, *others]
        whole = "".join(query.split())
        for text in texts:
            if "".join(text.split()) not in whole:
                raise QueryError(f"It returned a text that is not in the query: {text[:60]!r}.")
        payload = reply.model_dump()
        payload["contexts"] = [{"id": context.id or None, "text": context.text} for context in reply.contexts]
        return payload

    def _ask(self, prompt: Prompt, material: Mapping[str, str], shape: type[_T], tokens: int) -> _T:
        messages = prompt.messages(material)
        reply = self._llm.ask(messages, shape, purpose=f"trace-{shape.__name__.lower()}", expected_tokens=tokens)
        if reply.value is None:
            raise LabelingError(f"The judge's reply cannot be used. {reply.problem}", "Try again.")
        return reply.value
