"""Whether a response sentence only repeats the words of a document sentence, denies them, or has an opposite instead.

The reader sometimes doubts a sentence of which only a clause was moved, or which leaves out a second clause; and in a
long sentence it overlooks a "not" or a changed word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import product

from trace_core.facts.words import is_negation, stem
from trace_core.labeling.local.wording.opposites import opposites
from trace_core.labeling.local.wording.texts import Text

_FILLERS = frozenset(
    """you your then next also first final finally pleas please now afterwards the a an is are was were be will
    should""".split()
)
"""Words that an answer adds or leaves out where it tells steps, and that change nothing."""
_ADDED = frozenset("now then also pleas".split())
"""Those of them that an answer may add wherever it likes."""
_SAME: dict[tuple[str, ...], tuple[str, ...]] = {
    **dict.fromkeys((("need", "to"), ("have", "to"), ("has", "to")), ("must",)),
    **dict.fromkeys((("do", "not"), ("does", "not")), ("not",)),
    **dict.fromkeys((("make", "sure", "to"), ("be", "sure", "to"), ("rememb", "to"), ("take", "care", "to")), ()),
}
_ALIKE = {
    **dict.fromkeys(("once", "if", "whenever", stem("once"), stem("whenever")), "when"),
    **dict.fromkeys(("don't", "doesn't", "shouldn't", "won't"), "not"),
}
"""Words that say the same in a sentence of otherwise the same words."""
_LIMITS = frozenset(
    """not no never none nor neither non only except unless if until or some most few may might can could should almost
    than but when while where as though although whether who which that because since so therefore fals deni say said
    claim believ think thought expect plan suppos alleg rumour propos instead rather formerli former nobodi noth
    nowhere against avoid advis recommend suggest warn""".split()
)
"""Words that may limit what stands beside them."""
_PLACING = frozenset(
    "in on at by for from to with without during before after above below under over of within between".split()
)
"""Words that begin a phrase which may limit the rest: "On Thursdays it is open"."""
_PAST = re.compile(r"\b(?:was|were|had|did|\w{2,30}ed)\b")
_LEAST = 3
_CONTRARY = re.compile(
    r"only|except|unless|until|instead|rather|fail|unabl|lack|prevent|avoid|prohibit|forbid|forbidden|deni|refus|reject"
    r"|exclud|close|disabl|hard|rare|seldom|littl|few|fals|too|alon|contrari|limit|restrict|before|void|otherwis|illeg"
    r"|imposs|free|absen\w*|miss|in(?:correct|valid|activ|compat|suffici|abl|capabl|visibl)|un(?:avail|like?|know|clear|til"
    r"|less|safe|chang|affect|relat)\w*|dis\w+|non\w*|\w{3,20}less"
)
"""Words by which a sentence may say "not" in another way."""
_CONDITIONS = frozenset("if when whether unless ensur sure case becaus".split())
"""Beside such a word, a "not" may say the same as its opposite elsewhere."""
_PLACES = 2
"""The number of document sentences, those most like the answer, that are searched for an opposite."""
_LONGEST_COMPARED = 100
_LONGEST_EXCHANGE = 3
_NOT = frozenset(("not", "never", "cannot"))
_COMMON = 0.6
"""The least share of the answer's words that the denied sentence has."""
_NEAR = 0.35
"""A document sentence is like the best one if its share is at most this much lower."""


def repeats(answer: Text, document: Text) -> bool:
    """Whether the document sentence says the answer in the same words: all of them, with a part moved, or a clause."""
    said, given = _plain(answer.sequence), _plain(document.sequence)
    told = answer.words & {*said, *(_FILLERS - _ADDED)}
    if len(answer.words) < 2 or not told <= document.words:
        return False
    if len(said) < _LEAST or len(said) > len(given) or _at_other_times(answer, document):
        return False
    if len(said) == len(given):
        return said == given or _moved(said, given)
    return any(_clause(given[:at], given[at + len(said) :]) for at in _places(said, given))


