"""The test that a clause of a wish asks for, by the words it has in any of ten languages: what it is about (the answer,
the question, the sources, the reference), and what it says of that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from trace_core.datasets.text.translation import unaccented
from trace_core.endpoint.reading.language.roles import ASKED, PASSAGES, RELEVANT, REPLIED, TEXTS, stems

_EXPECTED = stems(
    "reference referenc referent referenz riferiment expected erwartet attendu esperad verwacht oczekiwan gold muster "
    "wzorcow facit textbook modelantw"
)
_RIGHT = stems("juist richtig giust correct corrett right poprawn ratt bonne")
_SAID = stems("said say answered replied")
_KEEPS = stems(
    "stick keep adher stay bleib blijf blijv halt stutz gestutz gedeckt belegt support backed ground based bas appui "
    "appuy fond sout tien respett respect apoya ajust cin attien attener fedel trzym wynik staat gedekt onderbouw "
    "hall stod hold baseert beruht seule nothing nichts invent"
)
_ANSWERS = stems(
    "answer address respon beantwort antwort eingeht geht repond rispon odpowiad svar antwoord dodge besvar reply"
)
_AGREES = stems(
    "match agree compar vergleich vergelek stimm ubereinstimm zgadza poprawn "
    "porown correspon coincid corrispon korrekt "
    "correct richtig exact juist overeen stammer same equal close"
)
_FOUND = stems("retriev pulled search found fetch recuper remont trov gefund suche zoek gevonden znalez hitta return")
_USES = stems("use using used nutz genutz verwend utilis utiliz usa uso gebruik wykorzyst anvand draw")
_GIVEN = stems("given what bekam bekommen donne dado dato gekregen")
_CLAUSE = re.compile(
    r"[,;.:?!()\n]|\b(?:whether|if|ob|czy|si(?= (?:l[aeo]s?|elle|il|el|es)\b)|(?<!que )se|of(?= (?:het|de)\b)"
    r"|om(?= (?:svaret|det)\b)|oraz|och|and|und|et|[yei])\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\?|\b(?:whether|ob|czy|si|se|of|om|tell|know|check|see|if|pr(?:ü|ue)f\w{0,3}|schau\w{0,2}|savoir|saber|dire"
    r"|sapere|(?:two|three|four|five) (?:things|questions|points)|kijken|nagaan|sprawd\w{1,8}|kolla)\b",
    re.IGNORECASE,
)
_OPENS = re.compile(r"whether|ob|czy", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{2,30}")
_TO_A_READER = frozenset("you Sie ihr vous".split())


class Wish(NamedTuple):
    """A clause, where it begins and ends, its test if any, and whether it must be a wish."""

    start: int
    end: int
    test: str | None
    sure: bool


def wishes(said: str) -> Iterator[Wish]:
    """The clauses of a request in order; none where nothing is asked."""
    if not _ASKS.search(said):
        return
    marks = list(_CLAUSE.finditer(said))
    starts, ends = [0, *(mark.end() for mark in marks)], [*(mark.start() for mark in marks), len(said)]
    openings = [False, *(_OPENS.fullmatch(mark[0]) is not None for mark in marks)]
    for start, end, opens in zip(starts, ends, openings, strict=True):
        found = _WORD.findall(said[start:end])
        words = [unaccented(word.lower()) for word in found]
        if words:
            told = not _TO_A_READER.isdisjoint(found)  # what the reader is to do is not what is found out
            yield Wish(start, end, None if told else _wished(words), opens and not told)


def _wished(words: list[str]) -> str | None:
    def has(*groups: tuple[str, ...]) -> bool:
        return any(word.startswith(group) for word in words for group in groups)

    texts, asked = has(TEXTS, PASSAGES), has(ASKED) or "asked" in words
    two_answers = len([word for word in words if word.startswith(REPLIED)]) > 1
    if has(_EXPECTED) or (two_answers and has(_RIGHT)) or ("should" in words and has(_SAID)):
        return "context_recall" if texts or has(_FOUND) else "answer_accuracy" if has(_AGREES) else None
    if has(RELEVANT):
        return "context_precision" if texts or has(_FOUND) else "answer_relevancy" if asked else None
    if texts and has(_KEEPS):
        return "faithfulness"
    if has(_USES) and (texts or has(_GIVEN)):
        return "context_utilisation"
    return "answer_relevancy" if asked and has(_ANSWERS) and not texts else None
