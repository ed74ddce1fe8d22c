"""A query in plain language → the canonical JSON, by rules: labels, and the text after each.

Labels may be in any case and order, on lines of their own or several on a line. Every pattern here is bounded,
so that the time is linear in the text's length.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from textwrap import dedent
from typing import Any, NamedTuple

from trace_core.endpoint.payload import QueryError
from trace_core.endpoint.reading.described import described
from trace_core.endpoint.reading.lines import as_lines, parted
from trace_core.endpoint.reading.plain_contexts import (
    listed_texts,
    quoted_parts,
    read_contexts,
    relevant_among,
)
from trace_core.endpoint.reading.plain_tests import misspelled, names_before, names_in
from trace_core.endpoint.reading.relevance import marked_relevant, told_relevant
from trace_core.endpoint.reading.roles import relabeled
from trace_core.endpoint.reading.series import BEFORE, in_series
from trace_core.endpoint.reading.text import unquoted
from trace_core.endpoint.reading.words import CAPITALS, LABEL, SHORT, field_of
from trace_core.endpoint.registry import TESTS

LABELS = {
    "tests": ("Evaluate", "Tests", "Metrics"),
    "question": ("Question",),
    "contexts": ("Context", "Contexts", "Documents"),
    "answer": ("Answer", "Response"),
    "ground_truth": ("Ground truth", "Reference"),
    "relevant_context_ids": ("Relevant", "Relevant ids", "Relevant contexts"),
}
"""The usual labels of each parameter; close variants are understood, too."""

_NUMBER = (
    r"(?:[ \t]{1,4}(?:id ?= ?)?(?P<number>\[[^\[\]\n]{1,64}\]|[A-Za-z]{0,16}[_-]?\d{1,9}"
    r"|[A-Za-z](?=[ \t]{0,4}(?::|\n|$))))?"
)
_ENDS = (
    r"(?:[ \t](?:is|are|was|lautete?t?|war|ist|était(?:[ ]la[ ]suivante)?|era|fue))?"
    r"[*_`\"']{0,3}[ \t]{0,4}(?:[:：]|=(?!=))"
)
_SYMBOL = "[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]"
_DECORATION = (
    rf"[ \t]{{0,8}}(?:(?:[#>*_`\"'+•-]{{1,6}}|h[1-6]\.|{_SYMBOL}{{1,4}}|\d{{1,2}}[.)]"
    r"|\([a-z\d]{1,2}\))[ \t]{0,4}){0,3}"
)
_LEAD = (
    r"(?:(?:here[ ](?:is|are)|my|our|the|these|it[ ]had|based[ ]on|given)[ ]){0,3}"
    r"(?:(?:die|der|das|la|le|les|el|los|il|notre|nuestra)[ ])?"
    r"(?:(?:two|three|four|five|following|\d{1,2})[ ]){0,2}"
)
_ASIDE = (
    r"(?:[ ](?:we|it|they|i|you|the[ ]\w{1,12})"
    r"[ ](?:asked|gave|got|had|used|wrote|said|found|retrieved|returned|answered))?"
    r"(?:[ \t]{0,2}\([^()\n]{1,60}\))?"
)
"""`the question we asked`, `Context (handbook, p. 4)`."""
_AT_LINE_START = re.compile(
    rf"^{_DECORATION}(?:{_LEAD}(?:{LABEL}){_NUMBER}(?:{_ASIDE}{_ENDS}|[*_`]{{0,3}}[ \t]{{0,4}}$)"
    r"|(?P<bare>evaluate)(?=[ \t]))",
    re.IGNORECASE | re.MULTILINE,
)
_INLINE = re.compile(rf"(?<![\w-])(?:{LABEL}){_NUMBER}(?:[ \t]{{0,2}}\([^()\n]{{1,60}}\))?{_ENDS}", re.IGNORECASE)
_ONCE = ("question", "answer", "relevant_context_ids")
_END_OF_TESTS = re.compile(r"\n[ \t]*(?:[-=*_]{3,60}[ \t]*)?\n")
"""A blank line, or a rule; only known tests are read after it."""
_OPENED = re.compile(r"(\{(?:quote|noformat|code)\}|```)(?:[a-z]{1,12}(?=\n))?")
"""The start of a block in a ticket or in Markdown, which ends with the same marks."""
_LEADING = re.compile(r"\n[ \t]{0,8}\n[^\n.!?:]{1,80} (?:was|is|were|are|war|ist|était|est|era|es)\Z")
"""A last line that leads to the next part: `when what the user typed was`."""
_ASKED = re.compile(r"[^?？]{1,2000}[?？](?=[ \t]*\n[ \t]*\n)")
_BRACKET = r"\[[\w.#/-]{1,64}\][ \t]{1,4}\S"
_BRACKETS_AFTER_QUESTION = re.compile(
    rf"[^\n]{{1,2000}}\n\s{{0,8}}(?P<list>{_BRACKET}[^\n]{{0,20000}}\n\s{{0,8}}{_BRACKET})"
)
_LIST_AFTER_QUESTION = re.compile(
    r"[^\n]{1,2000}[?？][ \t]{0,8}\n\s{0,8}(?P<list>(?:\(?1[.)]|\[1\]|#1)[ \t]{1,4}\S[^\n]{0,20000}\n\s{0,8}"
    r"(?:\(?2[.)]|\[2\]|#2)[ \t])"
)
_FEW_WORDS = 12
_LONGEST_FIRST = 4000
"""The most characters in which the second of lettered contexts is looked for."""
_ABSENT = re.compile(
    r"\(?(?:n/?a|-|–|none|null|tbd|todo|not (?:given|available|known)|unknown|missing|\?+)?(?:[,;:)].{0,80})?\)?\.?",
    re.IGNORECASE,
)
"""A text that says that there is none: `n/a`, `(tbd, waiting for the team)`."""
_SAID_ABSENT = re.compile(
    r"[(\[<–—-]{1,3}[ \t]{0,4}(?:[^()\[\]<>.!?\n]{0,60} )?(?:n/?a|none|no|not|nothing|missing|empty|unknown|unavailable"
    r"|tbd|todo|pending|later|fehlt|fehlend|keine?|leer|nicht|offen|absente?|manquante?|aucune?|vide|pas|sin|falta"
    r"|ning[uú]na?|vac[ií][oa]|mancante|assente|nessuna?|vuot[oa]|ontbreekt|geen|leeg|sem|nenhuma?|vazi[oa]|brak|puste)"
    r"(?: [^()\[\]<>.!?\n]{0,60})?[ \t]{0,4}[)\]>–—-]{1,3}\.?",
    re.IGNORECASE,
)
"""The same between brackets or dashes, in any words: `(none recorded)`, `– fehlt im Export –`."""
LONGEST = 200_000
"""The most characters of a query in plain language; a longer one has to be JSON."""


class _Section(NamedTuple):
    field: str
    label: str
    number: str
    listed: bool  # whether a colon follows the label, so that a list or a value comes next
    start: int
    end: int


def read_plain(text: str) -> dict[str, Any]:
    """The canonical JSON of a query in plain language. Raises `QueryError` where it names no tests, has no labels,
    repeats a label, or is longer than `LONGEST`.
    """
    if len(text) > LONGEST:
        raise QueryError(f"A query in plain language may hold {LONGEST} characters.", "Send a longer one as JSON.")
    text, asked, denied = parted(_laid_out(text))
    sections = _with_unlabeled_contexts(text, _sections(text))
    if not sections:
        raise QueryError(
            "The query is neither JSON nor plain language with labels.",
            "Begin its parts with labels such as Evaluate: Question: Contexts: Answer: Ground truth: Relevant ids:",
        )
    bodies = _bodies(text, sections)
    _refuse_twice(bodies)
    relevant = next((body for section, body in bodies if section.field == "relevant_context_ids"), None)
    contexts = read_contexts(
        [(s.label, s.number, body) for s, body in bodies if s.field == "contexts" and not _absent(body)],
        relevant_among(relevant or ""),
    )
    contexts, marked = marked_relevant(contexts)
    given: dict[str, Any] = {
        "tests": _tests(_before(text, sections), bodies, asked, denied),
        "question": _single(bodies, "question"),
        "contexts": contexts,
        "answer": _single(bodies, "answer"),
        "ground_truth": _truths(bodies),
        "relevant_context_ids": relevant or marked,
    }
    return {name: value for name, value in given.items() if value not in (None, [])}


def _with_unlabeled_contexts(text: str, sections: Sequence[_Section]) -> Sequence[_Section]:
    """The sections, with one for a numbered list right after the question, where no label names contexts."""
    asks = next((i for i, section in enumerate(sections) if section.field == "question"), None)
    if asks is None or any(section.field == "contexts" for section in sections):
        return sections
    end = sections[asks + 1].start if asks + 1 < len(sections) else len(text)
    start = sections[asks].end
    listed = _LIST_AFTER_QUESTION.match(text, start, end) or _BRACKETS_AFTER_QUESTION.match(text, start, end)
    if listed is None:
        return sections
    contexts = _Section("contexts", "contexts", "", True, listed.start("list"), listed.start("list"))
    return [*sections[: asks + 1], contexts, *sections[asks + 1 :]]


@lru_cache(maxsize=4)
def _laid_out(text: str) -> str:
    """The text with a usual label before each part that any label names."""
    text = as_lines(text)
    known = {s.field for s in _sections(text) if s.listed and s.start == _line_start(text, s.start)}
    if "relevant_context_ids" not in known:
        text = told_relevant(text)
    wanted = {need for name in names_before(text) if name in TESTS for need in TESTS[name].needs} - known
    return relabeled(text, known, wanted)


def fields_of(text: str) -> set[str]:
    """The fields that have a label in the text."""
    return {section.field for section in _sections(_laid_out(text))} if len(text) <= LONGEST else set()


def question_of(text: str) -> str | None:
    """What stands between a label and the first question mark after it."""
    lines = _laid_out(text)
    body = _single(_bodies(lines, _sections(lines)), "question") or ""
    asked, mark, _ = body.partition("?")
    return f"{asked}?" if mark else None


def named_tests(text: str) -> list[str]:
    """The tests named in prose. Raises `QueryError` where it names none."""
    lines, asked, denied = parted(as_lines(text))
    sections = _sections(lines)
    return _tests(_before(lines, sections), _bodies(lines, sections), names_before(lines) or asked, denied)


def leftover(text: str) -> bool:
    """Whether the text before the first label names more than tests."""
    lines = _laid_out(text)
    return len(_before(lines, _sections(lines)).split()) > _FEW_WORDS


def _before(text: str, sections: Sequence[_Section]) -> str:
    """The text before the first label."""
    return text[: sections[0].start] if sections else text


@lru_cache(maxsize=4)
def _sections(text: str) -> tuple[_Section, ...]:
    """The labels that count: those that begin a line, and those within a line that cannot be part of a text.

    A context may itself contain "Answer: …". So a label within a line counts only where no line begins with
    that label, and, once labels begin lines, only in a line that begins with one.
    """
    lined = _without_conversations([_section(match) for match in _AT_LINE_START.finditer(text)])
    lined = _without_first_of_series(text, lined)
    fields = {section.field for section in lined}
    # A bare "Evaluate …" opens a sentence, not a layout.
    in_lines = len([section for section in lined if section.listed]) > 1
    # A context may quote a form or a conversation: the rest of its line belongs to it.
    starts = {_line_start(text, section.start) for section in lined if section.field != "contexts"}
    spans = [(section.start, section.end) for section in lined]
    within = [
        (section, _is_label(match))
        for match, section in _outside(((match, _section(match)) for match in _INLINE.finditer(text)), spans)
        if section.field not in fields
        and (not in_lines or section.start < lined[0].start or _line_start(text, section.start) in starts)
    ]
    known = fields | {section.field for section, sure in within if sure}
    inline = [section for section, sure in within if sure or _follows_a_text(text, section, known)]
    return tuple(_without_first_of_series(text, sorted([*lined, *inline], key=lambda section: section.start)))


def _follows_a_text(text: str, section: _Section, known: set[str]) -> bool:
    """Whether a common word (`docs:`, `Bot:`) after the end of a text is a label: nothing else names that part."""
    before = text[max(0, section.start - 8) : section.start].rstrip(" \t")
    names = (section.field == "contexts" or text[section.start].isupper()) and text[section.start - 1].isspace()
    return names and section.field not in known and before.endswith(BEFORE)


def _without_first_of_series(text: str, sections: list[_Section]) -> list[_Section]:
    """The sections without an `A:` that directly follows the label of the contexts, and that a `B:` follows."""
    kept: list[_Section] = []
    for section in sections:
        before = kept[-1] if kept else section
        if (
            (before.field, section.label) == ("contexts", "a")
            and not text[before.end : section.start].strip()
            and in_series(text[section.start : section.start + _LONGEST_FIRST])
        ):
            continue
        kept.append(section)
    return kept


def _without_conversations(lined: list[_Section]) -> list[_Section]:
    """The sections without `User:` and the like, where the same part has a label that no conversation has."""
    sure = {section.field for section in lined if section.label not in SHORT}
    return [section for section in lined if section.label not in SHORT or section.field not in sure]


def _is_label(match: re.Match[str]) -> bool:
    """Within a line a common word is not a label, and a letter only as a capital."""
    said = match[field_of(match)]
    return said in CAPITALS or said.lower() not in SHORT


def _section(match: re.Match[str]) -> _Section:
    groups = match.groupdict()
    if groups.get("bare"):
        return _Section("tests", "evaluate", "", False, match.start(), match.end())
    field = field_of(match)
    number = (groups["number"] or "").strip("[] \t")
    return _Section(field, groups[field].lower(), number, True, match.start(), match.end())


def _outside(
    found: Iterator[tuple[re.Match[str], _Section]], spans: list[tuple[int, int]]
) -> Iterator[tuple[re.Match[str], _Section]]:
    """The matches that overlap none of the spans; both are sorted."""
    i = 0
    for match, section in found:
        while i < len(spans) and spans[i][1] <= section.start:
            i += 1
        if i == len(spans) or section.end <= spans[i][0]:
            yield match, section


def _line_start(text: str, place: int) -> int:
    return text.rfind("\n", 0, place) + 1


def _bodies(text: str, sections: Sequence[_Section]) -> list[tuple[_Section, str]]:
    starts = [section.start for section in sections] + [len(text)]
    found = [(s, _body(text[s.end : end])) for s, end in zip(sections, starts[1:], strict=True)]
    return [(s, body if s.field == "ground_truth" else _unmarked(body)) for s, body in found]


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


def _refuse_twice(bodies: list[tuple[_Section, str]]) -> None:
    for field in _ONCE:
        if sum(section.field == field for section, _ in bodies) > 1:
            label = LABELS[field][0]
            raise QueryError(f"The label {label} stands twice, so it is unclear which is meant.", "Send JSON instead.")


def _tests(
    preamble: str, bodies: list[tuple[_Section, str]], asked: Sequence[str], denied: Collection[str]
) -> list[str]:
    """The tests after their label, else those named before the first label, else those `asked` for elsewhere; none
    that is `denied` at the end.
    """
    names: list[str] = []
    for section, body in bodies:
        if section.field == "tests":
            first, *rest = _END_OF_TESTS.split(body, 1)
            names += [*names_in(first, section.listed), *names_before("".join(rest))]
    said = "".join(body for section, body in bodies if section.field == "tests")
    names = (
        names or names_before(preamble) or list(asked) or misspelled(preamble) or described(preamble) or described(said)
    )
    names = [name for name in names if name not in denied]
    if not names:
        raise QueryError(
            "The query names no tests.", "Begin with, for example: Evaluate: answer_accuracy, context_recall"
        )
    return list(dict.fromkeys(names))


def _single(bodies: list[tuple[_Section, str]], field: str) -> str | None:
    body = next((body for section, body in bodies if section.field == field), None)
    if body is None or _SAID_ABSENT.fullmatch(body):
        return None
    asked = _ASKED.match(body) if field == "question" else None
    said = unquoted(asked[0] if asked else body)
    if "\n" not in said:
        said = re.sub(r"\A[-*•][ \t]{1,4}", "", said)
    return said[:-1].rstrip() if said.endswith(")") and "(" not in said else said


def _absent(body: str) -> bool:
    """Whether the text says that there is none."""
    return bool(_ABSENT.fullmatch(body) or _SAID_ABSENT.fullmatch(body))


def _truths(bodies: list[tuple[_Section, str]]) -> str | list[str] | None:
    """One ground truth, or a list where the label is repeated or followed by a list."""
    found = [body for section, body in bodies if section.field == "ground_truth"]
    items = [item for body in found for item in _items(body) if not _absent(item)]
    return items if len(items) > 1 else items[0] if items else None


def _items(body: str) -> list[str]:
    """The items of a bulleted list, or the whole body as one text."""
    lines = [line.strip() for line in body.splitlines() if line.strip()]
    bullet = re.compile(r"(?:[-*•>]|\(?(?:\d{1,3}|[ivx]{1,4}|[a-z])[.)])[ \t]+")
    if len(lines) > 1 and all(bullet.match(line) for line in lines):
        return [unquoted(bullet.sub("", line, count=1)) for line in lines]
    listed = listed_texts(body)
    if listed and all(isinstance(item, str) for item in listed):
        return [str(item) for item in listed]
    return quoted_parts(body) or [unquoted(_unmarked(body))]
