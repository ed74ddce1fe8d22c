"""Other ways to write a label before a text, rewritten as `Label: text`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import count

from trace_core.endpoint.reading.closing import without_farewell
from trace_core.endpoint.reading.dashes import with_colons
from trace_core.endpoint.reading.formats.columns import with_tables
from trace_core.endpoint.reading.language.names import without_names
from trace_core.endpoint.reading.language.plain_contexts import is_table
from trace_core.endpoint.reading.language.plain_tests import names_before, only_names, unsure_name
from trace_core.endpoint.reading.language.relevance import with_marks_after_ids
from trace_core.endpoint.reading.language.requests import asks
from trace_core.endpoint.reading.language.roles import said_by
from trace_core.endpoint.reading.language.text import cells
from trace_core.endpoint.reading.language.words import (
    FIELD_OF,
    LABEL,
    NUMBER,
    PATTERNS,
    USUAL,
    field_named,
    field_of,
    name_different_parts,
    plain_key,
)
from trace_core.endpoint.reading.margins import without_margins
from trace_core.endpoint.reading.markup import without_markup

_TAG = re.compile(r"<(/?)([A-Za-z_-]{4,24})(?: {1,4}id ?= ?[\"']([^\"'<>\n]{1,64})[\"'])?>")
_ROW = re.compile(r"^[ \t]{0,8}\|([^\n|]{1,60})\|([^\n]*)\|[ \t]{0,8}$", re.MULTILINE)
_NUMBER = rf"(?:{NUMBER}|[ \t][A-Za-z]{{1,12}}[_-]?\d{{1,4}})?"
_UNDERLINED = re.compile(rf"^(?P<label>{LABEL})[ \t]{{0,8}}\n[=~-]{{3,80}}[ \t]{{0,8}}$", re.IGNORECASE | re.MULTILINE)
_RULED = re.compile(
    rf"^[ \t]{{0,4}}[=#*~-]{{2,10}}[ \t]{{0,4}}(?P<label>(?:{LABEL})(?:[ \t][\w.#/-]{{0,40}}\d[\w.#/-]{{0,20}})?)"
    r"[ \t]{0,4}:?[ \t]{0,4}[=#*~-]{2,10}[ \t]{0,4}$",
    re.IGNORECASE | re.MULTILINE,
)
"""A label between rules: `=== QUESTION ===`, `--- chunk 5 ---`."""
_ESCAPED = re.compile(r"\\\[([\w.#/ -]{1,64})\\\]")
_STARRED = re.compile(rf"^(?P<before>[ \t]{{0,8}})\*(?P<label>{LABEL}):\*(?=\s)", re.IGNORECASE | re.MULTILINE)
_LETTERED = re.compile(r"(?<![\w-])(Q|A|GT)[ \t]{1,2}(?=[\"“«])")
_ID = r"(?:ctx|context|doc|document|chunk|passage|source|[CD])[-_]?\d{1,3}"
_BETWEEN = re.compile(
    rf"[ \t]{{1,4}}(?P<bar>\||—|–|//?|•)[ \t]{{1,4}}(?=(?:(?:{LABEL}){_NUMBER}|{_ID})[ \t]{{0,4}}:)", re.IGNORECASE
)
"""What stands between labeled parts of one line."""
_THANKS = re.compile(
    r"[ \t]{1,4}[|—–/•]{1,2}[ \t]{1,4}(?:many )?(?:thx|thanks|thank you|ty|cheers|danke|merci"
    r"|gracias|bedankt|grazie|obrigad[oa])\W{0,3}$",
    re.I,
)
_EQUALS = re.compile(rf"(?<!\S)(?:{LABEL})=(?=[^\s=\"'\[{{])", re.IGNORECASE)
"""`q=max size?`: a label and a text without a space between."""
_LETTER = re.compile(r"(?<!\S)C(?==[^\s=])")
"""`C=…` beside `Q=…` and `A=…`."""
_BARE = re.compile(
    r"^[ \t]{0,8}(?:(?:the|my|our) )?(?P<label>question|query|contexts?|documents?|answer|response"
    r"|ground truth|reference)(?: is| was)?[ \t]{1,4}(?=[^\s:=(])(?![^\n:]{0,30}:(?:\s|$))",
    re.IGNORECASE | re.MULTILINE,
)
"""`question what time does it open`: a label without anything after it."""
_COLONED = re.compile(rf"^[ \t]{{0,8}}(?:{LABEL})[ \t]{{0,4}}[:=]", re.IGNORECASE | re.MULTILINE)
_SMALL = re.compile(r"(?<![\w-])(?P<label>q|a|ctx|docs?|gt):(?=\s)")
_BEGINNINGS = re.compile(
    r"^[ \t]{0,4}(?P<label>q|question|ctx|context|chunk|ans|a|answer|gt|ref|reference)[ \t]{1,4}(?=[^\s:=(-])"
    r"(?![^\n:]{0,30}:(?:\s|$))",
    re.IGNORECASE | re.MULTILINE,
)
"""`q what is a mutex`: where each line begins so, a letter or a short word is a label."""
_SAID = re.compile(
    r"(?:,[ \t]{1,4}|(?<=\s)|^)(?:and[ ]|und[ ])?(?:(?:the|my|our|die|der)[ ])?"
    r"(?P<label>question|query|contexts?|documents?|(?:(?:true|correct|right|expected|reference|gold|ideal)[ ])?answer"
    r"|response|ground truth|reference|frage|antwort|kontext)"
    r"[ ](?:is|was|ist|war|lautet)[ ]",
    re.IGNORECASE | re.MULTILINE,
)
"""`question is how tall is it answer is 1345 metres`."""
_WISH = re.compile(r"^[ \t]{0,8}(?P<lead>[^\W\d_][^\n:\"“„«]{2,80}):[ \t]{1,4}(?P<tests>[^\n:]{3,300})$", re.MULTILINE)
_FEW_LINES = 2
_LETTERS = re.compile(r"^[ \t]{0,8}([QCA])\)[ \t]", re.MULTILINE)
_LETTER_LINES = re.compile(r"^[ \t]{0,8}([A-Z]|GT)[ \t]{0,2}:(?=[ \t])", re.MULTILINE)
_THREE_LETTERS = {"Q", "A", "C"}
"""`Q: …`, `A: …` and `C: …` on lines of their own."""
_WORDS = re.compile(r"^\W{0,8}(?:question|answer)\b", re.IGNORECASE | re.MULTILINE)
_IDS_ALONE = re.compile(rf"^{_ID}[ \t]{{0,4}}:(?=\s)", re.IGNORECASE | re.MULTILINE)
_QUOTED_IDS = re.compile(
    r"^[ \t]{0,8}(?:[-*•][ \t]{1,4})?(?:id|ctx|context|doc|document|chunk|passage|source|kontext|dokument|contexte"
    r"|contexto|documento|contesto)"
    r"[ \t]{1,4}[\"“„«][ \xa0]?(?P<id>[^\[\]\"“”„«»\n]{1,60}?)[ \xa0]?[\"“”»][ \t\xa0]{0,2}:(?=\s)",
    re.IGNORECASE | re.MULTILINE,
)
"""`id "chunk 1": …`"""
_CONTEXTS = re.compile(
    rf"^[ \t]{{0,8}}[*_#>-]{{0,4}}[ \t]{{0,4}}(?:{PATTERNS['contexts']})\b", re.IGNORECASE | re.MULTILINE
)
_MARKS = " \t*_`"


@lru_cache(maxsize=4)
def as_lines(text: str) -> str:
    """The text with uniform line ends; tags, the rows of a table and dashes after labels are turned into labels."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = with_marks_after_ids(without_markup(without_margins(with_tables(text))))
    if text.lstrip().startswith("<") or len({tag[2].lower() for tag in _TAG.finditer(text) if field_named(tag[2])}) > 1:
        text = _TAG.sub(_labeled, text)
    if len({_named_row(row) for row in _ROW.finditer(text)} - {""}) > 1:
        text = _ROW.sub(_of_row, text)
    elif "|" in text:
        text = _contexts_labeled(_upright(text))
    text = _UNDERLINED.sub(r"\g<label>:", _RULED.sub(r"\g<label>:", with_colons(text)))
    text = _ESCAPED.sub(r"[\1]", text)
    if _STARRED.search(text):
        text = _STARRED.sub(r"\g<before>\g<label>:", text)
    if {"Q", "A"} <= {letter[1] for letter in _LETTERS.finditer(text)} and not _WORDS.search(text):
        places = count(1)
        text = _LETTERS.sub(lambda letter: f"Context {next(places)}: " if letter[1] == "C" else f"{letter[1]}: ", text)
    if _THREE_LETTERS <= {letter[1] for letter in _LETTER_LINES.finditer(text)} <= _THREE_LETTERS | {"GT"}:
        text = _LETTER_LINES.sub(lambda letter: f"{'Context' if letter[1] == 'C' else letter[1]}:", text)
    if len({letter[1] for letter in _LETTERED.finditer(text)}) > 1:
        text = _LETTERED.sub(r"\1: ", text)
    if text.strip().count("\n") <= _FEW_LINES:  # in a longer query a context may hold such a line
        text = "\n".join(map(_unbarred, text.split("\n")))
    return _wishes_labeled(_ids_labeled(_spaced(_bare_labeled(text))))


