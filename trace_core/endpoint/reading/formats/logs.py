"""The parts of a query in lines of a log: `… question="…"`, `… hit id=c1 score=0.8 text="…"`."""

from __future__ import annotations

import re
from typing import Any

from trace_core.endpoint.reading.formats.programs import Found
from trace_core.endpoint.reading.language.text import LOGGED_TEXT, TEXT_FIRST, literal
from trace_core.endpoint.reading.language.words import field_named

_PAIR = re.compile(
    r"(?<!\S)(?P<name>[A-Za-z_]\w{0,40})(?:\[(?P<place>\d{1,3})\])?="
    r"(?P<value>\"[^\"\\]*(?:\\.[^\"\\]*)*\"|\[(?:[^\[\]\"\n]|\"[^\"\\\n]*(?:\\.[^\"\\\n]*)*\"){1,2000}\]|[^\s\"'|]\S*)"
)
_LOGGED = re.compile(r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d ")
"""The time before a line."""
_EVENT = re.compile(r"(?<!\S)(?:\w{1,40}\.){1,4}(?P<name>[A-Za-z]\w{0,40})[ \t]{1,4}(?=\")")
"""A name with dots before a text: `rag.question "…"`."""


def in_log(text: str) -> Found | None:
    """The object in a line as programs write logs, or in several lines that begin with their times."""
    lines = [line for line in text.splitlines() if line.strip()]
    logged = [line for line in lines if _LOGGED.match(line)] if len(lines) > 1 else lines
    given = _pairs("\n".join(logged))
    several = len({field_named(name) for name in given}) > 1
    prose = "\n".join(line for line in lines if not _LOGGED.match(line)) if len(lines) > 1 else ""
    return Found(given, prose) if several else None


def _pairs(text: str) -> dict[str, Any]:
    if not LOGGED_TEXT.search(text):
        text = TEXT_FIRST.sub(r"\g<id>\g<rest> \g<text>", text)
    text = _EVENT.sub(lambda event: f"{event['name']}=" if field_named(event["name"]) else event[0], text)
    pairs = [
        pair for pair in _PAIR.finditer(LOGGED_TEXT.sub(r'ctx="[\g<id>] \g<text>"', text)) if field_named(pair["name"])
    ]
    if not any(pair["value"].startswith('"') for pair in pairs):
        return {}
    found: dict[str, Any] = {}
    for pair in pairs:
        value = pair["value"]
        if value.startswith("[") and isinstance(listed := literal(value), list):
            found[pair["name"]] = listed
            continue
        value = value[1:-1].replace('\\"', '"') if value.startswith('"') else value
        several = pair["place"] is not None or pair["name"] in found
        held = found.get(pair["name"], [])
        found[pair["name"]] = [*(held if isinstance(held, list) else [held]), value] if several else value
    return found
