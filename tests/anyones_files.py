"""Files as people's tools write them, and the result of reading each: right, in part, refused, or wrong."""

import csv
import json
from pathlib import Path

import pandas as pd

from trace_core.datasets import read_dataset
from trace_core.errors import InputError

FOLDER = Path(__file__).parent / "trace_core" / "datasets" / "anyones"
CASES = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
FIELDS = ("question", "documents", "response", "reference_answer", "expected_documents")
ASKED = ("id", "document_ids", "category")
"""Fields that are compared only if the expectation contains them."""


def made(name, folder):
    """Write the case's file to `folder`, in its encoding or binary form."""
    case = CASES[name]
    source = FOLDER / next((case[kind] for kind in ("text", "parquet", "excel") if kind in case), name)
    text, path = source.read_bytes().decode("utf-8"), folder / name  # with the line ends that it has
    if "text" in case:
        path.write_bytes(text.encode(case["encoding"]))
    elif "parquet" in case:
        pd.DataFrame([json.loads(line) for line in text.splitlines()]).to_parquet(path)
    elif "excel" in case:
        cells = list(csv.reader(text.splitlines(), delimiter=";" if ";" in text.splitlines()[0] else ","))
        typed = [[int(cell) if cell.isdigit() else cell or None for cell in row] for row in cells[1:]]
        pd.DataFrame(typed, columns=cells[0], dtype=object).to_excel(path, index=False)
    else:
        path.write_bytes(source.read_bytes())
    return path


def outcome(name, folder):
    """`right`, `part`, `refused` or `wrong`, and what was read or reported."""
    case = CASES[name]
    try:
        found = read_dataset(made(name, folder), name=name)
    except InputError as error:
        return ("right" if "refused" in case and case["refused"] in str(error) else "refused"), str(error)
    said = " ".join(str(error) for error in found.errors)
    if not found.items:
        return ("right" if "refused" in case and case["refused"] in said else "refused"), said
    if "refused" in case:
        return "wrong", [read(item) for item in found.items]
    return compared(found.items, case, len(found.errors)), [read(item) for item in found.items]


def compared(items, case, left_out):
    """How far the rows read match the rows in the file."""
    if len(items) != len(case["rows"]):
        return "refused" if len(items) + left_out == len(case["rows"]) else "wrong"
    grades = [_compared(read(item), expected) for item, expected in zip(items, case["rows"], strict=True)]
    if left_out != case.get("left_out", 0):
        return "wrong"
    return "wrong" if "wrong" in grades else "part" if "part" in grades else "right"


def _compared(row, expected):
    names = [*FIELDS, *(name for name in ASKED if name in expected)]
    lacking = [name for name in names if not _same(name, row[name], expected.get(name))]
    if not lacking:
        return "right"
    return "part" if all(row[name] is None for name in lacking) else "wrong"


def _same(name, found, expected):
    """Whether they are the same; a list of one right answer is that answer."""
    if name == "reference_answer":
        found, expected = ([one] if isinstance(one, str) else one for one in (found, expected))
    return found == expected


def read(item):
    """The row as plain values; an empty list of alternative answers means no reference."""
    row = {name: getattr(item, name) for name in (*FIELDS, *ASKED)}
    return row | {"reference_answer": row["reference_answer"] or None}
