"""Answers that are none: the pipeline failed, and what it left is empty, a placeholder or the text of an error.

The forms are declared, and the whole answer must have one of them: an answer that mentions an error is an answer.
"""

from __future__ import annotations

import re
from http import HTTPStatus

FAILED_GENERATION = "failed generation"
"""What the reason of undefined scores begins with."""
EMPTY, PLACEHOLDER, ERROR = "empty", "placeholder", "error text"
_PLACEHOLDERS = frozenset(
    {
        "nan",
        "NaN",
        "NAN",
        "null",
        "NULL",
        "None",
        "nil",
        "undefined",
        "#N/A",
        "#NAME?",
        "#REF!",
        "#VALUE!",
        "<NA>",
        "N/A",
        "[]",
        "{}",
        "[null]",
        "[None]",
        '""',
        "''",
        "[object Object]",
    }
)
_STATUS_LINES = frozenset(f"{status.value} {status.phrase}".casefold() for status in HTTPStatus if status >= 400)
_SERVER_FAULTS = frozenset(status.phrase.casefold() for status in HTTPStatus if status >= 500)
_ERROR_TEXT = re.compile(
    r"""Traceback\ \(most\ recent\ call\ last\).*                       # Python
    | [\w.$]+(?:Error|Exception)\b.*\n\s+at\ .*                         # Java, JavaScript: a stack of "at …" lines
    | \w*(?:Error|Exception)\((["'].*["'])?.{0,40}\)                    # Python's repr of an exception
    | (?:\w*Error:\ )?Request\ failed\ with\ status(?:\ code)?\ \d{3}\.?  # axios
    | (?:[\w.]*Error:\ )?Error\ code:\ \d{3}\ -\ .*                     # openai
    | Error\ executing\ [^\n]+                                         # MCP tools, HTTP pipelines
    | \{\s*"error"\s*:.*\}                                              # a body of an HTTP reply
    """,
    re.DOTALL | re.VERBOSE,
)
_LONGEST = 20_000
"""A longer text is an answer: no error is that long."""


def failed_generation(text: str) -> str | None:
    """Why the text is no answer: empty, a placeholder or an error text; `None` for an answer.

    >>> failed_generation(" "), failed_generation("#N/A"), failed_generation("Request failed with status code 500")
    ('empty', 'placeholder', 'error text')
    >>> failed_generation("The log says: Request failed with status code 500.") is None
    True
    """
    whole = text.strip()
    if not any(character.isprintable() and not character.isspace() for character in whole):
        return EMPTY
    if whole in _PLACEHOLDERS:
        return PLACEHOLDER
    status = whole.removeprefix("HTTP ").removeprefix("Error: ").rstrip(".").casefold()
    if status in _STATUS_LINES or status in _SERVER_FAULTS:
        return ERROR
    return ERROR if len(whole) <= _LONGEST and _ERROR_TEXT.fullmatch(whole) else None
