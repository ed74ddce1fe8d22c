"""A sample in running prose, each of whose texts is quoted: what they are is judged for all of them together.

The rules of `narrated` read a story only where they know every word that leads to a text. Here a model weighs the words
around each quotation, and the likeliest roles are taken where no other roles are nearly as likely.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from trace_core.endpoint.payload import QueryError
from trace_core.endpoint.reading.guards import held_beside
from trace_core.endpoint.reading.language.described import described
from trace_core.endpoint.reading.leads.misleading import misleads
from trace_core.endpoint.reading.leads.told import last_clause, told_by
from trace_core.endpoint.reading.language.names import nearest, without_names
from trace_core.endpoint.reading.language.plain_tests import (
    all_wished,
    hold_names,
    misspelled,
    names_before,
    unknown_wished,
)
from trace_core.endpoint.reading.prose.relevant import told_relevant
from trace_core.endpoint.reading.leads.surroundings import ROLES, Around, log_odds, place
from trace_core.endpoint.reading.language.text import says_none
from trace_core.endpoint.reading.plain import fields_of
from trace_core.endpoint.reading.narrated import EDITED
from trace_core.endpoint.reading.quoted import nested, spans_of

_SURE = 0.9
"""The least probability of all roles together."""
_BY_RULE = 3.0
"""The log-odds that a rule adds to the role that it tells."""
_ONCE = ("question", "answer")
_FORCED = 2.5
"""The most log-odds by which a role may be less likely than another one that it cannot have, as another text has it."""
_KEPT, _MOST, _LONGEST = 200, 40, 20_000
"""The likeliest combinations of roles that are pursued, and the most quotations and characters of such a query."""
_ID = r"(?=[\w.#/-]{0,20}\d)\w[\w.#/-]{0,40}"
_ID_BEFORE = re.compile(
    rf"(?:\[(?P<marked>[^\[\]\n]{{1,64}})\]|\((?P<held>{_ID})\)|\((?:id|nr|no)[ .:=]{{1,3}}(?P<told>[\w.#/-]{{1,40}})\)|(?<![\w.#/-])(?P<bare>{_ID}))"
    r"(?:[ ](?:says?|reads?|states?|sagt|lautet|dit|dice|diz))?[ \xa0:=,(–-]{0,4}\Z"
)
_ID_AFTER = re.compile(
    rf"[ \t]{{0,2}}[(\[](?:(?:id|nr|no)[ .:=]{{1,3}}(?P<told>[\w.#/-]{{1,40}})|(?P<id>{_ID}))[)\]]"
    rf"|[ ](?:under|as|unter|als|sous|comme|como|come)[ ](?P<named>{_ID})\b"
)
_ID_WITHIN = re.compile(r"\[(?P<id>[^\[\]\n]{1,64})\][ \t]{1,4}")
_WRONG = re.compile(
    r"[^.!?\n]{0,200}?\bas (?:\w{1,10} )?(?:wrong|incorrect|false)|[^.!?\n]{0,200}?\bals falsch|[^.!?\n]{0,200}?\bcomme (?:fausse|incorrecte)"
    r"|[^.!?\n]{0,200}?\bcomo (?:incorrect|err)", re.IGNORECASE,
)
_SPLIT = re.compile(r"\A[ ,]{0,3}[^\"“”„«».!?]{2,40},\s?\Z")
"""Between the halves of what was said: `“The museum,” it said, “is closed.”`."""
_CODE = re.compile(r">>>|[{}<>]|\b\w{1,30} ?= ?\Z|\w\(|\b(?:In|Out) ?\[\d")
_LIST = re.compile(r"^[ \t]{0,8}(?:[-*•>]|\(?\d{1,3}[.)]|\[[\w.#/-]{1,40}\])[ \t]{1,4}[^\s\"“„«‘'‚”»]", re.MULTILINE)
"""An item without quotation marks, which may be a part."""


class Quotation(NamedTuple):
    """A quoted text, and the words between it and the one before it."""

    text: str
    start: int
    end: int
    gap: str


class Roles(NamedTuple):
    """Roles of the first quotations, their log-odds, and by how much each is less likely than the likeliest."""

    odds: float
    roles: list[str]
    forced: list[float]


def read_quoted_prose(text: str) -> dict[str, Any]:
    """The canonical JSON. Raises `QueryError` where what is quoted, or what is asked for, is not clear."""
    parts = quotations(text)
    if not parts or len(parts) > _MOST or len(text) > _LONGEST:
        raise QueryError("The query is no prose with quotations.", "Send JSON.")
    outer = [*(part.gap for part in parts), text[parts[-1].end + 1 :]]
    roles = _roles(text, parts)
    told = [(part, role) for part, role in zip(parts, roles, strict=True) if role != "none"]
    for part, role in told:
        if says_none(part.text) or misleads(last_clause(part.gap), role) or _is_a_part(text, part) or _wrong(text, part):
            raise _unclear(part.text)
    given = _fields(text, told)
    names = [one["id"] if isinstance(one, dict) else str(i) for i, one in enumerate(given.get("contexts", []), start=1)]
    said, ids = told_relevant(outer, names)
    beside = [*map(_without_lead, said[:-1]), said[-1]]
    _hold(said, beside)
    relevant = {"relevant_context_ids": ids} if ids else {}
    return given | relevant | {"tests": _tests("\n".join(said), "\n".join(beside))}


def _is_a_part(text: str, part: Quotation) -> bool:
    """Whether the quotation seems to be a part of what was said, or to hold another one."""
    goes_on = re.match(r"[ \t]{1,4}[^\W\d_]", text[part.end + 1 : part.end + 8]) is not None
    words = part.text[:1].islower() and part.text[-1:].isalnum() and " " not in part.text
    continued = text[: part.start].rstrip().endswith(",") and part.text[:1].islower() and _SPLIT.search(part.gap)
    return bool((words and goes_on) or continued or nested(text, part.start, part.end) or fields_of(part.text))


def _wrong(text: str, part: Quotation) -> bool:
    """Whether the rest of the sentence says that it is wrong: `we do not count “…” or “…” as wrong answers`."""
    return _WRONG.match(text, part.end + 1) is not None


def _without_lead(gap: str) -> str:
    clause = last_clause(gap)
    return gap[: gap.rfind(clause)] if clause else gap


def _hold(outer: Sequence[str], beside: Sequence[str]) -> None:
    """Raise for code, a correction, and a label without a quotation, whose part would be lost."""
    for one in outer:
        if _CODE.search(one) or _LIST.search(one):
            raise _unclear(one.strip())
    for one in [*outer[1:-1], outer[-1].partition("\n\n")[0]]:
        held_beside(one)
        if EDITED.search(one):
            raise _unclear(one.strip())
    for one in beside:
        if fields_of(one) - {"tests", "relevant_context_ids", "unused"}:
            raise _unclear(one.strip())


def quotations(text: str) -> list[Quotation]:
    """The quotations that are no tests' names."""
    spans = [(a, b) for a, b in spans_of(text) if re.search(r"\w", without_names(text[a + 1 : b]))]
    befores = [0, *(end + 1 for _, end in spans)]
    return [
        Quotation(text[a + 1 : b].strip().removesuffix(","), a, b, text[place:a]) for place, (a, b) in zip(befores, spans, strict=False)
    ]


