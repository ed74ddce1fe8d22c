"""A whole query in another notation than JSON: TOML, YAML, a web form, a log line, a pasted table."""

from __future__ import annotations

import csv
import re
import shlex
import tomllib
from collections.abc import Mapping
from configparser import ConfigParser
from configparser import Error as ConfigParserError
from typing import Any
from urllib.parse import parse_qs

import yaml

from trace_core.endpoint.reading.language.plain_tests import names_before
from trace_core.endpoint.reading.language.text import LONGEST_LITERAL
from trace_core.endpoint.reading.language.words import field_named

_MOST_CELLS = 40
_LONGEST_YAML = 50_000
_FORM = re.compile(
    r"(?:(?:[A-Z]{3,6}[ ])?https?://[^\s?]{1,200}\?)?(?P<form>\w{1,40}=[^\s&]*(?:&\w{1,40}=[^\s&]*)+)"
    r"(?:[ ]HTTP/[\d.]{1,3})?"
)
"""Alone, or after an address."""
_BLOCKS = re.compile(
    r"^[ \t]{0,12}(?:- )?\w[\w -]{0,40}:[ \t]{0,4}[|>][+-]?[ \t]{0,4}$|^[ \t]{0,12}- \w{1,20}:[ \t]", re.MULTILINE
)
"""What of YAML is not read line by line: blocks of text, and lists of objects."""
_NESTED = re.compile(r"\w[\w-]{0,40}:[ \t]{0,8}(?:\n[ \t]{1,40}[^\n]{1,4000})+\s{0,8}")
"""One key with everything else below it."""
_TEXTS: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""A loader of texts alone, for which `yes` and `12:30` are what they say."""
_LISTS = ("contexts", "relevant_context_ids")
_ASSIGNED = re.compile(r"\s{0,4}(?P<name>[A-Za-z_]\w{0,40})[ \t]{0,2}=[ \t]{0,2}(?P<value>\S.*)")
_NUMBER = re.compile(r"[ _-]{0,2}\d{1,3}\Z")

Given = Mapping[str, Any]


def in_another_notation(text: str) -> Given | None:
    """The object that the text is in one of these notations, with several parts of a query; else `None`."""
    for read in (_options, _toml, _ini, _form, _yaml, _bars, _table):
        if (found := read(text)) and len(fields_in(found)) > 1:
            return found
    return None


def fields_in(given: Any, depth: int = 2) -> set[str]:
    """The fields that keys of the object, or of objects in it, name."""
    if not isinstance(given, dict):
        return set()
    held = [one for value in given.values() for one in (value[:2] if isinstance(value, list) else [value])]
    inner = [fields_in(one, depth - 1) for one in held] if depth else []
    return {field for key in given if (field := field_named(key))}.union(*inner)


def _options(text: str) -> Given | None:
    """The options of a command: `--question "…" --context "c1=…" --context "c2=…"`."""
    if text.count("--") < 2 or len(text) > LONGEST_LITERAL:
        return None
    try:
        words = shlex.split(text.replace("\\\n", " "))
    except ValueError:  # a quotation that does not end
        return None
    found: dict[str, list[str]] = {}
    field = ""
    for word in words:
        name, _, value = word.removeprefix("--").partition("=")
        if word.startswith("--") and (named := field_named(name)):
            field = named
            found.setdefault(field, []).extend([value] if value else [])
        elif field and not word.startswith("-"):
            found[field].append(word)
            field = field if field in _LISTS else ""
        elif field or word.startswith("--"):
            return None
    given = {field: values for field, values in found.items() if values}
    return {field: values if field in _LISTS or len(values) > 1 else values[0] for field, values in given.items()}


def _toml(text: str) -> Given | None:
    if "=" not in text or len(text) > LONGEST_LITERAL:
        return None
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


class _Cased(ConfigParser):
    """A parser that keeps the case of names, as they may be ids."""

    def optionxform(self, optionstr: str) -> str:
        """The name as it is."""
        return optionstr


def _ini(text: str) -> Given | None:
    """Sections of `name = value`; a section of contexts names each of them."""
    parser = _Cased(interpolation=None, delimiters=("=",), comment_prefixes=(";",), default_section="")
    try:
        parser.read_string(text)
    except ConfigParserError:
        return None
    found: dict[str, Any] = {}
    for name in parser.sections():
        found |= {"contexts": dict(parser[name])} if field_named(name) == "contexts" else dict(parser[name])
    return found


def _form(text: str) -> Given | None:
    """The encoding of web forms, `tests=…&question=…`."""
    found = _FORM.fullmatch(text)
    return {key: held if len(held) > 1 else held[0] for key, held in parse_qs(found["form"]).items()} if found else None


def _yaml(text: str) -> Given | None:
    if len(text) > _LONGEST_YAML or not (_BLOCKS.search(text) or _NESTED.fullmatch(text)):
        return None
    try:
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(text, Loader=_TEXTS)):
            return None  # aliases can multiply
        given = yaml.load(text, Loader=_TEXTS)  # noqa: S506
    except (yaml.YAMLError, RecursionError, ValueError):
        return None
    return _trimmed(given) if isinstance(given, dict) else None


def _trimmed(held: Any) -> Any:
    """The texts without the line end that a block has."""
    if isinstance(held, dict):
        return {key: _trimmed(value) for key, value in held.items()}
    return [_trimmed(value) for value in held] if isinstance(held, list) else held.rstrip("\n")


def _bars(text: str) -> Given | None:
    """One line of `tests=… | question=… | contexts=…`."""
    parts = [_ASSIGNED.fullmatch(part) for part in text.split(" | ")]
    if len(parts) < 2 or "\n" in text or not all(parts):
        return None
    return {part["name"]: part["value"].strip() for part in parts if part}


def _table(text: str) -> Given | None:
    """Two lines of names and values with commas, tabs or semicolons between; a line above may name the tests."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not 2 <= len(lines) <= 3 or len(lines[-2]) > 1000:
        return None
    tab = max("\t;,", key=lines[-2].count)
    try:
        names, values = csv.reader(lines[-2:], delimiter=tab, skipinitialspace=True)
    except (csv.Error, ValueError):  # a cell that is too long, or a line break within one
        return None
    if not 2 < len(names) < _MOST_CELLS or len(values) != len(names):
        return None
    found: dict[str, Any] = {}
    for name, value in zip(names, values, strict=True):
        several = _NUMBER.search(name.strip()) and field_named(_NUMBER.sub("", name.strip())) == "contexts"
        if several:
            found["contexts"] = [*found.get("contexts", []), value]
        elif field_named(name):
            found[name] = value
        elif len(lines) == 2:
            return None
    tests = names_before(lines[0]) if len(lines) == 3 else []
    return {**found, **({"tests": tests} if tests else {})}
