"""Why a response sentence got its label: what the documents say, and which words differ."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from trace_core.facts.words import STOPWORDS, TOKEN, common_form, is_negation, normal_number, number_word, stem
from trace_core.labeling.local.evidence import SentenceMatrix

NEAR = 0.9
"""The cosine from which two sentences have nearly the same words."""
_HALVES = re.compile(r"\b([ap])\. ?m\b\.?", re.IGNORECASE)
"""The "p.m." that would be two words."""
_MOST_NAMED, _LONGEST_DIFFERENCE, _LONGEST_QUOTE = 3, 4, 140
_LONGEST_COMPARED = 1000
"""In words: comparing two texts takes time quadratic in their length."""
NO_SUPPORT = "The local model finds no support for it"
UNREADABLE = f"{NO_SUPPORT}: it is not made of words."


class Difference(NamedTuple):
    """Words of a document sentence and the words that replace them in the response; one side may be empty."""

    theirs: str
    ours: str


def supported(c: SentenceMatrix, row: int, places: Sequence[int], keys: Sequence[str]) -> str:
    """Why the places document sentences, at least one, fully support it."""
    text = c.answers[row]
    for place in places:
        if c.documents[place].bare == text.bare:
            return f"{keys[place]} says the same, word for word."
    if len(places) > 1:
        return f"To the local model, {listed([keys[i] for i in places])} say so together."
    cos = float(c.cos[row, places[0]])
    if cos >= NEAR:
        return f"Nearly the same words as {keys[places[0]]} (similarity {cos:.2f})."
    return f"To the local model, {keys[places[0]]} says so in other words."


def contradicted(theirs: str, ours: str, key: str) -> str:
    """What a document sentence says instead, in the words that differ."""
    change = difference(theirs, ours)
    if change is None:
        return f"{NO_SUPPORT}, and finds it against {key}: “{excerpt(theirs)}”"
    if not change.ours:
        return f"{NO_SUPPORT}: {key} says “{change.theirs}”, the answer leaves it out."
    if not change.theirs:
        return f"{NO_SUPPORT}: {key} does not say “{change.ours}”."
    return f"{NO_SUPPORT}: {key} says “{change.theirs}”, the answer says “{change.ours}”."


def denied(theirs: str, key: str) -> str:
    """What a document sentence says that the answer denies."""
    return f"{NO_SUPPORT}: it denies what {key} says: “{excerpt(theirs)}”"


def unsupported(c: SentenceMatrix, row: int, documents: Sequence[str], keys: Sequence[str], surface: str) -> str:
    """What no document sentence says: a number, a name, or the whole sentence."""
    text = c.answers[row]
    every = frozenset().union(*(t.words for t in c.documents)) | c.question.words
    if strange := (text.numbers | c.names(text)) - every:
        return f"{NO_SUPPORT}: no document sentence mentions {_words(strange, surface)}."
    place = int(c.aligned[row, 0])
    return f"{NO_SUPPORT}. The nearest sentence is {keys[place]}: “{excerpt(documents[place])}”"


def difference(theirs: str, ours: str) -> Difference | None:
    """The first short stretch of words in which two sentences differ; `None` if they differ in more than that."""
    a, b = (TOKEN.findall(_HALVES.sub(r"\1m", text)) for text in (theirs, ours))
    if max(len(a), len(b)) > _LONGEST_COMPARED:
        return None
    matcher = SequenceMatcher(None, [common_form(w) for w in a], [common_form(w) for w in b], autojunk=False)
    changes = [
        Difference(" ".join(a[i:j]), " ".join(b[k:m]))
        for kind, i, j, k, m in matcher.get_opcodes()
        if kind != "equal" and max(j - i, m - k) <= _LONGEST_DIFFERENCE and _matters([*a[i:j], *b[k:m]])
    ]
    exchanged = [d for d in changes if d.theirs and d.ours] or [d for d in changes if _denies(d)]
    if matcher.ratio() < 0.5 or len(exchanged) > 2:
        return None
    return exchanged[0] if exchanged else None


def replaced(theirs: str, ours: str) -> bool:
    """Whether the sentences differ in a number where the other has one, or in a name where the other has one."""
    change = difference(theirs, ours)
    if change is None or not change.theirs or not change.ours:
        return False
    both = [[word[0] for word in side.split()] for side in change]
    return any(all(any(map(kind, side)) for side in both) for kind in (str.isdecimal, str.isupper))


def _matters(words: Sequence[str]) -> bool:
    small = STOPWORDS - {"before", "after", "over", "under", "more", "most", "few", "all", "some", "only", "no", "not"}
    return any(w.lower() not in small for w in words)


def _denies(d: Difference) -> bool:
    return any(is_negation(w.lower().replace("’", "'")) or w.lower() == "only" for w in f"{d.theirs} {d.ours}".split())


def excerpt(text: str) -> str:
    """The text, shortened if it is long."""
    one = " ".join(text.split())
    return one if len(one) <= _LONGEST_QUOTE else one[: _LONGEST_QUOTE - 1].rstrip() + "…"


def listed(keys: Sequence[str]) -> str:
    """The keys as a list in words: 0a, 0b and 1c."""
    return " and ".join([", ".join(keys[:-1]), keys[-1]]) if len(keys) > 1 else "".join(keys)


def _words(tokens: frozenset[str], surface: str) -> str:
    """The stems and numbers as spelled in the sentence, in its order."""
    spelled: dict[str, str] = {}
    for word in TOKEN.findall(surface):
        lower = word.lower().replace("’", "'")
        number = normal_number(word) if word[0].isdigit() else number_word(lower)
        token = f"#{number}" if number else stem(lower)
        if token in tokens:
            spelled.setdefault(token, word)
    return ", ".join(list(spelled.values())[:_MOST_NAMED])


def claims_nothing(refusal: bool) -> str:
    """Why a sentence needs no support."""
    return "The documents do not answer, as it says." if refusal else "It makes no claim that could be checked."


def refused(relevant: Sequence[str]) -> str:
    """Why a refusal is not supported."""
    return f"{NO_SUPPORT}: it says that the documents do not answer, but {listed(relevant[:_MOST_NAMED])} may."


def dropped(one: str, other: str) -> str:
    """Why a claim that leaves out its group is not supported."""
    return f"{NO_SUPPORT}: {one} says so of one group, {other} says otherwise of another, the answer names neither."
