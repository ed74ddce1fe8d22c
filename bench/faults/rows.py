"""The faults: each turns a healthy row into one with exactly this fault, with labels derived from its own."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from faults.changes import changed, names_in
from trace_core.facts.labels import SPECIAL_KEYS, Labels, Support
from trace_core.facts.records import Document, Record, Response
from trace_core.facts.refusal import is_refusal
from trace_core.facts.sentences import Sentence, letters, response_sentences

COMPLETE = 0.8
"""The sources' target of completeness; rows that reach it are healthy."""
UNRELATED = 10
REFUSALS = (
    "I cannot answer this question from the documents.",
    "I'm sorry, but the context does not provide enough information to answer.",
    "The provided documents do not contain this information.",
    "Unfortunately, I could not find the answer in the given context.",
)


@dataclass(frozen=True, slots=True)
class Row:
    """A row, and others that provide chunks, sentences and names: from other subjects and other questions."""

    record: Record
    elsewhere: Sequence[Record]
    others: Sequence[Record]


Fault = Callable[[Row, random.Random], Record | None]


def healthy(record: Record) -> bool:
    """By the released scores: something relevant, nothing unsupported, complete; and not a refusal."""
    scores = record.ground_truth.scores if record.ground_truth else {}
    opening = record.response.sentences[0].text if record.response and record.response.sentences else ""
    return bool(
        scores.get("adherence") == 1
        and (scores.get("completeness") or 0) >= COMPLETE
        and (scores.get("context_relevance") or 0) > 0
        and opening
        and not is_refusal(opening)
    )


def untouched(row: Row, rng: random.Random) -> Record:
    """The row as it is."""
    return row.record


def without_relevant(row: Row, rng: random.Random) -> Record | None:
    """Remove the chunks with relevant sentences; at least one other chunk remains."""
    relevant = set(_labels(row).all_relevant_sentence_keys or [])
    kept = [d for d in row.record.documents if not any(s.key in relevant for s in d.sentences)]
    return _with_documents(row.record, kept) if kept else None


def amid_noise(row: Row, rng: random.Random) -> Record:
    """Mix ten chunks of other subjects into the row's own."""
    strange = [rng.choice(r.documents) for r in rng.sample(row.elsewhere, UNRELATED)]
    mixed = [*row.record.documents, *strange]
    rng.shuffle(mixed)
    return _with_documents(row.record, mixed, own=row.record.documents)


def cut(row: Row, rng: random.Random) -> Record | None:
    """Keep only the first sentence: less than half of the words, where the rest had relevant support of its own."""
    response = row.record.response
    assert response
    first, *rest = response.sentences
    words = [len(s.text.split()) for s in response.sentences]
    entries = _entries(_labels(row))
    relevant = set(_labels(row).all_relevant_sentence_keys or [])
    kept = set(_supports(entries, first.key))
    lost = {key for s in rest for key in _supports(entries, s.key)} & relevant - kept
    if not lost or words[0] >= sum(words) / 2:
        return None
    used = [k for k in _labels(row).all_utilized_sentence_keys or [] if k in kept]
    return _answered(row.record, first.text, [entries[first.key]] if first.key in entries else [], used)


def refused(row: Row, rng: random.Random) -> Record:
    """Replace the answer by a refusal."""
    return _answered(row.record, rng.choice(REFUSALS), [_support("a", ["supported_without_sentence"], True)], [])


def made_up(row: Row, rng: random.Random) -> Record | None:
    """Append a sentence of another question's answer."""
    texts = [s.text for other in row.others for s in _sentences(other) if len(s.text.split()) >= 6]
    texts = [text for text in texts if not is_refusal(text)]
    if not texts:
        return None
    key = letters(len(_sentences(row.record)))
    entries = [*(_labels(row).sentence_support_information or []), _support(key, [], False)]
    return _extended(row.record, [*(s.text for s in _sentences(row.record)), rng.choice(texts)], entries)


def contradicted(row: Row, rng: random.Random) -> Record | None:
    """Change a word, number, name or "not" in a sentence that is supported by a document."""
    entries = _entries(_labels(row))
    names = [name for other in row.others for name in names_in(other.response.text if other.response else "")]
    for sentence in rng.sample(list(_sentences(row.record)), len(_sentences(row.record))):
        against = _supports(entries, sentence.key)
        made = changed(sentence.text, names, rng) if against else None
        if made:
            texts = [made if s.key == sentence.key else s.text for s in _sentences(row.record)]
            wrong = _support(sentence.key, [], False).model_copy(update={"contradicting_sentence_keys": against})
            return _extended(row.record, texts, [*(entries | {sentence.key: wrong}).values()])
    return None


def emptied(row: Row, rng: random.Random) -> Record:
    """Remove the answer."""
    return _answered(row.record, "", [], [])


