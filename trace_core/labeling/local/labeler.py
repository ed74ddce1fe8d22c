"""The local labeler: sentence embeddings, a small reader, and one decision over what it reads; no key, no server, no
GPT. The reader compares each response sentence with the document sentences that match it best, and each document
sentence with the question. Logistic regressions over its odds and the words in common decide (`decision.py`,
docs/labeler.md). Three checks are exact: one notation on both sides, a number that the documents lack, and what is not
made of words."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trace_core.errors import cut, enumerate_words
from trace_core.facts.differences import differing
from trace_core.facts.labels import Probabilities
from trace_core.facts.language import NOTE, is_foreign
from trace_core.facts.records import Sentences
from trace_core.facts.words import TOKEN, is_negation, number_word
from trace_core.labeling.base import OnShare, Reply
from trace_core.labeling.local.decision import EXPECTED, Decision, Judgment, best_set, judge, packaged_decisions
from trace_core.labeling.local.evidence import AsRead, Sample, as_read, gather, texts_to_embed
from trace_core.labeling.local.notation import unreadable
from trace_core.labeling.local.reader import CLAIMS_NOTHING, ENTAILS, PackagedReader, packaged_reader
from trace_core.labeling.local.texts import analyse
from trace_core.metrics.expected import Line, expected_scores, sums
from trace_core.models.embedding import Embedder, Vectors

VERSION = "local-23"
UNSUPPORTED = 0.5
"""The doubt from which a sentence is unsupported; the decision's two sides were balanced when it was fitted."""
RELEVANT = 0.4  # where no document sentence is as likely to help, none is relevant
SUPPORTS = 0.3
"""The probability from which a document sentence is named as support, beside the best one."""
MAX_SUPPORTS = 6
_SAME_MATTER = 0.4
"""The share of a sentence's words, rare ones weighing more, from which a document sentence is about the same matter."""
_PARTLY = -2.0  # the log-odds of "entails" from which a document sentence says a part of an unsupported one
_BATCH = 256
_EMBEDDING_SHARE = 0.2  # of the progress that is reported
_EMPTY = np.log(0.5)  # the log-probability from which the reader, without a document, finds no claim in a sentence
_NEUTRAL = "The library is open from Monday to Friday."  # the reader needs a premise where there is no document
_TOGETHER = 16  # the number of records that are read at once
_NOTHING = "Nothing says it"
_MOST_KEYS, _LONGEST_QUOTE = 3, 140
Entry = dict[str, Any]  # one response sentence in the judge's JSON


class LocalLabeler:
    """Labels from an embedding model, a reader and decisions over it. Raises `ModelError` if a model fails."""

    name = "local"

    def __init__(
        self, embedder: Embedder, reader: PackagedReader | None = None, decisions: Mapping[str, Decision] | None = None
    ) -> None:
        self._embedder = embedder
        self._reader = reader or packaged_reader()
        self._decisions = decisions

    @property
    def version(self) -> str:
        """The decision, the reader with the hash of its weights, and the embedding model."""
        return f"{VERSION} {self._reader.name} {self._embedder.name}"

    def label(self, question: str, sentences: Sentences, progress: OnShare | None = None) -> Reply:
        """Label one record."""
        return self.label_many([(question, sentences)], progress)[0]

    def label_many(self, items: Sequence[Sample], progress: OnShare | None = None) -> list[Reply]:
        """Label many records: each distinct sentence is embedded once, and pairs are read for several records at once.
        The replies are in the order of the items, and each equals what `label` returns for that item alone. A record in
        a language that the reader does not read gets no labels, and the reason `language`."""
        can_read = [
            not is_foreign((s.text for d in sentences.documents for s in d), (s.text for s in sentences.response))
            for _, sentences in items
        ]
        replies = iter(self._label_many([item for item, can in zip(items, can_read, strict=True) if can], progress))
        return [next(replies) if can else Reply({}, notes=[NOTE], unread="language") for can in can_read]

    def _label_many(self, items: Sequence[Sample], progress: OnShare | None) -> list[Reply]:
        whole = [as_read(item) for item in items]
        vectors = self._embed(texts_to_embed(whole), within(progress, 0, _EMBEDDING_SHARE))
        decisions = self._decisions or packaged_decisions()
        lines = {n.removeprefix(EXPECTED): one.probability for n, one in decisions.items() if n.startswith(EXPECTED)}
        replies: list[Reply] = []
        for start in range(0, len(items), _TOGETHER):
            together = whole[start : start + _TOGETHER]
            with_documents = [item for item in together if any(item.sentences.documents)]
            share = (1 - _EMBEDDING_SHARE) / len(items)
            first, last = (_EMBEDDING_SHARE + share * i for i in (start, start + len(together)))
            evidence = iter(gather(with_documents, vectors, self._reader, within(progress, first, last)))
            for item, (_, sentences) in zip(together, items[start : start + _TOGETHER], strict=True):
                judgment = judge(next(evidence), decisions) if any(sentences.documents) else None
                replies.append(reply_of(sentences, judgment, lines) if judgment else self._alone(item))
        return replies

    def _alone(self, item: AsRead) -> Reply:
        """The reply without document sentences: nothing is relevant; only refusals and greetings claim nothing."""
        sentences, claims = item.sentences, item.sentences.response
        says = self._reader.says([(_NEUTRAL, s.text) for s in claims])
        entries, strange = [], unreadable([s.text for s in claims], ())
        for row, (claim, p) in enumerate(zip(claims, says[:, CLAIMS_NOTHING], strict=True)):
            text = analyse(claim.text)
            if row in strange:
                entries.append(_entry(claim.key, f"{_NOTHING}: it is not made of words."))
            elif text.refusal or not item.claims[row] or (p > _EMPTY and not text.numbers):
                entries.append(_claims_nothing(claim.key, text.refusal))
            else:
                entries.append(_entry(claim.key, f"{_NOTHING}: there is no document sentence."))
        return Reply(_raw(sentences, [], [], entries))

    def _embed(self, texts: list[str], progress: OnShare) -> dict[str, Vectors]:
        """Text → embedding; texts are sorted by length to keep padding small."""
        distinct = sorted(dict.fromkeys(texts), key=len, reverse=True)
        vectors: dict[str, Vectors] = {}
        for start in range(0, len(distinct), _BATCH):
            batch = distinct[start : start + _BATCH]
            vectors |= zip(batch, self._embedder.embed(batch), strict=True)
            progress(min(1.0, (start + _BATCH) / len(distinct)))
        return vectors


