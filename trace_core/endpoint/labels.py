"""Labels with a text after each → a payload.

A label (`Question:`) stands at the beginning of a line or after the end of a sentence, and its text ends with the
line; contexts may stand on the lines below. Before the first label only a request may stand that names tests.
"""

import re
from typing import Any

from trace_core.endpoint.names import FIELDS, field_of, read_request
from trace_core.endpoint.payload import Payload, QueryError

LONGEST_WITH_LABELS = 100_000
"""The most characters of a query with labels."""
_NAMES = sorted((name for field, names in FIELDS.items() if field != "extra" for name in names.split()), key=len)[::-1]
_ANY_CASE = "|".join(name.replace("_", "[ _-]?") for name in _NAMES if not name.isupper())
_LABEL = re.compile(
    rf"(?<![\w*])\*{{0,2}}(?=[^\W\d_])(?P<name>(?i:{_ANY_CASE})|{'|'.join(filter(str.isupper, _NAMES))})"
    + r"(?:[ ](?P<id>\w{0,20}\d\w{0,20}))?\*{0,2}[ \t]*:(?!//)\*{0,2}[ \t]*"
)
_SENTENCE_ENDS = re.compile(r"[.?!…。！？][\"'”’»)\]*]*\s+\Z")
_NEAR = 20  # characters before a label that are looked at
_LIKE_A_LABEL = re.compile(r"[.?!]\s{1,9}(?P<name>[^\W\d_]\w{0,40}(?:[ -]\w{1,40}){0,3}):\s")
# Possessive, as nothing that follows an id is a character of one.
_ID = r"[\w.#/-]{1,40}+"
# For ids in which a word would be a part of the text.
_ID_WITH_DIGIT = rf"(?=(?:(?!\d)[\w.#/-]){{0,39}}+\d)(?!\d{{1,40}}\.){_ID}|[A-Za-z]"
_MARKS = {
    "brackets": re.compile(rf"\[(?P<id>{_ID})\]:?[ \t]+"),
    "parentheses": re.compile(rf"\((?P<id>{_ID_WITH_DIGIT})\)[ \t]+"),
    "colon": re.compile(rf"(?<![\w.#/-])(?P<id>{_ID_WITH_DIGIT}):[ \t]+"),
    "number": re.compile(r"(?P<id>\d{1,3})[.)][ \t]+"),
}
_BULLET = re.compile(r"[-*•–][ \t]+")
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "„": "“"}


def read_labels(query: str) -> Payload:
    """The payload of a query with labels. Raises `QueryError`, with what was understood."""
    if len(query) > LONGEST_WITH_LABELS:
        raise QueryError(
            f"A query with labels may have {LONGEST_WITH_LABELS:,} characters.", "Send a longer one as JSON."
        )
    text = query.replace("\r\n", "\n")
    labels = list(_LABEL.finditer(text))
    if not labels:
        raise QueryError("The query is neither an object nor text with labels.")
    problems = [
        f"The label {match['name']!r} is in the middle of a line, so it may be part of a text."
        for match in labels
        if not _begins(text, match.start())
    ]
    values: dict[str, Any] = {}
    starts = [match for match in labels if _begins(text, match.start())]
    before = text[: starts[0].start()] if starts else text
    tests = read_request(before)
    if tests is None:
        problems.append(f"These words are not understood: {' '.join(before.split())[:80]!r}.")
    ends = [match.start() for match in starts[1:]] + [len(text)]
    for match, end in zip(starts, ends, strict=False):  # without a label there is one end too many
        lines = [line.strip() for line in text[match.end() : end].split("\n") if line.strip()]
        try:
            _add(values, match, lines)
        except QueryError as unclear:
            problems.append(unclear.message)
            values.pop(str(field_of(match["name"])), None)
    if tests and "tests" in values:
        problems.append("Tests are named both before the first label and after one.")
    elif tests:
        values["tests"] = tests
    try:
        payload = Payload.read(values, query)
    except QueryError as error:
        raise QueryError([*problems, error.message][0], payload=error.payload) from None
    if problems:
        raise QueryError(problems[0], payload=payload.model_dump())
    return payload


