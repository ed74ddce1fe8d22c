"""What of a text is layout and states nothing: marks, tags, headings, a table's head and rule, a list of sources.
Labelers read `parts`: every sentence without its marks, a table's row with the names of its columns."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from trace_core.facts.words import number_word

_PLACES = frozenset(
    """doc docs document documents source sources ref refs reference references cite citation citations chunk chunks
    passage passages context contexts page pages p pp""".split()
)
"""Words for where a statement is from."""
_SMALL = frozenset("see in from and the of on at cf also".split())
_MARK = re.compile(
    r" ?(?=[\[(【<¹²³⁰⁴-⁹])"  # not each alternative at each place
    r"(?:\[([^\[\]\n]{1,200})\](?!\()|\(([^()\n]{1,200})\)|【[^【】\n]{1,80}】|<(sup|ref|cite)>[^<>]{0,80}</\3>"
    r"|(?:(?<!\S)|(?<=[^\W\d_]{4})|(?<=[.!?,;:)\]\"”»]))[¹²³⁰⁴-⁹]{1,9})"
)
"""What may be a mark that names a source: something in brackets, a superscript after a word or a stop."""
_NUMBER = re.compile(r"[\^#]?[A-Za-z]{0,3}\d{1,4}[a-z]{0,2}(?:†.*)?|\d{1,3}:\d{1,3}†.*")
_PLACE = re.compile(rf"(?i)(?:{'|'.join(_PLACES)})(?:[\s.:#_-]{{1,3}}|(?=\d))\w{{0,2}}\d{{1,4}}\w{{0,2}}")
_SOURCE_TITLE = re.compile(r"(?i)(?:see )?(?:sources?|refs?|references?)\s?:\s?\S")
_DATA = re.compile(r"(?i)(?:ids?|data|notes?|see)\b.*\d")
_NAME = re.compile(
    r"(?i)(?:https?://|www\.)\S+|\S.*\.(?:pdf|html?|docx?|md|txt|csv|json|xml|xlsx?|pptx?|rst|tex|epub)(?:#.*)?"
)
"""An address or the name of a file."""
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\s]{1,500}(?:\s\"[^\"\n]*\")?\)")
_LIST_MARK = re.compile(r"^\s*(?:[-*+•▪●◦‣–—]|\(?\d{1,3}[.):])\s|(?<=[.!?:;])\s\d{1,2}\.$")
_ATTRIBUTES = r"(?:\s[\w:-]+=(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s<>\"']+))*\s*/?>"
_CELL_TAG = re.compile(rf"(?i)(?:</t[dh]>\s*)?<t[dh]{_ATTRIBUTES}")
_INLINE_TAG = re.compile(rf"(?i)</?(?:span|b|i|u|s|em|strong|mark|small|su[bp]|a|code){_ATTRIBUTES}")
_TAG = re.compile(
    r"(?i)</?(?:p|div|br|hr|pre|[uo]l|li|d[ltd]|h[1-6]|blockquote|section|article|table|thead|tbody|tr|t[dh])"
    + _ATTRIBUTES
)
_EMPHASIS = re.compile(r"(\*{1,3}|__|~~|`)(?=[^\s*_~`])([^*`~\n]{1,200}?)(?<=\S)\1(?!\w)")
_HASHES = re.compile(r"^\s*(?:#{1,6}\s+|>\s+)+")
_RULE = frozenset("|:- 	")  # the characters of the line below a table's head
_SOURCES = re.compile(
    r"(?i)\W*(?:sources?|references?|citations?|bibliography|footnotes?|works cited|further reading|quellen?|fuentes?"
    r"|fonti|bronn?en?)\b\W*(?::|$)"
)
_NOTE = re.compile(r"\s*\[\^?\w{1,4}\]:\s")
_TITLE = re.compile(r"\s*#{1,6}\s|\s*(\*\*|__)[^*_]+\1:?\s*$|\s*(?i:<h[1-6]>)")
_WORD = re.compile(r"[^\W\d_]+")
_LONGEST_TITLE = 8
_VERBS = frozenset("is are was were be has have had can could will would do does did may must not no".split())
"""A title with one of these is a statement."""


class Part(NamedTuple):
    """One sentence as a labeler reads it: `text` without marks, and whether it `claims` anything by its form. A row of
    a table has its `cells`, and the names of their columns in `head`, empty where the table has none."""

    text: str
    claims: bool = True
    cells: tuple[str, ...] = ()
    head: tuple[str, ...] = ()


def plain(sentence: str) -> str:
    """The sentence without list mark, citation marks, tags and emphasis, and with single spaces; may be empty."""
    text = _MARK.sub(_without, _LINK.sub(r"\1", sentence))
    if "<" in text:
        text = _TAG.sub(" ", _CELL_TAG.sub(" | ", _INLINE_TAG.sub("", text)))
    return " ".join(_EMPHASIS.sub(r"\2", _LIST_MARK.sub(" ", _HASHES.sub("", text))).split())


def citations(text: str) -> list[tuple[int, int]]:
    """Offsets `[start, end)` of the marks that name a source: [1], [doc2], [^2], 【3†a.pdf】, (Source: a.html), ²."""
    return [(m.end() - len(m[0].lstrip()), m.end()) for m in _MARK.finditer(text) if _is_citation(m)]


def _is_citation(mark: re.Match[str]) -> bool:
    """Whether what is in the brackets, if any, names sources alone; in round ones a number alone does not."""
    square, parens, _ = mark.groups()
    inside = (square or parens or "").strip().removeprefix("see ")
    if not inside:
        return not (square or parens)
    if _SOURCE_TITLE.match(inside) or (square and _DATA.match(inside)):
        return True
    first, *more = (item.strip() for item in re.split(r"[,;&–-]|\band\b", inside))
    return (_names(inside) or _names(first) or bool(square and _NUMBER.fullmatch(first))) and all(
        _names(item) or _NUMBER.fullmatch(item) for item in ([] if _names(inside) else more)
    )


def _names(item: str) -> bool:
    return bool(_PLACE.fullmatch(item) or _NAME.fullmatch(item))


def _without(mark: re.Match[str]) -> str:
    space = " " if mark.string[mark.end() : mark.end() + 1].isalnum() else ""
    return space if _is_citation(mark) else mark[0]


def parts(sentences: Sequence[str]) -> list[Part]:
    """The sentences of one answer, or of one document, as a labeler reads them; one part each. Never raises. Where no
    other one claims anything, a sentence that only names a source is the answer, and a claim."""
    read = [Part(plain(sentence)) for sentence in sentences]
    for start, end in _tables(sentences):
        read[start:end] = _table(sentences[start:end])
    closing = False
    for i, sentence in enumerate(sentences):
        closing = closing or (bool(_SOURCES.match(sentence)) and all(map(_is_source, sentences[i + 1 :])))
        if closing or not _states(sentence, read[i].text, last=i + 1 == len(sentences)):
            read[i] = read[i]._replace(claims=False)
    if not any(part.claims for part in read):
        return [part._replace(claims=bool(_WORD.search(part.text)) and not part.head) for part in read]
    return read


def _is_source(line: str) -> bool:
    """Whether a line may stand in a list of sources: it has a mark, or names one."""
    return bool(_LIST_MARK.match(line) or _MARK.match(line) or _NOTE.match(line)) or any(map(_names, line.split()))


def _states(sentence: str, text: str, *, last: bool) -> bool:
    words = {word.lower() for word in _WORD.findall(text)}
    if _NOTE.match(sentence) or not re.search(r"\w", text) or _only_names(text):
        return False
    title = _TITLE.match(sentence) and len(words) <= _LONGEST_TITLE and not re.search(r"\d|[.!?]$", text)
    return last or not title or not words.isdisjoint(_VERBS)


def _only_names(text: str) -> bool:
    """Whether a sentence says where something is from, and nothing else: "See page 4.", "a.html, p. 3"."""
    tokens = [token.strip(".,;:()[]").lower() for token in text.split()]
    places = [token in _PLACES or _names(token) for token in tokens]
    return any(places) and all(
        place or token in _SMALL or token.isdigit() or not token for token, place in zip(tokens, places, strict=True)
    )


def cells(line: str) -> tuple[str, ...]:
    """The cells of a table's row, at least two; empty for other lines."""
    if "<" in line and _CELL_TAG.search(line):
        split = _CELL_TAG.split(line)[1:]
    elif line.startswith("|") or " | " in line:
        split = line.removeprefix("|").removesuffix("|").split("|")
    else:
        split = line.split("\t")
    return tuple(map(plain, split)) if len(split) > 1 else ()


