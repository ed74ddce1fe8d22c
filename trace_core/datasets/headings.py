"""The headings of a table: names that are there twice, in two lines, or that differ in a number."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from trace_core.datasets.words import asks, holds_documents, role_of
from trace_core.errors import InputError

_PLACE = re.compile(r"\d{1,3}(?=\D*$)|(?<=[\s_-])[A-Ja-j]$")
"""The number or letter of one of several columns."""
_IF_ANY = re.compile(r"^,[^()]{1,40}\)$")
"""What only the columns after the first say in brackets: `(fonte 2, se houver)`."""
_CORNER = "Field"
"""The name of a table's first column where it has none."""
_LETTERS = 1000
"""Added to the place of a letter, or of a number within a word: such a column alone is not one of several."""


def in_two_lines(upper: Sequence[Any], lower: Sequence[Any]) -> list[str]:
    """The names of columns in two lines, the upper of which spans several: `Answer` over `Bot` and `Expected`; empty
    where the lower line is a row.
    """
    if len(upper) != len(lower):
        return []
    spans = [above is None or list(upper[place + 1 : place + 2]) == [None] for place, above in enumerate(upper)]
    if not any(above is None and below is not None for above, below in zip(upper, lower, strict=True)):
        return []
    if any((below is not None) != spanned for below, spanned in zip(lower, spans, strict=True)):
        return []
    found, over = list[str](), None
    for above, below in zip(upper, lower, strict=True):
        over = over if above is None else above
        found.append(" ".join(str(name) for name in (over, below) if name is not None))
    return found


def told_apart(columns: Sequence[str]) -> list[str]:
    """The columns; those that share the name of a document, or of nothing that is read, are numbered: `Context` →
    `Context 1`, `Context 2`.
    """
    times = Counter(columns)
    seen: dict[str, int] = {}
    found = []
    for column in columns:
        if times[column] > 1 and (holds_documents(column) or not (asks(column) or role_of(column))):
            seen[column] = seen.get(column, 0) + 1
            column = f"{column.strip()} {seen[column]}"
        found.append(column)
    return found


def with_corner(columns: Sequence[str]) -> list[str]:
    """The columns, with a name for the first if only that has none, and no other is that of a part, as where it holds
    the names of the parts.
    """
    parts = any(asks(column) or holds_documents(column) or role_of(column) for column in columns)
    bare = [place for place, column in enumerate(columns) if not column.strip()] == [0]
    return [_CORNER, *columns[1:]] if bare and not parts and _CORNER not in columns else [*columns]


def check_once(header: Sequence[str], name: str) -> None:
    """Raises `InputError` for a name that two columns have."""
    twice = [column for column, times in Counter(header).items() if times > 1 and column.strip()]
    if twice:
        raise InputError(f"The column {min(twice)!r} is there twice.", "Rename one of them.", file=name)


def names_documents(stem: str) -> bool:
    """Whether a numbered column's name without its number speaks of documents."""
    return role_of(stem) == "documents"


def numbered(columns: Iterable[str], fits: Callable[[str], bool] = names_documents) -> dict[str, tuple[str, ...]]:
    """Columns that differ only in a number or a last letter, and whose name without it fits, under a starred name:
    `context_*` → context_1, context_2.
    """
    found: dict[str, list[tuple[int, str]]] = {}
    for column in columns:
        place = _PLACE.search(column)
        if place and fits(f"{column[: place.start()]} {column[place.end() :]}".strip()):
            inside = place.end() < len(column.rstrip()) and column[: place.start()][-1:].isalpha()
            star = f"{column[: place.start()]}*{_IF_ANY.sub(')', column[place.end() :])}".strip()
            at = int(place[0]) if place[0].isdecimal() else _LETTERS + ord(place[0])
            at += _LETTERS * inside  # the number of a name within the column's, as in `bm25_context`
            found.setdefault(star, []).append((at, column))
    several = {star: sorted(each) for star, each in found.items() if len(each) > 1 or each[0][0] < _LETTERS}
    return {star: tuple(column for _, column in each) for star, each in several.items()}
