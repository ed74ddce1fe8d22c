"""A query in elements of XML, alone or within prose: `<context id="c1" relevant="true">…</context>`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from typing import Any, NamedTuple

from trace_core.endpoint.reading.formats.programs import Found
from trace_core.endpoint.reading.language.words import field_named

_TOKEN = re.compile(
    r"<!--(?:(?!<!--|-->).){0,2000}-->|<\?[^<>]{0,200}\?>|<!\[CDATA\[(?P<data>(?:(?!<!\[|\]\]>).){0,50000})\]\]>"
    r"|<(?P<close>/?)(?P<name>[A-Za-z][\w:-]{0,40})(?P<attributes>(?:\s{1,20}[\w:-]{1,40}\s?=\s?"
    r"(?:\"[^\"<>]{0,400}\"|'[^'<>]{0,400}'|[\w.-]{1,64})){0,12})\s{0,8}(?P<empty>/?)>",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(
    r"(?P<name>[\w:-]{1,40})\s?=\s?(?:\"(?P<double>[^\"]{0,400})\"|'(?P<single>[^']{0,400})'|(?P<bare>[\w.-]{1,64}))"
)
_DEEPEST = 12
_LISTS = ("contexts", "tests", "relevant_context_ids", "ground_truth")


class _Element(NamedTuple):
    """An element that is open, or complete."""

    name: str
    attributes: dict[str, str]
    start: int  # of what it holds
    children: list[tuple[str, Any]]


def in_elements(text: str) -> Found | None:
    """The object that the elements in the text make; `None` where they are not closed in order, or say less than two
    parts.
    """
    top = _Element("", {}, 0, [])
    stack = [top]
    outside: list[str] = []
    place = 0  # where the text outside goes on
    for token in _TOKEN.finditer(text):
        if token["name"] is None:
            continue
        if len(stack) == 1:
            outside.append(text[place : token.start()])
        if token["close"]:
            element = stack.pop()
            if not stack or element.name != token["name"]:
                return None
            stack[-1].children.append((element.name, _held(element, text[element.start : token.start()])))
        elif not token["empty"]:
            stack.append(_Element(token["name"], _attributes(token["attributes"]), token.end(), []))
        if len(stack) > _DEEPEST:
            return None
        place = token.end()
    given = _object(top.children) if len(stack) == 1 else {}
    if len(given) == 1 and isinstance(inner := next(iter(given.values())), dict):
        given = inner
    several = len({field_named(key) for key in given} - {None, "tests"}) > 1
    return Found(given, "\n".join([*outside, text[place:]])) if several else None


def _attributes(said: str) -> dict[str, str]:
    return {
        one["name"]: unescape(one["double"] or one["single"] or one["bare"] or "") for one in _ATTRIBUTE.finditer(said)
    }


def _held(element: _Element, inner: str) -> Any:
    """What an element holds: a text, a list of elements of one name, or an object."""
    mixed = re.search(r"\S", _TOKEN.sub("", _without_children(inner))) is not None
    if not element.children or mixed:
        said = _text(inner)
        return {**element.attributes, "text": said} if element.attributes else said
    names = {name for name, _ in element.children}
    if len(names) == 1 and (len(element.children) > 1 or field_named(element.name) in _LISTS):
        return [held for _, held in element.children]
    return {**element.attributes, **_object(element.children)}


def _without_children(inner: str) -> str:
    """The text that stands in the element itself, not in its children."""
    parts, depth, place = [], 0, 0
    for token in _TOKEN.finditer(inner):
        if token["name"] is None:
            continue
        if not depth:
            parts.append(inner[place : token.start()])
        depth += 0 if token["empty"] else -1 if token["close"] else 1
        place = token.end()
    return "".join([*parts, inner[place:]])


def _text(inner: str) -> str:
    """A text without the marks of `CDATA`, or with its entities as characters."""
    parts, place = [], 0
    for token in _TOKEN.finditer(inner):
        if token["data"] is not None:
            parts += [unescape(inner[place : token.start()]), token["data"]]
            place = token.end()
    return "".join([*parts, unescape(inner[place:])]).strip()


def _object(children: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """The children by name; several of one name are a list."""
    found: dict[str, list[Any]] = {}
    for name, held in children:
        found.setdefault(name, []).append(held)
    return {name: held[0] if len(held) == 1 else held for name, held in found.items()}
