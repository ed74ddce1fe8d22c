"""The local labeler: sentence embeddings, words, and linear models over what is measured of them.

No key, no server. It compares sentences; it does not reason, and it is no GPT. The models were trained
on labels that GPT-4 gave RAGBench's rows (`bench/train_labeler.py`, docs/labeler.md), so that its
probabilities say what such a judge would have labeled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from trace_core.facts.labels import Expected, Probabilities
from trace_core.facts.records import Sentences
from trace_core.labeling.base import Progress, Reply
from trace_core.labeling.local import explain
from trace_core.labeling.local.compare import Comparison
from trace_core.labeling.local.document_features import document_columns
from trace_core.labeling.local.entailment import Entailment, blended, entailed, in_words
from trace_core.labeling.local.pair_features import pair_columns
from trace_core.labeling.local.record_features import record_columns
from trace_core.labeling.local.response_features import SHORT, response_columns, short
from trace_core.labeling.local.texts import read
from trace_core.labeling.local.weights import Model, Weights, each, shipped
from trace_core.retrieval.embedding import Embedder, Vectors

VERSION = "local-3"
CONTRADICTION_PRIOR = 0.05
"""How likely a sentence is taken to be a changed copy of a supported one, before it is read."""
MAX_SUPPORTS = 6
_BATCH = 256
_EMBEDDING_SHARE = 0.1
"""Of the progress told, where a cross-encoder reads pairs too: that takes far longer."""
_TOGETHER = 64
"""So many records are compared at once."""
_ESTIMATES = ("context_relevance", "context_utilization", "completeness")

Array = NDArray[np.float64]
Item = tuple[str, Sentences]
"""A question, and the sentences of its documents and its response."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Probabilities of one record: n document sentences, m response sentences, m × n pairs."""

    comparison: Comparison
    relevant: Array
    utilized: Array
    unsupported: Array
    contradicts: Array
    supports: Array
    expected: Mapping[str, float]
    entailed: Array | None = None
    """Log-odds that documents imply each response sentence, m; nan where the model was not asked."""

    @property
    def doubt(self) -> Array:
        """How likely each response sentence is unsupported, or contradicts what supports it; m."""
        odds = CONTRADICTION_PRIOR / (1 - CONTRADICTION_PRIOR) * self.contradicts / (1 - self.contradicts)
        doubt: Array = 1 - (1 - self.unsupported) / (1 + odds)
        return doubt


class LocalLabeler:
    """Labels from an embedding model and trained weights. Raises `ModelError` if a model fails.

    With `entailment`, what that model says has a share in `unsupported`, and in what follows from it.
    """

    name = "local"

    def __init__(
        self, embedder: Embedder, weights: Weights | None = None, entailment: Entailment | None = None
    ) -> None:
        self._embedder = embedder
        self._weights = weights
        self._entailment = entailment

    @property
    def version(self) -> str:
        """Models and embedding model, and the one for entailment where there is one."""
        asked = f" + {self._entailment.name}" if self._entailment else ""
        return f"{VERSION} {self._embedder.name}{asked}"

    def label(self, question: str, sentences: Sentences, progress: Progress | None = None) -> Reply:
        """Label one record."""
        return self.label_many([(question, sentences)], progress)[0]

    def label_many(self, items: Sequence[Item], progress: Progress | None = None) -> list[Reply]:
        """Label many records: each distinct sentence is embedded once, and records are judged together.

        The replies stand in the order of the items, and each is what `label` gives it alone.
        """
        texts = [text for item in items for text in _texts(item)]
        vectors = self._embed(texts, within(progress, 0, _EMBEDDING_SHARE if self._entailment else 1))
        weights = self._weights or shipped()
        replies = []
        for start in range(0, len(items), _TOGETHER):
            together = items[start : start + _TOGETHER]
            compared = [compare(item, vectors) for item in together]
            there = [(c, item[1]) for c, item in zip(compared, together, strict=True) if c is not None]
            done = [_EMBEDDING_SHARE + (1 - _EMBEDDING_SHARE) * i / len(items) for i in (start, start + len(together))]
            odds = entailed(there, self._entailment, within(progress, *done)) if self._entailment else None
            judged = iter(judge([c for c, _ in there], weights, odds))
            for (_, sentences), c in zip(together, compared, strict=True):
                replies.append(_reply(sentences, next(judged), weights) if c is not None else _nothing(sentences))
        return replies

    def _embed(self, texts: list[str], progress: Progress) -> dict[str, Vectors]:
        """Text → vector; sorted by length, so that little of a batch is padding."""
        distinct = sorted(dict.fromkeys(texts), key=len, reverse=True)
        vectors: dict[str, Vectors] = {}
        for start in range(0, len(distinct), _BATCH):
            batch = distinct[start : start + _BATCH]
            vectors |= zip(batch, self._embedder.embed(batch), strict=True)
            progress(min(1.0, (start + _BATCH) / len(distinct)))
        return vectors


