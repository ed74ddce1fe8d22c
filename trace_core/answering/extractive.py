"""Answers made of sentences from the documents: no key, no server, nothing invented."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trace_core.answering.base import Answer, OnText
from trace_core.facts.records import Document
from trace_core.retrieval.embedding import Embedder

REFUSE_BELOW = 0.43
"""The top-1 retrieval score (cosine) below which the documents are assumed not to contain the answer, …"""
ONE_SENTENCE_FROM = 0.6
"""… unless a single sentence is at least this similar to the question: a chunk may also be about other things.
Over the demo's 16 questions without an answer, the nearest sentence has 0.58."""
MAX_SENTENCES = 3
NEAR_BEST = 0.80
"""A further sentence must reach this share of the nearest sentence's similarity to the question."""


class Extractive:
    """Answers with the sentences nearest to the question, in document order."""

    name = "extractive"

    def __init__(self, embedder: Embedder, refuse_below: float = REFUSE_BELOW) -> None:
        self._embedder = embedder
        self._refuse_below = refuse_below

    def answer(self, question: str, documents: Sequence[Document], on_text: OnText | None = None) -> Answer:
        """Up to three sentences; a refusal if neither a chunk nor a sentence is near enough to the question."""
        sentences = [(d, s.text) for d in documents for s in d.sentences if not _is_heading(s.text)]
        best = max((d.retrieval_score for d in documents if d.retrieval_score is not None), default=None)
        if not sentences:
            return Answer(self._refusal(None), [], refused=True)
        vectors = self._embedder.embed([question, *(text for _, text in sentences)])
        nearness = vectors[1:] @ vectors[0]
        if best is not None and best < self._refuse_below and nearness.max() < ONE_SENTENCE_FROM:
            return Answer(self._refusal(best), [], refused=True)
        order = np.argsort(-nearness, kind="stable")[:MAX_SENTENCES]
        bar = min(NEAR_BEST * nearness[order[0]], nearness[order[0]])  # include the nearest even if negative
        chosen = sorted(int(i) for i in order if nearness[i] >= bar)
        texts = dict.fromkeys(sentences[i][1] for i in chosen)
        return Answer(" ".join(texts), list(dict.fromkeys(sentences[i][0].id for i in chosen)))

    def _refusal(self, best: float | None) -> str:
        if best is None:
            return "I cannot answer this: there is no document to answer from."
        return (
            f"I cannot answer this from the documents: the best match has a retrieval score of {best:.2f}, "
            f"below {self._refuse_below:.2f}, and no sentence alone is near."
        )


def _is_heading(text: str) -> bool:
    """Whether the text is a heading, which names the subject and answers nothing."""
    return text.startswith("#") or (len(text.split()) < 8 and text[-1:].isalnum())