def _wishes_labeled(text: str) -> str:
    """The text with the usual label in the place of a wish before nothing but tests, where nothing before names any:
    `Please compute: recall, …`.
    """
    wish = next(filter(_wishes, _WISH.finditer(text)), None)
    if wish is None or names_before(text[: wish.start()]):
        return text
    return f"{text[: wish.start()]}{USUAL['tests']}: {wish['tests']}{text[wish.end() :]}"


def _wishes(wish: re.Match[str]) -> bool:
    """Whether the words before the colon ask for the tests after it, and rule out none of them."""
    said, tests = f"{wish['lead']} {wish['tests']}", wish["tests"]
    if not asks(wish["lead"]) or field_named(wish["lead"]) or not only_names(tests) or without_names(tests) == tests:
        return False
    return names_before(said, short=True) == names_before(tests, short=True) and not unsure_name(said)


def _bare_labeled(text: str) -> str:
    """The text with `question what …` and `q: … a: …` as labels on lines of their own, where nothing else is one."""
    if _COLONED.search(text):
        return text
    for pattern in (_BARE, _SMALL, _BEGINNINGS, _SAID):
        labels = list(pattern.finditer(text))
        fields = [field for label in labels if (field := FIELD_OF.get(plain_key(label["label"].lower())))]
        single = [field for field in fields if field != "contexts" or pattern is not _BEGINNINGS]
        whole = pattern is not _BEGINNINGS or ("question" in fields and not _interrupted(text, labels))
        if "answer" in fields and len(set(fields)) > 1 and len(set(single)) == len(single) and whole:
            return pattern.sub(lambda match: f"\n{match['label']}: ", text)
    return text


