"""The local labeler: sentence embeddings, a small reader, and small models over the output of both.

It needs no key, no server and no GPT. The reader compares each response sentence with the document sentences
that match it best, and each document sentence with the question. Trees and linear models weigh the result with
cosines and words in common; they were trained on GPT-4's labels of RAGBench's rows and on passages
written for the purpose (`bench/train_labeler.py`, docs/labeler.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trace_core.facts.labels import Expected, Probabilities
from trace_core.facts.language import NOTE, is_foreign
from trace_core.facts.records import Sentences
from trace_core.labeling.base import Progress, Reply
from trace_core.labeling.local import explain
from trace_core.labeling.local.claims import Claimed, Item, claimed
from trace_core.labeling.local.compare import Comparison
from trace_core.labeling.local.document_features import answer_columns, question_columns
from trace_core.labeling.local.log_odds import logistic
from trace_core.labeling.local.pair_features import pair_columns
from trace_core.labeling.local.premises import Evidence, asked, bare_claim, pairs_of
from trace_core.labeling.local.reader import CLAIMS_NOTHING, CONTRADICTS, ENTAILS, Reads, packaged_reader
from trace_core.labeling.local.record_features import record_columns, relevance_columns
from trace_core.labeling.local.response_features import response_columns
from trace_core.labeling.local.weights import Weights, each, shipped
from trace_core.labeling.local.wording.texts import read
from trace_core.retrieval.embedding import Embedder, Vectors

VERSION = "local-19"
LANGUAGE = "language"
"""The reason that nothing is labeled: the record is in a language that the reader does not read."""
MAX_SUPPORTS = 6
_BATCH = 256
_EMBEDDING_SHARE = 0.2
"""The share of reported progress for embedding; reading pairs takes the rest."""
_SURE = 0.95
"""From this doubt on, a sentence that fails decides the estimate of adherence, too."""
_UNFOUNDED = 0.85
"""The least doubt of a sentence with a number or a name that the documents lack, that denies what they say, or that
leaves out the group for which they say it."""
_EMPTY = np.log(0.5)
"""The log-probability from which the reader, without a document, finds no claim in a sentence."""
_NEUTRAL = "The library is open from Monday to Friday."
"""What a sentence is read beside where there is no document; the reader needs a premise."""
_TOGETHER = 16
"""The number of records that are read at once."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Judged:
    """The probabilities for one record: n document sentences, m response sentences, m × n pairs."""

    evidence: Evidence
    relevant: Array
    utilized: Array
    doubt: Array
    """How likely each response sentence is unsupported; 0 if it copies a document sentence or claims nothing."""
    supports: Array
    expected: Mapping[str, float]
    claimed: Claimed


