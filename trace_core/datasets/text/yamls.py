"""YAML as values, in which a text is what is written, as in a table: `no` and `18:00` are no truth and no number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import yaml

from trace_core.errors import InputError

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_NOTHING = frozenset(("", "~", "null", "Null", "NULL"))
_DEEPEST = 100
"""The most lists and objects within each other."""


@dataclass(slots=True)
class _Open:
    """A list or an object whose end has not come; `key` is that of the value that comes next."""

    held: list[Any] | dict[str, Any]
    key: str | None = None

    def add(self, value: Any) -> None:
        """Add an element, a key or its value. Raises `InputError` for a key that is no text, or is there twice."""
        if isinstance(self.held, list):
            self.held.append(value)
        elif self.key is not None:
            self.held[self.key], self.key = value, None
        elif not isinstance(value, str):
            raise InputError("A name was expected before the colon.", "Put a text with braces in quotation marks.")
        elif value in self.held:
            raise InputError(f"The name {value[:60]!r} is there twice in one object.", "Write a list under it.")
        else:
            self.key = value


def yaml_documents(text: str, name: str) -> list[Any]:
    """The documents in the text, between lines of `---`; errors call the file `name`.

    Raises `InputError` where it is no YAML, and for aliases, as a few of them can stand for gigabytes.
    """
    found: list[Any] = []
    opened = [_Open(found)]
    event: Any = None
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            _take(event, opened)
    except InputError as error:
        where = f" (line {event.start_mark.line + 1})."
        raise InputError(error.message.removesuffix(".") + where, error.hint, file=name) from None
    except yaml.YAMLError as error:
        raise InputError(f"This is not YAML ({_problem(error)}).", _QUOTE, file=name) from None
    return found


_QUOTE = "Indent with spaces, and put texts with a colon or quotation marks between quotation marks."


def _take(event: Any, opened: list[_Open]) -> None:
    """Add what the parser found to the innermost list or object that is open."""
    if isinstance(event, yaml.AliasEvent):
        raise InputError(f"The alias *{event.anchor} is not read.", "Write what it stands for in its place.")
    if isinstance(event, yaml.ScalarEvent):
        opened[-1].add(_value(event))
    elif isinstance(event, yaml.CollectionStartEvent):
        if len(opened) > _DEEPEST:
            raise InputError(f"More than {_DEEPEST} lists and objects lie within each other.")
        opened.append(_Open({} if isinstance(event, yaml.MappingStartEvent) else []))
    elif isinstance(event, yaml.CollectionEndEvent):
        done = opened.pop()
        opened[-1].add(done.held)


def _value(scalar: Any) -> str | None:
    """The text, without the line end of a block; null where nothing is written, or `null` without quotation marks."""
    if scalar.implicit[0] and scalar.value in _NOTHING:
        return None
    text: str = scalar.value
    return text.rstrip("\n") if scalar.style in ("|", ">") else text


def _problem(error: yaml.YAMLError) -> str:
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
    return f"{problem}, line {mark.line + 1}" if mark and problem else str(error).splitlines()[0][:100]
