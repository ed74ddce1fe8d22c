"""A query string → a payload: an object, alone or within prose, else plain language by rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from trace_core.endpoint.payload import Payload, QueryError, unclear
from trace_core.endpoint.reading.amended import amended, tests_meant, with_amendment, with_tests_meant
from trace_core.endpoint.reading.cited import Listed, hold_quoted, with_cited
from trace_core.endpoint.reading.formats.calls import called, named_in_program
from trace_core.endpoint.reading.formats.columns import in_two_columns
from trace_core.endpoint.reading.formats.elements import in_elements
from trace_core.endpoint.reading.formats.logs import in_log
from trace_core.endpoint.reading.formats.notations import fields_in, in_another_notation
from trace_core.endpoint.reading.formats.programs import Found, in_program
from trace_core.endpoint.reading.formats.sessions import as_labels
from trace_core.endpoint.reading.guards import held, held_beside
from trace_core.endpoint.reading.language.names import without_names
from trace_core.endpoint.reading.language.plain_tests import all_wished, names_before
from trace_core.endpoint.reading.language.relevance import told_in_prose
from trace_core.endpoint.reading.language.slips import corrects
from trace_core.endpoint.reading.leads.marks import spans_of
from trace_core.endpoint.reading.margins import without_prompts
from trace_core.endpoint.reading.narrated import in_chat, read_narrated
from trace_core.endpoint.reading.objects import fenced, names_tests, told_in_messages, whole, within
from trace_core.endpoint.reading.payloads import read_payload, tells_tests
from trace_core.endpoint.reading.plain import contexts_of, fields_of, leftover, named_tests, question_of, read_plain
from trace_core.endpoint.reading.prose.roles import doubtful
from trace_core.endpoint.reading.quoted import beside, outer_parts, quotations, read_quoted, without_ignored
from trace_core.endpoint.reading.quoted_prose import read_quoted_prose
from trace_core.endpoint.reading.sections import sections_of
from trace_core.endpoint.registry import TESTS
from trace_core.errors import TraceError

ReadByJudge = Callable[[str], Mapping[str, Any]]
"""A judge's reading of a query in plain language, as the canonical JSON. Raises `TraceError`."""


_SEVERAL = 2
_BESIDE = re.compile(r"^[ \t]{0,8}(?:#|//|;)[ \t]{0,4}([^\n]{1,400})$", re.MULTILINE)
"""A comment."""


class BeyondRules(QueryError):
    """The rules do not understand the query; a judge may."""


class Parsed(NamedTuple):
    """What was understood, and how: `json`, `rules`, `model` or `judge`.

    `unread` means that the rules skipped words and something is missing: a judge may find more.
    """

    payload: Payload
    by: str
    unread: bool = False


def parse_query(query: str, judge: ReadByJudge | None = None) -> Parsed:
    """Parse a query. Raises `QueryError` with the reason where that is impossible."""
    text = without_prompts(as_labels(fenced(told_in_messages(query.strip())))).strip()
    if not text:
        raise QueryError("The query is empty.", "Send the JSON of GET /trace/schema, or plain language.")
    if (given := _as_object(text)) is not None:
        return Parsed(given, "json")
    if told := amended(text):
        found = _in_words(told.text, judge)
        return found._replace(payload=with_amendment(found.payload, told))
    if meant := tests_meant(text):
        found = _in_words(meant.text, judge)
        return found._replace(payload=with_tests_meant(found.payload, meant))
    return _in_words(text, judge)


def _as_object(text: str) -> Payload | None:
    """The payload of a text that is JSON, a program or another notation as a whole."""
    if text[0] in "{[" and not in_chat(text):
        try:
            return read_payload(whole(text))
        except QueryError:
            if text[-1] in "}]" or (not within(text) and not fields_of(text)):
                raise
    if arguments := called(text):
        return read_payload(arguments)
    if arguments := in_another_notation(text):
        named = {} if names_tests(arguments) or tells_tests(arguments) else {"tests": _around(text)}
        return held(read_payload({**arguments, **named}), text)
    return None


