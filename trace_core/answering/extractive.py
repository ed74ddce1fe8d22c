"""Answers made of sentences from the documents: no key, no server, nothing invented."""

from collections.abc import Sequence

import numpy as np

from trace_core.answering.base import Answer, OnText
from trace_core.facts.records import Document
from trace_core.models.embedding import Embedder

REFUSE_BELOW = 0.43
"""The top-1 retrieval score (cosine) below which the documents are assumed not to contain the answer, …"""
ONE_SENTENCE_FROM = 0.6
"""… unless a single sentence is at least this similar to the question: a chunk may also be about other things.
Over the demo's 16 questions without an answer, the nearest sentence has 0.58."""
MAX_SENTENCES, NEAR_BEST = 3, 0.80
"""A further sentence must reach this share of the nearest sentence's similarity to the question."""


class Extractive:
    """Answers with the sentences nearest to the question, in document order."""

    name = "extractive"

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def answer(self, question: str, documents: Sequence[Document], on_text: OnText | None = None) -> Answer:
        """Up to three sentences; a refusal if neither a chunk nor a sentence is near enough to the question."""
        sentences = [(d, s.text) for d in documents for s in d.sentences if not _is_heading(s.text)]
        best = max((d.retrieval_score for d in documents if d.retrieval_score is not None), default=None)
        if not sentences:
            return Answer("I cannot answer this: there is no document to answer from.", [], declines=True)
        vectors = self._embedder.embed([question, *(text for _, text in sentences)])
        nearness = vectors[1:] @ vectors[0]
        if best is not None and best < REFUSE_BELOW and nearness.max() < ONE_SENTENCE_FROM:
            why = f"the best match has a retrieval score of {best:.2f}, below {REFUSE_BELOW:.2f}"
            text = f"I cannot answer this from the documents: {why}, and no sentence alone is near."
            return Answer(text, [], declines=True)
        order = np.argsort(-nearness, kind="stable")[:MAX_SENTENCES]
        bar = min(NEAR_BEST * nearness[order[0]], nearness[order[0]])  # include the nearest even if negative
        places = sorted(int(i) for i in order if nearness[i] >= bar)
        texts = dict.fromkeys(sentences[i][1] for i in places)
        return Answer(" ".join(texts), list(dict.fromkeys(sentences[i][0].id for i in places)))


def _is_heading(text: str) -> bool:
    """Whether the text is a heading, which names the subject and answers nothing."""
    return text.startswith("#") or (len(text.split()) < 8 and text[-1:].isalnum())
