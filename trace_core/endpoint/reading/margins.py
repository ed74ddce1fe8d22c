"""What programs write around pasted lines: marks of quoted mail, times and names of a chat, signatures."""

from __future__ import annotations

import re
from textwrap import dedent

from trace_core.endpoint.payload import QueryError
from trace_core.endpoint.reading.language.roles import said_by
from trace_core.endpoint.reading.language.words import LABEL, PATTERNS, field_named, name_different_parts

_QUOTED = re.compile(r"^(?:>[ \t]?){1,8}", re.MULTILINE)
_CHAT = re.compile(
    r"^(?:(?P<first>[^\W\d][\w .'’-]{0,30}?)[ \t,]{1,2}[(\[]?\d{1,2}:\d{2}(?::\d{2})?(?:[ \t]?[AaPp][Mm])?[)\]]?:[ \t]"
    r"|\[?(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?[ \t])?\d{1,2}:\d{2}(?::\d{2})?(?:[ \t]?[AaPp][Mm])?\]?[ \t,–-]{0,4}"
    r"(?P<who>[^\W\d][\w .'’-]{0,30}):[ \t])",
    re.MULTILINE,
)
_SIGNED = re.compile(r"\n[ \t]{0,4}(?P<mark>/|--?|—)[ ]?[A-Z][\w-]{1,20}\s{0,8}\Z")
_LONGEST_SIGNED, _LONGEST_ITEM = 60, 2000
_LABELED = re.compile(rf"(?:{LABEL})[^\n:→⇒]{{0,40}}?(?::|→|⇒|[-=]>)", re.IGNORECASE)
_PROMPT = re.compile(r"^[ \t]{0,4}(?:In \[\d{0,4}\]: ?|\.\.\.:? ?|>>> ?)", re.MULTILINE)
_BEGINS = re.compile(r"\s{0,8}(?:In \[\d{0,4}\]:|>>> )")
"""What a notebook or a Python shell writes before its lines."""
_SIGNATURE = re.compile(
    r"[A-Z][\w.'’-]{0,20}(?: (?:[A-Z][\w.'’-]{0,20}|de|da|van|von|der|del)){0,3}(?:,(?: [^\n.!?:]{1,40})?)?"
    r"(?:\n[^\n.!?:]{1,60}){0,4}"
)
"""A name, and perhaps a post or an address below it."""
_SIGNED_OFF = re.compile(rf"[^\W\d_][^\n.:!?;,]{{1,50}},[ \t]{{0,4}}\n[ \t]{{0,4}}{_SIGNATURE.pattern}")
"""The same below a farewell in any language: `Met vriendelijke groet,`."""
_SENTENCE_ENDS = tuple('.!?…»”")。！？')
_IDS = re.compile(rf"[ \t*_-]{{0,8}}(?:{PATTERNS['relevant_context_ids']})\b[^\n:]{{0,30}}:", re.IGNORECASE)
_OLDER = re.compile(r"\n[ \t]{0,4}\n(?:[^\n>]{1,100}:[ \t]{0,4}\n)?(?:>[^\n]{0,1000}(?:\n|\Z)){1,200}\s{0,8}\Z")
"""The mail that is answered, quoted below the answer."""
_LABELS = re.compile(rf"^[ \t]{{0,8}}(?:{LABEL})[ \t]{{0,4}}:", re.IGNORECASE | re.MULTILINE)
_FEW = 2
_MOST_LINES, _WIDEST = 6, 100
"""Of a signature."""


def without_prompts(text: str) -> str:
    """The text without what a notebook or a Python shell writes before its lines."""
    return dedent(_PROMPT.sub("", text)) if _BEGINS.match(text) else text


_LOGGED = re.compile(
    r"^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,6})?Z?\]?[ \t]{1,4}"
    r"(?:\[?(?:DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR)\]?:?[ \t]{1,4})?",
    re.MULTILINE,
)
"""The time and level before each line of a log."""


