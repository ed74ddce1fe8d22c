"""The labels in a text that count as the beginnings of its parts."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from trace_core.endpoint.reading.language.names import is_all
from trace_core.endpoint.reading.language.plain_tests import names_before
from trace_core.endpoint.reading.language.series import BEFORE, in_series
from trace_core.endpoint.reading.language.words import CAPITALS, LABEL, SHORT, WISHES, field_of

_NUMBER = (
    r"(?:[ \t]{1,4}(?:id ?= ?)?(?P<number>\[[^\[\]\n]{1,64}\]|\((?:id|nr|no)\b[ .:=]{0,3}[\w.#/-]{1,64}\)"
    r"|[A-Za-z]{0,16}[_-]?\d{1,9}"
    r"|[A-Za-z](?=[ \t]{0,4}(?::|\n|$))))?"
)
_WORD_FOR_ID = re.compile(r"\A(?:id|nr|no)\b[ .:=]{1,3}", re.IGNORECASE)
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
    r"(?:(?:here[ ](?:is|are)|my|our|the|these|it[ ]had|based[ ]on|given|for)[ ]){0,3}"
    r"(?:(?:für|pour|para|per|voor|för|dla)[ ])?(?:(?:die|der|das|la|le|les|el|los|il|a|de|notre|nuestra)[ ])?"
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
_ITEM = re.compile(r"[ \t]{0,8}(?P<open>\(?)(?P<number>\d{1,2})(?P<close>[.)])[ \t]")
_LONGEST_FIRST = 4000
"""The most characters in which the second of lettered contexts is looked for."""
_OPENS = re.compile(r"[*_`]{0,3}[ \t]{0,4}\n?[ \t]{0,4}(?P<mark>[\"“„«'])")
_CLOSES = {
    '"': re.compile('"'),
    "'": re.compile(r"'(?!\w)"),
    "“": re.compile("”"),
    "„": re.compile("[“”]"),
    "«": re.compile("»"),
}
_ENDS_QUOTED = {'"': re.compile(r"(?<=\S)\"(?!\w)"), "'": re.compile(r"(?<=[.!?])'|'(?=[.;,]?\s{0,8}(?:\n|\Z))")}
"""What a straight mark has to look like to end a quotation, as it may open another one, or be an apostrophe."""
_LONGEST_QUOTED = 20_000


class Section(NamedTuple):
    """A label, the field it names, and where it stands."""

    field: str
    label: str
    number: str
    listed: bool  # whether a colon follows the label, so that a list or a value comes next
    start: int
    end: int


@lru_cache(maxsize=4)
def sections_of(text: str) -> tuple[Section, ...]:
    """The labels that count: those that begin a line, and those within a line that cannot be part of a text.

    A context may itself contain "Answer: …". So a label within a line counts only where no line begins with
    that label, and, once labels begin lines, only in a line that begins with one.
    """
    starting, inner = _unquoted(text, [*_AT_LINE_START.finditer(text)], [*_INLINE.finditer(text)])
    lined = _without_conversations([_section(match) for match in starting])
    lined = [section for section in lined if section.label not in WISHES or _names_tests(text, section)]
    lined = _without_items(text, _without_first_of_series(text, lined))
    fields = {section.field for section in lined}
    # A bare "Evaluate …" opens a sentence, not a layout.
    in_lines = len([section for section in lined if section.listed]) > 1
    # A context may quote a form or a conversation: the rest of its line belongs to it.
    starts = {line_start(text, section.start) for section in lined if section.field != "contexts"}
    spans = [(section.start, section.end) for section in lined]
    within = [
        (section, _is_label(match))
        for match, section in _outside(((match, _section(match)) for match in inner), spans)
        if section.field not in fields
        and (not in_lines or section.start < lined[0].start or line_start(text, section.start) in starts)
    ]
    known = fields | {section.field for section, sure in within if sure}
    inline = [section for section, sure in within if sure or _follows_a_text(text, section, known)]
    return tuple(_without_first_of_series(text, sorted([*lined, *inline], key=lambda section: section.start)))


def _unquoted(text: str, *found: list[re.Match[str]]) -> list[list[re.Match[str]]]:
    """The labels without those within a quotation that begins right after one of them, and that a mark closes."""
    places = sorted({(label.start(), label.end()) for labels in found for label in labels})
    quoted: list[tuple[int, int]] = []
    for start, end in places:
        if quoted and start < quoted[-1][1]:
            continue
        if (opened := _OPENS.match(text, end)) and (close := _closing(text, opened)):
            quoted.append((opened.end(), close))
    begins = [start for start, _ in quoted]
    return [[one for one in labels if not _within(one.start(), begins, quoted)] for labels in found]


def _closing(text: str, opened: re.Match[str]) -> int:
    """Where the quotation ends; 0 where it does not, or where its first mark may be another one or an apostrophe."""
    mark = _CLOSES[opened["mark"]].search(text, opened.end(), opened.end() + _LONGEST_QUOTED)
    ends = _ENDS_QUOTED.get(opened["mark"])
    return mark.start() if mark and (ends is None or ends.match(text, mark.start())) else 0


def _within(place: int, begins: Sequence[int], spans: Sequence[tuple[int, int]]) -> bool:
    before = bisect_right(begins, place) - 1
    return before >= 0 and place < spans[before][1]


def _follows_a_text(text: str, section: Section, known: set[str]) -> bool:
    """Whether a common word (`docs:`, `Bot:`) after the end of a text is a label: nothing else names that part."""
    before = text[max(0, section.start - 8) : section.start].rstrip(" \t")
    names = (section.field == "contexts" or text[section.start].isupper()) and text[section.start - 1].isspace()
    return names and section.field not in known and before.endswith(BEFORE)


def _without_first_of_series(text: str, sections: list[Section]) -> list[Section]:
    """The sections without an `A:` that directly follows the label of the contexts, and that a `B:` follows."""
    kept: list[Section] = []
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


def _names_tests(text: str, section: Section) -> bool:
    """Whether tests are named after the label on its line; `Run:` stands in commands, and `Score:` before numbers."""
    end = text.find("\n", section.end)
    said = text[section.end : end if end > 0 else len(text)]
    return is_all(said) or bool(names_before(said, short=True))


def _without_items(text: str, sections: list[Section]) -> list[Section]:
    """The sections without labels that an item of a list of contexts begins with: `(3) Context: this rule …`."""
    kept: list[Section] = []
    for section in sections:
        before = kept[-1] if kept else section
        item, first = (_ITEM.match(text, place) for place in (section.start, _text_after(text, before.end)))
        numbered = _ITEM.match(text, before.start)
        if not (
            before.field == "contexts"
            and item
            and first
            and (item["open"], item["close"], first["number"]) == (first["open"], first["close"], "1")
            and text.count("\n", before.end, section.start) == int(item["number"])
            and not (numbered and int(numbered["number"]) + 1 == int(item["number"]))
        ):
            kept.append(section)
    return kept


def _text_after(text: str, place: int) -> int:
    """Where the text after a label begins."""
    near = text[place : place + 20]
    return place + len(near) - len(near.lstrip())


def _without_conversations(lined: list[Section]) -> list[Section]:
    """The sections without `User:` and the like, where the same part has a label that no conversation has."""
    sure = {section.field for section in lined if section.label not in SHORT}
    return [section for section in lined if section.label not in SHORT or section.field not in sure]


def _is_label(match: re.Match[str]) -> bool:
    """Within a line a common word is not a label, and a letter only as a capital."""
    said = match[field_of(match)]
    return said in CAPITALS or said.lower() not in SHORT


def _section(match: re.Match[str]) -> Section:
    groups = match.groupdict()
    if groups.get("bare"):
        return Section("tests", "evaluate", "", False, match.start(), match.end())
    field = field_of(match)
    number = _WORD_FOR_ID.sub("", (groups["number"] or "").strip("[]() \t"))
    return Section(field, groups[field].lower(), number, True, match.start(), match.end())


def _outside(
    found: Iterator[tuple[re.Match[str], Section]], spans: list[tuple[int, int]]
) -> Iterator[tuple[re.Match[str], Section]]:
    """The matches that overlap none of the spans; both are sorted."""
    i = 0
    for match, section in found:
        while i < len(spans) and spans[i][1] <= section.start:
            i += 1
        if i == len(spans) or section.end <= spans[i][0]:
            yield match, section


def line_start(text: str, place: int) -> int:
    """Where the line of a place begins."""
    return text.rfind("\n", 0, place) + 1
