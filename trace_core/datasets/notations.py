"""Lists and objects in a cell: as JSON, or as Python, numpy or LangChain prints them."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from trace_core.errors import InputError

_OPENING = re.compile(r"\s*(?:[\[({]|array\()")
_SURELY = re.compile(r"\s*(?:\[\s*(?:['\"{]|[A-Z]\w*\()|\{\s*['\"]|array\(\[)")
_PYTHONS = re.compile(r"\s*[\[({]\s*'")
"""The start of a Python literal; no JSON begins like this."""
_NOTHING = {"nan", "NaN", "null", "NaT", "inf", "None"}
_WORDS = {"true": True, "false": False}
_PRINTED = re.compile(r"(?:^|\n)[ \t]{0,4}page_content=(?=['\"])")
"""The beginning of a document of LangChain's."""
_JSON = json.JSONDecoder(parse_constant=lambda _: None)
_LISTS = {"array", "list", "tuple", "set", "Series"}


def value_of(cell: Any) -> Any:
    """The cell's value: a list or an object where it is written as one, else the cell itself.

    Raises `InputError` for a cell that can only be a list or an object, but cannot be read as one: numpy and
    pandas abbreviate long ones.
    """
    if not isinstance(cell, str) or not _OPENING.match(cell):
        return cell
    for read in (_texts, _python) if _PYTHONS.match(cell) else (_json, _texts, _python):
        try:
            return read(cell)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    if _SURELY.match(cell):
        raise InputError(
            f"This looks like a list, and cannot be read as one: {cell.strip()[:60]!r}.",
            "Write it as JSON; a list that was shortened to … is not whole.",
        )
    return cell


def object_of(value: Any) -> Mapping[str, Any]:
    """The value, if it is an object; else an empty one."""
    return value if isinstance(value, dict) else {}


def read_object(text: str) -> dict[str, Any]:
    """The JSON object that a text is; an empty one where it is something else."""
    try:
        held = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return held if isinstance(held, dict) else {}


def objects_of(value: Any) -> list[Mapping[str, Any]]:
    """The objects in a list; none where there is no list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list | tuple) else []


def printed_documents(text: str) -> list[dict[str, Any]]:
    """LangChain's documents as `str` prints them: `page_content='…' metadata={…}`; none where the text is another."""
    if not text.startswith("page_content="):
        return []
    found = [_printed(part.strip()) for part in _PRINTED.split(text)[1:]]
    return [one for one in found if one] if all(found) else []


def _printed(part: str) -> dict[str, Any] | None:
    """A printed document without its first name; the quotation marks within its text may not be escaped."""
    quote = part[:1]
    held, about, rest = part.rpartition(f"{quote} metadata={{")
    literal = f"{held}{quote}" if about else part
    if len(literal) < 2 or not literal.endswith(quote) or (about and not rest.endswith("}")):
        return None
    return {"page_content": _unquoted(literal), "metadata": object_of(_known(f"{{{rest}"))}


def _unquoted(literal: str) -> str:
    """The text of a literal, or what stands between its marks where Python would not have written it so."""
    string = _STRING.fullmatch(literal) if "\\" in literal else None
    if string and (string[1] or string[2]):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                return str(ast.literal_eval(literal))
        except (ValueError, SyntaxError, Warning):
            pass
    return literal[1:-1]


def _known(text: str) -> Any:
    try:
        return _python(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def _json(text: str) -> Any:
    return _JSON.decode(text)


def _texts(text: str) -> list[str]:
    """The texts of a printed list, Python's or numpy's: numpy omits commas, so Python would join its texts."""
    inner = text.strip()
    if not (inner.startswith("[") and inner.endswith("]")):
        raise ValueError
    inner = inner[1:-1]
    found: list[str] = []
    gaps, place = set(), 0
    for start, end in _strings(inner):
        if found or inner[:start].strip():
            gaps.add(inner[place:start].strip())
        literal = inner[start:end]
        found.append(ast.literal_eval(literal) if "\\" in literal else literal[1:-1])
        place = end
    if inner[place:].strip() not in ("", ",") or not found or len(gaps) > 1 or gaps - {"", ","}:
        raise ValueError
    return found


_STRING = re.compile(r"""'[^'\\]*(?:\\.[^'\\]*)*('?)|"[^"\\]*(?:\\.[^"\\]*)*("?)""", re.DOTALL)
"""A quoted string, or everything after an unclosed quotation mark: then its group is empty."""


def _strings(text: str) -> list[tuple[int, int]]:
    """The start and end of each quoted string, found in one pass from left to right."""
    found = []
    for string in _STRING.finditer(text):
        if not (string[1] or string[2]):
            raise ValueError
        found.append(string.span())
    return found


def _python(text: str) -> Any:
    """A literal, or one inside printed calls: `array([…])` is its list, `Document(id=…)` an object."""
    places = _strings(text)
    if any(not text[end:start].strip() for (_, end), (start, _) in pairwise(places)):
        raise ValueError  # adjacent strings without a comma would be joined
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text.strip(), mode="eval")
    return _value(tree.body)


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Constant):
        return node.value.decode("utf-8", "replace") if isinstance(node.value, bytes) else node.value
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return [_value(item) for item in node.elts]
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return {str(_value(key)): _value(value) for key, value in pairs if key is not None}
    if isinstance(node, ast.Call):
        return _call(node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        number = _value(node.operand)
        if isinstance(number, int | float):
            return -number
    if isinstance(node, ast.Name) and (node.id in _NOTHING or node.id in _WORDS):
        return _WORDS.get(node.id)
    raise ValueError


def _call(node: ast.Call) -> Any:
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if name in _LISTS and node.args:
        return _value(node.args[0])
    if node.keywords and not node.args:
        return {part.arg: _plain(part.value) for part in node.keywords if part.arg}
    raise ValueError


def _plain(node: ast.expr) -> Any:
    """The node's value, or null if unreadable: a field that nobody needs must not spoil the object."""
    try:
        return _value(node)
    except ValueError:
        return None
