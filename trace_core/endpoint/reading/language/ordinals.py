"""Positions told in words: `first`, `the last`, `die letzten beiden`, in nine languages."""

from __future__ import annotations

from collections.abc import Sequence

_IN_ORDER = (
    "first 1st erste ersten erster premier première premiers premières primer primero primera primeros primeras "
    "primeira primeiro primeiras primeiros eerste primo prima primi prime första pierwszy pierwsza pierwsze",
    "second 2nd zweite zweiten zweiter deuxième seconde segundo segunda tweede secondo seconda andra drugi druga "
    "drugie",
    "third 3rd dritte dritten dritter troisième tercer tercero tercera terceiro terceira derde terzo terza tredje "
    "trzeci trzecia trzecie",
    "fourth 4th vierte vierten quatrième cuarto cuarta quarto quarta vierde fjärde czwarty czwarta czwarte",
    "fifth 5th fünfte fünften cinquième quinto quinta vijfde femte piąty piąta piąte",
)
ORDINALS = {word: str(place) for place, words in enumerate(_IN_ORDER, start=1) for word in words.split()}
"""The position that a word names."""
LAST = "last"
_LASTS = frozenset(
    "last letzte letzten letzter dernier dernière derniers dernières último última últimos últimas ultimo ultima "
    "ultimi ultime laatste sista ostatni ostatnia ostatnie".split()
)
_COUNTS = {
    word: count
    for count, words in enumerate(
        ("two zwei beiden beide deux dos due duas dois twee två dwa dwie", "three drei trois tres tre três drie trzy",
         "four vier quatre cuatro quattro quatro fyra cztery", "five fünf cinq cinco cinque vijf fem pięć",
         "six sechs seis sei zes sex sześć"), start=2,
    )
    for word in words.split()
}  # fmt: skip
_FEW_DIGITS = 4
_FROM_END = ("last", "second-last", "third-last", "fourth-last")
_IN_A_ROW = ("first", "second", "third", "fourth")
_TO = frozenset("to through until bis à tot al do".split())
_NOT_ONE = frozenset("but to before next vor avant antes voor före przed".split())
"""Beside `last` these name another position: `the last but one`, `second to last`."""


def is_ordinal(word: str) -> bool:
    """Whether the word names a position."""
    return word.lower() in ORDINALS or word.lower() in _LASTS or word.lower() in _FROM_END


def spelled_out(words: Sequence[str]) -> list[str] | None:
    """The words with those that name several positions as one word for each: `first two` → `first second`.

    `None` for a position that is not understood: `last but one`.
    """
    lower = [word.lower() for word in words]
    ordinals = [place for place, word in enumerate(lower) if is_ordinal(word)]
    found: list[str] = []
    for place, word in enumerate(lower):
        near = [one for one in (*lower[max(0, place - 1) : place], *lower[place + 1 : place + 2]) if one != word]
        last, first = word in _LASTS, ORDINALS.get(word) == "1"
        if word in _TO and ordinals and ordinals[0] < place < ordinals[-1]:
            return None  # a range
        if last and _NOT_ONE.intersection((*near, *lower[max(0, place - 2) : place])):
            return None
        counts = [_COUNTS[one] for one in near if one in _COUNTS]
        if counts and (last or first):
            if counts[0] > len(_IN_A_ROW):
                return None
            found += reversed(_FROM_END[: counts[0]]) if last else _IN_A_ROW[: counts[0]]
        elif word not in _COUNTS or not any(one in _LASTS or ORDINALS.get(one) == "1" for one in near):
            found.append(LAST if last else words[place])
    return found


def counted(word: str) -> int:
    """The number that a word or a figure names; 0 for none."""
    return int(word) if word.isdecimal() and len(word) < _FEW_DIGITS else _COUNTS.get(word.lower(), 0)


def at_position(word: str, known: Sequence[str]) -> str | None:
    """The one of the `known` ids, in order, at the position that the word names; `None` where there is none."""
    word = LAST if word.lower() in _LASTS else word.lower()
    place = int(ORDINALS[word]) - 1 if word in ORDINALS else -1
    if word in _FROM_END:
        place = len(known) - 1 - _FROM_END.index(word)
    return known[place] if 0 <= place < len(known) else None
