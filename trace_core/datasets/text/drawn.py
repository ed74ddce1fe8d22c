"""Tables drawn with bars and dashes, as Markdown, psql and MySQL write them, with text around them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

MOST_BEFORE = 200
"""The most lines before a table in a file that may be another kind of text."""
_LONGEST = 100_000
"""The longest cell, in characters, that goes on in the next line."""
_BAR = re.compile(r"(?<!\\)\|")
_BREAK = re.compile(r"[ \t]{0,4}<br\s?/?>[ \t]{0,4}", re.IGNORECASE)
_BORDER = frozenset("-=+|: \t\r\n")


class Drawn(NamedTuple):
    """A table: the names of its columns, the cells of each row, and the last line of text above it."""

    header: list[str]
    rows: list[list[str]]
    title: str = ""


def holds_a_table(lines: Iterable[str]) -> bool:
    """Whether a drawn table begins in the first lines."""
    return next(drawn_tables(islice(lines, MOST_BEFORE)), None) is not None


def drawn_tables(lines: Iterable[str]) -> Iterator[Drawn]:
    """The tables in the lines of a text: a line with bars, one of dashes below it, and more lines with bars."""
    above, title, table = "", "", None
    grid = begins = False
    for line in lines:
        if _is_border(line) or _is_double(line):
            table = table or (Drawn(_cells(above), [], title) if above else None)
            grid, begins = grid or _is_double(line), True
        elif not _BAR.search(line):
            if table:
                yield table
            above, table, grid = "", None, False
            title = line.strip("#*_: \t\r\n") or title
        elif table:
            if any(cells := _cells(line)):
                _add(table.rows, cells, goes_on=grid and not begins)
            begins = False
        else:
            above = line
    if table:
        yield table


def _add(rows: list[list[str]], cells: list[str], *, goes_on: bool) -> None:
    """Add a row, or the next line of the last one's cells."""
    if goes_on and rows and len(rows[-1]) == len(cells) and max(map(len, rows[-1]), default=0) < _LONGEST:
        rows[-1] = [f"{above} {below}".strip() for above, below in zip(rows[-1], cells, strict=True)]
    else:
        rows.append(cells)


def _is_double(line: str) -> bool:
    """Whether it is the line below the header of a grid, whose rows have lines between them and may be wrapped."""
    return line.startswith("+=") and _BORDER.issuperset(line)


def _is_border(line: str) -> bool:
    return "-" in line and ("|" in line or "+" in line) and _BORDER.issuperset(line)


def _cells(line: str) -> list[str]:
    """The cells between the bars; a bar at either end is no cell. `<br>` and `\\|` are what they mean."""
    cells = _BAR.split(line.strip())
    inner = cells[1 if not cells[0].strip() else 0 : -1 if len(cells) > 1 and not cells[-1].strip() else None]
    return [html.unescape(_BREAK.sub("\n", cell.replace("\\|", "|").strip())) for cell in inner]
