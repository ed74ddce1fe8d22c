"""The features of a response sentence, one column each: do the documents support it?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from trace_core.labeling.local.compare import Array, Comparison
from trace_core.labeling.local.premises import Evidence
from trace_core.labeling.local.reader import CLAIMS_NOTHING, CONTRADICTS, ENTAILS, NEITHER
from trace_core.labeling.local.wording.texts import Text

Column = tuple[str, Any]


OF_RECORD = frozenset(
    {
        *("other answers", "worst answer", "answer cover", "answer least cover", "answer refuses", "first", "last"),
        *("sentences", "document sentences", "question best", "question mean", "refusal", "refusal by question"),
        *("cos mean", "cos question", "cover question", "question aligned", "short"),
    }
)
"""Columns that depend on the question or on other sentences of the answer. A sentence's own label uses none of them: a
greeting beside it, or another question, must not change what the documents say about it."""
_LIMITS = frozenset(
    """not no never none nor neither only except unless if until or some most few may might can could should at least
    almost than before after without but about up""".split()
)
"""Limiting words: leaving one out may change the meaning."""
_LONGEST_COMPARED = 60
_MIDDLE = 2.2
"""About eight content words, on the logarithmic scale of `length`."""


def response_columns(e: Evidence) -> dict[str, Array]:
    """Name → m values."""
    columns = dict((*_read(e), *_meaning(e.c), *_words(e.c), *_particulars(e.c), *_sentence(e.c)))
    found = {name: np.asarray(values, dtype=np.float32) for name, values in columns.items()}
    return found | {name: np.asarray(values, dtype=np.float32) for name, values in _together_with_length(found)}


def _together_with_length(c: Mapping[str, Array]) -> Iterator[Column]:
    """Interactions: the reader's output means less for long sentences, and near copies need a second look."""
    longer = c["length"] - _MIDDLE
    for name in ("entails most", "entails alone", "contradicts nearest", "contradicts most", "neither nearest"):
        yield f"{name} by length", c[name] * longer
    yield "length squared", longer**2
    yield "entails at all", np.maximum(c["entails most"], 0)
    yield "entails surely", np.maximum(c["entails most"] - 2, 0)
    near = np.maximum(c["cos"] - 0.8, 0)
    yield "cos near", near
    yield "cos near, contradicted", near * c["contradicts nearest"]
    yield "cover aligned, entailed", c["cover aligned"] * c["entails most"]


def _read(e: Evidence) -> Iterator[Column]:
    """What the reader says about the premises: single sentences, several together, and the best match."""
    rows = [e.of_row(row) for row in range(e.c.m)]
    alone = [[i for i in row if len(e.wanted[i].places) == 1] for row in rows]
    for kind, name in ((ENTAILS, "entails"), (CONTRADICTS, "contradicts"), (NEITHER, "neither")):
        yield f"{name} most", [e.odds[row, kind].max() for row in rows]
        yield f"{name} alone", [e.odds[row, kind].max() for row in alone]
        yield f"{name} nearest", [e.odds[row[0], kind] for row in rows]
        yield f"{name} mean", [e.odds[row, kind].mean() for row in rows]
    yield "claims nothing", [e.odds[row, CLAIMS_NOTHING].mean() for row in rows]


def _meaning(c: Comparison) -> Iterator[Column]:
    ranked = -np.sort(-c.cos, axis=1)
    yield "cos", ranked[:, 0]
    yield "cos second", ranked[:, min(1, c.n - 1)]
    yield "cos top 4", ranked[:, :4].mean(axis=1)
    yield "cos mean", c.cos.mean(axis=1)
    yield "cos aligned", np.take_along_axis(c.cos, c.aligned[:, :1], axis=1)[:, 0]
    yield "match", c.match.max(axis=1)
    yield "cos question", np.round(c.answer.vectors @ c.question.vectors[0], 5)
    together = c.documents.vectors[c.aligned].sum(axis=1)
    together = together / (np.linalg.norm(together, axis=1, keepdims=True) + 1e-9)
    yield "cos together", np.round((together * c.answer.vectors).sum(axis=1), 5)
    yield "question best", np.full(c.m, c.question_cos.max())
    yield "question mean", np.full(c.m, c.question_cos.mean())
    yield "question aligned", c.question_cos[c.aligned].max(axis=1)
    yield "other answers", np.full(c.m, ranked[:, 0].mean())
    yield "worst answer", np.full(c.m, ranked[:, 0].min())


def _words(c: Comparison) -> Iterator[Column]:
    weights = c.answer.words * c.rarity
    total = weights.sum(axis=1) + 1e-6
    aligned = c.documents.words[c.aligned].max(axis=1)
    own = np.stack([c.documents.words[c.document == c.document[i]].max(axis=0) for i in c.aligned[:, 0]])
    every = c.documents.words.max(axis=0)
    yield "cover best", c.cover.max(axis=1)
    yield "cover aligned", (weights * aligned).sum(axis=1) / total
    yield "cover document", (weights * own).sum(axis=1) / total
    cover = (weights * every).sum(axis=1) / total
    yield "cover all", cover
    yield "cover question", (weights * c.question.words[0]).sum(axis=1) / total
    novel = c.answer.words * (1 - every) * (1 - c.question.words[0])
    yield "novel words", np.log1p(novel.sum(axis=1))
    yield "novel share", novel.sum(axis=1) / (c.answer.words.sum(axis=1) + 1)
    strange = c.answer.words * (1 - aligned)
    yield "not aligned words", np.log1p(strange.sum(axis=1))
    yield "not aligned share", strange.sum(axis=1) / (c.answer.words.sum(axis=1) + 1)
    yield "said together", _together(weights, c.documents.words)
    yield "said together in document", _together(weights, _by_document(c))
    yield "aligned documents", np.array([len(set(c.document[row])) / len(row) for row in c.aligned])
    yield "answer cover", np.full(c.m, cover.mean())
    yield "answer least cover", np.full(c.m, cover.min())


