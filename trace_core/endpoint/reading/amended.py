"""What the end of a query corrects: a part, `Oops, wrong line. The answer was actually “…”, not “…”.`, or the tests,
`Sorry, I meant context recall, not precision.`
"""

from __future__ import annotations

import re
from typing import NamedTuple

from trace_core.endpoint.payload import Payload, QueryError
from trace_core.endpoint.reading.language.leads import last_clause, told_by
from trace_core.endpoint.reading.language.name_lists import lists_only_names, names_listed
from trace_core.endpoint.reading.quoted import spans_of

_LONGEST = 600
_SLIP = re.compile(
    r"\b(?:wrong (?:line|one|text|row|field|cell)|typo|mistyped|(?:copied|pasted|mixed up) the|copy[ -]paste"
    r"|please (?:use|take)|(?:falsche?n?) (?:zeile|text)|tippfehler|vertippt|verwechselt|bitte nimm"
    r"|mauvaise ligne|faute de frappe|línea equivocada|me equivoqué de"
    r"|riga sbagliata|linha errada|verkeerde regel|fel rad|nie ta linia)\b",
    re.IGNORECASE,
)
"""A mistake of whoever sends the query; an answer may correct itself, too, but makes none of these."""
_ADVERB = re.compile(
    r"\b(?:actually|really|in fact|eigentlich|tatsächlich|en fait|en réalité|en realidad|in realtà|na verdade|eigenlijk"
    r"|egentligen|naprawdę)\b",
    re.IGNORECASE,
)
_OLD = re.compile(
    r"(?:[^\"“”„«»\n]{0,40} )?(?:instead of|rather than|not|anstelle von|statt|nicht|au lieu de|et non|pas|en lugar de"
    r"|en vez de|y no|no|invece di|non|em vez de|e não|não|in plaats van|niet|istället för|inte|zamiast|nie) "
    r"[\"“„«]?(?P<old>[^\"“”„«»\n]{1,200}?)[\"“”»]?[.!]{0,3}",
    re.IGNORECASE,
)
_NOT = (
    r"(?:instead of|rather than|(?:and )?not|anstelle von|statt|(?:und )?nicht|au lieu de|(?:et )?(?:non )?pas"
    r"|en lugar de|en vez de|y no|no|invece di|(?:e )?non|em vez de|e não|não|in plaats van|(?:en )?niet|istället för"
    r"|(?:och )?inte|zamiast|a? ?nie)"
)
_SORRY = (
    r"(?:sorry|oops|ups|wait|correction|actually|pardon|entschuldigung|korrektur|désolée?|perdón|corrección"
    r"|scusa(?:te)?|correzione|desculpa|correção|correctie|förlåt|rättelse|przepraszam)\b[,:!.– -]{1,4}"
)
_I_MEANT = (
    r"(?:(?:i|we) (?:mean|meant)|ich mein(?:t)?e|je voulais dire|quería decir|quise decir|volevo dire"
    r"|queria dizer|quis dizer|ik bedoel(?:de)?|jag menade?|miałe?[am] na myśli)\b:? "
)
_MEANT = re.compile(
    rf"(?<=[.!?\"”“»)\w\n])\s{{1,4}}(?:{_SORRY}(?:{_I_MEANT})?|{_I_MEANT})(?P<tests>[^.!?:;\"“”«»\n]{{3,120}}?)"
    rf"(?:,? {_NOT} (?P<old>[^.!?:;,\"“”«»\n]{{3,80}}))?[.!]{{0,2}}\s{{0,4}}\Z",
    re.IGNORECASE,
)
_TOO = re.compile(r"\b(?:too|also|as well|both|auch|aussi|también|anche|ook|também|också|też|również)\b", re.IGNORECASE)
"""Words of a wish for one more."""
_FIELDS = ("question", "answer", "ground_truth")


class Amended(NamedTuple):
    """A text without such a paragraph, the field that it corrects, the right value, and the wrong one."""

    text: str
    field: str
    value: str
    old: str


def amended(text: str) -> Amended | None:
    """What the last paragraph corrects; `None` where it corrects nothing, or does not say what was wrong."""
    before, gap, last = text.rstrip().rpartition("\n\n")
    if not gap or len(last) > _LONGEST or not _SLIP.search(last):
        return None
    spans = spans_of(last)
    if not spans:
        return None
    start, end = spans[0]
    clause = " ".join(_ADVERB.sub(" ", last_clause(last[:start])).split())
    field = told_by(clause, last[start + 1 : end])
    wrong = _OLD.fullmatch(last[end + 1 :].strip(" ,;–—-"))
    if field not in _FIELDS or wrong is None:
        return None
    return Amended(before, field, last[start + 1 : end].strip(), wrong["old"].strip())


def with_amendment(payload: Payload, told: Amended) -> Payload:
    """The payload with the right value. Raises `QueryError` where the part is not the wrong one."""
    if getattr(payload, told.field) != told.old:
        raise QueryError(f"It is unclear which part {told.old[:40]!r} is.", "Send the query again with the right part.")
    return payload.model_copy(update={told.field: told.value})


class Meant(NamedTuple):
    """A text without a last sentence that says which tests were meant, these, and those that were named by mistake."""

    text: str
    tests: list[str]
    old: list[str]


def tests_meant(text: str) -> Meant | None:
    """The tests that the last sentence says were meant; `None` where it is no such sentence."""
    near = max(0, len(text) - _LONGEST)
    for said in _MEANT.finditer(text, near):
        meant, old = said["tests"], said["old"] or ""
        told = lists_only_names(meant) and not _TOO.search(said[0])
        if told and (lists_only_names(old) or not old):
            return Meant(text[: said.start()], names_listed(meant, short=True), names_listed(old, short=True))
    return None


def with_tests_meant(payload: Payload, told: Meant) -> Payload:
    """The payload with the right tests. Raises `QueryError` where it is unclear which ones they replace."""
    old = told.old or payload.tests
    if not set(old) <= set(payload.tests) or (not told.old and len(old) > 1):
        raise QueryError("It is unclear which tests the last sentence takes back.", "Name the wanted tests alone.")
    first = min(map(payload.tests.index, old))
    kept = [name for name in payload.tests if name not in (*old, *told.tests)]
    return payload.model_copy(update={"tests": [*kept[:first], *told.tests, *kept[first:]]})
