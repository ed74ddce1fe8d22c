"""A log of events that name the request they belong to → one row per request."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from trace_core.datasets import shapes
from trace_core.datasets.names import ALIASES, PREDICTED, plain_name
from trace_core.datasets.speech import is_answer, is_asking
from trace_core.datasets.words import asks, holds_documents, role_of, words_of
from trace_core.errors import InputError

Numbered = tuple[int, Any]
Parts = dict[str, Any]
OPEN = 10_000
"""The most requests that are kept at a time."""
_KINDS = frozenset(
    "event event_type event_name kind type role stage step action name msg message field key variable attribute".split()
)
_TEXTS = ("text", "content", "value", "message", "body", "data", "payload", "msg", "result", "output", "input")
"""Keys that hold what the event's kind says."""
_NAMED = ("id", "ids", "request", "trace", "turn", "correlation", "uuid", "key", "rid", "req", "session", "run", "call")
_FOUND = ("results", "retrieval")
_OWNERS, _SHORT = ("user", "uid", "customer", "account", "device"), 5
_WEAK = ("prompt", "input", "inputs", "request", "instruction")
"""Questions with much around them, where another is known."""
_PROMPT = "prompt"
"""The part of an event that is the question of its request, if no event asks another."""
_MADE = frozenset("rewritten rewrite rewriting rewriter expanded expansion condensed condense standalone".split())
"""Kinds of events whose question no person asked."""
_LONGEST = 60
"""The longest kind of an event, in characters."""
_ANSWERS = (*PREDICTED, "response", *ALIASES["response"])
_LEAST, _APART = 3, 0.3
"""The fewest events; the least share of them without the question, and the most questions with an answer."""


def event_key(sample: Sequence[Mapping[str, Any]]) -> str:
    """The field that tells the requests of a log apart; empty where the rows are no such log."""
    flat = [_flat(row) for row in sample]
    parts = [_parts(row) for row in flat]
    told = [n for n, part in enumerate(parts) if part]
    asked = [n for n in told if "question" in parts[n]] or [n for n in told if _PROMPT in parts[n]]
    apart = [n for n in told if n not in asked]
    whole = [n for n in asked if "response" in parts[n] and "question" in parts[n]]
    if len(told) < _LEAST or not asked or len(apart) < _APART * len(told) or len(whole) > _APART * len(asked):
        return ""
    found: list[tuple[int, int, str]] = []
    for key in dict.fromkeys(key for n in told for key in flat[n] if _may_be_an_id(key)):
        ids = [flat[n].get(key) for n in range(len(flat))]
        known = {str(ids[n]) for n in asked if ids[n] is not None}
        joined = sum(isinstance(ids[n], str | int) and str(ids[n]) in known for n in apart)
        found += [(joined, len(known), key)] if joined else []
    most = max((joined for joined, _, _ in found), default=0)
    return max((known, joined, key) for joined, known, key in found if 2 * joined >= most)[2] if found else ""


def _may_be_an_id(key: str) -> bool:
    """Whether the name is one of ids of requests; a user has many."""
    words = set(words_of(key))
    named = any(word in _NAMED or (word.endswith("id") and len(word) <= _SHORT) for word in words)
    return named and words.isdisjoint(_OWNERS)


def joined_events(rows: Iterable[Numbered], key: str, name: str) -> Iterator[Numbered]:
    """A row per request, numbered in the order in which they began; an `InputError` for each that is not whole."""
    held: OrderedDict[str, list[Parts]] = OrderedDict()
    number = 0
    for _, row in rows:
        if isinstance(row, InputError):
            yield (number := number + 1), row
            continue
        flat = _flat(row) if isinstance(row, dict) else {}
        parts = _parts(flat)
        if parts and flat.get(key) is not None:
            held.setdefault(str(flat[key]), []).append(parts)
        while len(held) > OPEN:
            for one in _requests(*held.popitem(last=False), name):
                yield (number := number + 1), _numbered(one, number)
    for request, events in held.items():
        for one in _requests(request, events, name):
            yield (number := number + 1), _numbered(one, number)


