"""Contradictions that overlap hides, made from sentences that the documents fully support.

One word of a supported response sentence is changed: a number, a name, a "not" put in or taken out, or
two things swap their roles. `train_labeler` learns from some, and prints how many of others are flagged.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from trace_core.facts.labels import Status
from trace_core.facts.records import Record
from trace_core.labeling.local.texts import MARKS
from trace_core.labeling.local.words import STOPWORDS, bare, numbers
from trace_core.refusal import is_refusal

KINDS = ("number", "name", "not", "roles")
LEAST_WORDS = 5

_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?![\w])")
_NAME = re.compile(r"(?<=[a-z0-9,;:)] )[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*")
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|can|could|should|will|would|must|may|might|does|did|do|has|have|had)\b(?! not\b)",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(cannot)\b|(?<=\w)(n['’]t)\b|\b(do not|does not|did not|not|never)\b ?", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][\w'’-]*")
_TOGETHER = re.compile(r"[\s,;]*(?:(?:and|or|&)[\s,;]*)?(?:the |a |an )?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A supported sentence of a record, and what became of it."""

    record: Record
    place: int
    kind: str
    text: str

    def changed_record(self) -> Record:
        """The record with the changed sentence in place of its twin, unlabeled."""
        record = self.record.model_copy(deep=True)
        assert record.response is not None
        old = record.response.sentences[self.place]
        record.response.sentences[self.place] = replace(old, text=self.text, start=None, end=None)
        record.labels = None
        return record


def contradictions(records: Sequence[Record], kind: str, most: int, seed: int) -> list[Contradiction]:
    """At most `most` changed sentences of a kind, at most one a record and kind; seeded."""
    rng = random.Random(f"{kind} {seed}")
    pool = sorted({name for record in records for name in _names(record)})
    found = []
    for record in rng.sample(list(records), len(records)):
        places = list(supported(record))
        rng.shuffle(places)
        for place in places:
            sentence = record.sentences().response[place].text
            own = sorted(_names(record))
            others = pool if kind == "name" and rng.random() < 0.5 else own
            text = _CHANGES[kind](sentence, rng, others)
            if text and bare(text) != bare(sentence):
                found.append(Contradiction(record, place, kind, text))
                break
        if len(found) == most:
            break
    return found


def supported(record: Record) -> Iterator[int]:
    """Places of the fully supported response sentences that are no copies, no refusals and not too short."""
    assert record.labels is not None
    sentences = record.sentences()
    statuses = record.labels.statuses(sentences.response_keys())
    documents = " | ".join(f" {bare(s.text)} " for d in sentences.documents for s in d)
    for place, sentence in enumerate(sentences.response):
        said = bare(sentence.text)
        long_enough = len(_WORD.findall(sentence.text)) >= LEAST_WORDS
        plain = long_enough and not is_refusal(sentence.text) and f" {said} " not in documents
        if plain and statuses[sentence.key] is Status.FULLY:
            yield place


def _names(record: Record) -> set[str]:
    return {name for d in record.documents for s in d.sentences for name in _NAME.findall(s.text)}


def _number(text: str, rng: random.Random, _: list[str]) -> str | None:
    """One number of the sentence becomes another of the same kind."""
    places = [m for m in _NUMBER.finditer(text) if not _in_mark(text, m.start())]
    if not places:
        return None
    found = rng.choice(places)
    whole, point, decimals = found[0].partition(".")
    digits = whole.replace(",", "")
    if len(digits) > 12:
        return None
    step = rng.choice([1, 2, 3, 5, 10]) if int(digits) < 1000 else rng.choice([1, 2, 7, 10, 40])
    changed = int(digits) + (step if rng.random() < 0.5 or int(digits) <= step else -step)
    new = (f"{changed:,}" if "," in whole else str(changed)) + point + decimals
    return None if numbers(new) == numbers(found[0]) else text[: found.start()] + new + text[found.end() :]


def _in_mark(text: str, place: int) -> bool:
    return any(m.start() <= place < m.end() for m in MARKS.finditer(text))


def _name(text: str, rng: random.Random, pool: list[str]) -> str | None:
    """One name becomes another that the sentence does not hold."""
    places = list(_NAME.finditer(text))
    others = [n for n in pool if not set(bare(n).split()) & set(bare(text).split())]
    if not places or not others:
        return None
    found = rng.choice(places)
    return text[: found.start()] + rng.choice(others) + text[found.end() :]


def _negate(text: str, rng: random.Random, _: list[str]) -> str | None:
    """A "not" goes out where there is one, else one comes in after the first auxiliary."""
    if found := _NOT.search(text):
        return text[: found.start()] + ("can" if found[1] else "") + text[found.end() :]
    if found := _AUXILIARY.search(text):
        return f"{text[: found.end()]} not{text[found.end() :]}"
    return None


def _swap(text: str, rng: random.Random, names: list[str]) -> str | None:
    """Two names, or else the things before and after the verb, change places."""
    first = re.match(r"[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*", text)
    spans = [m.span() for m in _NAME.finditer(text)]
    if first and (" " in first[0] or first[0] in names) and first[0].split()[0].lower() not in STOPWORDS:
        spans = [first.span(), *spans]
    pairs = [(a, b) for i, a in enumerate(spans) for b in spans[i + 1 :] if _differ(text, a, b)]
    pairs = pairs or _around_verb(text)
    if not pairs:
        return None
    (a, b), (c, d) = rng.choice(pairs)
    return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def _differ(text: str, a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Whether swapping would say something else: they differ, and more than an "and" is between them."""
    first, second = text[a[0] : a[1]], text[b[0] : b[1]]
    alike = set(bare(first).split()) & set(bare(second).split())
    return not alike and _TOGETHER.fullmatch(text[a[1] : b[0]]) is None


def _around_verb(text: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    verb = _AUXILIARY.search(text)
    if not verb:
        return []
    words = [m for m in _WORD.finditer(text) if m[0].lower() not in STOPWORDS and len(m[0]) > 3]
    before = [m.span() for m in words if m.end() <= verb.start()]
    after = [m.span() for m in words if m.start() >= verb.end()]
    pairs = [(before[-1], after[-1])] if before and len(after) > 1 else []
    return [(a, b) for a, b in pairs if _differ(text, a, b)]


_CHANGES: dict[str, Callable[[str, random.Random, list[str]], str | None]] = {
    "number": _number,
    "name": _name,
    "not": _negate,
    "roles": _swap,
}