def _in_words(text: str, judge: ReadByJudge | None) -> Parsed:
    """What the rules read in plain language, or the judge where they fail, or find less."""
    labels = sections_of(text)
    whole_text = without_ignored(text, labels[0].start if labels else len(text))
    listed = with_cited(whole_text)
    text = listed.text
    try:
        found = _more_told(_read(listed), text)
        if listed.contexts:
            hold_quoted(found.payload, listed.prose)
        if found.by == "rules" and (doubted := doubtful(whole_text, found.payload)):
            raise unclear(doubted)
    except QueryError as by_rules:
        if told := _by_model(whole_text):
            return told
        if judge is None:
            raise BeyondRules(by_rules.message, by_rules.hint) from None
        return Parsed(_judged(text, judge, by_rules), "judge")
    if found.by == "rules" and (told := _by_model(whole_text)) and _differs(told.payload, found.payload):
        return told
    unread = found.by == "rules" and bool(leftover(text)) and _lacks(found.payload) > 0
    return _completed(found, text, judge) if judge and unread else found._replace(unread=unread)


def _read(listed: Listed) -> Parsed:
    """What the rules read: a story beside cited contexts, an object, a story, or labels."""
    found = _narrated(listed.prose, listed.contexts) if listed.contexts else None
    found = found or _amid_prose(listed.text) or _narrated(listed.text)
    return found or Parsed(held(read_payload(_by_rules(listed.text)), listed.text), "rules")


def _by_model(text: str) -> Parsed | None:
    """What a model reads in prose whose texts are quoted, where it is sure."""
    try:
        return Parsed(held(read_payload(read_quoted_prose(text)), text), "model")
    except QueryError:
        return None


def _differs(told: Payload, found: Payload) -> bool:
    """Whether a model reads other texts than the rules, or the same and which contexts are relevant."""
    texts, others = (
        (one.question, one.answer, one.ground_truth, [context.text for context in one.contexts])
        for one in (told, found)
    )
    return texts != others or (bool(told.relevant_context_ids) and not found.relevant_context_ids)


def _around(text: str) -> list[str]:
    """The tests that a comment names, the words before the options of a command, or a first line that leads to all."""
    command, options, _ = text.partition(" --")
    first = text.partition("\n")[0].rstrip()
    beside = "\n".join(_BESIDE.findall(text)) or (command if options else first if first.endswith(":") else "")
    return names_before(beside) or all_wished(beside)


def _narrated(text: str, cited: Sequence[Mapping[str, str]] = ()) -> Parsed | None:
    """The query as a story, where each of its texts has a role, with the contexts that are `cited` beside it."""
    try:
        told = read_narrated(text, fewest=1 if cited else _SEVERAL)
        if cited and "contexts" in told:
            return None
        return Parsed(held(read_payload(told | ({"contexts": list(cited)} if cited else {})), text), "rules")
    except QueryError:
        return None


def _more_told(found: Parsed, text: str) -> Parsed:
    """The story instead, where something is missing, and the story says the same and more."""
    lacks = _lacks(found.payload) if found.by == "rules" else 0
    told = _narrated(text) if lacks else None
    if told is None or _lacks(told.payload) > lacks:
        return found
    given, more = (one.payload.model_dump(exclude_defaults=True) for one in (found, told))
    same = all(more.get(name) == held for name, held in given.items())
    return told if same and len(more) > len(given) else found


def _amid_prose(text: str) -> Parsed | None:
    """An object within prose, unless it belongs to a query with labels. The prose around it may name the tests."""
    found = within(text)
    if found is None or len(fields_in(found.given)) < _SEVERAL:
        found = _in_a_format(text) or found
    if found is None or fields_of(found.prose) - {"tests"}:
        return None
    held_beside(found.prose)
    given = dict(found.given)
    if not (names_tests(given) or tells_tests(given)):
        measured = named_in_program(text)
        given["tests"] = named_tests(found.prose) if measured is None else measured
    return Parsed(read_payload(given), "json")


