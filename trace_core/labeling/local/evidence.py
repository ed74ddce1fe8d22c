"""One record as numbers: every response sentence and the question compared with every document sentence, and what the
reader says about the pairs worth reading.

The premises of a response sentence are the document sentences that match it best: the best two alone, all three
together, and the best one with the sentence before it, which may say what "it" is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from trace_core.facts.records import Sentences
from trace_core.labeling.base import OnShare
from trace_core.labeling.local.contrasts import contrary, repeats
from trace_core.labeling.local.models import Array as Wide
from trace_core.labeling.local.reader import CLAIMS_NOTHING, ENTAILS, Pair, Read, Reads
from trace_core.labeling.local.texts import Text, analyse, names_sources, unmarked
from trace_core.retrieval.embedding import Vectors

Array = NDArray[np.float32]
Item = tuple[str, Sentences]
"""A question, and the sentences of its documents and its response."""
Places = tuple[int, ...]
"""The indices of document sentences, in document order."""
ALIGNED, ALONE = 3, 2
"""The number of document sentences with which a response sentence is compared closely, and that are read alone."""
UNREAD = -7.0
"""The log-odds assigned to a document sentence that was not read, being too unlike the response sentence."""


class SentenceMatrix:
    """m response sentences and a question, compared with n document sentences, n ≥ 1.

    `texts` are the question, the m and the n sentences as they stand, and `question`, `answers` and `documents` the
    same analysed. Matrices are m × n. `cos` is the cosine, `cover` the share of a response sentence's words (rare
    ones weigh more) that a document sentence contains, `covered` the share of the document sentence's, `match` the mean
    of `cos` and `cover`. `*_words` are the words of the vocabulary as 0 and 1, `rarity` is their weight.
    """

    def __init__(self, item: Item, vectors: Mapping[str, Vectors]) -> None:
        sentences, self.texts = item[1], texts_of(item)
        self.question, *texts = map(analyse, self.texts)
        self.m, self.n = len(sentences.response), len(sentences.document_keys())
        self.answers, self.documents = texts[: self.m], texts[self.m :]
        self.document = np.repeat(np.arange(len(sentences.documents)), [len(d) for d in sentences.documents])
        vocabulary = sorted({w for t in (self.question, *texts) for w in t.words})
        self.vocabulary = {w: i for i, w in enumerate(vocabulary)}
        words = np.zeros((1 + len(texts), len(vocabulary)), dtype=np.float32)
        for row, text in enumerate((self.question, *texts)):
            words[row, [self.vocabulary[w] for w in text.words]] = 1
        answers, documents = slice(1, self.m + 1), slice(self.m + 1, None)
        self.question_words, self.answer_words, self.document_words = words[0], words[answers], words[documents]
        embedded = np.stack([vectors[text] for text in self.texts])
        self.question_vector = embedded[0]
        self.answer_vectors, self.document_vectors = embedded[answers], embedded[documents]
        self.rarity: Array = np.log((self.n + 2) / (self.document_words.sum(axis=0) + 1)).astype(np.float32)
        # Finer digits of cosines depend on the batch in which a text was embedded.
        self.cos: Array = np.round(self.answer_vectors @ self.document_vectors.T, 5)
        self.question_cos: Array = np.round(self.document_vectors @ self.question_vector, 5)
        shared = ((self.answer_words * self.rarity) @ self.document_words.T).astype(np.float32)
        self.cover: Array = (shared / (self.answer_words @ self.rarity + 1e-6)[:, None]).astype(np.float32)
        self.covered: Array = (shared / (self.document_words @ self.rarity + 1e-6)[None, :]).astype(np.float32)
        self.match: Array = ((self.cos + self.cover) / 2).astype(np.float32)
        self.aligned = np.argsort(-self.match, axis=1, kind="stable")[:, :ALIGNED]
        """Indices of the best-matching document sentences, m × min(3, n), best first."""

    @cached_property
    def _known_names(self) -> frozenset[str]:
        """Names that occur inside some sentence, where a capital letter marks a name."""
        return frozenset().union(*(t.names for t in (self.question, *self.answers, *self.documents)))

    def names(self, text: Text) -> frozenset[str]:
        """The names in one sentence, including its first word if that is a name elsewhere."""
        return text.names | ({text.first_name} & self._known_names)

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
        """For each sentence, the value of the sentence before it (`step` 1) or after it (−1) in its document, or 0."""
        same = np.roll(self.document, step) == self.document
        same[0 if step > 0 else -1] = False
        return np.where(same, np.roll(values, step), 0).astype(np.float32)


def texts_of(item: Item) -> list[str]:
    """The question, the response sentences and the document sentences."""
    question, sentences = item
    every = (question, *(s.text for s in sentences.response), *(s.text for d in sentences.documents for s in d))
    return [text.strip() for text in every]


class Evidence:
    """The reader's output for one record: k × 4 log-probabilities for k premises, and n log-odds of answering.

    `premises` are k pairs of a response sentence's index and document sentences. `sources` gives for each of the m
    response sentences the document sentence that it repeats, `contrary` the one of which it changes one thing, or
    `None`; `claims` says whether it claims anything, unlike greetings and refusals.
    """

    def __init__(self, c: SentenceMatrix, premises: Sequence[tuple[int, Places]], says: Read, answers: Read) -> None:
        self.c, self.premises, self.answers = c, premises, answers
        self.odds = odds(says)
        self.sources = [_source(text, c.documents) for text in c.answers]
        self.contrary = [None if source is not None else _contrary(c, row) for row, source in enumerate(self.sources)]
        self.copies = np.array([source is not None for source in self.sources], dtype=bool)
        self.claims = np.array([self._claims(row) for row in range(c.m)], dtype=bool)

    def _claims(self, row: int) -> bool:
        text = self.c.answers[row]
        nothing = self.odds[self.of_row(row), CLAIMS_NOTHING].mean() > 0 and not text.numbers
        return bool(self.copies[row] or not (names_sources(text) or text.refusal or nothing))

    def of_row(self, row: int) -> list[int]:
        """The indices of one response sentence's premises."""
        return [i for i, (of, _) in enumerate(self.premises) if of == row]

    def alone(self, kind: int) -> Wide:
        """m × n log-odds that one document sentence alone says so (or contradicts it); `UNREAD` where not read."""
        return self._spread(kind, lambda places: len(places) == 1)

    def together(self, kind: int) -> Wide:
        """m × n: the highest log-odds of the premises of several sentences that contain this one."""
        return self._spread(kind, lambda places: len(places) > 1)

    def _spread(self, kind: int, includes: Callable[[Places], bool]) -> Wide:
        odds = np.full((self.c.m, self.c.n), UNREAD)
        for (row, places), value in zip(self.premises, self.odds[:, kind], strict=True):
            if includes(places):
                odds[row, list(places)] = np.maximum(odds[row, list(places)], value)
        return odds

    def best(self, row: int) -> Places:
        """The premise that entails the response sentence most strongly, the shorter one if tied."""
        most = max(self.of_row(row), key=lambda i: (round(float(self.odds[i, ENTAILS]), 1), -len(self.premises[i][1])))
        return self.premises[most][1]


