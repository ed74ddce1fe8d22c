"""Quoted parts in a sentence: `the answer "Paris" to the question "What is …?"`."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from trace_core.endpoint.payload import QueryError, unclear
from trace_core.endpoint.reading.language.described import ASKS_HOW
from trace_core.endpoint.reading.language.names import without_names
from trace_core.endpoint.reading.language.roles import said_by
from trace_core.endpoint.reading.language.words import PATTERNS
from trace_core.endpoint.reading.leads.marks import joins, nested, spans_of
from trace_core.endpoint.reading.leads.told import asks_about, contradicts, last_clause, told_by

_VERBS = {
    "contexts": ("found", "retrieved", "pages?"),
    "question": ("asked", "asks", "ask", "gefragt", "fragte", "demandé", "preguntó"),
    "answer": (
        "answered", "answers", "got", "replied", "replies", "responded", "responds",
        "geantwortet", "antwortete",
        "répondu", "respondió", "contestó",
    ),
}  # fmt: skip
_ROLES = re.compile(
    "|".join(
        rf"(?P<{field}>\b(?:{'|'.join((pattern, *_VERBS.get(field, ())))})\b)"
        for field, pattern in PATTERNS.items()
        if field != "tests"
    ),
    re.IGNORECASE,
)
LIST_NEXT = re.compile(r"[ \t]{0,4}[:：]\s{1,40}(?:[-*•]|\(?1[.)]|\[)[ \t\w]")
"""A list that the sentence with a quotation leads to: `these are the hits for “reset pin”:`."""
_FAITHFUL = re.compile(
    r"(?:(?!not|nicht|pas|no |non|niet|never)[^\W\d_]{1,8}[ ]){0,2}(?:(?:faithful|true)[ ]to|treu[ ]zu|fidèle[ ]à"
    r"|(?:fiel|fedele)[ ]a|getrouw[ ]aan)",
    re.IGNORECASE,
)
"""What stands between an answer and the text that it may be faithful to."""
ANOTHER = re.compile(
    r"\b(?:second|third|other|another|also|too|zweite\w?|dritte\w?|andere\w?|auch|ebenfalls|deuxième|troisième|autre"
    r"|aussi|également|segund[oa]|tercer[oa]?|otr[oa]|también|second[oa]|terz[oa]|altr[oa]|anche|outr[oa]|também|tweede"
    r"|derde|ander|ook|andra|tredje|även|drug[iea]|trzeci[ae]?|też|również)\b",
    re.IGNORECASE,
)
"""Words of one more text of a kind; without them the second right answer may be another one's correction."""
OR = re.compile(r"\b(?:or|oder|ou|o|of|eller|lub)\b", re.IGNORECASE)
_PAGE = re.compile(r"\bpages?\b", re.IGNORECASE)
_TO_IGNORE = re.compile(
    r"[^\"“”„«»\n.!?]{0,120}?\b(?:ignore|disregard|ignorier\w{0,3}|nicht beachten|ignorez|ignorad?"
    r"|ignorate|ignorar|ignorem?|negeer|negeren|ignorera|bortse|zignoruj|zignorować|pomiń)\b[^\"“”„«»\n.!?)]{0,60}(?:[.!?)]{1,3}|(?=\n)|\Z)",
    re.IGNORECASE,
)
"""The rest of a sentence that says of the quotation in it that it is to be ignored."""
_SENTENCE_END = re.compile(r"[.!?][)\"”»]?\s{1,4}|\n")
_LAST_CLAUSE = re.compile(r"\A.{0,5000}[.!?;:\n]", re.DOTALL)
"""What stands before it."""
_NO_ROLES = {"a", "q", "user", "assistant", "bot", "chatbot", "input"}
_MANY = ("contexts", "ground_truth", "relevant_context_ids")