def _tables(sentences: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where tables start and end: neighbours with as many cells. A row alone has an outer line or tags."""
    first_lines = [sentence.strip().partition("\n")[0] for sentence in sentences]
    widths = [len(cells(line)) for line in first_lines]
    for width, places in groupby(range(len(widths)), key=widths.__getitem__):
        start, *rest = places
        if width and (rest or first_lines[start][0] in "|<"):
            yield start, start + len(rest) + 1


def _table(rows: Sequence[str]) -> list[Part]:
    lines = [[line.strip() for line in row.splitlines() if line.strip()] for row in rows]
    read = [cells(" ".join(line for line in row if not _is_rule(line))) for row in lines]
    has_rule = any(map(_is_rule, lines[0])) or bool(re.search(r"(?i)<th\b", rows[0]))
    # names alone, above two rows or more that each have a number
    is_head = len(read) > 2 and not _has_number(read[0]) and all(map(_has_number, read[1:]))
    head = read[0] if has_rule or is_head else ()
    statements = [Part(statement(row, head), bool(row), row, head) for row in read]
    return [Part(" ".join(read[0]), False, (), head), *statements[1:]] if head else statements


def _is_rule(line: str) -> bool:
    return "--" in line and _RULE.issuperset(line)


def _has_number(row: Sequence[str]) -> bool:
    return any(re.search(r"\d", cell) or any(map(number_word, cell.lower().split())) for cell in row)


def statement(row: Sequence[str], head: Sequence[str]) -> str:
    """A row in words: its first cell, then each other one after the name of its column, where there are several."""
    first, *values = row or ("",)
    names = head[1:] if len(values) > 1 and len(head) == len(row) else [""] * len(values)
    pairs = (f"{name} {value}".strip() for name, value in zip(names, values, strict=True) if value)
    return ": ".join(filter(None, (first, ", ".join(pairs))))
