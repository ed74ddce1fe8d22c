"""A cell of text that is a whole list or object, opened: as JSON, or as Python or numpy prints it. Everything else in a
cell is its text: a table, a heading or a list within it is never read."""

import ast
import json
import re
import warnings
from typing import Any

import orjson

from trace_core.errors import InputError

_JSON = json.JSONDecoder(parse_constant=lambda _: None)
_ENDS = {"[": "]", "{": "}", "(": ")", "a": ")"}
_SURELY = re.compile(r"\[\s*['\"{]|\{\s*['\"]|array\(\[")
_STRING = r"""'[^'\\]*+(?:\\.[^'\\]*+)*+(?:'|\\?\Z)|"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)"""
_STRINGS = re.compile(f"(?s){_STRING}")
_ARRAY = re.compile(rf"(?s)(?:array\()?\[((?:\s*(?:{_STRING}))+)\s*\](?:,\s*dtype=\w+)?\)?")
_MESSAGE = re.compile(rf"(?s)content=({_STRING})(?:\s\w+=.*)?")
_NONE = {"nan", "NaN", "null", "NaT", "None"}


def open_cell(cell: Any) -> Any:
    """The list or the object that a cell of text is; any other cell unchanged. Raises `InputError` for a cell that can
    only be a list or an object, and is damaged or was shortened to `…`."""
    if not isinstance(cell, str):
        return cell
    text = cell.strip()
    if not text or _ENDS.get(text[0]) != text[-1] or (text[0] == "a" and not text.startswith("array(")):
        return cell
    for read in (json_value, _numpy, _python):
        try:
            value = read(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(value, list) and ... in value:
            raise InputError("This list was shortened when it was written.", "Write the file with all its elements.")
        if isinstance(value, list):  # what people write in a text is none of these: `[1]`, `(2)`
            return value if all(isinstance(item, str | dict | list | None) for item in value) else cell
        return value if isinstance(value, dict) else cell
    if _SURELY.match(text):
        raise InputError(f"This looks like a list, but cannot be read as one: {text[:60]!r}.", "Write it as JSON.")
    return cell


def open_or_none(value: Any) -> Any:
    """The value, opened; null where it is damaged."""
    try:
        return open_cell(value)
    except InputError:
        return None


def message_content(text: str) -> str:
    """The content of a message as LangChain prints it, `content='…' additional_kwargs={}`; any other text unchanged."""
    match = _MESSAGE.fullmatch(text) if text.startswith("content=") else None
    return str(ast.literal_eval(match[1])) if match else text


def json_value(text: str) -> Any:
    """The value of a JSON text; NaN and infinities, which Python writes, are null. Raises `ValueError`."""
    try:
        return orjson.loads(text)
    except ValueError:
        return _JSON.decode(text)


def _numpy(text: str) -> list[str]:
    """Texts without commas between them, which Python itself would join."""
    if (match := _ARRAY.fullmatch(text)) is None:
        raise ValueError
    return [ast.literal_eval(one) for one in _STRINGS.findall(match[1])]


class _Plain(ast.NodeTransformer):
    """`array([…])` becomes its list, `Document(page_content=…)` an object, a tuple a list, and NaN null."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if node.args:
            return node.args[0]
        parts = [(ast.Constant(part.arg), part.value) for part in node.keywords]
        if isinstance(node.func, ast.Name):  # whose message it is only the class says: `AIMessage(content=…)`
            parts.append((ast.Constant("class"), ast.Constant(node.func.id)))
        return ast.Dict([name for name, _ in parts], [value for _, value in parts])

    def visit_Tuple(self, node: ast.Tuple) -> ast.AST:
        return self.generic_visit(ast.List(node.elts))

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Constant(None) if node.id in _NONE else node


def _python(text: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.literal_eval(_Plain().visit(ast.parse(text, mode="eval").body))