def within(progress: Progress | None, start: float, end: float) -> Progress:
    """Progress of a part of the work, which is told as going from `start` to `end` of the whole."""
    return lambda share: progress(min(1.0, start + (end - start) * share)) if progress else None


def _texts(item: Item) -> list[str]:
    question, sentences = item
    every = (question, *(s.text for s in sentences.response), *(s.text for d in sentences.documents for s in d))
    return [text.strip() for text in every]


def compare(item: Item, vectors: Mapping[str, Vectors]) -> Comparison | None:
    """The record as matrices; `None` without a document sentence."""
    if not any(item[1].documents):
        return None
    return Comparison(read(item[0]), np.stack([vectors[text] for text in _texts(item)]), item[1])


def judge(compared: Sequence[Comparison], weights: Weights, odds: Sequence[Array] | None = None) -> list[Judged]:
    """Every model over the columns of all records at once; `odds` of entailment are each record's m."""
    if not compared:
        return []
    models = weights.models
    documents = joined([document_columns(c) for c in compared])
    answered = [c for c in compared if c.m]
    answers = joined([response_columns(c) for c in answered]) if answered else {}
    sentence = {name: models[name].probability(documents) for name in ("relevant", "utilized")}
    response = of_answers(models, answers) if answered else {}
    if odds is not None and answered:
        response["unsupported"] = blended(response["unsupported"], np.concatenate(odds))
    in_documents = each(sentence, [c.n for c in compared])
    in_answers = each(response, [c.m for c in answered])
    nothing = {name: np.zeros(0) for name in ("unsupported", "contradicts")}
    judged = [_judged(c, weights, next(in_documents) | (next(in_answers) if c.m else nothing)) for c in compared]
    return judged if odds is None else [replace(j, entailed=o) for j, o in zip(judged, odds, strict=True)]


def of_answers(models: Mapping[str, Model], columns: Mapping[str, NDArray[np.float32]]) -> dict[str, Array]:
    """Probabilities of response sentences. What contradicts is learned apart for short ones and the others."""
    p = {name: models[name].probability(columns) for name in ("unsupported", "contradicts", "contradicts short")}
    apart = np.where(short(columns), p.pop("contradicts short"), p["contradicts"])
    return p | {"contradicts": apart}


def _judged(c: Comparison, weights: Weights, p: Mapping[str, Array]) -> Judged:
    models = weights.models
    supports = models["supports"].probability(pair_columns(c, p["utilized"])) if c.m else np.zeros((0, c.n))
    record = record_columns(c, p["relevant"], p["utilized"], p["unsupported"])
    expected = {name: float(np.clip(models[name].sum(record), 0, 1)) for name in _ESTIMATES}
    for name, kind in (("context_relevance", "relevant"), ("context_utilization", "utilized")):
        expected[name] = (expected[name] + float(p[kind].mean())) / 2  # each errs where the other does not
    expected["adherence"] = 1 - float(models["hallucination"].probability(record))
    return Judged(c, **p, supports=supports, expected=expected if c.m else {})


def joined(columns: Sequence[Mapping[str, NDArray[np.float32]]]) -> dict[str, NDArray[np.float32]]:
    """Columns of several records, one after the other."""
    return {name: np.concatenate([one[name] for one in columns]) for name in columns[0]}


