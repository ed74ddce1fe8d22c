"""Which contexts a sample in prose calls relevant: `of which only the second is relevant`, `p3 matters, p1 doesn't`.

The sentences stand outside of all quotations, so that they may hold any words; those about relevance are few.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from trace_core.datasets.text.translation import unaccented
from trace_core.endpoint.reading.language.names import without_names
from trace_core.endpoint.reading.language.ordinals import at_position, spelled_out
from trace_core.endpoint.reading.leads.words import TOPICS

_TELLS = (
    "relev", "relew", "pertinen", "rilevan", "istotn", "useful", "helpful", "matters", "hilfreich", "nutzlich",
    "wichtig", "utile", "util", "nuttig", "przydatn", "viktig", "counts", "zahlt", "compte", "cuenta", "ertoe", "conta",
)  # fmt: skip
_DENIES = frozenset(
    "not isn't aren't wasn't weren't doesn't don't nicht kein keine keiner keines pas no non nao niet geen inte nie "
    "neither none nothing nichts ningun ninguno ninguna nessuno nessuna aucun aucune nenhum nenhuma zaden".split()
)
_IR = ("irrelev", "irrilev", "unrelated", "noise", "unwichtig", "nieistotn", "useless", "nutzlos")
_OTHERS = frozenset(
    "other others rest remaining anderen anderer ubrigen autres otros otras altri altre outros outras overige ovriga "
    "inne pozostale".split()
)
_ALL = frozenset(
    "both all beide beiden alle tous toutes deux ambos ambas todos todas entrambi entrambe tutti tutte allebei bada "
    "oba obie wszystkie".split()
)
_NAMED = {
    "former": 0, "ersterer": 0, "ersteres": 0, "latter": -1, "letzterer": -1, "letzteres": -1, "letztere": -1,
}  # fmt: skip
_MIDDLE = frozenset(
    "middle mittlere mittleren milieu medio central mezzo centrale meio middelste mellersta srodkowy".split()
)
_SENTENCE = re.compile(r"(?:[^.!?…\n]|[.!?…](?=\w)){1,2000}[.!?…]?")
_CLAUSES = re.compile(
    r"[,;:()]|[ ][—–-]{1,2}[ ]|\b(?:but|while|whereas|and|aber|während|und|sowie|mais|tandis que|et|pero|mientras|y"
    r"|ma|mentre|e|maar|terwijl|en|mas|enquanto|men|medan|och|ale|oraz|i)\b",
    re.IGNORECASE,
)
_ALL_BUT = re.compile(
    r"\b(?:all|every|alle|tous|toutes|todos|todas|tutti|tutte|wszystkie|alla)\b[^.;]{0,40}"
    r"\b(?:but|except|apart from|au(?:ß|ss)er|bis auf|sauf|salvo|excepto|exceto|menos|tranne|behalve|oprócz|utom)\b"
    r"(?P<names>[^.;]{1,60})",
    re.IGNORECASE,
)
_NUMBERED = (*TOPICS, "numb", "numm", "num", "no", "nr", "hit", "result", "source", "item", "treffer", "and")
"""What stands before a number that is a context's."""
_FEW_WORDS = 4
"""The most words of a clause that only names contexts, or of one whose numbers can only be theirs."""
_WORD = re.compile(r"[^\s,;:()\[\]\"“”„«»‘*_`]+")
_APOSTROPHE = re.compile(r"\A[dlDL]['’]")


class _Clause(NamedTuple):
    start: int
    end: int
    places: list[str]
    others: bool
    tells: bool
    denies: bool
    words: int = 0

    @property
    def only_names(self) -> bool:
        """Whether the clause names contexts and says nothing of them."""
        return bool(self.places) and not (self.tells or self.denies or self.others) and self.words <= _FEW_WORDS


def told_relevant(prose: Sequence[str], ids: Sequence[str]) -> tuple[list[str], list[str]]:
    """The prose without the clauses that tell which of the contexts are relevant, and their ids.

    No ids where none does, where two contradict each other, or one names what there is not.
    """
    left: list[str] = []
    yes: set[str] = set()
    no: set[str] = set()
    for part in prose:
        told = [(said.start(), clauses) for said in _SENTENCE.finditer(part) if (clauses := _told(said[0], ids))]
        for start, clauses in reversed(told):
            for clause in reversed(clauses):
                part = f"{part[: start + clause.start]} {part[start + clause.end :]}"
        left.append(part)
        for _, clauses in told:
            for clause in clauses:
                (no if clause.denies else yes).update(clause.places)
            if any(clause.others and not clause.denies for clause in clauses):
                yes.update(set(ids) - yes - no)
    known = not (yes & no) and yes <= set(ids)
    return left, [name for name in ids if name in yes] if known else []