def _numbered(one: Any, number: int) -> Any:
    return InputError(one.message, one.hint, file=one.file, row=number) if isinstance(one, InputError) else one


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with the parts of its objects beside the others."""
    inner = (held for held in row.values() if isinstance(held, dict))
    return {str(key): held for one in (*inner, row) for key, held in one.items() if held not in (None, "")}


def _parts(row: Mapping[str, Any]) -> Parts:
    """What the event says of a request: question, documents, response, reference answer."""
    found: Parts = {}
    weak: Parts = {}
    for key, held in row.items():
        role = "documents" if plain_name(key) in _FOUND and isinstance(held, list) else _role(key)
        if role and not isinstance(held, dict | bool | float):
            (weak if plain_name(key) in _WEAK else found).setdefault(role, held)
    if not found:
        role, kind = _kind(row)
        texts = (row[key] for key in _TEXTS if role and key != kind and key in row and not isinstance(row[key], dict))
        found = next(({role: text} for text in texts), {})
    if not _MADE.isdisjoint(
        word for key in _KINDS if isinstance(row.get(key), str) for word in words_of(row[key][:_LONGEST])
    ):
        found.pop("question", None)
    return {**found, _PROMPT: weak["question"]} if found and "question" in weak else found or weak


def _role(key: str) -> str:
    if asks(key):
        return "question"
    if holds_documents(key):
        return "documents"
    if plain_name(key) in _ANSWERS and plain_name(key) not in _TEXTS:
        return "response"
    if plain_name(key) in ALIASES["reference_answer"]:
        return "reference_answer"
    role = role_of(key) or ""
    return "response" if role == "answer" else role


def _kind(row: Mapping[str, Any]) -> tuple[str, str]:
    """The part that the kind of the event speaks of, and the key of the kind; empty where there is none."""
    for key, said in row.items():
        if key not in _KINDS or not isinstance(said, str) or len(said) > _LONGEST:
            continue
        turn = {"role": said}
        spoken = "question" if is_asking(turn) else "response" if is_answer(turn) else ""
        if role := spoken or ("documents" if said == "tool" else _role(said)):
            return role, key
    return "", ""


def _requests(request: str, events: Sequence[Parts], name: str) -> Iterator[Any]:
    """The rows of a request; each question of a conversation begins a new one."""
    rows: list[list[Parts]] = []
    for parts in events:
        begins = "question" in parts and (not rows or _is_next(rows[-1], parts["question"]))
        if begins or not rows:
            rows.append([])
        rows[-1].append(parts)
    for group in rows:
        yield _row(request, group, name)


def _is_next(group: Sequence[Parts], question: Any) -> bool:
    """Whether a question is another one after an answer; a retriever repeats or rewrites it before."""
    asked = [parts["question"] for parts in group if "question" in parts]
    return bool(asked) and question not in asked and any("response" in parts for parts in group)


def _row(request: str, group: Sequence[Parts], name: str) -> Any:
    asked = [parts for parts in group if "question" in parts] or [
        {"question": p[_PROMPT]} for p in group if _PROMPT in p
    ]
    questions = [parts["question"] for parts in asked]
    if not questions:
        return InputError(f"The events of {request!r} have no question.", file=name)
    responses = list(dict.fromkeys(str(shapes.response(parts["response"])) for parts in group if "response" in parts))
    if len(responses) > 1:
        return InputError(f"The events of {request!r} have several answers.", file=name)
    found = [parts["documents"] for parts in group if "documents" in parts]
    documents = _listed(found)
    if documents is None:
        return InputError(f"The events of {request!r} have several lists of documents.", file=name)
    if not documents and not responses:
        return InputError(f"The events of {request!r} have neither documents nor an answer.", file=name)
    made = {"id": request, "question": questions[0]}
    made |= {"documents": documents} if found else {}
    made |= {"response": responses[0]} if responses else {}
    return made | {k: v for parts in group for k, v in parts.items() if k == "reference_answer"}


def _listed(found: list[Any]) -> list[Any] | None:
    """The documents of one request: a list, or texts one by one, none twice; of two lists the one that is chosen from
    the other.
    """
    lists = [held if isinstance(held, list) else [held] for held in found]
    if all(not isinstance(held, list) for held in found):
        return found if len({str(one) for one in found}) == len(found) else None
    last, texts = lists[-1], [shapes.documents(held)["documents"] for held in lists]
    same = all(set(map(str, texts[-1] or [])) <= set(map(str, other or [])) for other in texts[:-1])
    return last if same else None