def _by_document(c: Comparison) -> Array:
    """The words of whole documents, one row per document."""
    return np.stack([c.documents.words[c.document == d].max(axis=0) for d in np.unique(c.document)])


def _together(weights: Array, held: Array) -> Array:
    """The share of a sentence's pairs of known words that occur together in some text, rare words weighing more."""
    known = (held.max(axis=0) > 0) & (weights > 0)
    return np.array([_pairs_held(row[keep], held[:, keep]) for row, keep in zip(weights, known, strict=True)])


def _pairs_held(weight: Array, held: Array) -> float:
    if len(weight) < 2:
        return 1.0
    pairs = np.outer(weight, weight)
    np.fill_diagonal(pairs, 0)
    return float((pairs * ((held.T @ held) > 0)).sum() / pairs.sum())


def _particulars(c: Comparison) -> Iterator[Column]:
    """Numbers, names, negations and word order, compared with the best-matching sentences."""
    rows = [_one(c, row) for row in range(c.m)]
    for name in rows[0]:
        yield name, np.array([row[name] for row in rows], dtype=np.float32)


def _one(c: Comparison, row: int) -> dict[str, float]:
    text = c.answer.texts[row]
    aligned = [c.documents.texts[i] for i in c.aligned[row]]
    best = aligned[0]
    own = {w for t, d in zip(c.documents.texts, c.document, strict=True)
           if d == c.document[c.aligned[row, 0]] for w in t.words}  # fmt: skip
    held = frozenset().union(*(t.words for t in aligned))
    asked = c.question.texts[0].words
    vocabulary = c.vocabulary
    everywhere = frozenset(w for w in text.words if c.documents.words[:, vocabulary[w]].any())
    names = c.names(text)
    found = _in_order(text, aligned)
    found |= {"copy": float(any(t.bare == text.bare for t in c.documents.texts))}
    for kind, said in (("number", text.numbers), ("name", names)):
        found[f"{kind}s"] = min(3.0, len(said))
        found[f"{kind} not in best"] = min(2.0, len(said - best.words))
        found[f"{kind} not aligned"] = min(2.0, len(said - held))
        found[f"{kind} not aligned or asked"] = min(2.0, len(said - held - asked))
        found[f"{kind} not in document"] = min(2.0, len(said - own - asked))
        found[f"{kind} nowhere"] = min(2.0, len(said - everywhere - asked))
    return found


def _in_order(text: Text, aligned: list[Text]) -> dict[str, float]:
    """Words replaced and words left out, compared with the sentence that has most of its words in the same order."""
    said = text.sequence[:_LONGEST_COMPARED]
    kept = [common_in_order(said, other.sequence[:_LONGEST_COMPARED]) for other in aligned]
    best = int(np.argmax(kept))
    other, same = aligned[best], kept[best]
    strange = len(said) - same
    missing = set(other.sequence) - set(said)
    return {
        "kept in order": same / (len(said) + 1e-6),
        "replaced": min(4.0, strange),
        "only leaves out": float(strange == 0),
        "one replaced": float(0 < strange <= 2 and same >= 3),
        "left out": min(6.0, len(other.sequence) - same),
        "leaves out a limit": float(strange == 0 and bool(missing & _LIMITS)),
    }


def common_in_order(first: Sequence[str], second: Sequence[str]) -> int:
    """The length of the longest common subsequence of words."""
    row = [0] * (len(second) + 1)
    for word in first:
        diagonal = 0
        for j, other in enumerate(second, start=1):
            above = row[j]
            row[j] = diagonal + 1 if word == other else max(above, row[j - 1])
            diagonal = above
    return row[-1]


def _sentence(c: Comparison) -> Iterator[Column]:
    texts = c.answer.texts
    place = np.arange(c.m)
    yield "length", np.log1p(_each(texts, lambda t: len(t.tokens)))
    yield "short", _each(texts, lambda t: len(t.tokens) < 3)
    yield "hedged", _each(texts, lambda t: t.hedged)
    yield "refusal", _each(texts, lambda t: t.refusal)
    yield "refusal by question", _each(texts, lambda t: t.refusal) * c.question_cos.max()
    yield "answer refuses", np.full(c.m, np.mean([t.refusal for t in texts]))
    yield "first", place == 0
    yield "last", place == c.m - 1
    yield "sentences", np.full(c.m, np.log1p(c.m))
    yield "document sentences", np.full(c.m, np.log1p(c.n))


def _each(texts: list[Text], measure: Callable[[Text], float]) -> Array:
    return np.array([measure(t) for t in texts], dtype=np.float32)
