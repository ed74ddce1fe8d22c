"""A query string → a payload. An ordered list of readers: the first that reads the whole string wins.

`json` reads an object (JSON, a Python literal or a YAML mapping), `labels` reads labels with a text after each.
Everything else goes to a judge, or is refused with the canonical JSON to complete.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from trace_core.endpoint.judge import LlmJudge
from trace_core.endpoint.labels import read_labels
from trace_core.endpoint.names import field_of, requested
from trace_core.endpoint.payload import LONGEST, Payload, QueryError, TooMuch
from trace_core.errors import TraceError

LONGEST_LITERAL = 100_000
"""The most characters of a Python literal or a YAML mapping: both are read far more slowly than JSON."""
_FENCED = re.compile(r"```[ \t]{0,9}\w{0,20}[ \t]{0,9}\n(.*?)```", re.DOTALL)
_COMMENT = re.compile(r"(?:^|\s)#")
_DEEPEST = 10
_SHOWN = 1500  # characters of JSON in a message


@dataclass(frozen=True, slots=True)
class Parsed:
    """What was read, and by which reader: `json`, `labels` or `judge`. `usage` is what the judge cost."""

    payload: Payload
    by: str
    usage: Mapping[str, float] = field(default_factory=dict)


def parse_query(query: str) -> Parsed:
    """Read a query without a judge. Raises `QueryError`, and `TooMuch` for a query that is too large."""
    if len(query) > LONGEST:
        raise TooMuch(f"The query has {len(query):,} characters; at most {LONGEST:,} are read.")
    refused: list[QueryError] = []
    for by, read in (("json", read_object), ("labels", read_labels)):
        try:
            found = read(query)
            if found.tests:
                return Parsed(found, by)
            refused.append(QueryError("The query names no tests.", payload=found.model_dump(), whole=True))
        except QueryError as error:
            refused.append(error)
        if refused[-1].whole:
            break
    chosen = next((one for one in refused if one.whole or one.payload), refused[0])
    payload = Payload().model_dump() | (chosen.payload or {})
    names, text = [name for name, value in payload.items() if value], json.dumps(payload, ensure_ascii=False)
    shown = f": {text}" if len(text) <= _SHOWN else " in `payload`."
    hint = f"Understood: {', '.join(names) or 'nothing'}. Complete this JSON and send it as the query{shown}"
    raise QueryError(chosen.message, hint, payload=payload, whole=chosen.whole)


def read_judged(query: str, judge: LlmJudge, refused: QueryError) -> Payload:
    """The judge's reading of a query that was `refused`. Raises that refusal with the judge's failure added."""
    try:
        payload = Payload.read(judge.read(query), query)
        if payload.tests:
            return payload
        failed = "It found no tests."
    except TraceError as error:
        failed = str(error)
    message = f"{refused.message} The judge could not read it either: {failed}"
    raise QueryError(message, refused.hint, payload=refused.payload) from None


def read_object(query: str) -> Payload:
    """The payload of the only object in a query; the words around it may only name its tests."""
    if not (text := query.strip()):
        raise QueryError("The query is empty.", whole=True)
    fenced = _FENCED.findall(text)
    inner, around = (fenced[0].strip(), _FENCED.sub(" ", text)) if len(fenced) == 1 else (text, "")
    start, end = inner.find("{"), inner.rfind("}") + 1
    end = end if end > start else len(inner)
    try:
        given = _braced(inner[start:end]) if start >= 0 else _yaml(inner, query)
        around += f" {inner[:start]} {inner[end:]}" if start >= 0 else ""
    except QueryError:
        if start <= 0:
            raise
        given = _yaml(inner, query)  # its braces are within it
    tests, payload = requested(around), Payload.read(given, query)
    if tests is None:
        reason = f"The words around the object are not understood: {' '.join(around.split())[:80]!r}."
        raise QueryError(reason, payload=payload.model_dump())
    if tests and payload.tests and set(tests) != set(payload.tests):
        raise QueryError("The object and the words around it name different tests.", payload=payload.model_dump())
    return payload.model_copy(update={"tests": payload.tests or tests})


def _braced(text: str) -> dict[str, Any]:
    """The object between the outermost braces, as JSON or as a Python literal."""
    try:
        given = json.loads(text, strict=False, object_pairs_hook=_once)  # line breaks within texts are as they are
    except json.JSONDecodeError as error:
        reason = f"The query's JSON cannot be read: {error.msg} at line {error.lineno}, column {error.colno}."
        given = _literal(text)
    except (RecursionError, ValueError):  # Python reads no integer of more than 4,300 digits
        raise QueryError("The query's JSON is nested too deeply, or a number in it is too long.") from None
    else:
        reason = "The object has none of the names of GET /trace/schema."
    if not isinstance(given, dict) or not any(field_of(str(key)) for key in given):
        raise QueryError(reason)
    return given


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    given = dict(pairs)
    if len(given) < len(pairs):
        raise QueryError("The query's JSON cannot be read: a key appears twice in one object.")
    return given


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


class _Loader(yaml.CBaseLoader):
    """Every scalar is the text that stands there: `yes`, `1.10` and `12:30` are no other values."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        given: dict[Any, Any] = super().construct_mapping(node, deep)
        if len(given) < len(node.value):
            raise yaml.YAMLError("a key stands twice")
        return given


_Loader.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"(?:~|null|Null|NULL|)\Z"), ["~", "n", "N", ""])
_Loader.add_constructor("tag:yaml.org,2002:null", lambda loader, node: None)


def _yaml(text: str, query: str) -> dict[str, Any]:
    """The object of a YAML mapping whose every key is a name of ours; not with comments, anchors or tags."""
    nothing = QueryError("The query is neither an object nor text with labels.")
    if len(text) > LONGEST_LITERAL or ":" not in text or _COMMENT.search(text):
        raise nothing
    depth = 0
    try:
        for event in yaml.parse(text, Loader=yaml.CBaseLoader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST or getattr(event, "anchor", None) or getattr(event, "tag", None):
                raise nothing
        given = yaml.load(text, Loader=_Loader)  # noqa: S506  # it makes texts, lists and objects only
        given = json.loads(json.dumps(given))
    except (yaml.YAMLError, ValueError, TypeError):
        raise nothing from None
    if not isinstance(given, dict) or not all(map(field_of, given)):
        raise nothing
    try:
        Payload.read(given, query)
    except QueryError as error:  # it may be no YAML at all
        raise QueryError(error.message, payload=error.payload) from None
    return given
