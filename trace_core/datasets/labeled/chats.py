"""Chats as messengers export them, a line a message: `10/06/25, 09:01 - Ada: …`; a bot answers a person."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from trace_core.datasets.cells import parts_of
from trace_core.datasets.joins.talks import Turn, asked_and_said
from trace_core.datasets.words import holds_documents, speaks_of_a_bot
from trace_core.errors import InputError

_MESSAGE = re.compile(
    r"\u200e?\[?\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:[ \u202f][AaPp]\.?[Mm]\.?)?"
    r"(?:\]| [-–]) (?P<said>.*)", re.DOTALL
)  # fmt: skip
_LOOKED_AT, _LEAST = 40, 3
"""The first lines, and the messages that must be in them."""
_LONGEST = 60
"""The longest name, in characters."""


class _Said(NamedTuple):
    who: str
    lines: list[str]


def is_chat(lines: Iterable[str]) -> bool:
    """Whether the first lines are messages, each with its time and most with a name."""
    first = [line for line in islice(lines, _LOOKED_AT) if line.strip()]
    found = [match["said"] for line in first if (match := _MESSAGE.match(line))]
    return bool(first and _MESSAGE.match(first[0])) and sum(map(bool, map(_name, found))) >= _LEAST


def chat_rows(lines: Iterable[str], name: str) -> Iterator[tuple[int, Any]]:
    """A row for each question, numbered from 1. Raises `InputError` where no name, or more than one, is a bot's."""
    said = list(_messages(lines))
    bots = {one.who for one in said if speaks_of_a_bot(one.who)}
    if len(bots) != 1:
        found = ", ".join(dict.fromkeys(one.who for one in said))[:120]
        wrong = f"It is a chat of {found}; which of them is the bot is not known."
        raise InputError(wrong, "Call the one that answers Bot, or save it as a table.", file=name)
    turns = (_turn(one, one.who not in bots) for one in said)
    yield from enumerate(asked_and_said(turns), start=1)


def _messages(lines: Iterable[str]) -> Iterator[_Said]:
    """The messages, with the lines that go on with them; not those of the messenger itself."""
    held: _Said | None = None
    for line in lines:
        match = _MESSAGE.match(line)
        if match is None:
            if held:
                held.lines.append(line.rstrip("\r\n"))
            continue
        if held and held.who:
            yield held
        who = _name(match["said"])
        held = _Said(who, [match["said"][len(who) + 1 :].strip()])
    if held and held.who:
        yield held


def _name(said: str) -> str:
    """The name before a message; empty where the messenger itself speaks."""
    at = said.find(": ", 0, _LONGEST)
    return said[:at] if at > 0 else ""


def _turn(one: _Said, by_person: bool) -> Turn:
    """What was said; of a bot's message, the texts below a line that names them: `Sources:`."""
    at = next((n for n, line in enumerate(one.lines) if n and not by_person and _is_heading(line)), len(one.lines))
    below = "\n".join(one.lines[at + 1 :]).strip()
    found = parts_of(below, lined=True) if below else []
    return Turn(by_person, "\n".join(one.lines[:at]).strip(), tuple(found))


def _is_heading(line: str) -> bool:
    label = line.strip(" *_:：")
    return line.strip(" *_").endswith((":", "：")) and holds_documents(label)