def _interrupted(text: str, labels: Sequence[re.Match[str]]) -> bool:
    """Whether a line after the first label begins without one, farewells apart."""
    end = len(without_farewell(text))
    lines = text[labels[0].start() : end].strip().split("\n") if labels else []
    return len(lines) > len(labels)


def _spaced(text: str) -> str:
    """The text with `q=max size? a=25 MB` as labels on lines of their own."""
    if not name_different_parts(_EQUALS, text):
        return text
    text = _LETTER.sub("contexts", text)
    return _EQUALS.sub(lambda pair: f"\n{USUAL[field_of(pair)]}: ", text)


def _unbarred(line: str) -> str:
    """A line of labeled parts with one kind of bar between them, as one part a line; any other line unchanged."""
    bars = [match["bar"] for match in _BETWEEN.finditer(line)]
    return _BETWEEN.sub("\n", _THANKS.sub("", line)) if len(bars) > 1 and len(set(bars)) == 1 else line


def _ids_labeled(text: str) -> str:
    """The text with a label before contexts that have only their ids: `C1: …`, `ctx-1: …`, `id "chunk 1": …`."""
    marked = {text[line.start("id") - 1 : line.end("id") + 1] for line in _QUOTED_IDS.finditer(text)}
    quoted = len(marked) > 1 or any(text.count(one) > 1 for one in marked)
    ids = _QUOTED_IDS if quoted else _IDS_ALONE
    first = None if _CONTEXTS.search(ids.sub("", text)) else ids.search(text)
    text = _QUOTED_IDS.sub(r"[\g<id>]", text) if quoted else text
    return text if first is None else f"{text[: first.start()]}Contexts:\n{text[first.start() :]}"


def _labeled(tag: re.Match[str]) -> str:
    if field_named(tag[2]) is None:
        return tag[0]
    return "\n" if tag[1] else f"\n{tag[2]}{f' [{tag[3]}]' if tag[3] else ''}: "


def _upright(text: str) -> str:
    """The text with a table of one row, whose columns are labels, as one label a line."""
    lines = text.split("\n")
    for place in range(len(lines) - 2):
        names, rule, values = ([cell.strip(_MARKS) for cell in cells(row)] for row in lines[place : place + 3])
        labels = len(names) > 1 and all(map(field_named, names))
        if labels and len(values) == len(names) and set("".join(rule)) <= set(":- ") and rule:
            if place + 3 < len(lines) and cells(lines[place + 3]):
                return text  # rows of several queries
            said = [f"{name}: {value}" for name, value in zip(names, values, strict=True)]
            return "\n".join([*lines[:place], *said, *lines[place + 3 :]])
    return text


def _contexts_labeled(text: str) -> str:
    """The text with a label before a table of contexts that has none: a column of ids, and one of texts."""
    lines = text.split("\n")
    for place in range(1, len(lines) - 2):
        if (not lines[place - 1].strip() or lines[place - 1].rstrip().endswith("?")) and is_table(
            lines[place : place + 3]
        ):
            above = next((line for line in reversed(lines[:place]) if line.strip()), "").rstrip(_MARKS)
            label = above.strip(f"{_MARKS}#").removesuffix(":")
            labeled = bool(field_named(label) or (above.endswith(":") and said_by(label)))
            return text if labeled else "\n".join([*lines[:place], "Contexts:", *lines[place:]])
    return text


def _of_row(row: re.Match[str]) -> str:
    name = _named_row(row)
    return f"{name}: {row[2].strip()}" if name else row[0]


def _named_row(row: re.Match[str]) -> str:
    """The label in the row's first cell, with its number or id; empty where there is none."""
    name = re.sub(r"[*_`]{1,3}(?=\W|$)|(?<!\w)[*_`]{1,3}", "", row[1]).strip()
    label, _, number = name.rpartition(" ")
    named = any(map(str.isdigit, number)) or (number.startswith("[") and number.endswith("]"))
    numbered = named and field_named(label) == "contexts"
    return name if len(name) > 1 and (field_named(name) or numbered) else ""
