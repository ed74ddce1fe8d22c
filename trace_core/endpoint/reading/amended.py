"""What the end of a query corrects: a part, `Oops, wrong line. The answer was actually “…”, not “…”.`, or the tests,
`Sorry, I meant context recall, not precision.`
"""

from __future__ import annotations

import re
from typing import NamedTuple

from trace_core.endpoint.payload import Payload, QueryError
from trace_core.endpoint.reading.language.name_lists import lists_only_names, names_listed
from trace_core.endpoint.reading.language.slips import INSTEAD, SLIP, SORRY, corrects
from trace_core.endpoint.reading.leads.marks import spans_of
from trace_core.endpoint.reading.leads.told import last_clause, told_by

_LONGEST = 600
_ADVERB = re.compile(
    r"\b(?:actually|really|in fact|eigentlich|tatsächlich|en fait|en réalité|en realidad|in realtà|na verdade|eigenlijk"
    r"|egentligen|naprawdę)\b",
    re.IGNORECASE,
)
_OLD = re.compile(
    r"[ ,;–—-]{0,4}(?:[^\"“”„«»\n.!?]{0,40} )?(?:instead of|rather than|not|anstelle von|statt|nicht|au lieu de|et non"
    r"|pas|en lugar de|en vez de|y no|no|invece di|non|em vez de|e não|não|in plaats van|niet|istället för|inte|zamiast"
    r"|nie) [\"“„«]?(?P<old>[^\"“”„«»\n]{1,200}?)[\"“”»]?[.!]{0,3}(?=\s|\Z)",
    re.IGNORECASE,
)
_NOT = (
    r"(?:instead of|rather than|(?:and )?not|anstelle von|statt|(?:und )?nicht|au lieu de|(?:et )?(?:non )?pas"
    r"|en lugar de|en vez de|y no|no|invece di|(?:e )?non|em vez de|e não|não|in plaats van|(?:en )?niet|istället för"
    r"|(?:och )?inte|zamiast|a? ?nie)"
)
_I_MEANT = (
    r"(?:(?:i|we) (?:mean|meant)|ich mein(?:t)?e|je voulais dire|quería decir|quise decir|volevo dire"
    r"|queria dizer|quis dizer|ik bedoel(?:de)?|jag menade?|mia(?:łe|ła)m na myśli)\b:? "
)
_MEANT = re.compile(
    rf"(?<=[.!?\"”“»)\w\n])\s{{1,4}}(?:{SORRY}(?:{_I_MEANT})?|{_I_MEANT})(?P<tests>[^.!?:;\"“”«»\n]{{3,120}}?)"
    rf"(?:,? {_NOT} (?P<old>[^.!?:;,\"“”«»\n]{{3,80}}))?[.!]{{0,2}}\s{{0,4}}\Z",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\s{0,4}(?:\Z|\n|[^\W\d_a-zß-ÿ]|[¡¿\"“„«(\[])")
"""The end of the text, or the next sentence."""
_TOO = re.compile(r"\b(?:too|also|as well|both|auch|aussi|también|anche|ook|também|också|też|również)\b", re.IGNORECASE)
"""Words of a wish for one more."""
_FIELDS = ("question", "answer", "ground_truth")


class Amended(NamedTuple):
    """A text without such a sentence, the field that it corrects, the right value, and the wrong one if told."""

    text: str
    field: str
    value: str
    old: str


def amended(text: str) -> Amended | None:
    """What a sentence corrects that takes back a part and quotes the right one; `None` where none does, or several do.

    It has the last paragraph to itself, or follows a quotation: elsewhere it may belong to an answer.
    """
    spans = spans_of(text)
    ends = [0, *(end + 1 for _, end in spans)]
    last = text.rstrip().rfind("\n\n") + 2
    found = [told for place, span in zip(ends, spans, strict=False) if (told := _amended(text, place, span, last))]
    return found[0] if len(found) == 1 else None


def _amended(text: str, place: int, span: tuple[int, int], last: int) -> Amended | None:
    """What the sentence before a quotation corrects, which begins after the `place` where another one ends, or where
    the `last` paragraph begins.
    """
    start, end = span
    alone = max(place, 1) < last <= start
    lead = text[last if alone else place : start]
    slip = len(lead) <= _LONGEST and (SLIP.search(lead) or INSTEAD.search(lead) if alone else place and corrects(lead))
    if not slip:
        return None
    value = text[start + 1 : end].strip()
    field = told_by(" ".join(_ADVERB.sub(" ", last_clause(lead)).split()), value)
    old = _OLD.match(text, end + 1)
    rest = text[old.end() if old else end + 1 :].lstrip(".!")
    if field not in _FIELDS or not _ENDS.match(rest) or (alone and rest.strip()):
        return None
    return Amended(f"{text[: start - len(lead)]}{_first(lead)}{rest}", field, value, old["old"].strip() if old else "")


def _first(lead: str) -> str:
    """What stands before the sentence that takes something back."""
    told = corrects(lead)
    before = lead[: lead.find(told)] if told else ""
    return before[: max(before.rfind(mark) for mark in ".!?\n") + 1]


def with_amendment(payload: Payload, told: Amended) -> Payload:
    """The payload with the right value. Raises `QueryError` where it is unclear which one that replaces."""
    held = getattr(payload, told.field)
    if not isinstance(held, str) or (told.old and held != told.old):
        raise QueryError(f"It is unclear what {told.value[:40]!r} replaces.", "Send the query again, put right.")
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
