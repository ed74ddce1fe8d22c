"""One record as numbers: every response sentence and the question compared with every document sentence, and what the
reader says about the pairs worth reading. The premises of a response sentence are the document sentences that match it
best: the best two alone, all three together, and the best one with the sentence before it, which may say what "it" is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trace_core.facts.layout import parts
from trace_core.facts.records import Sentences
from trace_core.facts.sentences import Sentence
from trace_core.labeling.base import OnShare
from trace_core.labeling.local.notation import normal
from trace_core.labeling.local.reader import CLAIMS_NOTHING, CONTRADICTS, ENTAILS, PackagedReader, Pair, Read
from trace_core.labeling.local.texts import analyse
from trace_core.models.embedding import Vectors

Array = NDArray[np.float32]
Wide = NDArray[np.float64]
Sample = tuple[str, Sentences]
"""A question, and the sentences of its documents and its response."""
Premise = tuple[int, ...]  # the indices of document sentences, in document order
NEAREST, ALONE = 3, 2
"""The number of document sentences with which a response sentence is compared closely, and that are read alone."""
_JOINT = re.compile(r"; |,? (?:and|but|while|whereas|although|though) ")
_CLEAR = 1.0  # the log-odds of "entails" from which a sentence is not read in parts, too
UNREAD = -7.0  # the log-odds assigned to a document sentence that was not read, being too unlike the response sentence


class SentenceMatrix:
    """m response sentences and a question, compared with n document sentences, n ≥ 1. `claims` is the record's; `texts`
    are the question, the m and the n sentences as they are read, and `question`, `answers` and `documents` the same
    analysed. Matrices are m × n. `cos` is the cosine, `cover` the share of a response sentence's words (rare ones weigh
    more) that a document sentence contains, `match` the mean of both. `*_words` are the words of the vocabulary as 0
    and 1, `rarity` is their weight."""

    def __init__(self, item: AsRead, vectors: Mapping[str, Vectors]) -> None:
        sentences, self.texts, self.claims = item.sentences, texts_of(item), item.claims
        self.question, *texts = map(analyse, self.texts)
        self.m, self.n = len(sentences.response), len(sentences.document_keys())
        self.answers, self.documents = texts[: self.m], texts[self.m :]
        self.document = np.repeat(np.arange(len(sentences.documents)), [len(d) for d in sentences.documents])
        vocabulary = sorted({w for t in (self.question, *texts) for w in t.words})
        place = {w: i for i, w in enumerate(vocabulary)}
        words = np.zeros((1 + len(texts), len(vocabulary)), dtype=np.float32)
        for row, text in enumerate((self.question, *texts)):
            words[row, [place[w] for w in text.words]] = 1
        answers, documents = slice(1, self.m + 1), slice(self.m + 1, None)
        self.question_words, self.answer_words, self.document_words = words[0], words[answers], words[documents]
        embeddings = np.stack([vectors[text] for text in self.texts])
        self.rarity: Array = np.log((self.n + 2) / (self.document_words.sum(axis=0) + 1)).astype(np.float32)
        # Finer digits of cosines depend on the batch in which a text was embedded.
        self.cos: Array = np.round(embeddings[answers] @ embeddings[documents].T, 5)
        self.question_cos: Array = np.round(embeddings[documents] @ embeddings[0], 5)
        common = (self.answer_words * self.rarity) @ self.document_words.T
        self.cover: Array = (common / (self.answer_words @ self.rarity + 1e-6)[:, None]).astype(np.float32)
        self.match: Array = ((self.cos + self.cover) / 2).astype(np.float32)
        self.nearest = np.argsort(-self.match, axis=1, kind="stable")[:, :NEAREST]
        """Indices of the best-matching document sentences, m × min(3, n), best first."""

    def beside(self, values: Array, step: int) -> Array:
        """The value of the sentence before each (`step` 1) or after it (−1) in its document, or the least of all."""
        same = np.roll(self.document, step) == self.document
        same[0 if step > 0 else -1] = False
        return np.where(same, np.roll(values, step), values.min()).astype(np.float32)


class AsRead(NamedTuple):
    """A record without marks, in one notation; `claims`: whether each response sentence claims anything by its form."""

    question: str
    sentences: Sentences
    claims: Sequence[bool]


def as_read(item: Sample) -> AsRead:
    """The record without marks and in one notation."""
    question, sentences = item
    documents = [_as_read(document)[0] for document in sentences.documents]
    response, claims = _as_read(sentences.response)
    return AsRead(normal(question), replace(sentences, documents=documents, response=response), claims)


def _as_read(sentences: Sequence[Sentence]) -> tuple[list[Sentence], list[bool]]:
    read = parts([s.text for s in sentences])
    texts = [replace(s, text=normal(part.text) or s.text) for s, part in zip(sentences, read, strict=True)]
    return texts, [part.claims for part in read]


def halves(sentence: str) -> list[str]:
    """The two parts of a sentence that its middle "and", "but" or semicolon joins; empty where there are none."""
    cuts = sorted(_JOINT.finditer(sentence), key=lambda m: abs(m.start() + m.end() - len(sentence)))
    parts = ((sentence[: cut.start()], sentence[cut.end() :]) for cut in cuts)
    middle = next((part for part in parts if all(len(text.split()) > 3 for text in part)), None)
    return [f"{middle[0]}.", middle[1]] if middle else []


def texts_of(item: AsRead) -> list[str]:
    """The question, the response sentences and the document sentences."""
    question, sentences, _ = item
    every = (question, *(s.text for s in sentences.response), *(s.text for d in sentences.documents for s in d))
    return [text.strip() for text in every]


class Evidence:
    """The reader's output for one record: k × 4 log-probabilities for k premises, and n log-odds of answering.
    `premises` are k pairs of a response sentence's index and document sentences. `sources` gives for each of the m
    response sentences the document sentence that it repeats word for word, or `None`; `claims` says whether it claims
    anything, unlike greetings and refusals. `parts` is the same of the parts of its sentences, if any has two, and
    `owners` the places of the sentences that they are of."""

    def __init__(self, c: SentenceMatrix, premises: Sequence[tuple[int, Premise]], says: Read, answers: Array) -> None:
        self.c, self.premises, self.answers = c, premises, answers
        self.parts: Evidence | None = None
        self.owners: Sequence[int] = ()
        p = np.clip(np.exp(says.astype(np.float64)), 1e-6, 1 - 1e-6)
        self.odds: Wide = np.clip(np.log(p / (1 - p)), UNREAD, -UNREAD)
        """k × 4 log-odds of each class against the others, within ± 7."""
        places = {text.bare: place for place, text in reversed(list(enumerate(c.documents)))}
        self.sources = [places.get(text.bare) if text.bare else None for text in c.answers]
        self.claims = np.array([self._claims(row) for row in range(c.m)], dtype=bool)

    def _claims(self, row: int) -> bool:
        text = self.c.answers[row]
        nothing = self.odds[self.of_row(row), CLAIMS_NOTHING].mean() > 0 and not text.numbers
        return self.c.claims[row] and (self.sources[row] is not None or not (text.refusal or nothing))

    def of_row(self, row: int) -> list[int]:
        """The indices of one response sentence's premises."""
        return [i for i, (of, _) in enumerate(self.premises) if of == row]

    def read(self, kind: int, together: bool) -> Wide:
        """m × n: the highest log-odds of a premise that is this one sentence, or that it is part of if `together`."""
        values = np.full((self.c.m, self.c.n), UNREAD)
        for (row, places), value in zip(self.premises, self.odds[:, kind], strict=True):
            if (len(places) > 1) is together:
                values[row, list(places)] = np.maximum(values[row, list(places)], value)
        return values


