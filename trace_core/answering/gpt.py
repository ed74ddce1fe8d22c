"""Answers by a language model from the documents only, each statement with the number of its document."""

import json
import re
from collections.abc import Sequence
from itertools import accumulate

from trace_core.answering.base import Answer, OnText
from trace_core.errors import LlmError
from trace_core.facts.records import Document
from trace_core.facts.refusal import opens_by_declining
from trace_core.facts.sentences import response_sentences
from trace_core.facts.wrappers import strip_wrappers
from trace_core.llm import Llm, estimate_tokens
from trace_core.llm.prompts import ANSWER

_EXPECTED_TOKENS = 250
_CITATION = re.compile(r"\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\]")


class GptAnswerer:
    """Asks the model. If the prompt would be too long, the last documents are left out, with a note."""

    def __init__(self, llm: Llm) -> None:
        self._llm = llm

    @property
    def name(self) -> str:
        """The model's name."""
        return self._llm.model

    def answer(self, question: str, documents: Sequence[Document], on_text: OnText | None = None) -> Answer:
        """Answer from the documents; with `on_text`, piece by piece. Raises `LlmError`."""
        if not documents:
            return Answer("I cannot answer this: there is no document to answer from.", [], declines=True)
        room = self._llm.context_tokens - estimate_tokens(ANSWER.instructions + question) - _EXPECTED_TOKENS
        sizes = accumulate(estimate_tokens(json.dumps(d.text, ensure_ascii=False)) + 4 for d in documents)
        first = documents[: max(1, sum(size <= room for size in sizes))]
        messages = ANSWER.messages({"documents": [[i, d.text] for i, d in enumerate(first)], "question": question})
        reply = self._llm.text(messages, purpose="answer", expected_tokens=_EXPECTED_TOKENS, on_text=on_text)
        if not reply.text.strip():
            message = f"The model gave no answer. {reply.problem}".strip()
            raise LlmError(message, "Ask again, or choose another model.", usage=reply.usage)
        notes = [f"answer: {reply.problem}"] if reply.problem else []
        if len(first) < len(documents):
            left_out = f"{len(documents) - len(first)} of {len(documents)} documents, the last by rank,"
            most = f"{self._llm.context_tokens:,} tokens"
            notes.append(f"answer: {left_out} were not shown to the model: the prompt would exceed about {most}")
        declines = opens_by_declining(s.text for s in response_sentences(strip_wrappers(reply.text)[0]))
        numbers = [int(n) for group in _CITATION.findall(reply.text) for n in re.findall(r"\d+", group)]
        citations = list(dict.fromkeys(first[n].id for n in numbers if n < len(first)))
        return Answer(reply.text.strip(), citations, declines, reply.usage, notes)