def _begins(text: str, at: int) -> bool:
    """Whether a label may stand here: at the beginning of a line, or after the end of a sentence."""
    _, newline, line = text[max(0, at - _NEAR) : at].rpartition("\n")
    begins = not line.strip(" \t#>-*") and (newline or at < _NEAR)
    return bool(begins or _SENTENCE_ENDS.search(line))


def _add(values: dict[str, Any], label: re.Match[str], lines: list[str]) -> None:
    """Add what stands after one label. Raises `QueryError`."""
    field, name = str(field_of(label["name"])), label["name"]
    if field == "contexts" and label["id"]:
        values.setdefault("contexts", []).append({"id": label["id"], "text": _single(name, lines)})
        return
    if label["id"]:
        raise QueryError(f"The label {name} {label['id']} is not understood.")
    if field in values:
        raise QueryError(f"The label {name} appears twice.")
    if field in ("tests", "relevant_context_ids"):
        values[field] = "\n".join(lines)
    elif field == "contexts":
        values["contexts"] = _contexts(name, lines)
    elif field == "ground_truth" and all(map(_BULLET.match, lines)):
        values["ground_truth"] = [_text(_BULLET.sub("", line, count=1)) for line in lines]
    else:
        values[field] = _single(name, lines)


def _single(name: str, lines: list[str]) -> str:
    """The one line after a label."""
    if len(lines) > 1:
        raise QueryError(f"It is unclear whether {lines[1][:60]!r} belongs to the text after {name}.")
    text = lines[0] if lines else ""
    like = _LIKE_A_LABEL.search(text)
    if like:
        raise QueryError(f"{like['name']!r} may be a label.")
    return _text(text)


def _text(text: str) -> str:
    """The text without the quotation marks around all of it. Raises `QueryError` for a list or an object."""
    if text[:1] + text[-1:] in ("[]", "{}"):
        raise QueryError(f"A list or an object is read as a part of JSON alone: {text[:60]!r}.")
    inner, closes = text[1:-1], _QUOTES.get(text[:1])
    whole = len(text) > 1 and closes == text[-1] and closes not in inner and text[0] not in inner
    return inner.strip() if whole else text


def _contexts(name: str, lines: list[str]) -> list[dict[str, str]] | list[str]:
    """The contexts below a label: each a line with the same kind of mark, or all on one line."""
    if lines and all(map(_BULLET.match, lines)):
        lines = [_BULLET.sub("", line, count=1) for line in lines]
        if not any(mark.match(lines[0]) for mark in _MARKS.values()):
            return [_text(line) for line in lines]
    mark = next((mark for mark in _MARKS.values() if lines and mark.match(lines[0])), None)
    if mark is None:
        return [_single(name, lines)] if lines else []
    if len(lines) == 1:
        lines = _split(lines[0], mark)
    contexts = []
    for line in lines:
        match = mark.match(line)
        if not match or len(_split(line, mark)) > 1:
            raise QueryError(f"It is unclear which context {line[:60]!r} belongs to.")
        contexts.append({"id": match["id"], "text": _text(line[match.end() :].strip())})
    if len({context["id"] for context in contexts}) < len(contexts):
        raise QueryError("Two contexts have the same id.")
    return contexts


def _split(line: str, mark: re.Pattern[str]) -> list[str]:
    """The line cut before each mark that stands after the end of a sentence."""
    places = (match.start() for match in mark.finditer(line))
    starts = [place for place in places if _SENTENCE_ENDS.search(line[max(0, place - _NEAR) : place])]
    return [line[start:end].strip() for start, end in zip([0, *starts], [*starts, len(line)], strict=True)]
