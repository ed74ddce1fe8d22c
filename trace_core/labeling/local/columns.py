"""What the trained models see, one column a feature: of document sentences, response sentences, pairs, and a record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from trace_core.labeling.local.evidence import UNREAD, Array, Evidence, SentenceMatrix
from trace_core.labeling.local.models import Array as Wide
from trace_core.labeling.local.models import logit
from trace_core.labeling.local.reader import CONTRADICTS, ENTAILS
from trace_core.labeling.local.texts import Text

Column = tuple[str, Any]
_SHARP = 20.0
_AMOUNTS = frozenset("mani much long often far high old hot big larg heavi fast late earli deep wide tall".split())
"""Stems that make "how" ask for a number."""
_OPENS_YES_NO = frozenset("is are am was were can could do does did may must will would should has have".split())


def question_columns(e: Evidence) -> dict[str, Array]:
    """Name → n values, from the question and the documents alone: is the document sentence relevant?"""
    kind = {name: np.full(e.c.n, value) for name, value in question_kind(e.c.question).items()}
    return _narrow({**dict(_to_question(e)), **dict(_place(e.c)), **kind})


def question_kind(question: Text) -> Mapping[str, float]:
    """Name → 1 if the question, in English, asks for it, else 0; and the log of its length in words."""
    words = [word.removesuffix("'s") for word in question.sequence]
    pairs = set(pairwise(words))
    amount = any(("how", one) in pairs for one in _AMOUNTS)
    asks = {
        "amount": amount or not {"price", "cost", "percentag"}.isdisjoint(words),
        "way": "how" in words and not amount,
        "time": "when" in words or any(("what", one) in pairs for one in ("time", "year", "date", "day")),
        "person": not {"who", "whose"}.isdisjoint(words),
        "place": "where" in words,
        "reason": "why" in words,
        "thing": not {"what", "which"}.isdisjoint(words),
        "yes or no": bool(words) and words[0] in _OPENS_YES_NO,
    }
    length = {"question words": float(np.log1p(len(words)))}
    return {f"asks {name}": float(does) for name, does in asks.items()} | length


def _to_question(e: Evidence) -> Iterator[Column]:
    c = e.c
    weight = c.question_words * c.rarity
    shared = c.document_words @ weight
    yield from _relative("answers", e.answers, c)
    yield from _relative("question cos", c.question_cos, c)
    yield from _relative("question cover", shared / (weight.sum() + 1e-6), c)
    with_previous = c.document_vectors.copy()
    inside = c.document[1:] == c.document[:-1]
    with_previous[1:][inside] += c.document_vectors[:-1][inside]
    yield "question cos with previous", np.round(_unit(with_previous) @ c.question_vector, 5)
    yield "question covered", shared / (c.document_words @ c.rarity + 1e-6)
    yield "question share", _shares(c.question_cos, 0)


def _relative(name: str, values: Array, c: SentenceMatrix) -> Iterator[Column]:
    """A value, and its relation to the record's best and mean, its document's, and its neighbours' values."""
    yield name, values
    yield f"{name} below best", values - values.max()
    yield f"{name} above mean", values - values.mean()
    yield f"{name} document best", c.by_document(values) - values.max()
    yield f"{name} document mean", c.mean_by_document(values)
    yield f"{name} before", c.beside(values, 1)
    yield f"{name} after", c.beside(values, -1)


def _place(c: SentenceMatrix) -> Iterator[Column]:
    """The sentence's position and length. The record's size is left out, as it reflects its subject instead."""
    sizes = np.bincount(c.document)
    place = np.arange(c.n) - (np.cumsum(sizes) - sizes)[c.document]
    lengths = np.log1p([len(t.tokens) for t in c.documents]).astype(np.float32)
    yield "place", np.log1p(place)
    yield "first", place == 0
    yield "last", place == sizes[c.document] - 1
    yield "place share", place / np.maximum(sizes[c.document] - 1, 1)
    yield "length", lengths
    yield "short", [len(t.tokens) < 3 for t in c.documents]
    yield "length before", c.beside(lengths, 1)
    yield "numbers", [min(3, len(t.numbers)) for t in c.documents]
    yield "names", [min(5, len(t.names)) for t in c.documents]


def document_columns(e: Evidence, of_question: Mapping[str, Array]) -> dict[str, Array]:
    """Name → n values: is the document sentence utilized? Those of the question, and others from m ≥ 1 answers."""
    c, shares = e.c, _shares(e.c.match, 1)
    cos, match = c.cos.max(axis=0), c.match.max(axis=0)
    return dict(of_question) | _narrow(
        {
            "read alone": e.alone(ENTAILS).max(axis=0, initial=UNREAD),
            "read together": e.together(ENTAILS).max(axis=0, initial=UNREAD),
            "answer cos": cos,
            "answer cos below best": cos - cos.max(),
            "answer match": match,
            "answer match below best": match - match.max(),
            "answer covered": c.covered.max(axis=0),
            "answer mean cos": c.cos.mean(axis=0),
            "answer share": shares.max(axis=0),
            "answer share sum": np.log1p(shares.sum(axis=0)),
            "answer whole cos": np.round(c.document_vectors @ _unit(c.answer_vectors.sum(axis=0)), 5),
        }
    )


