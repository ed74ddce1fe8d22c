"""Several documents in one cell of text: between lines of dashes, bars or marks, numbered, or one a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from unicodedata import normalize

from trace_core.datasets.words import names_a_text

_ENDS = (".", "!", "?", "…", "。", "！", "？", '."', ".”", ".»", ".)")
_STOP = re.compile(r"(?:\w{2}|[\d)\]%])[.!?…]['\"”»)]?(?:\s(?!\d)|$)|(?:\w\s\w|[ap]\.m)\.['\"”»)]?$|[。！？]")
"""The end of a sentence; a number follows an abbreviation, as in `art. 7`; a text may end with one, as in `19 h.`, or
with a letter, as in `building C.`"""
_BETWEEN = r"(?<=\s)\|{2,3}(?=\s)|(?<=[.!?…。！？\"”»)])\|{2,3}(?=\S)|(?i:<sep>|\[sep\]|<\|sep\|>)"
_BARS = re.compile(_BETWEEN)
_RULE = re.compile(rf"{_BETWEEN}|^[-=*_~#–—][-=*_~#–— ]{{1,60}}[-=*_~#–—]\r?$", re.MULTILINE)
"""What people put between the documents in one cell: bars, a mark, or a line of dashes."""
_BREAK = re.compile(r"<br\s?/?>", re.IGNORECASE)
_CITED = re.compile(r"(?:(?<=[.!?…\"”»)]\s)|(?<=[。！？])|^)\s{0,4}\[(\d{1,3})\]\s{0,4}(?=\S)", re.MULTILINE)
"""`[1]` at the beginning of a sentence."""
_NUMBERED = re.compile(r"^[ \t]{0,4}(?:(?:\((\d{1,3})\)|(\d{1,3})[.)])\s{1,4}|([①-⑳])\s{0,4})(?=\S)", re.MULTILINE)
"""`(1) …`, `1. …`, `① …` at the beginning of a line."""
_LABELED = re.compile(
    r"^[ \t]{0,4}\W{0,3}([^\W\d_]{2,20})[ \t_-]?(?:#|no\.?|nr\.?)?[ \t]?(\d{1,3})"
    r"\W{0,2}[:：.)）\]】〕–-][*_]{0,2}[ \t]{0,4}(?:\r?\n)?(?=\S)",
    re.MULTILINE | re.IGNORECASE,
)
"""`Document 1: …`, `[Chunk 2] …` at the beginning of a line."""
_TAG = re.compile(r"<(document|doc|passage|chunk|context|source|snippet)(?:\s[^<>]{0,200})?>", re.IGNORECASE)
"""The beginning of a document as prompts mark it: `<doc id="1">`."""
_BULLET = re.compile(r"^[ \t]{0,4}[-*•–·▪►・][ \t]{1,4}(?=\S)", re.MULTILINE)

_STEP = 20
"""The most words of a step in a procedure."""
_SIGNS = ("||", "\n", "<", "[")
"""One of these is in every cell of several documents, but for lines and labels."""


def parts_of(text: str, *, lined: bool, listed: bool = False) -> list[str]:
    """The documents in a cell of documents, without the numbers and marks between them.

    `lined`: the column's name says that a cell holds several; then lines that are sentences are documents, too.
    `listed`: every cell of the column is a list (`are_listed`), be it of one.
    """
    if lined and "<" in text:
        text = _BREAK.sub("\n", text)
    if listed and (found := _items(text)):
        return found
    if not any(mark in text for mark in _SIGNS) and not _LABELED.match(text):
        return _listed(text, lined) or [text]
    return (
        _tagged(text)
        or _ruled(text, lined)
        or _marked(text, _CITED, 1)
        or _labeled(text, lined)
        or _listed(text, lined)
        or [text]
    )


def are_listed(cells: Iterable[object]) -> bool:
    """Whether every cell of a column is a list, numbered, labeled or with bullets, so that its items are documents.

    One list alone may be the text of a document, as may steps; not so a list of one, and not three of the same length
    whose items are passages.
    """
    texts = [cell for cell in cells if isinstance(cell, str) and cell.strip()]
    lists = []
    for text in texts:
        if not (items := _items(text)):
            return False
        lists.append(items)
    counts, parts = {len(items) for items in lists}, [part for items in lists for part in items]
    top_k = len(lists) > 2 and len(counts) == 1 and (_recur(lists) or 2 * sum(map(_is_long, parts)) >= len(parts))
    many = (len(lists) > 1 and 1 in counts) or top_k
    return many and max(counts) > 1 and 2 * sum(map(has_a_sentence, parts)) >= len(parts)


def _recur(lists: Sequence[Sequence[str]]) -> bool:
    """Whether an item stands at another place in another list, as a passage that several questions find; steps that
    procedures share are the first or the last.
    """
    places: dict[str, set[int]] = {}
    for items in lists:
        for place, item in enumerate(items):
            places.setdefault(item, set()).add(place)
    return any(len(found) > 1 for found in places.values())


def _is_long(item: str) -> bool:
    """Whether an item is longer than a step: two sentences, and twenty words."""
    return len(item.split(maxsplit=_STEP)) > _STEP and len(_STOP.findall(item)) > 1


def _items(text: str) -> list[str]:
    """The items of a text that is a list from its beginning; empty where it is none."""
    if found := _labeled(text, True) or _marked(text, _NUMBERED, 1):
        return found
    marks = list(_BULLET.finditer(text.strip()))
    return _after(text.strip(), marks) if marks and not marks[0].start() else []


def _ruled(text: str, lined: bool) -> list[str]:
    """The parts between lines of dashes or bars. Headings are underlined, and code has bars: then a part is no
    sentence.
    """
    for between, holds in ((_RULE, has_a_sentence), (_BARS, _says_something)):
        parts = [part.strip() for part in between.split(text) if part.strip()]
        if len(parts) > 1 and (lined or all(holds(part) and part[0] != "#" for part in parts)):
            return _uncited(parts)
    return []


def _tagged(text: str) -> list[str]:
    """The texts between tags of one name, if there is nothing else."""
    text = text.strip()
    first = _TAG.match(text)
    if not first:
        return []
    tag = first[1].lower()
    marks = [mark for mark in _TAG.finditer(text) if mark[1].lower() == tag]
    parts, end = _after(text, marks), f"</{tag}>"
    whole = all(part.lower().endswith(end) and part.lower().count(end) == 1 for part in parts)
    return [part[: -len(end)].strip() for part in parts] if whole else []


def _says_something(part: str) -> bool:
    return not part[0].islower() and (has_a_sentence(part) or len(part.split(maxsplit=2)) > 2)


def _uncited(parts: list[str]) -> list[str]:
    """The parts without their numbers in brackets, if they count up."""
    marks = [mark for part in parts if (mark := _CITED.match(part))]
    if len(marks) < len(parts) or not _count_up([int(mark[1]) for mark in marks]):
        return parts
    return [part[mark.end() :] for part, mark in zip(parts, marks, strict=True)]


def _marked(text: str, mark: re.Pattern[str], least: int) -> list[str]:
    """The parts after marks that count from 0 or 1, if the text begins with the first of at least `least`."""
    marks = list(mark.finditer(text.strip()))
    numbers = [int(normalize("NFKC", next(filter(None, found.groups())))) for found in marks]
    if len(marks) < least or marks[0].start() or numbers[0] > 1 or not _count_up(numbers):
        return []
    return _after(text.strip(), marks)


def _count_up(numbers: Sequence[int]) -> bool:
    return list(numbers) == list(range(numbers[0], numbers[0] + len(numbers)))


def _after(text: str, marks: Sequence[re.Match[str]]) -> list[str]:
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    return [text[mark.end() : end].strip() for mark, end in zip(marks, ends, strict=True)]


def _labeled(text: str, lined: bool) -> list[str]:
    """The parts after `Document 1:`, `Document 2:` …, whose word means a text."""
    text = text.strip()
    marks = list(_LABELED.finditer(text))
    words = {mark[1].lower() for mark in marks}
    if len(marks) < (1 if lined else 2) or marks[0].start() or len(words) > 1 or not names_a_text(words.pop()):
        return []
    numbers = [int(mark[2]) for mark in marks]
    return _after(text, marks) if numbers[0] <= 1 and _count_up(numbers) else []


def _listed(text: str, lined: bool) -> list[str]:
    """Numbered lines, and lines that are all sentences, where the column holds several documents."""
    if not lined:
        return []
    if _NUMBERED.match(text) and (found := _marked(text, _NUMBERED, 2)):
        return found
    for lines in (text.splitlines(), text.split(" | ")):
        full = [line.strip() for line in lines if line.strip()]
        bullets = [_BULLET.match(line) for line in full]
        bare = [line[mark.end() :] for line, mark in zip(full, bullets, strict=True) if mark]
        if full and len(full) > 1 - len(bare) and all(map(ends_a_sentence, full)):
            return bare if len(bare) == len(full) else full
    return []


def has_a_sentence(text: str) -> bool:
    """Whether there is a sentence with its stop in the text, or a text of one word that ends with a stop."""
    return bool(_STOP.search(text)) or text.rstrip().endswith(_ENDS)


def holds_a_stop(text: str) -> bool:
    """Whether a sentence ends in the text."""
    return bool(_STOP.search(text))


def ends_a_sentence(value: object) -> bool:
    """Whether the cell is a text that ends like a sentence."""
    return isinstance(value, str) and value.rstrip().endswith(_ENDS)