class LocalLabeler:
    """Labels from an embedding model, a reader and trained weights. Raises `ModelError` if a model fails."""

    name = "local"

    def __init__(self, embedder: Embedder, reader: Reads | None = None, weights: Weights | None = None) -> None:
        self._embedder = embedder
        self._reader = reader or packaged_reader()
        self._weights = weights

    @property
    def version(self) -> str:
        """The rules, the reader with the hash of its weights, and the embedding model."""
        return f"{VERSION} {self._reader.name} {self._embedder.name}"

    def label(self, question: str, sentences: Sentences, progress: Progress | None = None) -> Reply:
        """Label one record."""
        return self.label_many([(question, sentences)], progress)[0]

    def label_many(self, items: Sequence[Item], progress: Progress | None = None) -> list[Reply]:
        """Label many records: each distinct sentence is embedded once, and pairs are read for several records at once.

        The replies are in the order of the items, and each equals what `label` returns for that item alone. A record in
        a language that the reader does not read gets no labels, and the reason `LANGUAGE`.
        """
        can_read = [self._reader.multilingual or not _is_foreign(sentences) for _, sentences in items]
        replies = iter(self._label_many([item for item, can in zip(items, can_read, strict=True) if can], progress))
        return [next(replies) if can else Reply({}, notes=[NOTE], unread=LANGUAGE) for can in can_read]

    def _label_many(self, items: Sequence[Item], progress: Progress | None) -> list[Reply]:
        whole = [claimed(item) for item in items]
        texts = [text for one in whole for text in _texts(one.item)]
        vectors = self._embed(texts, within(progress, 0, _EMBEDDING_SHARE))
        weights = self._weights or shipped()
        replies: list[Reply] = []
        for start in range(0, len(items), _TOGETHER):
            together = whole[start : start + _TOGETHER]
            compared = [compare(one.item, vectors) for one in together]
            there = [(c, one) for c, one in zip(compared, together, strict=True) if c is not None]
            done = [_EMBEDDING_SHARE + (1 - _EMBEDDING_SHARE) * i / len(items) for i in (start, start + len(together))]
            gathered = gather([(c, one.item) for c, one in there], self._reader, within(progress, *done))
            judged = iter(judge(gathered, weights, [one for _, one in there]))
            for one, c, (_, full) in zip(together, compared, items[start : start + _TOGETHER], strict=True):
                replies.append(_reply(full, next(judged), weights) if c is not None else self._alone(full, one))
        return replies

    def _alone(self, sentences: Sentences, claimed: Claimed) -> Reply:
        """The reply without document sentences: nothing is relevant; only refusals and greetings claim nothing."""
        claims = claimed.item[1].response
        says = self._reader.says([(_NEUTRAL, bare_claim(s.text)) for s in claims])
        supports = []
        for row, (claim, p) in enumerate(zip(claims, says[:, CLAIMS_NOTHING], strict=True)):
            text = read(claim.text)
            nothing = not text.tokens or (p > _EMPTY and not text.numbers)
            if row in claimed.unreadable:
                supports.append(_UNREADABLE)
            elif text.refusal or nothing:
                supports.append(_claims_nothing(text.refusal))
            else:
                supports.append(Support([], False, "There is no document sentence.", 1.0))
        return Reply(_raw(sentences, [], [], supports))

    def _embed(self, texts: list[str], progress: Progress) -> dict[str, Vectors]:
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


def within(progress: Progress | None, start: float, end: float) -> Progress:
    """Progress of one part of the work, reported as going from `start` to `end` of the whole."""
    return lambda share: progress(min(1.0, start + (end - start) * share)) if progress else None


def _texts(item: Item) -> list[str]:
    question, sentences = item
    every = (question, *(s.text for s in sentences.response), *(s.text for d in sentences.documents for s in d))
    return [text.strip() for text in every]


def compare(item: Item, vectors: Mapping[str, Vectors]) -> Comparison | None:
    """The record as matrices; `None` if there is no document sentence."""
    if not any(item[1].documents):
        return None
    return Comparison(read(item[0]), np.stack([vectors[text] for text in _texts(item)]), item[1])


def gather(
    compared: Sequence[tuple[Comparison, Item]], reader: Reads, progress: Progress | None = None
) -> list[Evidence]:
    """What the reader says about the premises and document sentences of all records, read together."""
    if not compared:
        return []
    wanted = [asked(c) for c, _ in compared]
    claims = [pairs_of(premises, item[1]) for premises, (_, item) in zip(wanted, compared, strict=True)]
    questions = [[(q.strip(), s.text.strip()) for d in kept.documents for s in d] for _, (q, kept) in compared]
    pairs = [pair for of_record in claims for pair in of_record]
    most = len(set(pairs))
    says = reader.says(pairs, lambda done: progress(done / most) if progress else None)
    answers = reader.answers([pair for of_record in questions for pair in of_record])
    cut_says = np.split(says, np.cumsum([len(of_record) for of_record in claims])[:-1])
    cut_answers = np.split(answers, np.cumsum([len(of_record) for of_record in questions])[:-1])
    each_record = zip(compared, wanted, cut_says, cut_answers, strict=True)
    return [Evidence(c, premises, said, odds) for (c, _), premises, said, odds in each_record]


def judge(gathered: Sequence[Evidence], weights: Weights, claims: Sequence[Claimed]) -> list[Judged]:
    """Apply every model to the columns of all records at once."""
    if not gathered:
        return []
    models = weights.models
    questions = joined([question_columns(e) for e in gathered])
    documents = questions | joined([answer_columns(e) for e in gathered])
    answered = [e for e in gathered if e.c.m]
    sentence = {"relevant": models["relevant"].probability(questions)}
    sentence["utilized"] = models["utilized"].probability(documents)
    in_documents = each(sentence, [e.c.n for e in gathered])
    answers = {"doubt": np.zeros(0), "judged": np.zeros(0)}
    if answered:
        columns = joined([response_columns(e) for e in answered])
        answers = {"doubt": models["unsupported"].probability(columns), "judged": models["judged"].probability(columns)}
    in_answers = each(answers, [e.c.m for e in gathered])
    each_record = zip(gathered, claims, strict=True)
    return [_judged(e, weights, next(in_documents) | next(in_answers), one) for e, one in each_record]