def arounds(text: str, parts: Sequence[Quotation]) -> Iterator[Around]:
    """What the model looks at, without the roles of the quotations before."""
    sizes = [len(part.text) for part in parts]
    ends = [*(part.start for part in parts[1:]), len(text)]
    for number, (part, until) in enumerate(zip(parts, ends, strict=False)):
        yield Around(part.gap, text[part.end + 1 : until], part.text, None, place(number, sizes))


def _roles(text: str, parts: Sequence[Quotation]) -> list[str]:
    """The likeliest roles of all quotations together. Raises `QueryError` where others are nearly as likely."""
    found = [Roles(0.0, [], [])]
    for part, around in zip(parts, arounds(text, parts), strict=True):
        found = sorted(_longer(found, part, around), key=lambda one: one.odds, reverse=True)[:_KEPT]
    best, *others = found
    chance = np.exp(best.odds - np.logaddexp.reduce([one.odds for one in found]))
    for number, part in enumerate(parts):
        doubtful = chance < _SURE and others[0].roles[number] != best.roles[number]
        if doubtful or best.forced[number] > _FORCED:
            raise _unclear(part.text)
    return best.roles


def _longer(found: Sequence[Roles], part: Quotation, around: Around) -> Iterator[Roles]:
    """Each combination with each role that the next quotation may have."""
    rule = told_by(last_clause(part.gap), part.text)
    told = _BY_RULE * np.array([role == rule for role in ROLES])
    last = {one.roles[-1] if one.roles else None for one in found}
    after = {one: log_odds(around._replace(previous=one)) + told for one in last}
    for one in found:
        odds = after[one.roles[-1] if one.roles else None]
        for role, more in zip(ROLES, odds, strict=True):
            if not (role in _ONCE and role in one.roles):
                yield Roles(one.odds + more, [*one.roles, role], [*one.forced, odds.max() - more])


def _fields(text: str, told: Sequence[tuple[Quotation, str]]) -> dict[str, Any]:
    if not told:
        raise QueryError("The query tells too little.", "Put labels before its parts: Question: Contexts: Answer:")
    given: dict[str, Any] = {}
    for role in _ONCE:
        given |= {role: part.text for part, its in told if its == role}
    truths = [part.text for part, role in told if role == "ground_truth"]
    if truths:
        given["ground_truth"] = truths if len(truths) > 1 else truths[0]
    contexts = [part for part, role in told if role == "contexts"]
    if contexts:
        given["contexts"] = _contexts(text, contexts)
    return given


def _contexts(text: str, parts: Sequence[Quotation]) -> list[Any]:
    """Texts alone, or with the ids before, after or within the quotations."""
    within = [_ID_WITHIN.match(part.text) for part in parts]
    before = [_ID_BEFORE.search(part.gap) for part in parts]
    after = [_ID_AFTER.match(text, part.end + 1) for part in parts]
    for ids in (within, before, after):
        names = [next(filter(None, found.groups())).strip() for found in ids if found]
        if len(names) == len(parts) == len(set(names)):
            begins = [found.end() if found and ids is within else 0 for found in ids]
            return [
                {"id": name, "text": part.text[start:]} for name, part, start in zip(names, parts, begins, strict=True)
            ]
    if any(within) or any(after) or any(found and found["marked"] for found in before):
        raise _unclear(parts[0].text)
    return [part.text for part in parts]


def _tests(outer: str, beside: str) -> list[str]:
    """The tests that are named outside of the quotations, or wished for beside the clauses that lead to them."""
    tests = names_before(outer, short=True) or misspelled(outer)
    tests = tests or unknown_wished(beside) or all_wished(beside) or described(beside)
    hold_names(outer)
    if not tests:
        raise QueryError("The query names no tests.", "Begin with, for example: Evaluate: answer_accuracy")
    return list(dict.fromkeys(nearest(name.replace("_", " ")) or name for name in tests))


def _unclear(text: str) -> QueryError:
    return QueryError(f"It is unclear what {text[:40]!r} is.", "Put a label before it: Question: Contexts: Answer:")
