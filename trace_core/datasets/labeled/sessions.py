"""Logs of conversations, a turn a line: `[2025-03-01 10:00:02] USER: …`, `RETRIEVED (pool.md): …`, `ASSISTANT: …`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from trace_core.datasets.cells import parts_of
from trace_core.datasets.joins.talks import Turn, asked_and_said
from trace_core.datasets.labeled.said import may_be_asked, may_be_document, may_be_said
from trace_core.datasets.speech import MODELS, PEOPLE
from trace_core.datasets.text.encodings import is_text
from trace_core.datasets.words import asks, holds_documents, names_several, role_of
from trace_core.errors import InputError

_Part = Literal["question", "documents", "response", ""]
_TURN = re.compile(
    r"[\[(]?(?=\d)[\d:.,/+TZ-]{4,35}(?: [\d:.,+Z-]{4,20})?(?: ?[AaPp][Mm]\b| UTC)?[\])]?[ \t]{0,4}(?:[-–|][ \t]{1,4})?"
    r"(?:(?:DEBUG|INFO|NOTICE|\[(?:DEBUG|INFO|NOTICE)\])[ \t]{0,4}(?:[-–:|][ \t]{0,4})?)?"
    r"(?:\[(?P<tag>[^\W\d_]{1,20})\](?::(?=\s|$))?"
    r"|(?P<who>[^\W\d_]{1,20}(?: [^\W\d_]{1,20}){0,2})"
    r"(?: ?#?\d{1,3})?(?: ?(?:\([^()\n]{0,200}\)|\[[^\[\]\n]{0,200}\]))? ?:(?=\s|$))"
    r"(?P<said>.*)", re.DOTALL
)  # fmt: skip
"""A time, maybe a level, and who speaks: `INFO User:`, `Retrieved documents:`, `Chunk 2 (pool.md):`, `[BOT]`."""
_OTHERS = frozenset("system session debug info notice warn warning error critical fatal".split())
"""Labels of lines that are no turn."""
_HINT = (
    "Write the time and USER:, RETRIEVED: or ASSISTANT: at the beginning of each line, one question after the other."
)


class Said(NamedTuple):
    """What a line says, and whose part it is; none is empty."""

    part: _Part
    who: str
    text: str


def is_session(entries: Iterable[str]) -> bool:
    """Whether each of the first lines of a log is a turn, a person asks, and a bot answers."""
    said = []
    for entry in entries:
        if (one := said_in(entry)) is None:
            return False
        said.append(one)
    parts = [one.part for one in said]
    answered = "question" in parts and "response" in parts[parts.index("question") :]
    return answered and _mostly(said, "question") and _mostly(said, "response") and all(map(_is_found, said))


def session_rows(entries: Iterable[str], name: str) -> Iterator[tuple[int, Any]]:
    """A row for each question, numbered from 1. Raises `InputError` at a line that is no turn of two who take turns."""
    yield from enumerate(asked_and_said(_turns(entries, name)), start=1)


def said_in(entry: str) -> Said | None:
    """What a line says and who says it; the part is empty for what is no turn, and null is a line of another kind."""
    match = _TURN.match(entry)
    if match is None:
        return None
    who = match["tag"] or match["who"]
    part = _part(who)
    return None if part is None else Said(part, who, match["said"].strip())


def _part(who: str) -> _Part | None:
    """The part that somebody says: a person asks."""
    bare = who.lower()
    if bare in _OTHERS:
        return ""
    if bare in PEOPLE or (role_of(f"{who} message") == "question" and not asks(who)):
        return "question"
    if holds_documents(who):
        return "documents"
    return "response" if bare in MODELS or role_of(who) in ("answer", "response") else None


def _mostly(said: Sequence[Said], part: _Part) -> bool:
    """Whether most texts of a part may be such."""
    fits = [(may_be_asked if part == "question" else may_be_said)(one.text) for one in said if one.part == part]
    return 2 * sum(fits) >= len(fits)


def _is_found(one: Said) -> bool:
    """Whether what was found is nothing or a text."""
    return one.part != "documents" or not one.text or may_be_document(one.text)


def _turns(entries: Iterable[str], name: str) -> Iterator[Turn]:
    """The turns, in their order. Raises `InputError` where several ask at a time, or answer."""
    bots, asked, answers, waits, several = set[str](), False, 0, False, False
    for entry in entries:
        one = said_in(entry)
        if not is_text(entry):
            raise InputError("This is not UTF-8 text.", "Save it as UTF-8.", file=name)
        if one is None or not _is_found(one):
            raise InputError(f"Nobody known says {entry[:80].strip()!r}.", _HINT, file=name)
        if one.part == "question":
            waits, asked, answers = waits or (asked and not answers), True, 0
        elif one.part == "response":
            bots.add(one.who.lower())
            answers += asked  # what a bot says first is a greeting
        several = several or answers > 1
        if len(bots) > 1 or (waits and several):
            raise InputError("Its lines do not say to which question they belong.", _HINT, file=name)
        if one.part:
            yield _turn(one)


def _turn(one: Said) -> Turn:
    if one.part != "documents":
        return Turn(one.part == "question", one.text)
    several = names_several(one.who)
    return Turn(False, documents=tuple(parts_of(one.text, lined=several, listed=several) if one.text else ()))
