"""Contexts cited within a sentence: `it returned d4 ("Bees dance."), d9 ("Wasps build.") and d11 ("Queens live.")`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from trace_core.endpoint.payload import Payload, unclear
from trace_core.endpoint.reading.language.names import without_names
from trace_core.endpoint.reading.leads.marks import joins, spans_of
from trace_core.endpoint.reading.leads.told import last_clause, tells_contexts, told_by
from trace_core.endpoint.reading.sections import sections_of

_ID = r"(?:\[(?P<marked>[^\[\]\n]{1,64})\]|\((?P<number>\d{1,2})\)|(?<![\w.#§/-])(?P<id>[\w#§][\w.#/-]{0,40}))"
_QUOTED = r"(?:[\"“”„«][ \xa0]{0,2}(?P<text>[^\"“”„«»\n]{1,5000}?)[ \xa0]{0,2}[\"“”»])"
_BEFORE = re.compile(
    rf"{_ID}[ \t]{{0,2}}(?:\({_QUOTED}\)|[:=–—-]?[ \t]{{0,2}}(?<!\w){_QUOTED.replace('text', 'plain')}"
    r"|\((?P<bare>[^()\"“”„«»\n]{1,60}[ ][^()\"“”„«»\n]{1,5000})\))"
)
_SINGLE = r"(?:(?<![^\s(])['‘](?=\S)(?P<single>(?:[^'’\"“”„«»\n]|['’](?=\w)){1,5000})['’])"
_AFTER = re.compile(rf"(?:{_QUOTED}|{_SINGLE})[ \t]{{0,2}}\((?:(?:id|nr|no)[ .:=]{{1,3}})?{_ID}\)")
_AS = re.compile(rf"{_QUOTED}[ \t]{{1,2}}(?:as|als|comme|como|come)[ ]{_ID}")
_AN_ID = re.compile(r".*\d.*|[A-Z]|[\w#]+(?:[._/-][\w]+)+")
_AN_ID_QUOTED = r"[\"“](?:[\w#./-]{0,20}\d[\w#./-]{0,20}|[A-Z])[\"”]"
_QUOTED_IDS = re.compile(
    r"\b(?:doc|document|context|chunk|passage|source|hit|snippet|dokument|kontext|documento|contexto|fragment|fragmento)s?"
    rf"[ ]{_AN_ID_QUOTED}(?:(?:,| and|, and| und| et| y| e| en)[ ]{_AN_ID_QUOTED}){{0,10}}",
    re.IGNORECASE,
)
"""`only doc "m2" is relevant`"""
_OTHERWISE = re.compile(
    r"\b(?:relevan\w{1,4}|pertinen\w{1,4}|rilevant\w|should|need\w{0,3}|expect\w{0,3}|correct\w{0,2}|right|gold|not|never"
    r"|miss\w{0,3}|n['’]t|nicht|kein\w{0,2}|soll\w{0,3}|erwart\w{1,3}|pas|attendu\w{0,2}|manqu\w{1,3}|no|esperad\w{1,2}"
    r"|falt\w{1,3}|non|attes\w|mancan\w{1,2}|niet|geen|verwacht\w{0,2}|não|inte|nie)\b",
    re.IGNORECASE,
)
"""The lead of texts that were not found, or that are the right ones."""
_SEARCH = re.compile(
    r"\b(?:search|retriever|retrieval|index|suche|recherche|búsqueda|buscador|ricerca|zoek\w{0,7})\b", re.IGNORECASE
)
_OPENS = re.compile(r"[ \t]{0,4}[\"“„«]")
_QUOTED_BEFORE = re.compile(r"[\"“”»’'](?=[ ,;.])")
"""The end of another text."""
_AND = re.compile(r"\b(?:and|und|et|y|e|en|och)\b")
_BESIDE = ("tests", "relevant_context_ids", "unused")
_SEVERAL, _MOST = 2, 200
_LONGEST_LEAD = 400


class _Cited(NamedTuple):
    start: int
    end: int
    name: str
    text: str


class Listed(NamedTuple):
    """A text with the contexts as a list at its end, what it says beside them, and the contexts."""

    text: str
    prose: str
    contexts: list[dict[str, str]]


def with_cited(text: str) -> Listed:
    """The text with the one series of contexts that a sentence cites by their ids as a list at its end.

    The text is unchanged where other parts have labels, and stays as it is where these are quoted, where there are two
    series, or none that was found.
    """
    unchanged = Listed(text, text, [])
    if sum(map(text.count, '("“„«')) < _SEVERAL or "{" in text:
        return unchanged
    for pattern in (_BEFORE, _AFTER, _AS):
        series = [one for one in _series(text, list(_cited(text, pattern))) if _found(text, one)]
        prose = _QUOTED_IDS.sub(_bare, _beside(text, series[0])) if len(series) == 1 else ""
        labels = [section for section in sections_of(prose) if section.field not in _BESIDE]
        if prose and all(_OPENS.match(prose, section.end) for section in labels):
            listed = "\n".join(f"[{one.name}] {one.text}" for one in series[0])
            contexts = [{"id": one.name, "text": one.text} for one in series[0]]
            return Listed(text if labels else f"{prose}\n\nContexts:\n{listed}", prose, contexts)
    return unchanged


def _bare(quoted: re.Match[str]) -> str:
    return re.sub(r"[\"“”]", "", quoted[0])


def hold_quoted(payload: Payload, prose: str) -> None:
    """Raise where something else is quoted beside the cited texts, and was taken for no part."""
    told = " ".join([payload.question or "", payload.answer or "", *payload.truths])
    for start, end in spans_of(prose):
        said = prose[start + 1 : end].strip()
        if re.search(r"\w", without_names(said)) and said.rstrip(",") not in told:
            raise unclear(said)


def _beside(text: str, cited: list[_Cited]) -> str:
    """The text without the series."""
    after = text[cited[-1].end :].lstrip(" ")
    ended = cited[-1].text.endswith((".", "!", "?")) and after[:1].isupper()
    space = "" if after.startswith((".", ",", ";", "!", "?", "\n")) else " "
    return f"{text[: cited[0].start].rstrip(' :')}{'.' if ended else ''}{space}{after}".rstrip()


def cites(text: str) -> Iterator[str]:
    """The first of several contexts that a text cites, whatever leads to them."""
    yield from (f"{series[0].name}" for series in _series(text, list(_cited(text, _BEFORE))))


def _cited(text: str, pattern: re.Pattern[str]) -> Iterator[_Cited]:
    for match in pattern.finditer(text):
        groups = match.groupdict()
        said = groups["text"] or groups.get("single") or groups.get("plain") or groups.get("bare") or ""
        marked = groups["marked"] or groups["number"]
        name = (marked or groups["id"].rstrip(".")).strip()
        if marked or _AN_ID.fullmatch(name):
            yield _Cited(match.start(), match.end(), name, said.strip())


def _series(text: str, cited: list[_Cited]) -> Iterator[list[_Cited]]:
    """The runs of several texts with nothing but commas and `and` between them, and with different ids."""
    run: list[_Cited] = []
    for one in [*cited[:_MOST], None]:
        if run and (one is None or not joins(text[run[-1].end : one.start])):
            if len({held.name for held in run}) == len(run) >= _SEVERAL:
                yield run
            run = []
        if one is not None:
            run.append(one)


def _found(text: str, cited: list[_Cited]) -> bool:
    """Whether the clause before the texts says that they were found."""
    lead = text[max(0, cited[0].start - _LONGEST_LEAD) : cited[0].start]
    clause = last_clause(_QUOTED_BEFORE.split(lead)[-1])
    clause = _AND.split(clause)[-1] if _OTHERWISE.search(clause) else clause
    told = told_by(clause) == "contexts" or tells_contexts(clause) or _SEARCH.search(clause)
    return bool(told) and not _OTHERWISE.search(clause)
