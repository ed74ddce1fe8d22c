"""A wish that its own sentence takes back: `accuracy? no, faithfulness`, `die Genauigkeit, oder besser die Treue`."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

from trace_core.endpoint.reading.language.name_lists import names_listed
from trace_core.endpoint.reading.language.names import known_in

_NO = r"(?:no|nope|nah|nein|nö|non|nee|nej|não|nie)"
_BACK = (
    r"(?:wait|scratch that|strike that|make (?:that|it)|i mean(?:t)?|correction|sorry|oops|on second thoughts?|actually"
    r"|rather|better|quatsch|vielmehr|doch lieber|lieber|ich meine?|entschuldigung|korrektur|plutôt|pardon|attends"
    r"|enfin|je veux dire|mejor(?: dicho)?|perdón|perdona|espera|digo|quiero decir|anzi|scusa|aspetta|cioè|meglio|wacht"
    r"|liever|ik bedoel|aliás|melhor|desculpa|quero dizer|vänta|förlåt|snarare|raczej|znaczy|czekaj)"
)
_OR = (
    r"(?:or|oder|ou|o|of|eller|albo|lub)[ ](?:rather|better|actually|vielmehr|besser|lieber|doch|plutôt|mieux|mejor"
    r"|más bien|meglio|piuttosto|beter|liever|melhor|antes|hellre|snarare|raczej)"
)
_CORRECTS = re.compile(
    rf"(?:[,;.:?!…()→–—>-]|\s-|\n)\s{{0,4}}(?:(?:oh|ah|ach|hm+|uh|er|eh|but|and)[, ]{{1,2}})?"
    rf"(?:{_NO}(?:(?:[,.! ]{{1,3}}{_BACK}){{1,3}}|(?=[,.:;!–—-]))|{_BACK}(?:[,.! ]{{1,3}}{_NO})?)\b[,.:;!?…–— -]{{1,6}}"
    rf"|\s{{1,4}}(?:but|aber|sondern|mais|pero|ma|maar|mas|men|ale)\s{{1,4}}{_BACK}\b[,:]?\s{{1,4}}"
    rf"|[,;]?\s{{1,4}}\(?{_OR}\b[,:]?\s{{1,4}}|\?\s{{1,4}}{_NO}\s{{1,4}}|(?P<unsure>\s(?:→|⇒|[-=]{{1,2}}>)\s"
    r"|,?\s(?:but|aber|mais|pero|ma|maar|mas|men)\s)",
    re.IGNORECASE,
)
"""Words that take back what was said, set off from it."""
_FIRST = re.compile(
    r"→|⇒|[-=]>|\b(?:first|initially|originally|thought|wanted|zuerst|erst|ursprünglich|d['’]abord|primero|prima|eerst)\b",
    re.IGNORECASE,
)
"""Signs that a test before `but` or an arrow is taken back; what is wanted stays unclear."""
_REFUSED = re.compile(rf"\?\s{{1,4}}{_NO}[ \t]{{0,2}}(?:[.!;\n]|\Z)", re.IGNORECASE)
"""`Relevancy? No.`"""
_DENIES = re.compile(rf"\b{_NO}\b", re.IGNORECASE)
_BEGINS = re.compile(r"[.:;!?\n()](?=\s|\Z)")
_LONGEST, _SHORT, _MOST = 200, 60, 40
_EVERY = re.compile(
    r"\b(?:all|everything|every|alles|alle|tous|tout|toutes|todos?|todas|tutto|tutti|tutte|tudo)\b", re.IGNORECASE
)
_SHORT_LIST = re.compile(r"[^.;:!?\n()]{0,200}")


@lru_cache(maxsize=16)
def corrected(text: str) -> tuple[str, frozenset[str]]:
    """The text without a test that is taken back for others, and its name; unchanged where several may be meant."""
    parts, place, replaced = [], 0, frozenset[str]()
    for said in islice(_CORRECTS.finditer(text), _MOST):
        start = _start(text, place, said.start())
        before, after = _names(text[start : said.start()]), _after(text, said.end())
        sure = not said["unsure"] and not said[0].startswith("? no ") and _next_is_a_name(text, said.end())
        if len(before) == 1 and after and sure:
            parts.append(text[place:start])
            replaced |= frozenset() if "*" in after else frozenset(before) - set(after)
            place = said.end()
    return "; ".join([*parts, text[place:]]) if parts else text, replaced


def correction_left(text: str) -> str:
    """Words that take back one of several tests, so that it is unclear which; empty where there are none."""
    text, _ = corrected(text)
    for said in islice(_CORRECTS.finditer(text), _MOST):
        start = _start(text, 0, said.start())
        told = text[start : said.end()]
        back = _next_is_a_name(text, said.end()) or _DENIES.search(said[0])
        counts = back and (not said["unsure"] or _FIRST.search(told))
        if counts and _names(text[start : said.start()]) and _after(text, said.end()):
            return told.strip()
    for said in islice(_REFUSED.finditer(text), _MOST):
        start = _start(text, 0, said.start())
        if _names(text[start : said.start()]):
            return text[start : said.end()].strip()
    return ""


def _start(text: str, place: int, end: int) -> int:
    """Where the sentence begins that ends with what is taken back."""
    near = max(place, end - _LONGEST)
    return max((mark.end() for mark in _BEGINS.finditer(text, near, end)), default=near)


def _after(text: str, place: int) -> list[str]:
    rest = _SHORT_LIST.match(text, place)
    return _names(rest[0]) if rest else []


def _next_is_a_name(text: str, place: int) -> bool:
    """Whether a test's name comes next, as after `sorry`, unlike after `sorry for the late mail`."""
    rest = _SHORT_LIST.match(text, place)
    return bool(rest and _names(rest[0].partition(",")[0]))


def _names(said: str) -> list[str]:
    """The tests named in a sentence, perhaps by short names alone, or as all of them."""
    if not said.strip():
        return []
    every = ["*"] if len(said) <= _SHORT and _EVERY.search(said) else []
    return list(dict.fromkeys([*every, *known_in(said), *names_listed(said, short=True)]))