def within(progress: OnShare | None, start: float, end: float) -> OnShare:
    """Progress of one part of the work, reported as going from `start` to `end` of the whole."""
    return lambda share: progress(min(1.0, start + (end - start) * share)) if progress else None


def reply_of(sentences: Sentences, j: Judgment, lines: Mapping[str, Line]) -> Reply:
    """The labels that follow from the decisions about a record, and the scores they lead one to expect."""
    e, document_keys, response_keys = j.evidence, sentences.document_keys(), sentences.response_keys()
    relevant = [document_keys[i] for i in best_set(j.relevant, RELEVANT)]
    entries, doubt = [_entry_of(j, row, sentences) for row in range(e.c.m)], j.doubt.copy()
    # An answer that only declines, though something is relevant, has no support.
    for row in range(e.c.m) if relevant and not e.claims.any() else ():
        if e.c.answers[row].refusal and row not in j.unreadable:
            why = f"It says that the documents do not answer, but {enumerate_words(relevant[:_MOST_KEYS])} may."
            entries[row] = _entry(response_keys[row], why)
            doubt[row] = j.relevant.max()
    used = j.supports.max(axis=0, initial=0.0)
    support_keys = {key for entry in entries for key in entry["supporting_sentence_keys"]}
    utilized = [key for key, p in zip(document_keys, used, strict=True) if p >= SUPPORTS or key in support_keys]
    probabilities = Probabilities(
        relevant=_by_key(document_keys, j.relevant),
        utilized=_by_key(document_keys, used),
        unsupported=_by_key(response_keys, doubt),
    )
    raw = _raw(sentences, relevant, utilized, entries)
    return Reply(raw, probabilities, expected_scores(expected_columns(j, probabilities, sentences), lines))


def expected_columns(j: Judgment, probabilities: Probabilities, sentences: Sentences) -> dict[str, float]:
    """What the expected scores go by: the sums, and how well the claim is matched that the documents match worst."""
    match = j.evidence.c.match.max(axis=1)[j.evidence.claims].min(initial=1.0)
    return sums(probabilities, sentences) | {"match": float(match)}


def _by_key(keys: list[str], values: NDArray[np.floating]) -> dict[str, float]:
    return {key: round(float(p), 6) for key, p in zip(keys, values, strict=True)}


