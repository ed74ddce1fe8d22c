"""The features of a document sentence, one column each: is it relevant, is it utilized?

Relevance depends on the question and the documents alone: no column of `question_columns` uses the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trace_core.labeling.local.compare import Array, Comparison
from trace_core.labeling.local.premises import UNREAD, Evidence
from trace_core.labeling.local.reader import ENTAILS
from trace_core.labeling.local.wording.texts import Text

Column = tuple[str, NDArray[Any]]
_SHARP = 20.0
_AMOUNTS = frozenset("mani much long often far high old hot big larg heavi fast late earli deep wide tall".split())
"""Stems that make "how" ask for a number."""
_TIMES = frozenset("time year date day".split())
_OPENS_YES_NO = frozenset("is are am was were can could do does did may must will would should has have".split())


def question_columns(e: Evidence) -> dict[str, Array]:
    """Name → n values, from the question and the documents."""
    kind = ((name, np.full(e.c.n, value)) for name, value in question_kind(e.c.question.texts[0]).items())
    return _narrow((*_to_question(e), *_place(e.c), *kind))


def question_kind(question: Text) -> Mapping[str, float]:
    """Name → 1 if the question, in English, asks for it, else 0; and the log of its length in words."""
    words = [word.removesuffix("'s") for word in question.sequence]
    pairs = set(pairwise(words))
    amount = any(("how", one) in pairs for one in _AMOUNTS)
    asks = {
        "amount": amount or not {"price", "cost", "percentag"}.isdisjoint(words),
        "way": "how" in words and not amount,
        "time": "when" in words or any(("what", one) in pairs for one in _TIMES),
        "person": not {"who", "whose"}.isdisjoint(words),
        "place": "where" in words,
        "reason": "why" in words,
        "thing": not {"what", "which"}.isdisjoint(words),
        "yes or no": bool(words) and words[0] in _OPENS_YES_NO,
    }
    length = {"question words": float(np.log1p(len(words)))}
    return {f"asks {name}": float(does) for name, does in asks.items()} | length


def answer_columns(e: Evidence) -> dict[str, Array]:
    """Name → n values, from the answer and the documents."""
    return _narrow((*_to_answer(e.c), *_read(e)))


def _narrow(columns: Iterable[Column]) -> dict[str, Array]:
    return {name: np.asarray(values, dtype=np.float32) for name, values in columns}


def softmax(values: Array, axis: int) -> Array:
    """Shares that sum to 1 along the axis, greater the closer a value is to the maximum."""
    powers = np.exp(_SHARP * (values - values.max(axis=axis, keepdims=True)))
    shares: Array = powers / powers.sum(axis=axis, keepdims=True)
    return shares


def _relative(name: str, values: Array, c: Comparison) -> Iterator[Column]:
    """A value, and its relation to the record's best and mean, its document's, and its neighbours' values."""
    yield name, values
    yield f"{name} below best", values - values.max()
    yield f"{name} above mean", values - values.mean()
    yield f"{name} document best", c.by_document(values) - values.max()
    yield f"{name} document mean", c.mean_by_document(values)
    yield f"{name} before", c.beside(values, 1)
    yield f"{name} after", c.beside(values, -1)


def _to_question(e: Evidence) -> Iterator[Column]:
    c = e.c
    yield from _relative("answers", e.answers, c)
    yield from _relative("question cos", c.question_cos, c)
    pair = c.documents.vectors + _previous(c)
    pair = pair / (np.linalg.norm(pair, axis=1, keepdims=True) + 1e-9)
    yield "question cos with previous", np.round(pair @ c.question.vectors[0], 5)
    weight = c.question.words[0] * c.rarity
    shared = c.documents.words @ weight
    cover = shared / (weight.sum() + 1e-6)
    yield from _relative("question cover", cover, c)
    yield "question covered", shared / (c.documents.words @ c.rarity + 1e-6)
    yield "question share", softmax(c.question_cos, 0)


def _read(e: Evidence) -> Iterator[Column]:
    """How surely the sentence, alone or with others, entails some response sentence."""
    for name, odds in (("read alone", e.alone(ENTAILS)), ("read together", e.together(ENTAILS))):
        yield name, odds.max(axis=0, initial=UNREAD)


def _previous(c: Comparison) -> Array:
    moved = np.roll(c.documents.vectors, 1, axis=0)
    same = np.roll(c.document, 1) == c.document
    same[0] = False
    return np.where(same[:, None], moved, 0)


def _to_answer(c: Comparison) -> Iterator[Column]:
    if not c.m:
        nothing = np.zeros(c.n, dtype=np.float32)
        names = [n for base in ("answer cos", "answer match", "answer covered") for n, _ in _relative(base, nothing, c)]
        singles = ("answer mean cos", "answer cover", "answer share", "answer share sum", "answer pairs",
                   "answer numbers", "answer names", "answer copy", "answer whole cos", "answer only here")  # fmt: skip
        for name in (*names, *singles):
            yield name, nothing
        return
    yield from _relative("answer cos", c.cos.max(axis=0), c)
    yield from _relative("answer match", c.match.max(axis=0), c)
    yield from _relative("answer covered", c.covered.max(axis=0), c)
    yield "answer mean cos", c.cos.mean(axis=0)
    yield "answer cover", c.cover.max(axis=0)
    shares = softmax(c.match, 1)
    yield "answer share", shares.max(axis=0)
    yield "answer share sum", np.log1p(shares.sum(axis=0))
    whole = c.answer.vectors.sum(axis=0)
    yield "answer whole cos", np.round(c.documents.vectors @ (whole / (np.linalg.norm(whole) + 1e-9)), 5)
    yield from _exact(c)


def _exact(c: Comparison) -> Iterator[Column]:
    """Word pairs, numbers and names in common, copies, and words that no other sentence contains."""
    near = frozenset().union(*(t.near for t in c.answer.texts))
    numbers = frozenset().union(*(t.numbers for t in c.answer.texts))
    names = frozenset().union(*(c.names(t) for t in c.answer.texts))
    bares = {t.bare for t in c.answer.texts}
    texts = c.documents.texts
    yield "answer pairs", _column([sum(p in near for p in t.adjacent) / (len(t.adjacent) + 1) for t in texts])
    yield "answer numbers", _column([min(2, len(t.numbers & numbers)) for t in texts])
    yield "answer names", _column([min(3, len(t.words & names)) for t in texts])
    yield "answer copy", _column([t.bare in bares for t in texts])
    said = c.answer.words.max(axis=0) * c.rarity
    alone = said * (c.documents.words.sum(axis=0) == 1)
    yield "answer only here", (c.documents.words @ alone) / (said.sum() + 1e-6)


def _column(values: list[float]) -> Array:
    return np.array(values, dtype=np.float32)


def _place(c: Comparison) -> Iterator[Column]:
    """The sentence's position and length. The record's size is left out, as it reflects its subject instead."""
    sizes = np.bincount(c.document)
    starts = np.cumsum(sizes) - sizes
    place = np.arange(c.n) - starts[c.document]
    lengths = np.log1p(_column([len(t.tokens) for t in c.documents.texts]))
    yield "place", np.log1p(place)
    yield "first", place == 0
    yield "last", place == sizes[c.document] - 1
    yield "place share", place / np.maximum(sizes[c.document] - 1, 1)
    yield "length", lengths
    yield "short", _column([len(t.tokens) < 3 for t in c.documents.texts])
    yield "length before", c.beside(lengths, 1)
    yield "numbers", _column([min(3, len(t.numbers)) for t in c.documents.texts])
    yield "names", _column([min(5, len(t.names)) for t in c.documents.texts])