def _judged(e: Evidence, weights: Weights, p: dict[str, Array], claimed: Claimed) -> Judged:
    models, c = weights.models, e.c
    judged = np.where(e.copies | ~e.claims, 0.0, p.pop("judged"))  # what a judge such as GPT-4 would call unsupported
    p["doubt"] = np.where(e.copies | ~e.claims, 0.0, p["doubt"])
    denying = [row for row in range(c.m) if e.claims[row] and e.denials[row] is not None]
    for row in (*claimed.unfounded, *denying, *claimed.dropped):
        p["doubt"][row], judged[row] = max(_UNFOUNDED, p["doubt"][row]), max(_UNFOUNDED, judged[row])
    for row in claimed.denied:  # a denial is as doubtful as it is that the documents say otherwise
        p["doubt"][row] = judged[row] = 1 - float(logistic(e.alone(CONTRADICTS)[row]).max())
    p["doubt"][list(claimed.unreadable)] = 1.0
    supports = models["supports"].probability(pair_columns(e, p["utilized"])) if c.m else np.zeros((0, c.n))
    relevance = float(np.clip(models["context_relevance"].sum(relevance_columns(c, p["relevant"])), 0, 1))
    expected = {"context_relevance": (relevance + float(p["relevant"].mean())) / 2}
    if c.m:
        record = record_columns(e, p["relevant"], p["utilized"], judged)
        used, complete = (float(np.clip(models[n].sum(record), 0, 1)) for n in ("context_utilization", "completeness"))
        expected["context_utilization"] = (used + float(p["utilized"].mean())) / 2  # their errors differ
        expected["completeness"] = complete
        expected["adherence"] = 1 - float(models["hallucination"].probability(record))
    return Judged(e, **p, supports=supports, expected=expected, claimed=claimed)


def joined(columns: Sequence[Mapping[str, NDArray[np.float32]]]) -> dict[str, NDArray[np.float32]]:
    """Columns of several records, one after the other."""
    return {name: np.concatenate([one[name] for one in columns]) for name in columns[0]}


def _reply(sentences: Sentences, judged: Judged, weights: Weights) -> Reply:
    document_keys, response_keys = sentences.document_keys(), sentences.response_keys()
    t = weights.thresholds
    relevant = [document_keys[i] for i in most_likely(judged.relevant)]
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


def most_likely(p: Array) -> list[int]:
    """The places of the set with the highest expected F1, for n independent probabilities; empty if "nothing" is it.

    With k members, the expected F1 is nearly 2 Σp(members) / (k + Σp); that of the empty set is the probability that
    nothing belongs to it.
    """
    order = np.argsort(-p, kind="stable")
    expected = 2 * np.cumsum(p[order]) / (np.arange(1, len(p) + 1) + p.sum())
    if not len(p) or float(np.prod(1 - p)) > expected.max():
        return []
    return sorted(int(i) for i in order[: int(np.argmax(expected)) + 1])


def _by_key(keys: list[str], values: Array) -> dict[str, float]:
    return {key: round(float(p), 6) for key, p in zip(keys, values, strict=True)}


@dataclass(frozen=True, slots=True)
class Support:
    """The support for one response sentence: supporting keys, whether it is full, why, and how doubtful that is.

    `against` are the keys that contradict it; `rests` says whether it makes a claim that needs the documents.
    """

    keys: list[str]
    fully: bool
    why: str
    doubt: float = 0.0
    against: tuple[str, ...] = ()
    rests: bool = True


_UNREADABLE = Support([], False, explain.UNREADABLE, 1.0)


def _supports(
    judged: Judged, sentences: Sentences, thresholds: Mapping[str, float], relevant: Sequence[str]
) -> Iterator[Support]:
    """The support of every response sentence. An answer that only declines, though something is relevant, has none."""
    texts, claims = judged.evidence.c.answer.texts, judged.evidence.claims
    declines = not claims.any() and any(text.refusal for text in texts)
    for row, text in enumerate(texts):
        if declines and relevant and text.refusal and row not in judged.claimed.unreadable:
            yield Support([], False, explain.refused(relevant), float(judged.relevant.max()), rests=False)
        else:
            yield _support(judged, row, sentences, thresholds)