def _entry_of(j: Judgment, row: int, sentences: Sentences) -> Entry:
    """The document sentences that support one response sentence, and how fully."""
    e, keys, key = j.evidence, sentences.document_keys(), sentences.response[row].key
    if row in j.unreadable:
        return _entry(key, f"{_NOTHING}: it is not made of words.")
    if not e.claims[row]:
        return _claims_nothing(key, e.c.answers[row].refusal)
    order = [int(i) for i in np.argsort(-j.supports[row], kind="stable")[:MAX_SUPPORTS]]
    likely = sorted(i for i in order if j.supports[row, i] >= SUPPORTS)
    if j.doubt[row] < UNSUPPORTED:
        source = e.sources[row]
        support = [keys[i] for i in (likely if source is None else [source]) or order[:1]]
        return _entry(key, says_so(support), support, fully=True)
    for place in map(int, e.c.nearest[row]):
        theirs = e.c.texts[1 + e.c.m + place]
        if e.c.cover[row, place] >= _SAME_MATTER and (words := clash(e.c.texts[1 + row], theirs)):
            return _entry(key, contradiction(words, keys[place]), against=[keys[place]])
    nearest = int(e.c.nearest[row, 0])
    documents = [s.text for d in sentences.documents for s in d]
    partly = [keys[i] for i in likely if e.read(ENTAILS, together=False)[row, i] > _PARTLY]
    return _entry(key, no_support(documents[nearest], keys[nearest]), partly)


def _claims_nothing(key: str, refusal: bool) -> Entry:
    """The entry for a right refusal or a greeting, which needs none."""
    if refusal:
        return _entry(key, "The documents do not answer, as it says.", ["supported_without_sentence"], fully=True)
    return _entry(key, "It makes no claim that could be checked.", ["general"], fully=True)


def _entry(
    key: str, why: str, supports: Sequence[str] = (), *, fully: bool = False, against: Sequence[str] = ()
) -> Entry:
    entry = {
        "response_sentence_key": key,
        "explanation": why,
        "supporting_sentence_keys": list(supports),
        "fully_supported": fully,
    }
    return entry | ({"contradicting_sentence_keys": list(against)} if against else {})


def _raw(sentences: Sentences, relevant: list[str], utilized: list[str], entries: Sequence[Entry]) -> dict[str, object]:
    failing = [entry["response_sentence_key"] for entry in entries if not entry["fully_supported"]]
    no_support = f"Nothing fully supports sentence{'s' * (len(failing) > 1)} {', '.join(failing)}."
    return {
        "relevance_explanation": f"{len(relevant)} of {len(sentences.document_keys())} document "
        "sentences help to answer the question.",
        "all_relevant_sentence_keys": relevant,
        "overall_supported_explanation": no_support if failing else "Every response sentence is supported.",
        "overall_supported": not failing,
        "sentence_support_information": entries,
        "all_utilized_sentence_keys": utilized,
    }


# Why


def says_so(keys: Sequence[str]) -> str:
    """That these document sentences, at least one, say so."""
    return f"{enumerate_words(keys)} {'says so' if len(keys) == 1 else 'say so together'}."


def contradiction(clash: tuple[str, str], key: str) -> str:
    """What a document sentence says instead, in the words that clash: the answer's first; one may be missing."""
    ours, theirs = clash
    how = f": {ours} ≠ {theirs}" if ours and theirs else f", with “{theirs}”" if theirs else f", without “{ours}”"
    return f"{key} says otherwise{how}."


def no_support(nearest: str, key: str) -> str:
    """That nothing says it, and what comes nearest, shortened if it is long."""
    return f"{_NOTHING}; the nearest sentence is {key}: “{cut(' '.join(nearest.split()), _LONGEST_QUOTE)}”"


def clash(ours: str, theirs: str) -> tuple[str, str] | None:
    """The first words in which two sentences exclude each other: a number, a unit, a date, a name or a "not". Texts are
    in one notation. `None` where they differ in something else, or in more."""
    here, there = (_marks(pieces) for pieces in differing(ours, theirs))
    if bool(here["negation"]) != bool(there["negation"]):
        return (here["negation"] or [""])[0], (there["negation"] or [""])[0]
    kinds = (kind for kind in ("amount", "unit", "name") if here[kind] and there[kind])
    return next(((here[kind][0], there[kind][0]) for kind in kinds), None)


def _marks(pieces: Sequence[Sequence[str | bool]]) -> dict[str, list[str]]:
    """The marked stretches of each kind, in order; what follows a number is a unit."""
    marks: dict[str, list[str]] = {"negation": [], "amount": [], "unit": [], "name": []}
    before = ""  # the word before the stretch; empty where a sentence begins
    for text, differs in pieces:
        words = TOKEN.findall(str(text))
        kinds = {
            "negation": any(is_negation(word.lower().replace("’", "'")) for word in words),
            "amount": any(word[0].isdecimal() or number_word(word.lower()) for word in words),
            "unit": before[:1].isdecimal(),
            "name": bool(before) and any(word[0].isupper() for word in words),
        }
        for kind, stretches in marks.items():
            if differs and kinds[kind]:
                stretches.append(str(text))
        before = words[-1] if words else before
    return marks