def read_quoted(text: str, beside_labels: bool = False) -> dict[str, Any]:
    """The quoted parts, each named by the last word before it that says what it is; none where nothing is quoted.

    Raises `QueryError` for a part that is quoted twice, or that no word names, and for a question that something is
    said to be for, where nothing else is quoted or stands after labels.
    """
    found: dict[str, list[str]] = {}
    place, role, asked = 0, "", False
    for start, end in spans_of(text):
        if not re.search(r"\w", without_names(text[start:end])):
            continue  # a test's name
        gap, part = text[place:start], text[start + 1 : end].strip()
        asked = asks_about(last_clause(gap), f"{part}?" if LIST_NEXT.match(text, end + 1) else part)
        role = "question" if asked else _role(gap) or (role if role in _MANY and joins(gap) else "")
        if not role or (not asked and contradicts(gap, role)) or nested(text, start, end) or _again(gap, role, found):
            raise unclear(part)
        found.setdefault(role, []).append(part)
        place = end + 1
    if asked and len(found) == 1 and not beside_labels:
        raise QueryError("The query tells too little.", "Put labels before its parts: Question: Contexts: Answer:")
    twice = [role for role, parts in found.items() if len(parts) > 1 and role not in _MANY]
    if twice:
        raise QueryError(f"The {twice[0]} stands twice, so it is unclear which is meant.", "Send JSON instead.")
    return {role: parts if role in _MANY and len(parts) > 1 else parts[0] for role, parts in found.items()} | (
        {"contexts": found["contexts"]} if "contexts" in found else {}
    )


def _again(gap: str, role: str, found: Collection[str]) -> bool:
    """Whether the words before a text tell once more that it is the right answer, not that it is one more."""
    more = joins(gap) or ANOTHER.search(gap) or OR.search(gap)
    return role == "ground_truth" and role in found and not more


def beside(text: str) -> str:
    """The text without its quoted parts and the clauses that only tell what these are, which are no wish."""
    *leading, last = outer_parts(text)
    return " ".join([*map(_without_lead, leading), last])


def _without_lead(part: str) -> str:
    clause = last_clause(part)
    lead = clause and told_by(clause) and not ASKS_HOW.search(clause)
    return part[: part.rfind(clause)] if lead else part


def without_ignored(text: str, end: int) -> str:
    """The text without the sentences before `end` that quote something and say that it is to be ignored."""
    kept, place = [], 0
    for begins, ends in spans_of(text[:end]):
        remark = _TO_IGNORE.match(text, ends + 1, end)
        if remark and begins >= place:
            before = list(_SENTENCE_END.finditer(text, place, begins))
            kept.append(text[place : before[-1].end() if before else place])
            place = remark.end()
    return "".join([*kept, text[place:]]) if kept else text


def outer_parts(text: str) -> list[str]:
    """The parts of the text before, between and after its quoted parts."""
    places = [0, *(place for start, end in spans_of(text) for place in (start, end + 1)), len(text)]
    return [text[a:b] for a, b in zip(places[::2], places[1::2], strict=True)]


def quotations(text: str) -> int:
    """The number of quoted parts."""
    return len(spans_of(text))


def _role(gap: str) -> str:
    told = told_by(last_clause(gap))
    if told != "contexts" and _PAGE.search(gap):
        return ""  # a page that has changed, or that a visitor was on
    if told == "ground_truth":
        return told  # `the true answer is`
    if _FAITHFUL.fullmatch(gap.strip()):
        return "contexts"
    gap = without_names(gap)
    roles = [match.lastgroup for match in _ROLES.finditer(gap) if match.lastgroup and match[0].lower() not in _NO_ROLES]
    if roles and roles[-1] == "unused" and "relevan" in gap.lower():
        return ""  # a context that is not relevant is one all the same
    if roles:
        return roles[-1]
    said = said_by(_LAST_CLAUSE.sub("", gap.rstrip(" \n:")))
    return said.field if said and said.field in _VERBS else ""
