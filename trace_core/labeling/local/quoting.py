"""Whether a response sentence only repeats words of a document sentence, in their order, or denies these words.

The reader sometimes doubts a sentence of which only a clause was moved, or which leaves out a second clause; and in a
long sentence it overlooks a "not".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from trace_core.facts.words import is_negation
from trace_core.labeling.local.texts import Text

_FILLERS = frozenset("you then next also first final finally pleas please now afterwards".split())
"""Words that a list of steps adds, and that change nothing."""
_LIMITS = frozenset(
    """not no never none nor neither non only except unless if until or some most few may might can could should almost
    than but when while where as though although whether who which that because since so therefore fals deni say said
    claim believ think thought expect plan suppos alleg rumour propos instead rather formerli former""".split()
)
"""Words that may limit what stands beside them."""
_PLACING = frozenset(
    "in on at by for from to with without during before after above below under over of within between".split()
)
"""Words that begin a phrase which may limit the rest: "On Thursdays it is open"."""
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
_NOT = frozenset(("not", "never", "cannot"))
_COMMON = 0.6
"""The least share of the answer's words that the denied sentence has."""
_NEAR = 0.35
"""A sentence with so much less of them is still like it."""


def repeats(answer: Text, document: Text) -> bool:
    """Whether the document sentence says the answer in the same words: all of them, with a part moved, or a clause."""
    if len(answer.words) < 2 or not answer.words <= document.words:
        return False
    said, given = _plain(answer), _plain(document)
    if len(said) < _LEAST or len(said) > len(given):
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
    common = [len(answer.words & other.words) / len(answer.words) for other in documents]
    best = max(range(len(documents)), key=common.__getitem__)
    if common[best] < _COMMON or not denied <= documents[best].words:
        return None
    near = (other for other, share in zip(documents, common, strict=True) if share >= common[best] - _NEAR)
    return None if any(other.negations or any(map(_CONTRARY.fullmatch, other.sequence)) for other in near) else best


def _plain(text: Text) -> tuple[str, ...]:
    return tuple(word for word in text.sequence if word not in _FILLERS)


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