def response_columns(e: Evidence) -> dict[str, Array]:
    """Name → m values: do the documents support the response sentence? Other sentences of the answer change none."""
    columns: dict[str, Any] = {}
    rows = [e.of_row(row) for row in range(e.c.m)]
    alone = [[i for i in row if len(e.premises[i][1]) == 1] for row in rows]
    for kind, name in ((ENTAILS, "entails"), (CONTRADICTS, "contradicts")):
        columns[f"{name} most"] = [e.odds[row, kind].max() for row in rows]
        columns[f"{name} alone"] = [e.odds[row, kind].max() for row in alone]
        columns[f"{name} nearest"] = [e.odds[row[0], kind] for row in rows]
        columns[f"{name} mean"] = [e.odds[row, kind].mean() for row in rows]
    c, weights, ranked = e.c, e.c.answer_words * e.c.rarity, -np.sort(-e.c.cos, axis=1)
    aligned = c.document_words[c.aligned].max(axis=1)
    own = np.stack([c.document_words[c.document == c.document[i]].max(axis=0) for i in c.aligned[:, 0]])
    for name, words in (("cover aligned", aligned), ("cover document", own)):
        columns[name] = (weights * words).sum(axis=1) / (weights.sum(axis=1) + 1e-6)
    columns |= {"cos": ranked[:, 0], "cos second": ranked[:, min(1, c.n - 1)], "cos top 4": ranked[:, :4].mean(axis=1)}
    columns |= {"cover best": c.cover.max(axis=1), "document sentences": np.full(c.m, np.log1p(c.n))}
    return _narrow(columns | {"length": np.log1p([len(t.tokens) for t in c.answers])})


def pair_columns(e: Evidence, utilized: Wide) -> dict[str, Array]:
    """Name → m × n values: does the document sentence support the response sentence?

    `utilized` contains the document sentences' n probabilities.
    """
    c = e.c
    return {
        "read alone": e.alone(ENTAILS),
        "read together": e.together(ENTAILS),
        "match": c.match,
        "match below best": c.match - c.match.max(axis=1, keepdims=True),
        "match below other answers": c.match - c.match.max(axis=0, keepdims=True),
        "cover": c.cover,
        "covered": c.covered,
        "utilized": np.broadcast_to(logit(utilized)[None, :], (c.m, c.n)),
    }


def relevance_columns(c: SentenceMatrix, relevant: Wide) -> dict[str, float]:
    """Name → value, from the question and n ≥ 1 document sentences alone: what will context relevance be?"""
    return {
        "sentences": float(np.log(c.n)),
        "question best": float(c.question_cos.max()),
        "relevant mean": float(relevant.mean()),
        "relevant mean logit": float(logit(relevant.mean())),
        "relevant square": float((relevant**2).mean()),
    }


def record_columns(e: Evidence, relevant: Wide, utilized: Wide, doubt: Wide) -> dict[str, float]:
    """Name → value, for a record with sentences on both sides: what will its scores be?

    `relevant` and `utilized` contain n probabilities, `doubt` m. Sentences that claim nothing do not count.
    """
    claims = [t for t, says in zip(e.c.answers, e.claims, strict=True) if says]
    u = np.sort(doubt[e.claims]) if claims else np.zeros(1)
    columns = relevance_columns(e.c, relevant) | {
        "documents": np.log(len(np.unique(e.c.document))),
        "answer sentences": np.log1p(len(claims)),
        "answer words": np.log1p(sum(len(t.tokens) for t in claims)),
        "answer refuses": sum(t.refusal for t in e.c.answers) / e.c.m,
        "answer cos": e.c.cos[e.claims].max(axis=1).mean() if claims else 0,
        "answer cover": e.c.cover[e.claims].max(axis=1).mean() if claims else 0,
        "utilized best": utilized.max(),
        "utilized mean": utilized.mean(),
        "utilized square": (utilized**2).mean(),
        "utilized mean logit": logit(utilized.mean()),
        "utilized of relevant": utilized.sum() / (relevant.sum() + 1e-6),
        "product of relevant": (relevant * utilized).sum() / (relevant.sum() + 1e-6),
        "both of relevant": np.minimum(relevant, utilized).sum() / (relevant.sum() + 1e-6),
        "relevant beyond": np.maximum(relevant - utilized, 0).mean(),
        "unsupported most": logit(u[-1]),
        "unsupported mean": u.mean(),
        "unsupported any": 1 - np.prod(1 - u),
        "unsupported two": u[-2:].mean(),
    }
    return {name: float(value) for name, value in columns.items()}


def _narrow(columns: Mapping[str, Any]) -> dict[str, Array]:
    return {name: np.asarray(values, dtype=np.float32) for name, values in columns.items()}


def _shares(values: Array, axis: int) -> Array:
    """Shares that sum to 1 along the axis, greater the closer a value is to the maximum."""
    powers = np.exp(_SHARP * (values - values.max(axis=axis, keepdims=True)))
    shares: Array = powers / powers.sum(axis=axis, keepdims=True)
    return shares


def _unit(vectors: Array) -> Array:
    unit: Array = vectors / (np.linalg.norm(vectors, axis=-1, keepdims=True) + 1e-9)
    return unit