def rightly_refused(row: Row, rng: random.Random) -> Record | None:
    """Replace the answer by a refusal and remove the chunks with relevant sentences."""
    bare = without_relevant(row, rng)
    return refused(replace(row, record=bare), rng) if bare else None


FAULTS: Mapping[str, tuple[str, Fault]] = {
    "untouched": ("healthy", untouched),
    "relevant chunks taken away": ("nothing_relevant", without_relevant),
    "ten unrelated chunks added": ("noise", amid_noise),
    "answer cut to its first sentence": ("incomplete", cut),
    "replaced by a refusal": ("refused", refused),
    "a sentence of another answer appended": ("unsupported", made_up),
    "a word, number, name or “not” changed": ("contradicted", contradicted),
    "answer emptied": ("empty", emptied),
    "a refusal, relevant chunks taken away": ("declined", rightly_refused),
}
"""The change to a healthy row → the right diagnosis, and the function that makes it."""


def _labels(row: Row) -> Labels:
    assert row.record.labels
    return row.record.labels


def _sentences(record: Record) -> Sequence[Sentence]:
    return record.response.sentences if record.response else []


def _entries(labels: Labels) -> dict[str, Support]:
    return {s.response_sentence_key: s for s in labels.sentence_support_information or []}


def _supports(entries: Mapping[str, Support], key: str) -> list[str]:
    """The document sentences that support a response sentence."""
    named = entries[key].supporting_sentence_keys if key in entries else []
    return [k for k in named if k not in SPECIAL_KEYS]


def _support(key: str, keys: list[str], fully: bool) -> Support:
    return Support(response_sentence_key=key, supporting_sentence_keys=keys, fully_supported=fully)


def _answered(record: Record, text: str, entries: list[Support], used: list[str]) -> Record:
    """The record with another answer of at most one sentence."""
    sentences = response_sentences(text)
    first = [entry.model_copy(update={"response_sentence_key": "a"}) for entry in entries]
    return _relabeled(record, text, sentences[:1] if entries else sentences, first, used)


def _extended(record: Record, texts: list[str], entries: list[Support]) -> Record:
    """The record with these answer sentences, each with its key."""
    made = [Sentence(letters(i), text, None, None) for i, text in enumerate(texts)]
    used = record.labels.all_utilized_sentence_keys if record.labels else []
    return _relabeled(record, " ".join(texts), made, entries, used or [])


def _relabeled(record: Record, text: str, sentences: list[Sentence], entries: list[Support], used: list[str]) -> Record:
    assert record.labels
    failing = [e.response_sentence_key for e in entries if e.fully_supported is False]
    return record.model_copy(
        update={
            "response": Response(text=text, sentences=sentences),
            "labels": record.labels.model_copy(
                update={
                    "sentence_support_information": entries,
                    "unsupported_response_sentence_keys": failing,
                    "all_utilized_sentence_keys": used,
                }
            ),
        }
    )


def _with_documents(record: Record, documents: list[Document], own: Sequence[Document] = ()) -> Record:
    """The record with other documents in a new order; the labels' keys are renamed, those of removed chunks dropped."""
    mine = [id(d) for d in own or documents]
    names: dict[str, str] = {}
    made = []
    for i, document in enumerate(documents):
        keys = [f"{i}{letters(j)}" for j in range(len(document.sentences))]
        if id(document) in mine:
            names |= {s.key: key for s, key in zip(document.sentences, keys, strict=True)}
        sentences = [replace(s, key=key) for s, key in zip(document.sentences, keys, strict=True)]
        made.append(document.model_copy(update={"id": str(i), "rank": i + 1, "sentences": sentences}))
    assert record.labels
    labels = record.labels
    entries = [_renamed(entry, names) for entry in labels.sentence_support_information or []]
    failing = [
        e.response_sentence_key for e in entries if e.fully_supported is False and not e.supporting_sentence_keys
    ]
    renamed = {
        "all_relevant_sentence_keys": [names[k] for k in labels.all_relevant_sentence_keys or [] if k in names],
        "all_utilized_sentence_keys": [names[k] for k in labels.all_utilized_sentence_keys or [] if k in names],
        "sentence_support_information": entries,
        "unsupported_response_sentence_keys": failing,
    }
    return record.model_copy(update={"documents": made, "labels": labels.model_copy(update=renamed)})


def _renamed(entry: Support, names: Mapping[str, str]) -> Support:
    """Support that lost a document sentence is no longer full."""
    keys = [names.get(k, k) for k in entry.supporting_sentence_keys if k in names or k in SPECIAL_KEYS]
    whole = len(keys) == len(entry.supporting_sentence_keys)
    return entry.model_copy(
        update={"supporting_sentence_keys": keys, "fully_supported": entry.fully_supported and whole}
    )
