"""A query string → a payload. An ordered list of readers: the first that reads the whole string wins.

`json` reads an object (JSON or a Python literal), `labels` reads labels with a text after each.
Everything else goes to a judge, or is refused with the canonical JSON to complete.
"""

import ast
import json
import re
import warnings
from dataclasses import dataclass
from typing import Any

from trace_core.endpoint.judge import LlmJudge
from trace_core.endpoint.labels import read_labels
from trace_core.endpoint.names import field_of, read_request
from trace_core.endpoint.payload import LONGEST, Payload, QueryError, TooMuch
from trace_core.errors import TraceError

LONGEST_LITERAL = 100_000
"""The most characters of a Python literal, which is read far more slowly than JSON."""
_FENCE = re.compile(r"```[ \t]{0,9}\w{0,20}[ \t]{0,9}\n(.*?)```", re.DOTALL)
_MOST_JSON = 1500  # characters in a message


@dataclass(frozen=True, slots=True)
class Query:
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