def _told(sentence: str, ids: Sequence[str]) -> list[_Clause]:
    """The clauses of a sentence that name contexts, where one of them tells of relevance."""
    if sentence.rstrip().endswith("?"):
        return []
    if but := _ALL_BUT.search(sentence):
        excluded = set(_places(_words(but["names"]), ids))
        tells = any(word.startswith(_TELLS) for word in _plain(_words(sentence)))
        places = [name for name in ids if name not in excluded]
        return [_Clause(0, len(sentence), places, False, True, False)] if tells and excluded else []
    clauses = _merged(list(_clauses(sentence, ids)))
    if not any(one.tells and (one.places or one.others) for one in clauses):
        return []
    of_rest = any(one.others and one.denies for one in clauses)  # `the first will do, the others are not relevant`
    return [one for one in clauses if (one.places or one.others) and (one.tells or one.denies or one.others or of_rest)]


def _clauses(sentence: str, ids: Sequence[str]) -> Iterator[_Clause]:
    marks = list(_CLAUSES.finditer(sentence))
    starts, ends = [0, *(mark.end() for mark in marks)], [*(mark.start() for mark in marks), len(sentence)]
    for start, end in zip(starts, ends, strict=True):
        words = _words(without_names(sentence[start:end]))
        plain = _plain(words)
        denies = not _DENIES.isdisjoint(plain) or any(word.startswith(_IR) for word in plain)
        tells = any(word.startswith((*_TELLS, *_IR)) for word in plain)
        every = tells and not _ALL.isdisjoint(plain)
        places = list(ids) if every else list(_places(words, ids))
        yield _Clause(start, end, places, not _OTHERS.isdisjoint(plain), tells, denies, len(words))


def _words(text: str) -> list[str]:
    return [_APOSTROPHE.sub("", word.strip(".!?'’")) for word in _WORD.findall(text)]


def _plain(words: Sequence[str]) -> list[str]:
    return [unaccented(word.lower().replace("’", "'")) for word in words]


def _merged(clauses: Sequence[_Clause]) -> list[_Clause]:
    """The clauses, those that only name contexts with the next one, or at the end with the one before:
    `the first, the second and the last are relevant`, `relevant are the first and the last`.
    """
    found: list[_Clause] = []
    names: list[_Clause] = []
    for one in clauses:
        if one.only_names:
            names.append(one)
            continue
        if names and (one.places or one.tells):
            one = one._replace(start=names[0].start, places=[name for held in (*names, one) for name in held.places])
        elif names and found and found[-1].tells:
            found[-1] = _with(found[-1], names)
        found.append(one)
        names = []
    if names and found and found[-1].tells:
        found[-1] = _with(found[-1], names)
    return found


def _with(clause: _Clause, names: Sequence[_Clause]) -> _Clause:
    places = [name for held in (clause, *names) for name in held.places]
    return clause._replace(end=names[-1].end, places=places)


def _places(words: Sequence[str], ids: Sequence[str]) -> Iterator[str]:
    """The ids that the words name, or the words themselves where no context stands at such a position."""
    by_case = {name.casefold(): name for name in ids}
    before = ""  # a clause may begin with a number, as in `passages 1 and 3`
    for word in spelled_out(words) or words:
        plain = unaccented(word.lower())
        counts = plain.isdigit() and len(words) > _FEW_WORDS and before and not before.startswith(_NUMBERED)
        before = plain
        if counts:
            continue  # `useful to 2 of them`
        if word.casefold().lstrip("#") in by_case:
            yield by_case[word.casefold().lstrip("#")]
        elif plain in _NAMED and ids:
            yield ids[_NAMED[plain]]
        elif plain in _MIDDLE and len(ids) % 2:
            yield ids[len(ids) // 2]
        elif name := at_position(word, ids):
            yield name