def _in_a_format(text: str) -> Found | None:
    """The object that a program wrote or printed, in one of these formats."""
    readers = (in_elements, in_log, in_two_columns, in_program)
    return next((found for read in readers if (found := read(text))), None)


def _by_rules(text: str) -> dict[str, Any]:
    """By labels; by quotation marks where at most one part has a label, and more are quoted."""
    labels = fields_of(text) - {"tests", "unused"}
    if len(labels) > 1:
        return _more_quoted(text, read_plain(text))
    try:
        quoted = read_quoted(text)
    except QueryError as unclear:
        given = read_plain(text)  # its error says what a query looks like, or the query names only tests
        values = [part for name, part in given.items() if name != "tests"]
        several = any(quotations(part) > 1 for part in values if isinstance(part, str))
        if several or (len(values) == 1 and isinstance(values[0], str) and not _holds(values[0], text)):
            raise unclear from None  # one part holds the others, or they are in none
        return given
    if len(quoted) <= len(labels):
        try:
            return read_plain(text)
        except QueryError:
            if not quoted or labels != quoted.keys():
                raise
    if edited := next(filter(None, map(corrects, outer_parts(text)[1:])), ""):
        raise QueryError(f"It is unclear what {edited[:60]!r} changes.", "Send the query again, put right.")
    asked = {"question": question_of(text)} if labels == {"question"} else {}
    return _told(text) | _listed(text, labels, quoted) | asked | quoted | {"tests": named_tests(beside(text))}


def _holds(given: str, text: str) -> bool:
    """Whether the part holds all that is quoted, but for tests' names."""
    quoted = (text[start + 1 : end].strip() for start, end in spans_of(text))
    return all(one in given or not re.search(r"\w", without_names(one)) for one in quoted)


def _listed(text: str, labels: set[str], quoted: Mapping[str, Any]) -> dict[str, Any]:
    """The contexts after the only label, where none of them holds what is quoted elsewhere."""
    contexts = contexts_of(text) if labels == {"contexts"} else []
    texts = [str(item.get("text")) if isinstance(item, dict) else str(item) for item in contexts]
    held = any(isinstance(said, str) and said in one for said in quoted.values() for one in texts)
    return {"contexts": contexts} if texts and not held else {}


def _more_quoted(text: str, given: dict[str, Any]) -> dict[str, Any]:
    """What the labels say; what the quotation marks say where that is the same and more: `The question was «…».`"""
    try:
        quoted = read_quoted(text)
    except QueryError:
        return given
    same = all(quoted.get(field) == _plain(held) for field, held in given.items() if field != "tests")
    return given | quoted if same else given


def _plain(held: Any) -> Any:
    """Contexts without ids as texts alone."""
    texts = isinstance(held, list) and all(isinstance(item, dict) and item.keys() == {"text"} for item in held)
    return [item["text"] for item in held] if texts else held


def _told(text: str) -> dict[str, str]:
    """The relevant contexts, where one clause outside of quotation marks tells them."""
    told = [ids for part in outer_parts(text) if (ids := told_in_prose(part)[1])]
    return {"relevant_context_ids": ", ".join(told[0])} if len(told) == 1 else {}


def _completed(found: Parsed, text: str, judge: ReadByJudge) -> Parsed:
    """The judge's reading instead, where it lacks fewer fields than the rules'."""
    try:
        read = read_payload(judge(text))
    except TraceError:
        return found
    return Parsed(read, "judge") if _lacks(read) < _lacks(found.payload) else found


def _lacks(payload: Payload) -> int:
    return sum(payload.lacks(need) for name in payload.tests if name in TESTS for need in TESTS[name].needs)


def _judged(text: str, judge: ReadByJudge, by_rules: QueryError) -> Payload:
    try:
        return read_payload(judge(text))
    except QueryError:
        raise by_rules from None
    except TraceError as error:
        raise QueryError(by_rules.message, f"{by_rules.hint} The judge could not read it either: {error}") from None
