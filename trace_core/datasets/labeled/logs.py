"""A service's log as rows, one a line: its pairs, such as `request=a91f`, and its text after a label or as JSON.

The lines of a question name it by an id, so that it can be told from others that were asked at the same time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from trace_core.datasets.joins import event_key
from trace_core.datasets.labeled.said import may_be_asked, may_be_document, may_be_said
from trace_core.datasets.labeled.sessions import is_session, session_rows
from trace_core.datasets.names import ALIASES, PREDICTED, plain_name
from trace_core.datasets.notations import read_object
from trace_core.datasets.speech import PEOPLE
from trace_core.datasets.text.encodings import is_text
from trace_core.datasets.words import asks, holds_documents, role_of
from trace_core.errors import InputError

_SAMPLE = 50
"""The first lines that say something, by which a log is judged; columns are guessed from as many rows."""
_LOOKED_AT = 40
"""The first lines, by which the log of a conversation is known."""
_HEAD, _MOST_WORDS = 400, 3
"""The characters of a line in which its label ends, and the most words of one."""
_TIME = r"[\[(]?(?:\d{4}[-/]\d\d[-/]\d\d|\d\d[-/.]\d\d[-/.]\d{4}|\d\d:\d\d:\d\d|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:)"
_BEGINNINGS = (
    re.compile(_TIME),
    re.compile(r"\[?(?:DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|CRITICAL|FATAL)\b"),
    re.compile(r"(?:ts|t|time|timestamp|at|level|lvl)="),
)
"""How the lines of a log begin; a line that does not goes on with the text of the one above."""
_PAIR = re.compile(
    r"""(?<![\w.-])([A-Za-z_][\w.-]{0,59})=(?:"([^"\\]*(?:\\.[^"\\]*)*)"|([^\s"\]\[(){},;]+))""", re.DOTALL
)
_REQUEST = re.compile(
    r"\[((?:req|request|trace|correlation|session)[-_:# ](?=[\w-]{0,40}\d)[\w-]{1,60}"
    r"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\]", re.IGNORECASE
)  # fmt: skip
"""The id of a request in brackets: `[req-7f31]`."""
_HOLLOW = re.compile(r"\(\s{0,9}\)|\[\s{0,9}\]")
"""Brackets that held only pairs."""
_ENDS = re.compile(r":(?=\s|$)")
"""The end of a label."""
_APART = re.compile(r"[\])>|}:]|\s-\s")
"""What stands between the time, the level, the logger and the label."""
_WORD = re.compile(r"\w+")
_LEVELS = frozenset(("debug", "info", "notice"))
_TROUBLE = frozenset(("warn", "warning", "error", "critical", "fatal"))
"""Levels of lines that are no step of an answer."""
_ANSWERS = frozenset((*PREDICTED, "response", *ALIASES["response"]))
_SAYS = frozenset("said says say asked asks wrote writes typed".split())
"""What a person does with a question."""
_HINT = "Write a line that begins with its time, and names its request, for each question, document and answer."


def logged_rows(lines: Iterable[str], name: str) -> Iterator[tuple[int, Any]]:
    """A row for each line that says something, numbered from 1. Raises `InputError` where they tell no questions."""
    entries = _entries(lines, name)
    begun = list(islice(entries, _LOOKED_AT))
    entries = chain(begun, entries)
    if is_session(begun):
        yield from session_rows(entries, name)
        return
    rows = (row for entry in entries if (row := _row(entry, name)))
    first = list(islice(rows, _SAMPLE))
    known = [row for row in first if isinstance(row, dict)]
    asking = [row for row in known if any(map(asks, row))]
    if not asking:
        raise InputError("No line of it has a question.", _HINT, file=name)
    if not all(_share(known, part, test) >= least for part, (test, least) in _TESTS.items()):
        raise InputError("Its lines do not have the texts of questions, documents and answers.", _HINT, file=name)
    if event_key(known):
        yield from enumerate(chain(first, rows), start=1)
        return
    if not all(map(_is_whole, asking)):
        raise InputError("Its lines do not say to which question they belong.", _HINT, file=name)
    whole = (row for row in chain(first, rows) if not isinstance(row, dict) or any(map(asks, row)))
    yield from enumerate(whole, start=1)


def _share(rows: Sequence[Mapping[str, Any]], part: str, test: Callable[[str], bool]) -> float:
    """The share of the texts of a part that pass the test; 1 where there is none."""
    texts = [text for row in rows for key, text in row.items() if isinstance(text, str) and _part(key) == part]
    return sum(map(test, texts)) / len(texts) if texts else 1


_TESTS: Mapping[str, tuple[Callable[[str], bool], float]] = {
    "question": (may_be_asked, 0.5),
    "prompt": (may_be_asked, 0.5),
    "response": (may_be_said, 0.5),
    "documents": (may_be_document, 1),
}
"""The test of each part's texts, and the least share that must pass it."""


def _entries(lines: Iterable[str], name: str) -> Iterator[str]:
    """The lines with those that go on with them. Raises `InputError` where the first begins like no line of a log."""
    lines = iter(lines)
    first = next((line for line in lines if line.strip()), "")
    begins = next((one for one in _BEGINNINGS if one.match(first)), None)
    if begins is None:
        raise InputError("Its first line begins with neither a time nor a level.", _HINT, file=name)
    held = [first]
    for line in lines:
        if begins.match(line):
            yield "".join(held).rstrip()
            held = []
        held.append(line)
    yield "".join(held).rstrip()


def _row(entry: str, name: str) -> dict[str, Any] | InputError | None:
    """What a line says; nothing where it has no text, or reports trouble."""
    if not is_text(entry):
        return InputError("This is not UTF-8 text.", "Save it as UTF-8.", file=name)
    at, role = _label(entry)
    found = {role: entry[at + 1 :].strip()} if role else _object(entry)
    head = entry[:at] if role else entry[: entry.find(" {")] if found else entry
    pairs = _pairs(head)
    words = {word.lower() for word in _WORD.findall(_PAIR.sub(" ", head[:_HEAD]))}
    trouble = not _TROUBLE.isdisjoint(words | {pairs.get(key, "").lower() for key in ("level", "lvl")})
    if trouble and not {"question", "documents"} <= {*map(_part, (*pairs, *found))}:  # a failed request is one, too
        return None
    says = found or any(_part(key) or len(text.split()) > 1 for key, text in pairs.items())
    return {**pairs, **found} if says else None


def _pairs(text: str) -> dict[str, str]:
    """The pairs in a text, and the id of its request; of questions, documents and answers only those in quotation
    marks.
    """
    named = _REQUEST.search(text, 0, _HEAD)
    found: dict[str, str] = {"request_id": named[1]} if named else {}
    for pair in _PAIR.finditer(text):
        key, quoted, word = pair.groups()
        if word is None:
            found[key] = _unescaped(quoted)
        elif key == "request" or not _part(key):
            found[_key(key, word)] = word
    return found


def _key(key: str, held: Any) -> str:
    """The key; that of an id which reads like a question's is told from it."""
    return "request_id" if key == "request" and isinstance(held, str) and len(held.split()) < 2 else key


def _unescaped(quoted: str) -> str:
    try:
        return str(json.loads(f'"{quoted}"'))
    except ValueError:
        return quoted


def _object(entry: str) -> Mapping[str, Any]:
    """The object at the end of a line, in JSON."""
    at = entry.find(" {") + 1
    if not at or not entry.endswith("}"):
        return {}
    return {_key(key, one): one for key, one in read_object(entry[at:]).items()}


def _label(entry: str) -> tuple[int, str]:
    """Where the line's label ends, and the part that it speaks of; 0 and nothing where there is none."""
    start = entry[:_HEAD].split("\n", 1)[0]
    for end in _ENDS.finditer(start):
        head = start[: end.start()]
        if head.count('"') % 2 == 0 and (role := _spoken(_words(_APART.split(_bare(head))[-1]))):
            return end.start(), role
    return 0, ""


def _bare(head: str) -> str:
    """The head of a line without its pairs, and without the brackets around them."""
    return _HOLLOW.sub(" ", _PAIR.sub(" ", head))


def _words(said: str) -> str:
    """The last words of what stands before a colon, without their number and the line's level."""
    words: list[str] = []
    for word in reversed(said.rstrip("0123456789# ").split()):
        if not word.replace("_", "").isalpha():
            break
        words.insert(0, word)
    kept = [word for word in words if word.lower() not in _LEVELS]
    return " ".join(kept) if len(kept) <= _MOST_WORDS else ""


def _spoken(label: str) -> str:
    """The part that a label speaks of: what a person said is the question."""
    words = label.lower().split()
    if not _SAYS.isdisjoint(words) and not {*PEOPLE}.isdisjoint(words):
        return "question" if {*_SAYS, *PEOPLE}.issuperset(words) else ""
    return _part(label)


def _part(label: str) -> str:
    """The part that a label or a key speaks of."""
    if not label:
        return ""
    if asks(label):
        return "prompt" if plain_name(label).endswith("prompt") else "question"
    if holds_documents(label):
        return "documents"
    role = role_of(label)
    if role in ("answer", "response") or plain_name(label) in _ANSWERS:
        return "response"
    return role or ""


def _is_whole(row: Mapping[str, Any]) -> bool:
    """Whether a question stands beside its documents or its answer."""
    return bool({*map(_part, row)} & {"documents", "response"})