def gather(compared: Sequence[tuple[SentenceMatrix, Item]], reader: Reads, progress: OnShare) -> list[Evidence]:
    """What the reader says about the premises and document sentences of all records, read together."""
    premises = [[(row, places) for row in range(c.m) for places in _premises(c, row)] for c, _ in compared]
    pairs = [pairs_of(wanted, item[1]) for wanted, (_, item) in zip(premises, compared, strict=True)]
    asked = [
        [(question.strip(), s.text.strip()) for d in full.documents for s in d] for _, (question, full) in compared
    ]
    every = [pair for of_record in pairs for pair in of_record]
    says = reader.says(every, lambda done: progress(done / len(set(every))))
    answers = reader.answers([pair for of_record in asked for pair in of_record])
    parts, at, n_at = [], 0, 0
    for (c, _), wanted in zip(compared, premises, strict=True):
        parts.append(Evidence(c, wanted, says[at : at + len(wanted)], answers[n_at : n_at + c.n]))
        at, n_at = at + len(wanted), n_at + c.n
    return parts


def _premises(c: SentenceMatrix, row: int) -> list[Places]:
    near = [int(i) for i in c.aligned[row]]
    best = near[0]
    windows: list[Places] = [*((i,) for i in near[:ALONE]), tuple(sorted(near))]
    if best and c.document[best - 1] == c.document[best]:
        windows.append((best - 1, best))
    return list(dict.fromkeys(windows))


def pairs_of(premises: Sequence[tuple[int, Places]], sentences: Sentences) -> list[Pair]:
    """The texts of the premises, each with its response sentence without list marks and citations."""
    documents = [s.text.strip() for d in sentences.documents for s in d]
    answers = [bare_claim(s.text) for s in sentences.response]
    return [(" ".join(documents[i] for i in places), answers[row]) for row, places in premises]


def bare_claim(sentence: str) -> str:
    """The sentence without its list mark and citations."""
    return unmarked(sentence) or sentence


def _source(text: Text, documents: Sequence[Text]) -> int | None:
    """The document sentence with the same words, or the one of which it repeats a part."""
    if not text.bare:
        return None
    exact = next((i for i, t in enumerate(documents) if t.bare == text.bare), None)
    return exact if exact is not None else next((i for i, t in enumerate(documents) if repeats(text, t)), None)


def _contrary(c: SentenceMatrix, row: int) -> int | None:
    nearest = [int(i) for i in c.aligned[row]]
    place = contrary(unmarked(c.texts[1 + row]), [unmarked(c.texts[1 + c.m + i]) for i in nearest])
    return None if place is None else nearest[place]


def odds(logs: Read) -> Wide:
    """Log-probabilities k × 4 → log-odds of each class against the others, within ± 7."""
    p = np.clip(np.exp(logs.astype(np.float64)), 1e-6, 1 - 1e-6)
    odds: Wide = np.clip(np.log(p / (1 - p)), UNREAD, -UNREAD)
    return odds
