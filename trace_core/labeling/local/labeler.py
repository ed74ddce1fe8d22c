"""The local labeler: sentence embeddings, a small reader, and small models over the output of both.

It needs no key, no server and no GPT. The reader compares each response sentence with the document sentences
that match it best, and each document sentence with the question. Small models weigh the result with cosines and words
in common; they were trained on GPT-4's labels of RAGBench's rows and on passages written for the purpose
(`bench/train_labeler.py`, docs/labeler.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trace_core.facts.labels import Expected, Probabilities
from trace_core.facts.language import NOTE, is_foreign
from trace_core.facts.records import Sentences
from trace_core.labeling.base import OnShare, Reply
from trace_core.labeling.local import columns, explain
from trace_core.labeling.local.claims import Claimed, claimed
from trace_core.labeling.local.evidence import Evidence, Item, SentenceMatrix, bare_claim, gather, texts_of
from trace_core.labeling.local.models import Array, Models, logistic, shipped
from trace_core.labeling.local.reader import CLAIMS_NOTHING, CONTRADICTS, ENTAILS, Reads, packaged_reader
from trace_core.labeling.local.texts import analyse
from trace_core.retrieval.embedding import Embedder, Vectors

VERSION = "local-20"
LANGUAGE = "language"
"""The reason that nothing is labeled: the record is in a language that the reader does not read."""
MAX_SUPPORTS = 6
_BATCH = 256
_EMBEDDING_SHARE = 0.2
"""The share of reported progress for embedding; reading pairs takes the rest."""
_SURE = 0.95
"""From this doubt on, a sentence that fails decides the estimate of adherence, too."""
_UNFOUNDED = 0.85
"""The least doubt of a sentence with a number or a name that the documents lack, that changes what they say, or that
leaves out the group for which they say it."""
_EMPTY = np.log(0.5)
"""The log-probability from which the reader, without a document, finds no claim in a sentence."""
_NEUTRAL = "The library is open from Monday to Friday."
"""What a sentence is read beside where there is no document; the reader needs a premise."""
_TOGETHER = 16
"""The number of records that are read at once."""


class LocalLabeler:
    """Labels from an embedding model, a reader and trained models. Raises `ModelError` if a model fails."""

    name = "local"

    def __init__(self, embedder: Embedder, reader: Reads | None = None, models: Models | None = None) -> None:
        self._embedder = embedder
        self._reader = reader or packaged_reader()
        self._models = models

    @property
    def version(self) -> str:
        """The rules, the reader with the hash of its weights, and the embedding model."""
        return f"{VERSION} {self._reader.name} {self._embedder.name}"

    def label(self, question: str, sentences: Sentences, progress: OnShare | None = None) -> Reply:
        """Label one record."""
        return self.label_many([(question, sentences)], progress)[0]

    def label_many(self, items: Sequence[Item], progress: OnShare | None = None) -> list[Reply]:
        """Label many records: each distinct sentence is embedded once, and pairs are read for several records at once.

        The replies are in the order of the items, and each equals what `label` returns for that item alone. A record in
        a language that the reader does not read gets no labels, and the reason `LANGUAGE`.
        """
        can_read = [self._reader.multilingual or not _is_foreign(sentences) for _, sentences in items]
        replies = iter(self._label_many([item for item, can in zip(items, can_read, strict=True) if can], progress))
        return [next(replies) if can else Reply({}, notes=[NOTE], unread=LANGUAGE) for can in can_read]

    def _label_many(self, items: Sequence[Item], progress: OnShare | None) -> list[Reply]:
        whole = [claimed(item) for item in items]
        texts = [text for one in whole for text in texts_of(one.item)]
        vectors = self._embed(texts, within(progress, 0, _EMBEDDING_SHARE))
        models = self._models or shipped()
        replies: list[Reply] = []
        for start in range(0, len(items), _TOGETHER):
            together = whole[start : start + _TOGETHER]
            compared = [(SentenceMatrix(one.item, vectors), one.item) for one in together if any(one.item[1].documents)]
            share = (1 - _EMBEDDING_SHARE) / len(items)
            first, last = (_EMBEDDING_SHARE + share * i for i in (start, start + len(together)))
            gathered = iter(gather(compared, self._reader, within(progress, first, last)))
            for one, (_, sentences) in zip(together, items[start : start + _TOGETHER], strict=True):
                if any(sentences.documents):
                    replies.append(_reply(sentences, apply_models(next(gathered), models, one), models))
                else:
                    replies.append(self._alone(sentences, one))
        return replies

    def _alone(self, sentences: Sentences, claimed: Claimed) -> Reply:
        """The reply without document sentences: nothing is relevant; only refusals and greetings claim nothing."""
        claims = claimed.item[1].response
        says = self._reader.says([(_NEUTRAL, bare_claim(s.text)) for s in claims])
        supports = []
        for row, (claim, p) in enumerate(zip(claims, says[:, CLAIMS_NOTHING], strict=True)):
            text = analyse(claim.text)
            nothing = not text.tokens or (p > _EMPTY and not text.numbers)
            if row in claimed.unreadable:
                supports.append(_UNREADABLE)
            elif text.refusal or nothing:
                supports.append(_claims_nothing(text.refusal))
            else:
                supports.append(SentenceSupport([], False, "There is no document sentence.", 1.0))
        return Reply(_raw(sentences, [], [], supports))

    def _embed(self, texts: list[str], progress: OnShare) -> dict[str, Vectors]:
        """Text → embedding; texts are sorted by length to keep padding small."""
        distinct = sorted(dict.fromkeys(texts), key=len, reverse=True)
        vectors: dict[str, Vectors] = {}
        for start in range(0, len(distinct), _BATCH):
            batch = distinct[start : start + _BATCH]
            vectors |= zip(batch, self._embedder.embed(batch), strict=True)
            progress(min(1.0, (start + _BATCH) / len(distinct)))
        return vectors


def _is_foreign(sentences: Sentences) -> bool:
    documents = (s.text for document in sentences.documents for s in document)
    return is_foreign(documents, (s.text for s in sentences.response))


def within(progress: OnShare | None, start: float, end: float) -> OnShare:
    """Progress of one part of the work, reported as going from `start` to `end` of the whole."""
    return lambda share: progress(min(1.0, start + (end - start) * share)) if progress else None


@dataclass(frozen=True, slots=True)
class Judgment:
    """The probabilities for one record: n document sentences, m response sentences, m × n pairs.

    `doubt` is how likely each response sentence is unsupported; 0 if it copies a document sentence or claims nothing.
    """

    evidence: Evidence
    relevant: Array
    utilized: Array
    doubt: Array
    supports: Array
    expected: Mapping[str, float]
    claimed: Claimed


def apply_models(e: Evidence, models: Models, claimed: Claimed) -> Judgment:
    """Apply every model to one record."""
    linear, questions = models.linear, columns.question_columns(e)
    relevant = models.trees["relevant"].probability(questions)
    score = {"context_relevance": linear["context_relevance"].sum(columns.relevance_columns(e.c, relevant))}
    if not e.c.m:
        nothing = np.zeros(e.c.n)
        expected = _expected(score, relevant, nothing)
        return Judgment(e, relevant, nothing, np.zeros(0), np.zeros((0, e.c.n)), expected, claimed)
    utilized = linear["utilized"].probability(columns.document_columns(e, questions))
    response = columns.response_columns(e)
    # `judged` is what a judge such as GPT-4 would call unsupported, which only the estimates follow.
    doubt, judged = models.trees["unsupported"].probability(response), linear["judged"].probability(response)
    changed = {row for row, place in enumerate(e.contrary) if place is not None and e.claims[row]}
    for p in (doubt, judged):
        p[e.copies | ~e.claims] = 0.0
        for row in changed | claimed.unfounded | claimed.dropped.keys():
            p[row] = max(_UNFOUNDED, p[row])
        for row in claimed.denied:  # a denial is as doubtful as it is that the documents say otherwise
            p[row] = 1 - float(logistic(e.alone(CONTRADICTS)[row]).max())
    doubt[list(claimed.unreadable)] = 1.0
    supports = linear["supports"].probability(columns.pair_columns(e, utilized))
    record = columns.record_columns(e, relevant, utilized, judged)
    score |= {name: linear[name].sum(record) for name in ("context_utilization", "completeness")}
    expected = _expected(score, relevant, utilized) | {
        "adherence": 1 - float(linear["hallucination"].probability(record))
    }
    return Judgment(e, relevant, utilized, doubt, supports, expected, claimed)


def _expected(score: Mapping[str, Array], relevant: Array, utilized: Array) -> dict[str, float]:
    """The scores' estimates; a mean of probabilities beside a model's, as their errors differ."""
    means = {"context_relevance": relevant.mean(), "context_utilization": utilized.mean()}
    clipped = {name: float(np.clip(value, 0, 1)) for name, value in score.items()}
    return {name: (value + float(means[name])) / 2 if name in means else value for name, value in clipped.items()}


def relevant_places(p: Array, thresholds: Mapping[str, float]) -> list[int]:
    """The places of relevant sentences: beside a best one that is no clear case, less likely ones are relevant, too.

    A question with several parts has no sentence that answers it all. Where the best one is unlikely, nothing is.
    """
    best = float(p.max(initial=0.0))
    bar = min(thresholds["relevant"], thresholds["share of best"] * best)
    return np.flatnonzero(p >= bar).tolist() if best >= thresholds["relevant at all"] else []


def _reply(sentences: Sentences, judged: Judgment, models: Models) -> Reply:
    document_keys, response_keys = sentences.document_keys(), sentences.response_keys()
    t = models.thresholds
    relevant = [document_keys[i] for i in relevant_places(judged.relevant, t)]
    supports = list(_supports(judged, sentences, t, relevant))
    used = {key for support in supports for key in support.keys}
    utilized = [k for k, p in zip(document_keys, judged.utilized, strict=True) if p >= t["utilized"] or k in used]
    if not any(s.rests for s in supports):
        utilized = []
    probabilities = Probabilities(
        relevant=_by_key(document_keys, judged.relevant),
        utilized=_by_key(document_keys, judged.utilized),
        unsupported=_by_key(response_keys, np.array([s.doubt for s in supports])),
    )
    expected = {name: round(value, 6) for name, value in judged.expected.items()}
    sure = [s.doubt for s in supports if not s.fully and s.doubt >= _SURE]
    if sure and "adherence" in expected:  # the estimate must not clear what the labels are sure of
        expected["adherence"] = round(min(expected["adherence"], 1 - max(sure)), 6)
    return Reply(_raw(sentences, relevant, utilized, supports), probabilities, Expected(**expected))


def _by_key(keys: list[str], values: NDArray[np.floating]) -> dict[str, float]:
    return {key: round(float(p), 6) for key, p in zip(keys, values, strict=True)}


@dataclass(frozen=True, slots=True)
class SentenceSupport:
    """The support for one response sentence: supporting keys, whether it is full, why, and how doubtful that is.

    `against` are the keys that contradict it; `rests` says whether it makes a claim that needs the documents.
    """

    keys: list[str]
    fully: bool
    why: str
    doubt: float = 0.0
    against: tuple[str, ...] = ()
    rests: bool = True


_UNREADABLE = SentenceSupport([], False, explain.UNREADABLE, 1.0)


def _supports(
    judged: Judgment, sentences: Sentences, thresholds: Mapping[str, float], relevant: Sequence[str]
) -> Iterator[SentenceSupport]:
    """The support of every response sentence. An answer that only declines, though something is relevant, has none."""
    texts, claims = judged.evidence.c.answers, judged.evidence.claims
    declines = not claims.any() and any(text.refusal for text in texts)
    for row, text in enumerate(texts):
        if row in judged.claimed.unreadable:
            yield _UNREADABLE
        elif declines and relevant and text.refusal:
            yield SentenceSupport([], False, explain.refused(relevant), float(judged.relevant.max()), rests=False)
        else:
            yield _support(judged, row, sentences, thresholds)


def _support(judged: Judgment, row: int, sentences: Sentences, thresholds: Mapping[str, float]) -> SentenceSupport:
    """The document sentences that support one response sentence, and how fully."""
    e, c, keys = judged.evidence, judged.evidence.c, sentences.document_keys()
    doubt = float(judged.doubt[row])
    if row in judged.claimed.denied:
        return _denial(judged, row, sentences, thresholds)
    if row in judged.claimed.dropped:
        one, other = judged.claimed.dropped[row]
        return SentenceSupport([keys[one]], False, explain.dropped(keys[one], keys[other]), doubt)
    if (source := e.sources[row]) is not None:
        return SentenceSupport([keys[source]], True, explain.supported(c, row, [source], keys))
    if not e.claims[row]:
        return _claims_nothing(c.answers[row].refusal)
    ranked = np.argsort(-judged.supports[row], kind="stable")[:MAX_SUPPORTS]
    if doubt < thresholds["unsupported"]:
        chosen = {int(i) for i in ranked if judged.supports[row, i] >= thresholds["supports"]}
        chosen = chosen or set(e.best(row))  # the model alone may choose wrongly, e.g. for a one-word sentence
        return SentenceSupport(
            [keys[i] for i in sorted(chosen)], True, explain.supported(c, row, sorted(chosen), keys), doubt
        )
    surface, documents = sentences.response[row].text, [s.text for d in sentences.documents for s in d]
    against = e.contrary[row] if e.contrary[row] is not None else _against(e, row, thresholds["contradicts"])
    if against is None and row in judged.claimed.unfounded:
        against = next((int(i) for i in c.aligned[row] if explain.replaced(documents[i], bare_claim(surface))), None)
    if against is not None:
        why = explain.contradicted(documents[against], bare_claim(surface), keys[against])
        return SentenceSupport([], False, why, doubt, (keys[against],))
    partly = [i for i in ranked if judged.supports[row, i] >= thresholds["best support"]]
    partly = [i for i in partly if e.alone(ENTAILS)[row, i] > thresholds["partly"]]
    why = explain.unsupported(c, row, documents, keys, surface)
    return SentenceSupport([keys[i] for i in sorted(partly)], False, why, doubt)


def _denial(judged: Judgment, row: int, sentences: Sentences, thresholds: Mapping[str, float]) -> SentenceSupport:
    """The support for a denial: the sentence that says otherwise, or the contradiction of one that says so."""
    e, keys, doubt = judged.evidence, sentences.document_keys(), float(judged.doubt[row])
    if (place := _against(e, row, thresholds["contradicts"])) is not None:
        return SentenceSupport([keys[place]], True, f"To the local model, {keys[place]} says that it is not so.", doubt)
    alone = e.alone(ENTAILS)[row]
    place = int(np.argmax(alone))
    if alone[place] > 0:
        theirs = [s.text for d in sentences.documents for s in d][place]
        return SentenceSupport([], False, explain.denied(theirs, keys[place]), doubt, (keys[place],))
    return SentenceSupport([], False, f"{explain.NO_SUPPORT}.", doubt)


def _against(e: Evidence, row: int, bar: float) -> int | None:
    """The document sentence that contradicts the response sentence most; `None` if the reader is unsure."""
    alone = e.alone(CONTRADICTS)[row]
    place = int(np.argmax(alone))
    return place if alone[place] >= bar else None


def _claims_nothing(refusal: bool) -> SentenceSupport:
    """The support for a right refusal or a greeting, which needs none."""
    special = "supported_without_sentence" if refusal else "general"
    return SentenceSupport([special], True, explain.claims_nothing(refusal), rests=False)


def _raw(
    sentences: Sentences, relevant: list[str], utilized: list[str], supports: Sequence[SentenceSupport]
) -> dict[str, object]:
    keys = sentences.response_keys()
    failing = [key for key, support in zip(keys, supports, strict=True) if not support.fully]
    return {
        "relevance_explanation": f"To the local model, {len(relevant)} of {len(sentences.document_keys())} document "
        "sentences help to answer the question.",
        "all_relevant_sentence_keys": relevant,
        "overall_supported_explanation": f"The local model finds no full support for {', '.join(failing)}."
        if failing
        else "The local model finds support for every response sentence.",
        "overall_supported": not failing,
        "sentence_support_information": [
            {
                "response_sentence_key": key,
                "explanation": support.why,
                "supporting_sentence_keys": support.keys,
                "fully_supported": support.fully,
            }
            | ({"contradicting_sentence_keys": list(support.against)} if support.against else {})
            for key, support in zip(keys, supports, strict=True)
        ],
        "all_utilized_sentence_keys": utilized,
    }