def _reply(sentences: Sentences, judged: Judged, weights: Weights) -> Reply:
    document_keys, response_keys = sentences.document_keys(), sentences.response_keys()
    t = weights.thresholds
    supports = [_support(judged, row, sentences, t) for row in range(len(response_keys))]
    used = {key for support in supports for key in support[0]}
    relevant = [k for k, p in zip(document_keys, judged.relevant, strict=True) if p >= t["relevant"]]
    utilized = [k for k, p in zip(document_keys, judged.utilized, strict=True) if p >= t["utilized"] or k in used]
    raw = _raw(sentences, relevant, utilized, supports)
    probabilities = Probabilities(
        relevant=_by_key(document_keys, judged.relevant),
        utilized=_by_key(document_keys, judged.utilized),
        unsupported=_by_key(response_keys, judged.doubt),
    )
    expected = {name: round(value, 6) for name, value in judged.expected.items()}
    return Reply(raw, probabilities, Expected(**expected) if expected else None)


def _by_key(keys: list[str], values: Array) -> dict[str, float]:
    return {key: round(float(p), 6) for key, p in zip(keys, values, strict=True)}


Support = tuple[list[str], bool, str]
"""Supporting keys, whether they support it fully, and why."""


def _support(judged: Judged, row: int, sentences: Sentences, thresholds: Mapping[str, float]) -> Support:
    """The document sentences that support one response sentence, and how far."""
    c = judged.comparison
    text, keys = c.answer.texts[row], sentences.document_keys()
    copies = [i for i, t in enumerate(c.documents.texts) if t.bare == text.bare and text.bare]
    if copies:
        return [keys[copies[0]]], True, explain.supported(c, row, copies[:1], keys)
    if text.refusal:
        return ["supported_without_sentence"], True, "It declines to answer, and claims nothing."
    if not text.tokens:
        return ["general"], True, "It makes no statement that could be checked."
    if c.match[row].max() < thresholds["near"]:
        return [], False, explain.doubtful(c, row, [], keys, sentences.response[row].text)
    doubtful = _doubtful(judged, row, thresholds)
    asked = "" if judged.entailed is None else in_words(float(judged.entailed[row]))
    p, bar = judged.supports[row], thresholds["best support" if doubtful else "supports"]
    ranked = np.argsort(-p, kind="stable")[:MAX_SUPPORTS]
    chosen = sorted(int(i) for i in ranked if p[i] >= bar)
    if doubtful:
        why = explain.doubtful(c, row, chosen, keys, sentences.response[row].text)
        return [keys[i] for i in chosen], False, why + asked
    chosen = chosen or [int(ranked[0])]
    return [keys[i] for i in chosen], True, explain.supported(c, row, chosen, keys) + asked


def _doubtful(judged: Judged, row: int, thresholds: Mapping[str, float]) -> bool:
    """Whether a sentence is not fully supported: unlikely to be, contradicted, or with nothing that supports it."""
    alone = judged.supports[row].max() < thresholds["best support"]
    bar = thresholds["unsupported alone"] if alone else thresholds["unsupported"]
    few = len(judged.comparison.answer.texts[row].tokens) <= SHORT
    contrary = judged.contradicts[row] >= thresholds["contradicts short" if few else "contradicts"]
    return bool(contrary or judged.unsupported[row] >= bar)


def _nothing(sentences: Sentences) -> Reply:
    """Without a document sentence nothing is relevant; only a refusal claims nothing."""
    supports: list[Support] = []
    for sentence in sentences.response:
        text = read(sentence.text)
        if text.refusal:
            supports.append((["supported_without_sentence"], True, "It declines to answer, and claims nothing."))
        else:
            supports.append(([], False, "There is no document sentence."))
    return Reply(_raw(sentences, [], [], supports))


def _raw(sentences: Sentences, relevant: list[str], utilized: list[str], supports: list[Support]) -> dict[str, object]:
    response_keys = sentences.response_keys()
    failing = [key for key, support in zip(response_keys, supports, strict=True) if not support[1]]
    return {
        "relevance_explanation": f"{len(relevant)} of {len(sentences.document_keys())} document sentences are "
        "probably relevant to the question.",
        "all_relevant_sentence_keys": relevant,
        "overall_supported_explanation": f"Not fully supported: {', '.join(failing)}."
        if failing
        else "Every response sentence is supported.",
        "overall_supported": not failing,
        "sentence_support_information": [
            {
                "response_sentence_key": key,
                "explanation": why,
                "supporting_sentence_keys": keys,
                "fully_supported": fully,
            }
            for key, (keys, fully, why) in zip(response_keys, supports, strict=True)
        ],
        "all_utilized_sentence_keys": utilized,
    }
