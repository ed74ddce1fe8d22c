"""Tables that programs print and sheets export, as Markdown's; and two columns of fields and values."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from typing import Any

from trace_core.endpoint.reading.formats.programs import Found
from trace_core.endpoint.reading.language.plain_contexts import is_table
from trace_core.endpoint.reading.language.words import field_named

_GAP = re.compile(r"[ ]{2,200}")
_RULE = re.compile(r"[ \t]{0,8}[+|]?-[-+| ]{2,400}")
_COUNT = re.compile(r"[ \t]{0,4}\(\d{1,6} rows?\)[ \t]{0,4}$")
_SHORTENED = ("...", "…")
_NUMBER = re.compile(r"[ _-]{0,2}\d{1,3}\Z")
_HEADS = re.compile(r"[^\W\d_]{2,20}")
_MARKS = " \t*_#>-"
_NEAR = 100
"""The most lines above a table in which a label is looked for."""
_MOST_ROWS = 2000


def with_tables(text: str) -> str:
    """The text with a table of ids and texts that only tabs, bars or spaces divide as a Markdown table."""
    lines = text.split("\n")
    for place, line in enumerate(lines[:-1]):
        if (table := _bars(lines, place, line) or _aligned(lines, place) or _commas(lines, place)) is not None:
            rows, end = table
            return "\n".join([*lines[:place], *rows, *lines[end:]])
    return text


def _markdown(rows: Sequence[Sequence[str]]) -> list[str]:
    found = ["| " + " | ".join(row) + " |" for row in rows]
    found.insert(1, "|" + "---|" * len(rows[0]))
    return found


def _bars(lines: Sequence[str], place: int, line: str) -> tuple[list[str], int] | None:
    bar = "\t" if "\t" in line else " | " if not line.lstrip().startswith("|") else ""
    columns = line.count(bar) if bar else 0
    if not columns:
        return None
    ruled = bool(_RULE.fullmatch(lines[place + 1]))
    first = place + 1 + ruled
    end = next((i for i in range(first, len(lines)) if lines[i].count(bar) != columns), len(lines))
    rows = _markdown([row.strip().split(bar) for row in (line, *lines[first:end])])
    if end == first or not is_table(rows):
        return None
    return rows, end + (end < len(lines) and bool(_COUNT.match(lines[end])))


def _aligned(lines: Sequence[str], place: int) -> tuple[list[str], int] | None:
    """A frame as pandas prints it: a number before each row, and at least two spaces between columns."""
    names = _GAP.split(lines[place].strip())
    if len(names) < 2 or not lines[place].startswith(" "):
        return None
    rows: list[list[str]] = []
    end = place + 1
    for line in lines[end : end + _MOST_ROWS]:
        row = _GAP.split(line.strip())
        if len(row) != len(names) + 1 or row[0] != str(len(rows)):
            break
        rows.append(row[1:])
        end += 1
    shortened = any(cell.endswith(_SHORTENED) for row in rows for cell in row)
    table = _markdown([names, *rows])
    return (table, end) if rows and not shortened and is_table(table) else None


def _commas(lines: Sequence[str], place: int) -> tuple[list[str], int] | None:
    """Rows as a sheet exports them, below names of columns; the block ends with a blank line or the text."""
    bar = ";" if ";" in lines[place] else ","
    names = [name.strip(' "') for name in lines[place].split(bar)]
    above = lines[place - 1].strip() if place else ""
    if len(names) < 2 or not is_table(_markdown([names, names])) or (above and not above.endswith(":")):
        return None
    end = next((i for i in range(place + 1, len(lines)) if not lines[i].strip()), len(lines))
    try:
        rows = list(csv.reader(lines[place + 1 : end], delimiter=bar, skipinitialspace=True, strict=True))
    except csv.Error:
        return None
    plain = all(len(row) == len(names) and not any("|" in cell for cell in row) for row in rows)
    if not rows or not plain or _within_a_text(lines, place):
        return None
    return _markdown([names, *rows]), end


def _within_a_text(lines: Sequence[str], place: int) -> bool:
    """Whether the last label above is of a part that may itself hold a table; it would not stay as it is written."""
    above = lines[max(0, place - _NEAR) : place]
    labels = (field for line in reversed(above) if (field := field_named(line.partition(":")[0].strip(_MARKS))))
    return next(labels, "answer" if place > _NEAR else "") in ("answer", "ground_truth")


def in_two_columns(text: str) -> Found | None:
    """The object of lines such as `question,"What's the fee?"` below a heading such as `field,value`."""
    lines = text.split("\n")
    for place, line in enumerate(lines[:-2]):
        for bar in ",;\t":
            heads = [head.strip(' "') for head in line.split(bar)]
            if len(heads) != 2 or not all(_HEADS.fullmatch(head) and not field_named(head) for head in heads):
                continue
            if found := _pairs(lines, place + 1, bar):
                given, count = found
                return Found(given, "\n".join([*lines[:place], *lines[place + 1 + count :]]))
    return None


def _pairs(lines: Sequence[str], first: int, bar: str) -> tuple[dict[str, Any], int] | None:
    """The values by the field that each row names, from the `first` line on, and the number of lines that they take."""
    found: dict[str, list[str]] = {}
    count = 0
    reader = csv.reader((f"{lines[i]}\n" for i in range(first, len(lines))), delimiter=bar, skipinitialspace=True)
    try:
        for row in reader:
            if len(row) != 2 or not (field := field_named(_NUMBER.sub("", row[0].strip()))):
                break
            found.setdefault(field, []).append(row[1].strip())
            count = reader.line_num
    except csv.Error:
        return None
    several = {field: held if field == "contexts" or len(held) > 1 else held[0] for field, held in found.items()}
    return (several, count) if len(found) > 1 else None
