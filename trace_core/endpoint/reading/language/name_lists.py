"""Names of tests in a list within a sentence: `please check faithfulness, tone and toxicity for me`.

Beside a known name an unknown one is kept, so that the reply can report it, and a short one (`accuracy`) is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from trace_core.endpoint.reading.language.names import canonical, is_name, known_in, like_a_test, without_names
from trace_core.endpoint.reading.language.requests import asks, core
from trace_core.endpoint.reading.language.roles import said_by
from trace_core.endpoint.reading.language.words import field_named

_JOINT = re.compile(
    r"(?P<weak>,(?:[ ](?=(?:and|und|et|y|e|en|i|och|oraz)\b))?|\bi\b)|[/&|+]|\b(?:and|und|et|y|e|en|och|oraz)\b"
)
"""What stands between items; a comma and an English `i` may also end or begin a clause."""
_GOES_ON = re.compile(
    r"[ ](?:(?P<of>of|to|von|der|des|zu|de|du|del|di|della|do|da|van|av)"
    r"|for|on|in|with|für|pour|sur|para|por|per|voor|för|dla)\b"
)
"""What may follow a name: `toxicity of the answers`; a short name of something may be another one."""
_ORDINARY = frozenset(
    "thanks thank cheers regards report send tell let explain give show share post reply answer go come see look say "
    "write compare rank list done help more nothing else others everything all danke merci gracias grazie obrigado "
    "obrigada bedankt tack dzięki schick sende".split()
)
_FEWEST_LETTERS = 4
_OF_ANSWERS = ("answer_accuracy", "answer_relevancy")
"""Tests whose short names could be said of something else than the answer."""


class _Item(NamedTuple):
    """An item between two joints: as written, without the words of a request, and whether a weak joint is before it."""

    written: str
    core: str
    weak: bool


def names_listed(sentence: str, short: bool = False) -> list[str]:
    """The known tests named in the sentence, and the short and unknown names that stand in a list with them, in order.

    Where `short` names count alone, the sentence has to consist of them: `accuracy pls`, `acc + relevancy`.
    """
    known = list(known_in(sentence))
    if not known and not short:
        return []
    items = [item for item in _items(sentence) if item.core]
    if lists_only_names(sentence):
        return [_named(item.core) for item in items]
    beside = {place: _named(name) for place, name in _beside(items)} if known else {}
    ordered = [one for place, item in enumerate(items) for one in (*known_in(item.written), *_at(beside, place))]
    return ordered if set(ordered) == {*known, *beside.values()} else [*known, *beside.values()]


def _at(named: Mapping[int, str], place: int) -> list[str]:
    return [named[place]] if place in named else []


def lists_only_names(sentence: str) -> bool:
    """Whether the sentence consists of tests' names, one of them known, and of words of a request."""
    cores = [item.core for item in _items(sentence) if item.core]
    return any(map(is_name, cores)) and all(map(_may_be_a_test, cores))


def asks_for_unknown(sentence: str) -> list[str]:
    """The unknown names in a sentence that asks for nothing else: `Also check toxicity, please.`"""
    cores = [item.core for item in _items(sentence) if item.core] if asks(sentence) else []
    return [_named(one) for one in cores] if cores and all(map(_may_be_a_test, cores)) else []


def _may_be_a_test(item: str) -> bool:
    return is_name(item) or (like_a_test(item) and field_named(item) is None)


def unsure_in(sentence: str) -> str:
    """A word that stands beside a known name and may be another one: `faithfulness and vibes`; empty where none is."""
    items = _items(sentence) if next(known_in(sentence), None) else []
    if of := next((item.core for item in items if _of_something(item.core)), ""):
        return of
    for before, item in pairwise(items):
        word = item.core
        single = word.isalpha() and len(word) >= _FEWEST_LETTERS and word.lower() not in _ORDINARY
        strange = single and not (_may_be_a_test(word) or field_named(word) or said_by(word))
        if strange and not item.weak and _ends_with_a_name(before):
            return word
    return ""


def _items(sentence: str) -> list[_Item]:
    joints = list(_JOINT.finditer(sentence))
    starts, ends = [0, *(joint.end() for joint in joints)], [*(joint.start() for joint in joints), len(sentence)]
    weak = [False, *(bool(joint["weak"]) for joint in joints)]
    parts = [sentence[a:b] for a, b in zip(starts, ends, strict=True)]
    return [_Item(part, core(part), loose) for part, loose in zip(parts, weak, strict=True)]


def _beside(items: Sequence[_Item]) -> Iterator[tuple[int, str]]:
    """The places and names of short and unknown tests beside a known one, where a sentence says more than names."""
    for place, item in enumerate(items):
        if next(known_in(item.written), None):
            continue
        goes_on = _GOES_ON.search(item.core)
        name = item.core[: goes_on.start()] if goes_on else item.core
        after = place > 0 and _ends_with_a_name(items[place - 1])
        before = not goes_on and place + 1 < len(items) and _begins_with_a_name(items[place + 1])
        if (after or before) and _may_be_a_test(name) and not _of_something(item.core):
            yield place, name


def _of_something(item: str) -> bool:
    """Whether a short name is said of something, which decides what it means: `relevance of the chunks`."""
    goes_on = _GOES_ON.search(item)
    said = goes_on is not None and goes_on["of"] and canonical(item[: goes_on.start()]) in _OF_ANSWERS
    return bool(said) and without_names(item) == item


def _named(name: str) -> str:
    known = canonical(name)
    return known if known != name.strip() else "_".join(name.lower().split())


def _ends_with_a_name(item: _Item) -> bool:
    left = without_names(item.core)
    return left != item.core and (not left.strip() or left.endswith(" "))


def _begins_with_a_name(item: _Item) -> bool:
    left = without_names(item.core)
    return left != item.core and left.startswith(" ")
