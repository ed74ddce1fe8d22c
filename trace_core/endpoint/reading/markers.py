"""Marks of items that a reading has left within a text, which it has therefore not parted: `a: … c: …`, `1. … 3. …`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trace_core.endpoint.payload import Payload, QueryError
from trace_core.endpoint.reading.cited import cites
from trace_core.endpoint.reading.dashes import WORDS_OF_LABEL
from trace_core.endpoint.reading.language.roles import said_by
from trace_core.endpoint.reading.language.series import BEFORE
from trace_core.endpoint.reading.language.words import field_named

_CLOSE = r"[ \t]{0,2}(?P<close>[:)=]|[ \t][–—-])(?=\s)"
_LETTER = re.compile(rf"(?<=\s)([A-Za-z]){_CLOSE}")
_BEGINS_LINE = re.compile(rf"^[ \t]{{0,8}}(?:[*•-][ \t]{{1,4}})?(?P<id>[A-Za-z]){_CLOSE}", re.MULTILINE)
_MARKED = re.compile(rf"(?<!\w)(?P<id>[A-Za-z]){_CLOSE}")
_NUMBER_BEFORE = re.compile(r"(?:^|\W)\d{1,2}[.)][ \t]{1,4}\Z")
_BEGINNING, _NEAR = 40, 8
"""In characters: enough to find a text again, and the longest mark before it."""
_NUMBERED = re.compile(r"(?<=[.!?;,])[ \t]{1,4}\(?\d{1,2}[.)][ \t](?=\S)")
_KEPT = re.compile(r"\(?[A-Za-z]\)[ \t]|[A-Za-z][ \t]?=[ \t]|[A-Za-z][ \t][–—-][ \t]")
_INITIAL = re.compile(r"[A-Z]\.[ \t]")
_INITIALS = re.compile(r"(?<=[.!?;])[ \t]{1,4}[A-Z]\.[ \t]")
_IN_ANSWER = re.compile(r"(?<=[.!?;,|])[ \t]{1,4}(?:[b-pr-zB-PR-Z])[ \t]?[:：](?=\s)")
_DASHED = re.compile(rf"[ \t]{{0,8}}(?:[*•-][ \t]{{1,4}})?{WORDS_OF_LABEL}[ \t]{{1,4}}[-–—](?=[ \t])")


def hold_markers(payload: Payload, text: str) -> None:
    """Raise for a text that holds the mark of another one."""
    if mark := next(_left(payload, text), ""):
        raise QueryError(
            f"It is unclear whether {mark.strip()!r} begins another text.",
            "Put each context on its own line, or send JSON.",
        )


def _left(payload: Payload, text: str) -> Iterator[str]:
    contexts = payload.contexts
    yield from _other_letters(payload, text)
    if len(contexts) == 1 and (mark := _NUMBERED.search(contexts[0].text)):
        begin = text.find(contexts[0].text[:_BEGINNING])
        if begin > 0 and _NUMBER_BEFORE.search(text[max(0, begin - _NEAR) : begin]):
            yield mark[0]
    if len(contexts) == 1 and _INITIAL.match(contexts[0].text) and (mark := _INITIALS.search(contexts[0].text)):
        yield mark[0]
    yield from (context.text[:3] for context in contexts if context.text.startswith("[ ]"))
    kept = [mark for context in contexts if (mark := _KEPT.match(context.text))]
    if kept and len(kept) == len(contexts) and (len(kept) > 1 or _LETTER.search(contexts[0].text)):
        yield kept[0][0]
    yield from cites(payload.question or "")
    if mark := _IN_ANSWER.search(payload.answer or ""):
        yield mark[0]
    if contexts and (label := _DASHED.match(contexts[-1].text.rpartition("\n")[2])) and "\n" in contexts[-1].text:
        said = said_by(label["label"])
        if field_named(label["label"]) or (said and (said.whole or said.field == "relevant_context_ids")):
            yield label[0]


def _other_letters(payload: Payload, text: str) -> Iterator[str]:
    """The letters in a context that are marked as the first one's id is, and are no other context's."""
    known = [context.id for context in payload.contexts if len(context.id) == 1 and context.id.isalpha()]
    first = known[0] if known else ""
    styles = {said["close"] for said in _MARKED.finditer(text) if said["id"] == first}
    lined = len(known) > 1 and {said["id"] for said in _BEGINS_LINE.finditer(text)}.issuperset(known)
    for context in payload.contexts if styles else []:
        for mark in _LETTER.finditer(context.text) if context.id in known else ():
            own = mark["close"] in styles and mark[1].isupper() == first.isupper() and mark[1] not in known
            before = context.text[max(0, mark.start() - _NEAR) : mark.start()].rstrip()
            if own and (not lined or before.endswith(BEFORE)):  # `Group C: …` in a line of its own is a text
                yield mark[0]
