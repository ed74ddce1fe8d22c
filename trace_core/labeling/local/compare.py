"""One record as matrices that compare every response sentence and the question with every document sentence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from trace_core.facts.records import Sentences
from trace_core.labeling.local.wording.texts import Text, read

Array = NDArray[np.float32]
Places = NDArray[np.intp]
ALIGNED = 3
"""The number of document sentences with which a response sentence is compared closely."""


@dataclass(frozen=True, slots=True)
class Side:
    """The sentences of one side: their embeddings (k × d), texts, and words as 0 and 1 (k × vocabulary)."""

    vectors: Array
    texts: list[Text]
    words: Array


class Comparison:
    """m response sentences and a question, compared with n document sentences, n ≥ 1.

    Matrices are m × n. `cos` is the cosine, `cover` the share of a response sentence's words (rare
    ones weigh more) that a document sentence contains, `match` the mean of the two.
    """

    def __init__(self, question: Text, vectors: Array, sentences: Sentences) -> None:
        answer = [read(s.text) for s in sentences.response]
        documents = [read(s.text) for d in sentences.documents for s in d]
        self.m, self.n = len(answer), len(documents)
        self.document = np.repeat(np.arange(len(sentences.documents)), [len(d) for d in sentences.documents])
        vocabulary = {w: i for i, w in enumerate(sorted({w for t in (question, *answer, *documents) for w in t.words}))}
        self.vocabulary = vocabulary
        words = _incidence([question, *answer, *documents], vocabulary)
        self.question = Side(vectors[:1], [question], words[:1])
        self.answer = Side(vectors[1 : self.m + 1], answer, words[1 : self.m + 1])
        self.documents = Side(vectors[self.m + 1 :], documents, words[self.m + 1 :])
        held = self.documents.words.sum(axis=0)
        self.rarity: Array = np.log((self.n + 2) / (held + 1)).astype(np.float32)

    @cached_property
    def known_names(self) -> frozenset[str]:
        """Names that occur inside some sentence, where a capital letter marks a name."""
        every = (*self.question.texts, *self.answer.texts, *self.documents.texts)
        return frozenset().union(*(t.names for t in every))

    def names(self, text: Text) -> frozenset[str]:
        """The names in one sentence, including its first word if that is a name elsewhere."""
        first = {text.first_name} & self.known_names if text.first_name else set()
        return text.names | first

    @cached_property
    def cos(self) -> Array:
        """Cosines, m × n."""
        return _rounded(self.answer.vectors @ self.documents.vectors.T)

    @cached_property
    def shared(self) -> Array:
        """Weight of the words in common, m × n."""
        return _narrow((self.answer.words * self.rarity) @ self.documents.words.T)

    @cached_property
    def cover(self) -> Array:
        """The share of the response sentence's weight that is in common, m × n."""
        return _narrow(self.shared / (self.answer.words @ self.rarity + 1e-6)[:, None])

    @cached_property
    def covered(self) -> Array:
        """The share of the document sentence's weight that is in common, m × n."""
        return _narrow(self.shared / (self.documents.words @ self.rarity + 1e-6)[None, :])

    @cached_property
    def match(self) -> Array:
        """Mean of cosine and cover, m × n."""
        return _narrow((self.cos + self.cover) / 2)

    @cached_property
    def question_cos(self) -> Array:
        """Cosine of the question with each document sentence, n."""
        return _rounded(self.documents.vectors @ self.question.vectors[0])

    @cached_property
    def aligned(self) -> Places:
        """Indices of the best-matching document sentences, m × min(3, n), best first."""
        k = min(ALIGNED, self.n)
        return np.argsort(-self.match, axis=1, kind="stable")[:, :k]

    def by_document(self, values: Array) -> Array:
        """The maximum of n values within each sentence's document, n."""
        most = np.full(int(self.document.max()) + 1, -np.inf, dtype=np.float32)
        np.maximum.at(most, self.document, values)
        return most[self.document]

    def mean_by_document(self, values: Array) -> Array:
        """The mean of n values within each sentence's document, n."""
        sizes = np.bincount(self.document)
        return (np.bincount(self.document, weights=values) / np.maximum(sizes, 1))[self.document].astype(np.float32)

    def beside(self, values: Array, step: int) -> Array:
        """For each sentence, the value of the sentence `step` places before it in its document, or 0."""
        moved = np.roll(values, step)
        same = np.roll(self.document, step) == self.document
        edge = np.arange(self.n)
        inside = (edge >= step) if step > 0 else (edge < self.n + step)
        return np.where(same & inside, moved, 0).astype(np.float32)


def _incidence(texts: list[Text], vocabulary: dict[str, int]) -> Array:
    found = np.zeros((len(texts), len(vocabulary)), dtype=np.float32)
    for row, text in enumerate(texts):
        found[row, [vocabulary[w] for w in text.words]] = 1
    return found


def _rounded(values: Array) -> Array:
    """Cosines rounded to five places: finer digits depend on the batch in which a text was embedded."""
    rounded: Array = np.round(values, 5)
    return rounded


def _narrow(values: NDArray[np.floating]) -> Array:
    return values.astype(np.float32)
