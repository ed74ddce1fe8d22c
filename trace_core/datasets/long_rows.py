"""Rows in long form, which are one question together: a row a passage, or a row an annotator."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import multimode
from typing import Any

from trace_core.datasets.rows import PARALLEL, Item
from trace_core.errors import counted

Places = list[int]


def long_rows(items: Sequence[Item]) -> list[Places]:
    """The places of rows that share id and question and differ in their passages, or in what is said of one answer.
    Rows with several answers, of several generators, or with labels of their own are records of their own."""
    groups: defaultdict[tuple[str | None, str], Places] = defaultdict(list)
    for place, item in enumerate(items):
        if item.metrics is None and item.documents_sentences is None and not item.has_labels:
            groups[item.id, item.question].append(place)
    several = (places for places in groups.values() if len(places) > 1)
    return [places for places in several if _are_one([items[place] for place in places])]


def _are_one(rows: Sequence[Item]) -> bool:
    if any(len({getattr(row, name) for row in rows} - {None}) > 1 for name in ("response", "generation_model_name")):
        return False
    if _differ_in_passages(rows) or len({str(row.expected_documents) for row in rows}) > 1:
        return True
    return rows[0].id is not None and not rows[0].unanswered and any(row != rows[0] for row in rows)


def _differ_in_passages(rows: Sequence[Item]) -> bool:
    return len({tuple(row.documents or ()) for row in rows}) > 1


def describe_long(items: Sequence[Item], groups: Sequence[Places], numbers: Sequence[int]) -> str:
    """A sentence about the groups, with the `numbers` of the first one's rows; empty where there is none."""
    if not groups:
        return ""
    n, first = sum(map(len, groups)), " and ".join(str(numbers[place]) for place in groups[0][:2])
    if any(_differ_in_passages([items[place] for place in places]) for places in groups):
        what = "id and question with others, each has another passage"
    else:
        what = "id, question, documents and answer with others, as where each annotator has a row"
    return f"{n:,} rows share {what}: {counted(len(groups), 'question')}, as rows {first}."


def join_rows(items: Sequence[Item], groups: Iterable[Places]) -> dict[int, Item]:
    """The items by their places, each group as one at the place of its first."""
    rows = dict(enumerate(items))
    for first, *others in groups:
        rows[first] = _join([items[first], *(rows.pop(place) for place in others)])
    return rows


def _join(rows: Sequence[Item]) -> Item:
    """One row: its passages in order, all that is expected, and of all else what most rows say."""
    cells = [row.model_dump(exclude_unset=True) for row in rows]
    joint = {name: majority(cell.get(name) for cell in cells) for name in dict.fromkeys(n for c in cells for n in c)}
    for name in ("expected_documents", "reference_answer"):  # of which each row may hold another part
        each = [value if isinstance(value, list) else [value] for cell in cells if (value := cell.get(name))]
        union = list(dict.fromkeys(one for several in each for one in several))
        joint[name] = union[0] if name == "reference_answer" and len(union) == 1 else union or None
    cells = [cell for cell in cells if cell.get("documents")]
    columns = [name for name in PARALLEL if all(len(cell.get(name) or ()) == len(cell["documents"]) for cell in cells)]
    once: dict[str, tuple[Any, ...]] = {}
    for part in (part for cell in cells for part in zip(*(cell[name] for name in columns), strict=True)):
        once.setdefault(part[0], part)
    if once:
        joint |= dict.fromkeys(PARALLEL) | dict(zip(columns, map(list, zip(*once.values(), strict=True)), strict=True))
    return Item.model_validate({name: value for name, value in joint.items() if value is not None})


def majority(values: Iterable[Any]) -> Any:
    """What most say; null for a tie, and where nobody says anything."""
    pairs = [(json.dumps(value, sort_keys=True, default=str), value) for value in values if value is not None]
    modes = multimode(text for text, _ in pairs)
    return dict(pairs)[modes[0]] if len(modes) == 1 else None
