"""A query string → a payload, by the first reader that reads the whole string: `json` reads an object (JSON or a Python
literal), `labels` labels with a text after each. Everything else goes to a judge, or is refused with the canonical JSON
to complete. A label (`Question:`) stands at the beginning of a line or after the end of a sentence, and its text ends
with the line; contexts may stand on the lines below. Before the first label only a request may stand that names tests.
"""

import ast
import json
import re
import warnings
from typing import Any, NamedTuple

from trace_core.endpoint.judge import LlmJudge
from trace_core.endpoint.names import FIELDS, field_of, read_request
from trace_core.endpoint.payload import LONGEST, Payload, QueryError, TooMuch
from trace_core.errors import TraceError

LONGEST_LITERAL = 100_000  # the most characters of a Python literal, which is read far more slowly than JSON
_FENCE = re.compile(r"```[ \t]{0,9}\w{0,20}[ \t]{0,9}\n(.*?)```", re.DOTALL)
_MOST_JSON = 1500  # characters in a message
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
_MARKS = (
    re.compile(rf"\[(?P<id>{_ID})\]:?[ \t]+"),
    re.compile(rf"\((?P<id>{_ID_WITH_DIGIT})\)[ \t]+"),
    re.compile(rf"(?<![\w.#/-])(?P<id>{_ID_WITH_DIGIT}):[ \t]+"),
    re.compile(r"(?P<id>\d{1,3})[.)][ \t]+"),
)
_BULLET = re.compile(r"[-*•–][ \t]+")
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "„": "“"}


class Query(NamedTuple):
    """What was read, and by which reader: `json`, `labels` or `judge`."""

    payload: Payload
    by: str


def parse_query(text: str) -> Query:
    """Read a query without a judge. Raises `QueryError`, and `TooMuch` for a query that is too large."""
    if len(text) > LONGEST:
        raise TooMuch(f"The query has {len(text):,} characters; at most {LONGEST:,} are read.")
    errors: list[QueryError] = []
    for by, read in (("json", read_object), ("labels", read_labels)):
        try:
            payload = read(text)
            if payload.tests:
                return Query(payload, by)
            raise QueryError("The query names no tests.", payload=payload.model_dump(), whole=True)
        except QueryError as error:
            errors.append(error)
            if error.whole:
                break
    best = next((error for error in errors if error.whole or error.payload), errors[0])
    parts = Payload().model_dump() | (best.payload or {})
    names, canonical = [name for name, value in parts.items() if value], json.dumps(parts, ensure_ascii=False)
    where = f": {canonical}" if len(canonical) <= _MOST_JSON else " in `payload`."
    hint = f"Understood: {', '.join(names) or 'nothing'}. Complete this JSON and send it as the query{where}"
    raise QueryError(best.message, hint, payload=parts, whole=best.whole)


def read_by_judge(text: str, judge: LlmJudge, refusal: QueryError) -> Query:
    """The judge's reading of a query that our readers refuse. Raises that refusal with the judge's failure added."""
    try:
        payload = Payload.read(judge.read(text), text)
        if payload.tests:
            return Query(payload, "judge")
        failure = "It found no tests."
    except TraceError as error:
        failure = str(error)
    message = f"{refusal.message} The judge could not read it either: {failure}"
    raise QueryError(message, refusal.hint, payload=refusal.payload) from None


def read_object(query: str) -> Payload:
    """The payload of the only object in a query; the words around it may only name its tests."""
    text = query.strip()
    if not text:
        raise QueryError("The query is empty.", whole=True)
    fences = _FENCE.findall(text)
    inner, around = (fences[0].strip(), _FENCE.sub(" ", text)) if len(fences) == 1 else (text, "")
    start, end = inner.find("{"), inner.rfind("}") + 1
    if start < 0:
        raise QueryError("The query is neither an object nor text with labels.")
    end = end if end > start else len(inner)
    values, around = _object(inner[start:end]), f"{around} {inner[:start]} {inner[end:]}"
    tests, payload = read_request(around), Payload.read(values, query)
    if tests is None:
        reason = f"The words around the object are not understood: {' '.join(around.split())[:80]!r}."
        raise QueryError(reason, payload=payload.model_dump())
    if tests and payload.tests and set(tests) != set(payload.tests):
        raise QueryError("The object and the words around it name different tests.", payload=payload.model_dump())
    return payload.model_copy(update={"tests": payload.tests or tests})


def _object(text: str) -> dict[str, Any]:
    """The object between the outermost braces, as JSON or as a Python literal."""
    try:
        values = json.loads(text, strict=False, object_pairs_hook=_once)  # line breaks within texts are as they are
    except json.JSONDecodeError as error:
        reason = f"The query's JSON cannot be read: {error.msg} at line {error.lineno}, column {error.colno}."
        values = _literal(text)
    except (RecursionError, ValueError):  # Python reads no integer of more than 4,300 digits
        raise QueryError("The query's JSON is nested too deeply, or a number in it is too long.") from None
    else:
        reason = "The object has none of the names of GET /trace/schema."
    if not isinstance(values, dict) or not any(field_of(str(key)) for key in values):
        raise QueryError(reason)
    return values


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise QueryError("The query's JSON cannot be read: a key appears twice in one object.")
    return values


def _literal(text: str) -> Any:
    """The value of a Python literal that JSON can hold, else `None`."""
    if len(text) > LONGEST_LITERAL:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an unknown escape in a text
            tree = ast.parse(text, mode="eval")
        objects = (node for node in ast.walk(tree) if isinstance(node, ast.Dict))
        for keys in ([key.value for key in one.keys if isinstance(key, ast.Constant)] for one in objects):
            if len(set(keys)) < len(keys):
                return None
        return json.loads(json.dumps(ast.literal_eval(tree)))
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None


def read_labels(query: str) -> Payload:
    """The payload of a query with labels. Raises `QueryError`, with what was understood."""
    if len(query) > LONGEST_WITH_LABELS:
        reason = f"A query with labels may have {LONGEST_WITH_LABELS:,} characters."
        raise QueryError(reason, "Send a longer one as JSON.")
    text = query.replace("\r\n", "\n")
    labels = list(_LABEL.finditer(text))
    if not labels:
        raise QueryError("The query is neither an object nor text with labels.")
    begins = [_begins(text, match.start()) for match in labels]
    starts = [match for match, first in zip(labels, begins, strict=True) if first]
    inner = labels[begins.index(False)]["name"] if len(starts) < len(labels) else ""
    problems = [f"The label {inner!r} is in the middle of a line, so it may be part of a text."] if inner else []
    values: dict[str, Any] = {}
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
    if len(lines) > 1:
        raise QueryError(f"It is unclear whether {lines[1][:60]!r} belongs to the text after {name}.")
    text = lines[0] if lines else ""
    if like := _LIKE_A_LABEL.search(text):
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
    if not lines:
        return []
    bullets = all(map(_BULLET.match, lines))
    lines = [_BULLET.sub("", line, count=1) for line in lines] if bullets else lines
    mark = next((mark for mark in _MARKS if mark.match(lines[0])), None)
    if mark is None:
        return [_text(line) for line in lines] if bullets else [_single(name, lines)]
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
