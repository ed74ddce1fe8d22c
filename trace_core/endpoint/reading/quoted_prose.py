"""A sample in running prose, each of whose texts is quoted.

The rules of `narrated` read a story only where they know every word that leads to a text. Here a model weighs the words
around each quotation; what it cannot see, a text without quotation marks or one that is taken back, makes the query
unclear.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from trace_core.endpoint.payload import QueryError, unclear
from trace_core.endpoint.reading.guards import held_beside
from trace_core.endpoint.reading.language.described import described
from trace_core.endpoint.reading.language.names import nearest
from trace_core.endpoint.reading.language.plain_tests import (
    all_wished,
    hold_names,
    misspelled,
    names_before,
    unknown_wished,
)
from trace_core.endpoint.reading.language.slips import corrects
from trace_core.endpoint.reading.language.text import says_none
from trace_core.endpoint.reading.language.words import field_named
from trace_core.endpoint.reading.leads.marks import joins, nested
from trace_core.endpoint.reading.leads.misleading import misleads
from trace_core.endpoint.reading.leads.surroundings import ROLES
from trace_core.endpoint.reading.leads.told import last_clause
from trace_core.endpoint.reading.narrated import EDITED, split_lead, whole
from trace_core.endpoint.reading.plain import fields_of
from trace_core.endpoint.reading.prose.quotations import WITHIN, Quotation, quotations, with_roles
from trace_core.endpoint.reading.prose.relevant import told_relevant
from trace_core.endpoint.reading.prose.roles import MOST, ONCE, hold_unneeded, likeliest
from trace_core.endpoint.registry import needs_of

_LONGEST = 20_000
"""The most characters of such a query."""
_LONGEST_CLAUSE = 200
_NAME = 6
"""The most words of a name, or of a remark."""
_NO_PARTS = {"tests", "relevant_context_ids", "unused"}
_SENTENCE_END = re.compile(r"[.!?]\s")
_GOES_ON = re.compile(r"[ \t]{1,4}[^\W\d_]")
_WRONG = re.compile(
    r"[^.!?\n]{0,200}?\b(?:as (?:\w{1,10} )?(?:wrong|incorrect|false)|als falsch|comme (?:fausse|incorrecte)"
    r"|como (?:incorrect|err))",
    re.IGNORECASE,
)
"""`“…” or “…” as wrong answers`"""
_SPLIT = re.compile(r"\A[ ,]{0,3}[^\"“”„«».!?]{2,40},\s?\Z")
"""Between the halves of what was said: `“The museum,” it said, “is closed.”`."""
_CODE = re.compile(r">>>|[{}<>]|\b\w{1,30} ?= ?\Z|\w\((?!e?[sn]\))|\b(?:In|Out) ?\[\d")
_ITEM = re.compile(r"^[ \t]{0,8}(?:[-*•>]|\(?\d{1,3}[.)]|\[[\w.#/-]{1,40}\])[ \t]{1,4}[^\s\"“„«‘'‚”»]", re.MULTILINE)
"""An item without quotation marks, which may be a part."""


def read_quoted_prose(text: str) -> dict[str, Any]:
    """The canonical JSON. Raises `QueryError` where what is quoted, or what is asked for, is not clear."""
    parts = quotations(text) if len(text) <= _LONGEST else []
    if not 0 < len(parts) <= MOST:
        raise QueryError("The query is no prose with quotations.", "Send JSON.")
    outer = [*(part.gap for part in parts), text[parts[-1].end + 1 :]]
    needs = _needs(outer)
    roles = likeliest(text, parts, needs)
    hold_unneeded(text, parts, roles, needs)
    told = [one for one in zip(parts, roles, strict=True) if one[1] != "none"]
    if sentence := next(
        (part for part, role in zip(parts, roles, strict=True) if role == "none" and _says(part)), None
    ):
        raise unclear(sentence.text)
    _hold_series(told)
    for part, role in told:
        _hold_part(text, part, role)
    given = with_roles(text, told)
    if not given:
        raise QueryError("The query tells too little.", "Put labels before its parts: Question: Contexts: Answer:")
    ids = [one.get("id", str(place)) for place, one in enumerate(given.get("contexts", ()), start=1)]
    outer, relevant = told_relevant(outer, ids)
    beside = [*(split_lead(gap)[1] for gap in outer[:-1]), outer[-1]]
    _hold_outer(outer, beside)
    tests = _tests("\n".join(outer), "\n".join(beside))
    return given | ({"relevant_context_ids": relevant} if relevant else {}) | {"tests": tests}


def _says(part: Quotation) -> bool:
    """Whether the quotation is longer than a name, so that it may be a part."""
    return len(part.text.split()) > _NAME or (part.text.endswith((".", "?")) and " " in part.text)


def _needs(outer: Sequence[str]) -> set[str]:
    """What the tests need that are named outside of the quotations."""
    return needs_of(names_before("\n".join(outer), short=True))


def _hold_series(told: Sequence[tuple[Quotation, str]]) -> None:
    """Raise where `and` joins texts of two roles, or a second sentence tells another right answer."""
    for (_, role), (part, after) in pairwise(told):
        another = role == after == "ground_truth" and _SENTENCE_END.search(part.gap)
        twice = role == after and role in ONCE
        if another or twice or (role != after and part.lead.strip() and joins(part.lead)):
            raise unclear(part.text)


def _hold_part(text: str, part: Quotation, role: str) -> None:
    """Raise for a text that its clause denies or calls wrong, and for one that seems to be a part of what was said."""
    small = part.text[:1].islower()
    word = role != "ground_truth" and small and part.text.isalnum() and _GOES_ON.match(text, part.end + 1)
    half = small and _SPLIT.search(part.gap)
    held = nested(text, part.start, part.end) or fields_of(WITHIN.sub("", part.text, count=1))
    named = field_named(last_clause(part.lead).strip())
    clause = part.clause(text[part.end + 1 : part.end + _LONGEST_CLAUSE])
    labeled = named in ROLES and named != role
    told_otherwise = says_none(part.text) or misleads(clause, role) or _WRONG.match(text, part.end + 1) or labeled
    if word or half or held or told_otherwise or not _whole(part.lead, last_clause(part.lead)):
        raise unclear(part.text)


def _whole(lead: str, clause: str) -> bool:
    """Whether the quotation is no part of one that another clause of the sentence leads to."""
    after = lead.rpartition(":")[2]
    return joins(after) or whole(_SENTENCE_END.split(lead)[-1], clause)


def _hold_outer(outer: Sequence[str], beside: Sequence[str]) -> None:
    """Raise for code, a correction, and a part without quotation marks, which would be lost."""
    for one in outer:
        if _CODE.search(one) or _ITEM.search(one):
            raise unclear(one.strip())
        if said := corrects(one):
            raise unclear(said)
    for one in [*outer[1:-1], outer[-1].partition("\n\n")[0]]:
        held_beside(one)
        if edited := EDITED.search(one):
            raise unclear(edited[0])
    for one in beside:
        if fields_of(one) - _NO_PARTS:
            raise unclear(one.strip())


def _tests(outer: str, beside: str) -> list[str]:
    """The tests that are named outside of the quotations, or wished for beside the clauses that lead to them."""
    tests = names_before(outer, short=True) or misspelled(outer)
    tests = tests or unknown_wished(beside) or all_wished(beside) or described(beside)
    hold_names(outer)
    if not tests:
        raise QueryError("The query names no tests.", "Begin with, for example: Evaluate: answer_accuracy")
    return list(dict.fromkeys(nearest(name.replace("_", " ")) or name for name in tests))
