"""Answers that are none: the pipeline failed, and left nothing, a placeholder, an error's text or a call of a tool. The
forms are declared, and the whole answer must have one of them: an answer that mentions an error is an answer."""

import json
import re
import unicodedata
from html import unescape
from http import HTTPStatus
from typing import Any

FAILED_GENERATION = "failed generation"  # what the reason of undefined scores begins with
EMPTY, PLACEHOLDER, ERROR, TOOL_CALL = "empty", "placeholder", "error text", "call of a tool"
_NOTHING = frozenset(
    "nan NaN NAN NaT null NULL None nil undefined #N/A #NAME? #REF! #VALUE! #NULL! #DIV/0! <NA> N/A n/a".split()
)
_PLACEHOLDERS = _NOTHING | {"[]", "{}", "[null]", "[None]", '""', "''", "[object Object]", "[object Promise]"}
_FAULTS = [status for status in HTTPStatus if status >= 400]
_STATUS_LINES = {f"{status.value} {status.phrase}".casefold() for status in _FAULTS} | {
    status.phrase.casefold() for status in _FAULTS if status >= 500 or status in (408, 429)
}
_ERROR_TEXT = re.compile(
    r"""Traceback\ \(most\ recent\ call\ last\).*                       # Python
    | [\w.$]+(?:Error|Exception)\b.*\n\s+at\ .*                         # Java, JavaScript: a stack of "at …" lines
    | \w*(?:Error|Exception)\((["'].*["'])?.{0,40}\)                    # Python's repr of an exception
    | (?:\w*Error:\ )?Request\ failed\ with\ status(?:\ code)?\ \d{3}\.?  # axios
    | (?:[\w.]*Error:\ )?Error\ code:\ \d{3}\ -\ .*                     # openai
    | Error\ executing\ [^\n]+                                         # MCP tools, HTTP pipelines
    | \{\s*"error"\s*:.*\}                                              # a body of an HTTP reply
    | <[^\n]*\ at\ 0x[0-9a-fA-F]+>+                                     # Python's repr of a thing that is no text
    | (?:(?:The\ )?(?:[Rr]ead|[Rr]equest|[Cc]onnection)\ )?(?:[Oo]peration\ )?[Tt]imed\ out(?:\ after\ \S+\ ?\w*)?[.!]?
    | (?:API)?[Cc]onnection\ (?:error|refused|reset\ by\ peer)(?::[^\n]{1,200})?[.!]?  # clients of HTTP and of models
    | The\ response\ was\ filtered\ due\ to\ the\ prompt\ triggering\ .*   # Azure OpenAI's filter
    """,
    re.DOTALL | re.VERBOSE,
)
_LONGEST = 20_000  # a longer text is an answer: no error is that long
_TAG = re.compile(r"<[^<>]*>")
_CALLS = re.compile(
    r"(?s)(?:(?:<tool_call>|\[TOOL_CALLS\]|```(?:json)?)\s*)?(?P<json>[\[{].*[\]}])\s*(?:</tool_call>|```)?"
)
_CALL_KEYS = ({"name", "function", "tool", "action"}, {"arguments", "parameters", "args", "tool_input", "action_input"})
"""A call of a tool has a key of each."""


def is_placeholder(text: str) -> bool:
    """Whether the text is what programs write for nothing: `nan`, `null`, `N/A`, `#N/A`."""
    return text.strip() in _NOTHING


def failed_generation(text: str) -> str | None:
    """Why the text is no answer: empty, a placeholder, an error text or a call of a tool; `None` for an answer.

    >>> failed_generation(" "), failed_generation("#N/A"), failed_generation("Request failed with status code 500")
    ('empty', 'placeholder', 'error text')
    >>> failed_generation("The log says: Request failed with status code 500.") is None
    True
    """
    whole = text.strip()
    if whole in _PLACEHOLDERS:
        return PLACEHOLDER
    if len(whole) > _LONGEST:
        return None
    bare = unescape(_TAG.sub("", whole)) if len(_TAG.findall(whole)) > 1 else whole  # one tag may be the answer
    if not any(character.isalnum() or unicodedata.category(character) == "So" for character in bare):
        return EMPTY
    status = whole.removeprefix("HTTP ").removeprefix("Error: ").rstrip(".").casefold()
    if status in _STATUS_LINES or _ERROR_TEXT.fullmatch(whole):
        return ERROR
    return TOOL_CALL if _is_tool_call(whole) else None


def _is_tool_call(text: str) -> bool:
    """Whether it is what a model writes for its program to run: a name and arguments, or a list of such calls."""
    try:
        value = json.loads(match["json"]) if (match := _CALLS.fullmatch(text)) else None
    except (ValueError, RecursionError):
        return False
    return value != [] and all(map(_is_call, value if isinstance(value, list) else [value]))


def _is_call(call: Any) -> bool:
    if not isinstance(call, dict):
        return False
    is_call_by_name = not call.keys().isdisjoint(("tool_calls", "function_call"))
    return is_call_by_name or not any(map(call.keys().isdisjoint, _CALL_KEYS)) or _is_call(call.get("function"))