def _support(judged: Judged, row: int, sentences: Sentences, thresholds: Mapping[str, float]) -> Support:
    """The document sentences that support one response sentence, and how fully."""
    e, c = judged.evidence, judged.evidence.c
    text, keys = c.answer.texts[row], sentences.document_keys()
    if row in judged.claimed.unreadable:
        return _UNREADABLE
    if row in judged.claimed.denied:
        return _denial(judged, row, sentences, thresholds)
    if row in judged.claimed.dropped:
        one, other = judged.claimed.dropped[row]
        why = explain.dropped(keys[one], keys[other])
        return Support([keys[one]], False, why, float(judged.doubt[row]))
    if (source := e.sources[row]) is not None:
        return Support([keys[source]], True, explain.supported(c, row, [source], keys))
    if not e.claims[row]:
        return _claims_nothing(text.refusal)
    doubt, surface = float(judged.doubt[row]), sentences.response[row].text
    ranked = np.argsort(-judged.supports[row], kind="stable")[:MAX_SUPPORTS]
    if doubt < thresholds["unsupported"]:
        chosen = {int(i) for i in ranked if judged.supports[row, i] >= thresholds["supports"]}
        chosen = chosen or set(e.best(row))  # the reader alone may choose wrongly, e.g. for a one-word sentence
        return Support([keys[i] for i in sorted(chosen)], True, explain.supported(c, row, sorted(chosen), keys), doubt)
    documents = [s.text for d in sentences.documents for s in d]
    against = e.denials[row] if e.denials[row] is not None else _against(e, row, thresholds["contradicts"])
    if against is None and row in judged.claimed.unfounded:
        against = next((int(i) for i in c.aligned[row] if explain.replaced(documents[i], bare_claim(surface))), None)
    if against is not None:
        why = explain.contradicted(documents[against], bare_claim(surface), keys[against])
        return Support([], False, why, doubt, (keys[against],))
    partly = [i for i in ranked if judged.supports[row, i] >= thresholds["best support"]]
    partly = [i for i in partly if e.alone(ENTAILS)[row, i] > thresholds["partly"]]
    why = explain.unsupported(c, row, documents, keys, surface)
    return Support([keys[i] for i in sorted(partly)], False, why, doubt)


def _denial(judged: Judged, row: int, sentences: Sentences, thresholds: Mapping[str, float]) -> Support:
    """The support for a denial: the sentence that says otherwise, or the contradiction of one that says so."""
    e, keys, doubt = judged.evidence, sentences.document_keys(), float(judged.doubt[row])
    if (place := _against(e, row, thresholds["contradicts"])) is not None:
        return Support([keys[place]], True, f"To the local model, {keys[place]} says that it is not so.", doubt)
    alone = e.alone(ENTAILS)[row]
    place = int(np.argmax(alone))
    if alone[place] > 0:
        said = [s.text for d in sentences.documents for s in d][place]
        return Support([], False, explain.denied(said, keys[place]), doubt, (keys[place],))
    return Support([], False, "The local model finds no document sentence that says so.", doubt)


def _against(e: Evidence, row: int, bar: float) -> int | None:
    """The document sentence that contradicts the response sentence most; `None` if the reader is unsure."""
    alone = e.alone(CONTRADICTS)[row]
    place = int(np.argmax(alone))
    return place if alone[place] >= bar else None


def _claims_nothing(refusal: bool) -> Support:
    """The support for a right refusal or a greeting, which needs none."""
    special = "supported_without_sentence" if refusal else "general"
    return Support([special], True, explain.claims_nothing(refusal), rests=False)


def _raw(
    sentences: Sentences, relevant: list[str], utilized: list[str], supports: Sequence[Support]
) -> dict[str, object]:
    response_keys = sentences.response_keys()
    failing = [key for key, support in zip(response_keys, supports, strict=True) if not support.fully]
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
            for key, support in zip(response_keys, supports, strict=True)
        ],
        "all_utilized_sentence_keys": utilized,
    }
