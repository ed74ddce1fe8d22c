"""Labels with a dash, an arrow, dots or a tab between them and their texts: `Relevant passages - P1, P3`."""

from __future__ import annotations

import re

from trace_core.endpoint.payload import QueryError
from trace_core.endpoint.reading.language.roles import said_by
from trace_core.endpoint.reading.language.words import LABEL, NUMBER, USUAL, field_of

WORDS_OF_LABEL = r"(?P<label>[^\W\d_](?:[^\W\d_]|[ '’]){2,40}?)"
"""A few words that may be a label before a dash."""
_NUMBER = rf"(?:{NUMBER}|[ \t][A-Za-z]{{1,12}}[_-]?\d{{1,4}})?"
_DASHED = re.compile(
    rf"^[ \t]{{0,8}}(?:[*•-][ \t]{{1,4}})?[*_]{{0,3}}(?P<label>(?:{LABEL}){_NUMBER})[*_]{{0,3}}"
    r"(?:\t{1,2}|[ \t]{1,4}(?:[-–—](?:[ \t]|$)|(?:→|⇒|[-=]>)[ \t]{0,4})|\.{2,40}[ \t]{0,4}:|[ \t]\.{4,40}[ \t])",
    re.IGNORECASE | re.MULTILINE,
)
_WORDED = re.compile(rf"^[ \t]{{0,8}}[*_]{{0,3}}{WORDS_OF_LABEL}[*_]{{0,3}}[ \t]{{1,4}}[-–—](?:[ \t]|$)", re.MULTILINE)
"""The same with words of which no usual label consists: `Supporting passages – P1`."""
_ID = r"(?:(?=[a-z_#./-]{0,20}\d)[\w#./-]{1,40}|[a-z])(?![\w#/-])"
_JOINT = r"(?:[ \t]{0,2}[,;&+][ \t]{0,2}|[ \t]{1,2}(?:and|und|et|y|e|en|och|i)[ \t]{1,2}|[ \t]{1,4})"
_ALL = "all|both|none|alle|beide|keine|tous|aucun|todos|ninguno|tutti|nessuno|geen|todas|nenhum"
_IDS = re.compile(rf"\s{{0,4}}(?:{_ALL}|{_ID}(?:{_JOINT}{_ID}){{0,40}}+)\s{{0,4}}\.?\s{{0,4}}", re.IGNORECASE)
"""Ids alone."""
_STRANGE = re.compile(r"[ \t]{0,8}[A-Z][^\W\d_]{2,20}(?: [^\W\d_]{1,20}){0,2}[ \t]{1,4}[-–—][ \t]")
_INLINE = re.compile(rf"(?<=[.?!;])[ \t]{{1,4}}(?P<label>(?:{LABEL}){_NUMBER})[ \t]{{1,4}}[-–—][ \t]", re.IGNORECASE)
"""The same within a line, after the end of the text before."""
_SEVERAL = 2


def with_colons(text: str) -> str:
    """The text with a colon after such labels, where they name different parts, or one in the last line ids."""
    inline = {field_of(match) for match in _INLINE.finditer(text)}
    if len(inline) > _SEVERAL and "\n" not in text.strip():
        text = _INLINE.sub(r"\n\g<label>: ", text)
    usual = [(match.start(), match.end(), match["label"], field_of(match)) for match in _DASHED.finditer(text)]
    starts = {start for start, _, _, _ in usual}
    worded = [
        (match.start(), match.end(), USUAL[said.field], said.field)
        for match in _WORDED.finditer(text)
        if match.start() not in starts and (said := said_by(match["label"])) and said.whole
    ]
    labels = sorted([*usual, *worded])
    if len({field for _, _, _, field in labels}) >= _SEVERAL:
        _hold_last(text, labels[-1][1], labels[-1][3])
    else:
        labels = [one for one in labels[-1:] if one[3] == "relevant_context_ids" and _IDS.fullmatch(text, one[1])]
    parts, place = [], 0
    for start, end, label, _ in labels:
        parts += [text[place:start], f"{label}: "]
        place = end
    return "".join([*parts, text[place:]])


def _hold_last(text: str, end: int, field: str) -> None:
    """Raise for a last line that begins as the labels do, with words that name no part: `Notes – none`."""
    start = text.rstrip().rfind("\n") + 1
    last = _STRANGE.match(text, start) if start > end and field != "contexts" else None
    if last:
        raise QueryError(f"It is unclear what {last[0].strip()!r} begins.", "Leave it out, or send JSON.")
