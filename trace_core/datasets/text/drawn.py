"""Tables drawn with bars and dashes, as Markdown, psql and MySQL write them, with text around them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

MOST_BEFORE = 200
"""The most lines before a table in a file that may be another kind of text."""
_BAR = re.compile(r"(?<!\\)\|")
_BREAK = re.compile(r"[ \t]{0,4}<br\s?/?>[ \t]{0,4}", re.IGNORECASE)
_BORDER = frozenset("-=+|: \t\r\n")


class Drawn(NamedTuple):
    """A table: the names of its columns, and the cells of each row."""

    header: list[str]
    rows: list[list[str]]


def holds_a_table(lines: Iterable[str]) -> bool:
    """Whether a drawn table begins in the first lines."""
    return next(drawn_tables(islice(lines, MOST_BEFORE)), None) is not None


def drawn_tables(lines: Iterable[str]) -> Iterator[Drawn]:
    """The tables in the lines of a text: a line with bars, one of dashes below it, and more lines with bars."""
    above, table = "", None
    for line in lines:
        if _is_border(line):
            table = table or (Drawn(_cells(above), []) if above else None)
        elif not _BAR.search(line):
            if table:
                yield table
            above, table = "", None
        elif table:
            if any(cells := _cells(line)):
                table.rows.append(cells)
        else:
            above = line
    if table:
        yield table


def _is_border(line: str) -> bool:
    return "-" in line and ("|" in line or "+" in line) and _BORDER.issuperset(line)


def _cells(line: str) -> list[str]:
    """The cells between the bars; a bar at either end is no cell. `<br>` and `\\|` are what they mean."""
    cells = _BAR.split(line.strip())
    inner = cells[1 if not cells[0].strip() else 0 : -1 if len(cells) > 1 and not cells[-1].strip() else None]
    return [html.unescape(_BREAK.sub("\n", cell.replace("\\|", "|").strip())) for cell in inner]