def support_columns(e: Evidence) -> dict[str, Wide]:
    """Name → m values: do the documents support the response sentence? Other sentences of the answer change none. A
    sentence of two parts is read as a whole and in parts. If the documents say each part more clearly than the whole,
    it is judged by the part that they say least."""
    columns = _read_columns(e)
    if e.parts is not None:
        apart = _read_columns(e.parts)
        for row in dict.fromkeys(e.owners):
            own = np.flatnonzero(np.asarray(e.owners) == row)
            if apart["entails most"][own].min() > columns["entails most"][row]:
                for name, values in columns.items():
                    values[row] = apart[name][own].min() if name.startswith("entails") else apart[name][own].max()
    return columns | word_columns(e.c)


def _read_columns(e: Evidence) -> dict[str, Wide]:
    columns = {}
    rows = [e.of_row(row) for row in range(e.c.m)]
    for kind, name in ((ENTAILS, "entails"), (CONTRADICTS, "contradicts")):
        columns[f"{name} most"] = np.array([e.odds[row, kind].max() for row in rows])
        columns[f"{name} alone"] = e.read(kind, together=False).max(axis=1)
        columns[f"{name} nearest"] = np.array([e.odds[row[0], kind] for row in rows])
        columns[f"{name} mean"] = np.array([e.odds[row, kind].mean() for row in rows])
    return columns


