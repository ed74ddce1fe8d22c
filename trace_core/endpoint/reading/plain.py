"""A query in plain language → the canonical JSON, by rules: labels, and the text after each.

Labels may be in any case and order, on lines of their own or several on a line. Every pattern here is bounded,
so that the time is linear in the text's length.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from textwrap import dedent
from typing import Any

from trace_core.endpoint.payload import QueryError
from trace_core.endpoint.reading.bare import with_bare_parts
from trace_core.endpoint.reading.closing import parted
from trace_core.endpoint.reading.language.described import described
from trace_core.endpoint.reading.language.plain_contexts import (
    listed_texts,
    quoted_parts,
    read_contexts,
)
from trace_core.endpoint.reading.language.plain_tests import (
    all_wished,
    hold_list,
    hold_names,
    leaves_open,
    misspelled,
    names_before,
    names_in,
    unknown_wished,
)
from trace_core.endpoint.reading.language.relevance import marked_relevant, told_before, told_in_prose, told_relevant
from trace_core.endpoint.reading.language.relevant_ids import relevant_among
from trace_core.endpoint.reading.language.roles import relabeled
from trace_core.endpoint.reading.language.text import said_none, says_none, unquoted
from trace_core.endpoint.reading.leads.told import last_clause, told_by
from trace_core.endpoint.reading.lines import as_lines
from trace_core.endpoint.reading.sections import Section, line_start, sections_of
from trace_core.endpoint.registry import needs_of

LABELS = {
    "tests": ("Evaluate", "Tests", "Metrics"),
    "question": ("Question",),
    "contexts": ("Context", "Contexts", "Documents"),
    "answer": ("Answer", "Response"),
    "ground_truth": ("Ground truth", "Reference"),
    "relevant_context_ids": ("Relevant", "Relevant ids", "Relevant contexts"),
}
"""The usual labels of each parameter; close variants are understood, too."""

_ONCE = ("question", "answer", "relevant_context_ids")
_END_OF_TESTS = re.compile(r"\n[ \t]*(?:[-=*_]{3,60}[ \t]*)?\n")
"""A blank line, or a rule; only known tests are read after it."""
_OPENED = re.compile(r"(\{(?:quote|noformat|code)\}|```)(?:[a-z]{1,12}(?=\n))?")
"""The start of a block in a ticket or in Markdown, which ends with the same marks."""
_LEADING = re.compile(
    r"\n[ \t]{0,8}\n[^\n.!?:]{1,80} (?:was|is|were|are|war|ist|était|est|era|es)\Z"
    r"|(?<=[.?!])[ \t]{1,4}(?:and |und |et |y )?(?:the|our|my|its|die|der|das|la|le|el|il|de|het)\Z",
    re.IGNORECASE,
)
"""A last line or an article that leads to the next part: `when what the user typed was`; `the` of `the answer is:`."""
_LEADS_ON = re.compile(r"(?<=[\"”»“.!?;])[ \t]{1,4}[^\W\d_][^\"“”«»„\n:.!?]{1,100}\Z")
"""Words after a quotation that lead to the label after them: `Answer: “…”. Any of these is accepted as`."""
_STOPS = ".!?;"
_ASKED = re.compile(r"[^?？]{1,2000}[?？](?=[ \t]*\n[ \t]*\n)")
_LEAD = re.compile(r"^(?P<clause>[^\n:]{3,80}):[ \t]{1,4}\S", re.MULTILINE)
_FEW_WORDS, _SHORT_TRUTH = 12, 80
LONGEST = 200_000
"""The most characters of a query in plain language; a longer one has to be JSON."""


def read_plain(text: str) -> dict[str, Any]:
    """The canonical JSON of a query in plain language. Raises `QueryError` where it names no tests, has no labels,
    repeats a label, or is longer than `LONGEST`.
    """
    if len(text) > LONGEST:
        raise QueryError(f"A query in plain language may hold {LONGEST} characters.", "Send a longer one as JSON.")
    lines = _laid_out(text)
    text, asked, denied = parted(lines, sections_of(lines))
    sections = sections_of(text)
    if not sections:
        raise QueryError(
            "The query is neither JSON nor plain language with labels.",
            "Begin its parts with labels such as Evaluate: Question: Contexts: Answer: Ground truth: Relevant ids:",
        )
    bodies = _bodies(text, sections)
    _refuse_twice(bodies)
    told = (body for section, body in bodies if section.field == "relevant_context_ids" and not says_none(body))
    relevant = next(told, None)
    contexts, marked = marked_relevant(_contexts(bodies, relevant))
    before = _before(text, sections)
    given: dict[str, Any] = {
        "tests": _tests(before, bodies, asked, denied),
        "question": _single(bodies, "question"),
        "contexts": contexts,
        "answer": _single(bodies, "answer"),
        "ground_truth": _truths(bodies),
        "relevant_context_ids": relevant or marked,
    }
    given = {name: value for name, value in given.items() if value not in (None, [])}
    _hold_before(before, given)
    return given


def _contexts(bodies: Sequence[tuple[Section, str]], relevant: str | None) -> list[Any]:
    named = [(s.label, s.number, body) for s, body in bodies if s.field == "contexts" and not says_none(body)]
    return read_contexts(named, relevant_among(relevant or ""))


def _hold_before(prose: str, given: Mapping[str, Any]) -> None:
    """Raise where a line before the first label tells a part that is needed, in words that are no label."""
    lacking = needs_of(given["tests"]) - given.keys()
    for lead in _LEAD.finditer(prose):
        if told_by(last_clause(lead["clause"])) in lacking:
            raise QueryError(
                f"It is unclear what follows {lead['clause'][:60]!r}.", "Put a label before it: Question: Contexts:"
            )


@lru_cache(maxsize=4)
def _laid_out(text: str) -> str:
    """The text with a usual label before each part that any label names."""
    text = as_lines(text)
    known = _begin_lines(text)
    if "relevant_context_ids" not in known:
        text = told_relevant(text)
    first, gap, rest = text.partition("\n\n")
    named = names_before(f"{told_in_prose(first)[0]}{gap}{rest}", short=True)
    wanted = needs_of(named)
    text = with_bare_parts(relabeled(text, known, wanted - known), wanted)
    sections = sections_of(text)
    if all(section.field != "relevant_context_ids" for section in sections):
        text = told_before(text, sections[0].start if sections else 0)
    return text


def _begin_lines(text: str) -> set[str]:
    """The fields whose labels begin lines."""
    return {s.field for s in sections_of(text) if s.listed and s.start == line_start(text, s.start)}


def fields_of(text: str) -> set[str]:
    """The fields that have a label in the text."""
    return {section.field for section in sections_of(_laid_out(text))} if len(text) <= LONGEST else set()


def contexts_of(text: str) -> list[Any]:
    """What stands after the labels of contexts."""
    lines = _laid_out(text)
    return _contexts(_bodies(lines, sections_of(lines)), None)


def question_of(text: str) -> str | None:
    """What stands between a label and the first question mark after it."""
    lines = _laid_out(text)
    body = _single(_bodies(lines, sections_of(lines)), "question") or ""
    asked, mark, _ = body.partition("?")
    return f"{asked}?" if mark else None


def named_tests(text: str) -> list[str]:
    """The tests named in prose. Raises `QueryError` where it names none."""
    lines = as_lines(text)
    lines, asked, denied = parted(lines, sections_of(lines))
    sections = sections_of(lines)
    return _tests(_before(lines, sections), _bodies(lines, sections), names_before(lines) or asked, denied)


def leftover(text: str) -> bool:
    """Whether the text before the first label names more than tests."""
    lines = _laid_out(text)
    return len(_before(lines, sections_of(lines)).split()) > _FEW_WORDS


def _before(text: str, sections: Sequence[Section]) -> str:
    """The text before the first label."""
    return text[: sections[0].start] if sections else text


def _bodies(text: str, sections: Sequence[Section]) -> list[tuple[Section, str]]:
    starts = [section.start for section in sections] + [len(text)]
    ends = zip(sections, starts[1:], strict=True)
    found = [(s, _led_on(_body(text[s.end : end]), text[end - 1 : end + 1])) for s, end in ends]
    return [(s, body if s.field == "ground_truth" else _unmarked(body)) for s, body in found]


def _led_on(body: str, border: str) -> str:
    """The text without the stop after what is quoted, and without words that lead to a label on the same line."""
    leads = _LEADS_ON.search(body) if len(border) > 1 and border[0] != "\n" else None
    said = body[: leads.start()] if leads else body
    quoted = said.rstrip(_STOPS)
    ended = said[-1:] in _STOPS or quoted[-2:-1] in _STOPS
    return quoted if ended and quoted_parts(quoted) else body


def _unmarked(body: str) -> str:
    """The text without the marks of a quotation before all its lines."""
    lines = [line.strip() for line in body.split("\n")]
    return "\n".join(line[1:].strip() for line in lines) if all(line.startswith(">") for line in lines) else body


def _body(text: str) -> str:
    """The text after a label; where it begins with a block, what is in the block."""
    first, _, rest = re.sub(r"\A[ \t]{0,4}(?:\*\*|__|`)(?=\s)", "", text).partition("\n")
    body = _LEADING.sub("", f"{first}\n{dedent(rest)}".strip())
    opened = _OPENED.match(body)
    end = body.find(opened[1], opened.end()) if opened else -1
    if opened and body.find(opened[1], end + len(opened[1])) > 0:
        return body  # several blocks
    return body[opened.end() : end].strip() if opened and end > 0 else body


def _refuse_twice(bodies: list[tuple[Section, str]]) -> None:
    for field in _ONCE:
        if sum(section.field == field for section, _ in bodies) > 1:
            label = LABELS[field][0]
            raise QueryError(f"The label {label} stands twice, so it is unclear which is meant.", "Send JSON instead.")


def _tests(
    preamble: str, bodies: list[tuple[Section, str]], asked: Sequence[str], denied: Collection[str]
) -> list[str]:
    """The tests after their label, else those named before the first label, else those `asked` for elsewhere; none
    that is `denied` at the end.
    """
    names: list[str] = []
    for section, body in bodies:
        if section.field == "tests" and not leaves_open(body):
            first, *rest = _END_OF_TESTS.split(body, 1)
            names += [*names_in(first, section.listed), *names_before("".join(rest))]
    said = "".join(body for section, body in bodies if section.field == "tests")
    hold_names(preamble)
    hold_list(said)
    names = (
        [*(names or names_before(preamble, short=True)), *asked]
        or misspelled(preamble)
        or unknown_wished(preamble)
        or described(preamble)
        or described(said)
        or all_wished(preamble)
    )
    names = [name for name in names if name not in denied]
    if not names:
        raise QueryError(
            "The query names no tests.", "Begin with, for example: Evaluate: answer_accuracy, context_recall"
        )
    return list(dict.fromkeys(names))


def _single(bodies: list[tuple[Section, str]], field: str) -> str | None:
    body = next((body for section, body in bodies if section.field == field), None)
    if body is None or said_none(body):
        return None
    asked = _ASKED.match(body) if field == "question" else None
    said = unquoted(asked[0] if asked else body)
    if "\n" not in said:
        said = re.sub(r"\A[-*•][ \t]{1,4}", "", said)
    return said[:-1].rstrip() if said.endswith(")") and "(" not in said else said


def _truths(bodies: list[tuple[Section, str]]) -> str | list[str] | None:
    """One ground truth, or a list where the label is repeated or followed by a list."""
    found = [(section, body) for section, body in bodies if section.field == "ground_truth"]
    items = [
        item for section, body in found for item in _several(section.label, body) or _items(body) if not says_none(item)
    ]
    return items if len(items) > 1 else items[0] if items else None


def _several(label: str, body: str) -> list[str]:
    """The short texts between semicolons after a label in the plural: `Accepted answers: NaCl; table salt`."""
    parts = [part.strip() for part in body.split(";")] if label.endswith("s") and "\n" not in body else []
    short = len(parts) > 1 and all(0 < len(part) <= _SHORT_TRUTH for part in parts)
    return [unquoted(part) for part in parts] if short and not listed_texts(body) else []


def _items(body: str) -> list[str]:
    """The items of a bulleted list, or the whole body as one text."""
    lines = [line.strip() for line in body.splitlines() if line.strip()]
    bullet = re.compile(r"(?:[-*•>–—]|\(?(?:\d{1,3}|[ivx]{1,4}|[a-z])[.)])[ \t]+")
    if lines and (len(lines) > 1 or lines[0][0] in "-*•–—") and all(bullet.match(line) for line in lines):
        return [unquoted(bullet.sub("", line, count=1)) for line in lines]
    listed = listed_texts(body)
    if listed and all(isinstance(item, str) for item in listed):
        return [str(item) for item in listed]
    return quoted_parts(body) or [unquoted(_unmarked(body))]