def without_margins(text: str) -> str:
    """The text without the marks before its lines, where at least two lines have them, and without a signature."""
    if (older := _OLDER.search(text)) and name_different_parts(_LABELS, text[: older.start()]):
        text = text[: older.start()]
    if len(quoted := _QUOTED.findall(text)) >= _FEW:
        lines = text.split("\n")
        if len(quoted) >= len([line for line in lines if line.strip()]) // 2:
            text = dedent(_QUOTED.sub("", text))
    logged = len(_LOGGED.findall(text))
    if logged >= _FEW and 2 * logged > len([line for line in text.split("\n") if line.strip()]):
        text = _LOGGED.sub("", text)
    return _said(_without_name(_unsigned(text)))


def _without_name(text: str) -> str:
    """The text without a last line `- Tom`, unless it is the last item of a list: `- NaCl`.

    Raises `QueryError` where the items before are sentences or a blank line parts it from them: it may be either.
    """
    signed = _SIGNED.search(text, max(0, len(text) - _LONGEST_SIGNED))
    if signed is None:
        return text
    before = text[: signed.start()]
    item = before.rstrip().rpartition("\n")[2].strip()
    if item.endswith((":", "：")):
        return text
    if not _in_list(before, f"{signed['mark']} "):
        return before
    if item.endswith(_SENTENCE_ENDS) or (before.endswith(("\n", " ")) and _close_list(before)):
        raise QueryError(
            f"It is unclear whether {signed[0].strip()!r} is an item of the list or a signature.",
            "Leave the signature out, or send JSON.",
        )
    return text


def _in_list(text: str, mark: str) -> bool:
    """Whether the text ends with an item of a list, which may go on over several lines."""
    for line in reversed(text.rstrip()[-_LONGEST_ITEM:].split("\n")):
        if line.lstrip().startswith(mark) or _LABELS.match(line) or not line.strip():
            return line.lstrip().startswith(mark)
    return False


def _close_list(text: str) -> bool:
    """Whether no blank line stands before the last item of a list, so that one after it ends the list."""
    return "\n" in text.rstrip() and not re.search(r"\n[ \t]*\n[^\n]*\Z", text.rstrip()[-_LONGEST_ITEM:])


def _said(text: str) -> str:
    """The text of a chat without times and names, and without what others say once one person has begun with labels."""
    lines = list(_CHAT.finditer(text))
    labeled = [_LABELED.match(text, line.end()) is not None for line in lines]
    if sum(labeled) < _FEW:
        return text  # a timetable has times and colons, too
    speakers = {line["who"] or line["first"] for line, named in zip(lines, labeled, strict=True) if named}
    first = labeled.index(True)
    ends = [line.start() for line in lines[1:]] + [len(text)]
    said = [
        text[line.end() : end]
        for place, (line, end) in enumerate(zip(lines, ends, strict=True))
        if place < first or (line["who"] or line["first"]) in speakers
    ]
    return "".join([text[: lines[0].start()], *said])


def like_signature(last: str) -> bool:
    """Whether a last paragraph is a name, perhaps after a farewell, and no label with its text."""
    first = last.partition("\n")[0].rstrip(",")
    signed = _SIGNATURE.fullmatch(last) or _SIGNED_OFF.fullmatch(last)
    return signed is not None and not field_named(first) and said_by(first) is None


def without_signature(text: str) -> str:
    """The text without a last paragraph of names, where the one before ends like a sentence or lists relevant ids."""
    before, gap, last = text.rstrip().rpartition("\n\n")
    if not gap or not like_signature(last.strip()):
        return text
    line = before.rstrip().rpartition("\n")[2]
    return before.rstrip() if line.endswith(_SENTENCE_ENDS) or _IDS.match(line) else text


def _unsigned(text: str) -> str:
    """The text without the signature of a mail, which follows a line of two dashes."""
    before, dashes, after = text.rpartition("\n--")
    first, *lines = after.split("\n")
    short = len(lines) <= _MOST_LINES and all(len(line) <= _WIDEST for line in lines)
    return before if dashes and not first.strip() and short else text
