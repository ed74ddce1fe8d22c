"""What frames a sentence of an answer and is no part of what it says: the next item's number, who says it, headings."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from trace_core.facts.words import STOPWORDS, TOKEN, is_negation, stem

_FIRST_MARK = re.compile(r"\s*\(?(\d{1,2})[.)](?=\s)")
_LAST_MARK = re.compile(r"(?<=\S)\s\s{0,9}\(?(\d{1,2})[.)]\s{0,9}\Z")
_ENDED = re.compile(
    r"(?:[!?:;]|(?<!\bp)(?<!\bpp)(?<!\bno)(?<!\bfig)(?<!\bch)(?<!\bvol)(?<!\bca)(?<!\bapprox)\.)[\"”')]{0,2}\Z",
    re.IGNORECASE,
)
"""The end of a sentence, not of a word that a number follows."""
_SOURCE = (
    r"(?:the |this |that |these |those )?(?:(?:provided|given|retrieved|above) )?"
    r"(?:contexts?|documents?|texts?|passages?|sources?|excerpts?|information)(?: (?:provided|given|above))?"
)
_BY = re.compile(
    rf"(?:according to|based (?:up)?on|from|per"
    rf"|as (?:stated|mentioned|described|noted|explained|shown|indicated) (?:in|by)) {_SOURCE}, (?=\S+ \S)",
    re.IGNORECASE,
)
_SAYS = re.compile(
    rf"{_SOURCE} (?:also )?(?:states?|says?|mentions?|notes?|explains?|indicates?|specif(?:y|ies)|reads?)"
    r"(?: that[:,]? |: ?[\"“]?| (?=[\"“]))(?=[\"“]?\S+ \S)",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"(?:(?:just|please|also|but|and)[, ]{1,2}){0,3}(?:(?:keep|bear) in mind|be aware|remember|note)"
    r"(?: that |, )"
    r"(?=(?:the|a|an|this|that|these|those|it|you|they|there|we|if|when|some|not|all|no) \S|\S+ (?:is|are) )",
    re.IGNORECASE,
)
"""What asks the reader to mind what follows."""
_LIST_WORDS = frozenset(
    map(
        stem,
        """accord additional answer available base below bullet context describe detail document evidence example
        excerpt explain explanation extra fact find follow found give given guide here important include
        indicate information instruction item key list main mention note option order overview part
        passage point provide question quote reason related relevant say section sentence show shown
        source state step suggestion summary text thing tip way""".split(),
    )
)
"""The stems of the words of a heading that announces what follows and says nothing of it."""
_LISTS = frozenset(
    map(stem, "steps points instructions tips details reasons ways options facts guide overview".split())
)
"""What an announcement may announce."""
_TITLE = 5
"""The most words of a heading without a verb, and so without a claim."""
_VERBS = frozenset(
    """am are be been can cannot could did do does get gets had has have hold holds is may might must need needs shall
    should was were will would""".split()
)
_RULE = re.compile(r"^\|?(?:\s*:?-{3,}:?\s*\|?)+$", re.MULTILINE)
"""The rule under a table's head."""
_LAYOUT = re.compile(r"#{1,6}\s.*|\*\*[^*]+\*\*:?|__[^_]+__:?|[^\n]*\n\|?(?:\s*:?-{3,}:?\s*\|?)+")
"""A heading, a bold title, or a table's head with its rule."""
_LIMITS = frozenset("only all any each few most more same against both".split())
"""Function words that say something of what is announced."""


def without_next_marks(texts: Sequence[str]) -> list[str]:
    """The sentences without the number of the next list item, where a splitter left it at their end.

    A number is such a mark behind the end of a sentence, or if it continues a list that began with 1.
    """
    found, expected = list(texts), 1
    marks = [(_number(_FIRST_MARK.match(text)), _LAST_MARK.search(text)) for text in texts]
    last_second = max((row for row, (first, last) in enumerate(marks) if 2 in (first, _number(last))), default=0)
    for row, (first, last) in enumerate(marks):
        if first in (1, expected):
            expected = first + 1
        number = _number(last)
        begins = number == 1 and row < last_second
        continues = expected > 1 and number in (expected, expected + 1)  # one may have been joined with its sentence
        if last and (begins or continues or _ENDED.search(texts[row][: last.start()])):
            found[row], expected = texts[row][: last.start()], (number or 0) + 1
    return found


def _number(mark: re.Match[str] | None) -> int | None:
    return int(mark[1]) if mark else None


def unframed(text: str) -> str:
    """What the documents are told to say, without telling that they do; a heading or a question stays as it is."""
    frame = _BY.match(text) or _SAYS.match(text) or _NOTE.match(text)
    if frame is None or text.rstrip().endswith((":", "?", '?"', "?”")):
        return text
    rest = text[frame.end() :].lstrip('"“')
    closes = rest.count("”") > rest.count("“") or rest.count('"') % 2 == 1
    rest = rest.rstrip('"”') if closes else rest
    return rest[:1].upper() + rest[1:]


def introduces(text: str, question: str, documents: Set[str] = frozenset()) -> bool:
    """Whether it only announces what follows, or is a title without a verb.

    An announcement has no words but the question's and those of any list. One that names a list ("Here are the steps to
    fill the tank:") may have words of the documents, too: `documents` holds their stems.
    """
    words = [word.lower() for word in TOKEN.findall(text[:2000])]
    if _LAYOUT.fullmatch(text.strip()[:2000]):
        return bool(_RULE.search(text)) or not (_VERBS & set(words) or any(word.isdigit() for word in words))
    if not text.rstrip().endswith(":"):
        return False
    if any(map(is_negation, words)) or any(word.isdigit() for word in words) or _LIMITS & set(words):
        return False
    if len(words) <= _TITLE and not _VERBS & set(words) and words[:1] != ["you"]:
        return True
    said = [stem(word) for word in words if word not in STOPWORDS]
    known = {stem(word.lower()) for word in TOKEN.findall(question[:2000])} | _LIST_WORDS
    return all(word in (known | documents if _LISTS & set(said) else known) for word in said)
