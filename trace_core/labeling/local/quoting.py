"""Whether a response sentence only repeats words of a document sentence, in their order.

The reader sometimes doubts a sentence of which only a clause was moved, or which leaves out a second clause.
"""

from __future__ import annotations

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