def denies(answer: Text, documents: Sequence[Text]) -> int | None:
    """The place of the document sentence that says without a "not" what the answer says with one, in mostly the same
    words; `None` where there is none, or where one like it says "not", or says it in another way.

    Of 9,111 supported sentences of RAGBench's validation and train rows, 4 deny a sentence so.
    """
    denied = {word for word in answer.denied if not is_negation(word)}
    if answer.refusal or not denied or len(answer.words) < _LEAST - 1 or _CONDITIONS & set(answer.sequence):
        return None
    if not any(word in _NOT or word.endswith("n't") for word in answer.sequence):
        return None
    common = _common(answer, documents)
    best = max(range(len(documents)), key=common.__getitem__)
    if common[best] < _COMMON or not denied <= documents[best].words:
        return None
    near = (other for other, share in zip(documents, common, strict=True) if share >= common[best] - _NEAR)
    return None if any(other.negations or any(map(_CONTRARY.fullmatch, other.sequence)) for other in near) else best


def opposes(answer: Text, documents: Sequence[Text]) -> int | None:
    """The place of the document sentence that has the opposite of a word of the answer in its place, in mostly the same
    words; `None` where there is none, or where one like it has the answer's word.

    None of 9,111 supported sentences of RAGBench's validation and train rows has such an opposite.
    """
    opposite = opposites()
    if answer.refusal or len(answer.words) < _LEAST or not opposite.keys() & set(answer.sequence):
        return None
    common = _common(answer, documents)
    ranked = sorted(range(len(documents)), key=common.__getitem__, reverse=True)
    near = {w for i in ranked if common[i] >= common[ranked[0]] - _NEAR for w in documents[i].sequence}
    for place in ranked[:_PLACES]:
        if common[place] < _COMMON or answer.negations != documents[place].negations:
            continue
        exchanged = _exchanged(documents[place].sequence, answer.sequence)
        if any(ours not in near and ours in opposite.get(theirs, ()) for theirs, ours in exchanged):
            return place
    return None


def _common(answer: Text, documents: Sequence[Text]) -> list[float]:
    """The share of the answer's words, 0 to 1, that each of the document sentences has."""
    return [len(answer.words & other.words) / len(answer.words) for other in documents]


def _exchanged(theirs: Sequence[str], ours: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Every word of a short stretch with every word of the one that stands in its place."""
    theirs, ours = theirs[:_LONGEST_COMPARED], ours[:_LONGEST_COMPARED]
    for kind, i, j, k, m in SequenceMatcher(None, theirs, ours, autojunk=False).get_opcodes():
        if kind == "replace" and max(j - i, m - k) <= _LONGEST_EXCHANGE:
            yield from product(theirs[i:j], ours[k:m])


def _at_other_times(one: Text, other: Text) -> bool:
    """Whether one tells what will be and the other, perhaps, what was: their stems are the same."""
    will = [text for text in (one, other) if "will" in text.sequence]
    return len(will) == 1 and _PAST.search((other if will[0] is one else one).surface) is not None


@lru_cache(maxsize=4000)  # every sentence is compared with many
def _plain(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words that matter, one spelling each for what says the same."""
    found, place = list[str](), 0
    while place < len(words):
        phrase = next((words[place : place + n] for n in (3, 2) if words[place : place + n] in _SAME), ())
        found += _SAME[phrase] if phrase else (_ALIKE.get(words[place], words[place]),)
        place += len(phrase) or 1
    return tuple(word for word in found if word not in _FILLERS)


def _places(said: tuple[str, ...], given: tuple[str, ...]) -> list[int]:
    return [at for at in range(len(given) - len(said) + 1) if given[at : at + len(said)] == said]


def _moved(said: tuple[str, ...], given: tuple[str, ...]) -> bool:
    """Whether a phrase or clause of the beginning stands at the end, or the other way round."""
    for at in range(1, len(given)):
        if said == given[at:] + given[:at]:
            return bool({given[0], said[0]} & (_PLACING | _LIMITS))
    return False


def _clause(before: tuple[str, ...], after: tuple[str, ...]) -> bool:
    """Whether the rest of the document sentence leaves the clause between as it is."""
    rest = {*before, *after}
    if rest & _LIMITS or any(is_negation(word) for word in rest) or set(before) & (_PLACING | {"and"}):
        return False
    return not after or after[0] == "and"
