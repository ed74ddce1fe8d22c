"""A cell of text that is a whole list or object, opened: as JSON, or as Python or numpy prints it.

Everything else in a cell is its text: a table, a heading or a list within it is never read.
"""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
import warnings
from typing import Any

import orjson

from trace_core.errors import InputError

_JSON = json.JSONDecoder(parse_constant=lambda _: None)
_ENDS = {"[": "]", "{": "}", "(": ")", "a": ")"}
_SURELY = re.compile(r"\[\s*['\"{]|\{\s*['\"]|array\(\[")
_BESIDE = re.compile(r"['\"]\s+['\"]")
_NONE = {"nan", "NaN", "null", "NaT", "None"}
_SKIPPED = {tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER, tokenize.INDENT, tokenize.DEDENT}


def opened(cell: Any) -> Any:
    """The list or the object that a cell of text is; any other cell unchanged.

    Raises `InputError` for a cell that can only be a list or an object, and is damaged or was shortened to `…`.
    """
    if not isinstance(cell, str):
        return cell
    text = cell.strip()
    if not text or _ENDS.get(text[0]) != text[-1] or (text[0] == "a" and not text.startswith("array(")):
        return cell
    for read in (json_value, _numpy, _python):
        try:
            found = read(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError, tokenize.TokenError):
            continue
        if isinstance(found, list) and ... in found:
            raise InputError("This list was shortened when it was written.", "Write the file with all its elements.")
        return cell if _is_bare(found) else found
    if _SURELY.match(text):
        raise InputError(f"This looks like a list, but cannot be read as one: {text[:60]!r}.", "Write it as JSON.")
    return cell


def opened_or_none(value: Any) -> Any:
    """The value, opened; null where it is damaged."""
    try:
        return opened(value)
    except InputError:
        return None


def _is_bare(found: Any) -> bool:
    """Whether it is something that people write in a text: `[1]`, `(2)`."""
    if isinstance(found, list):
        return bool(found) and not all(isinstance(item, str | dict | list | None) for item in found)
    return not isinstance(found, dict)


def json_value(text: str | bytes) -> Any:
    """The value of a JSON text; NaN and infinities, which Python writes, are null. Raises `ValueError`."""
    try:
        return orjson.loads(text)
    except ValueError:
        held = text.decode("utf-8", "surrogatepass") if isinstance(text, bytes) else text
        return _JSON.decode(held)


def _numpy(text: str) -> list[str]:
    """Texts without commas between them, which Python itself would join."""
    if not _BESIDE.search(text):
        raise ValueError
    inner = text.removeprefix("array(").partition("]")[0] if text.startswith("array(") else text
    tokens = [t for t in tokenize.generate_tokens(io.StringIO(inner).readline) if t.type not in _SKIPPED]
    if (tokens[0].string, tokens[-1].string) != ("[", "]") or any(t.type != tokenize.STRING for t in tokens[1:-1]):
        raise ValueError
    return [ast.literal_eval(token.string) for token in tokens[1:-1]]


def _python(text: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _value(ast.parse(text, mode="eval").body)


def _value(node: ast.expr) -> Any:
    """The value of a literal; `array([…])` is its list, and `Document(page_content=…)` an object."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return [_value(item) for item in node.elts]
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return {str(_value(key)): _value(value) for key, value in pairs if key is not None}
    if isinstance(node, ast.Call) and node.keywords and not node.args:
        return {part.arg: _value(part.value) for part in node.keywords if part.arg}
    if isinstance(node, ast.Call) and node.args:
        return _value(node.args[0])
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    if isinstance(node, ast.Name) and node.id in _NONE:
        return None
    raise ValueError