def word_columns(c: SentenceMatrix) -> dict[str, Wide]:
    """Name → m values: how many of a response sentence's words the documents have; if a number or name lacks."""
    weights = c.answer_words * c.rarity
    own = np.stack([c.document_words[c.document == c.document[i]].max(axis=0) for i in c.nearest[:, 0]])
    parts = {
        "cover nearest": c.document_words[c.nearest].max(axis=1),
        "cover document": own,
        "cover all": c.document_words.max(axis=0)[None, :],
    }
    columns = {name: (weights * w).sum(axis=1) / (weights.sum(axis=1) + 1e-6) for name, w in parts.items()}
    every = frozenset().union(*(t.words for t in c.documents)) | c.question.words
    couples = {couple for t in c.documents for couple in pairwise(t.tokens)}
    own_couples = [set(pairwise(t.tokens)) for t in c.answers]
    columns["couples"] = np.array([len(own & couples) / len(own) if own else 0.5 for own in own_couples])
    columns["number missing"] = np.array([float(bool(t.numbers - every)) for t in c.answers])
    names = frozenset().union(*(t.names for t in (c.question, *c.answers, *c.documents)))
    own_names = [t.names | ({t.first_name} & names) for t in c.answers]
    columns["name missing"] = np.array([float(bool(own - every)) for own in own_names])
    return columns


def relevance_columns(c: SentenceMatrix, answers: Array) -> dict[str, Wide]:
    """Name → n values, from the question and the documents alone: does the document sentence help to answer?"""
    values = np.clip(answers, UNREAD, -UNREAD)
    weight = c.question_words * c.rarity
    return {
        "answers": values,
        "answers below best": values - values.max(),
        "answers before": c.beside(values, 1),
        "answers after": c.beside(values, -1),
        "cos": c.question_cos,
        "cos below best": c.question_cos - c.question_cos.max(),
        "cover": c.document_words @ weight / (weight.sum() + 1e-6),
        "sentences": np.full(c.n, np.log(c.n)),
    }


def pair_columns(e: Evidence) -> dict[str, Wide]:
    """Name → m × n values: does the document sentence support the response sentence?"""
    c = e.c
    return {
        "read alone": e.read(ENTAILS, together=False),
        "read together": e.read(ENTAILS, together=True),
        "match": c.match,
        "match below best": c.match - c.match.max(axis=1, keepdims=True),
        "cover": c.cover,
        "sentences": np.full((c.m, c.n), np.log(c.n)),
    }


def texts_to_embed(items: Sequence[AsRead]) -> list[str]:
    """Every text that is compared."""
    parts = [part for item in items for s in item.sentences.response for part in halves(s.text)]
    return [text for item in items for text in texts_of(item)] + [part.strip() for part in parts]


def gather(
    items: Sequence[AsRead], vectors: Mapping[str, Vectors], reader: PackagedReader, progress: OnShare | None = None
) -> list[Evidence]:
    """What the reader says about the premises and document sentences of all records, read together; each has some.
    Parts of sentences are read, with two premises each, where the whole is not what the documents clearly say."""
    evidence = _read([SentenceMatrix(item, vectors) for item in items], None, reader, progress)
    records = []
    for e, item in zip(evidence, items, strict=True):
        response = item.sentences.response
        unclear = [row for row in range(e.c.m) if e.odds[e.of_row(row), ENTAILS].max() < _CLEAR]
        parts = [(row, replace(response[row], text=part)) for row in unclear for part in halves(response[row].text)]
        e.owners = [row for row, _ in parts]
        if parts:
            sentences = replace(item.sentences, response=[part for _, part in parts])
            records.append(AsRead(item.question, sentences, [True] * len(parts)))
    apart = iter(_read([SentenceMatrix(record, vectors) for record in records], 2, reader, None))
    for e in evidence:
        e.parts = next(apart) if e.owners else None
    return evidence


def _read(
    matrices: Sequence[SentenceMatrix], most: int | None, reader: PackagedReader, progress: OnShare | None
) -> list[Evidence]:
    premises = [[(row, places) for row in range(c.m) for places in _premises(c, row)[:most]] for c in matrices]
    pairs: list[Pair] = [
        (" ".join(c.texts[1 + c.m + i] for i in places), c.texts[1 + row])
        for c, of_record in zip(matrices, premises, strict=True)
        for row, places in of_record
    ]
    says = reader.says(pairs, lambda count: progress(count / len(set(pairs))) if progress else None)
    answers = reader.answers([(c.texts[0], text) for c in matrices for text in c.texts[1 + c.m :]])
    says_of = np.split(says, np.cumsum([len(of_record) for of_record in premises]))
    answers_of = np.split(answers, np.cumsum([c.n for c in matrices]))
    return [Evidence(*of_record) for of_record in zip(matrices, premises, says_of, answers_of, strict=False)]


def _premises(c: SentenceMatrix, row: int) -> list[Premise]:
    near = [int(i) for i in c.nearest[row]]
    best = near[0]
    windows: list[Premise] = [(best,), tuple(sorted(near)), *((i,) for i in near[1:ALONE])]
    if best and c.document[best - 1] == c.document[best]:
        windows.append((best - 1, best))
    return list(dict.fromkeys(windows))
