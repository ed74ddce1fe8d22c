"""Rows of one question that stand apart, as in a file that is sorted by rank or by score."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from trace_core.errors import InputError

Cells = Mapping[str, Any]


class Group(list[Cells]):
    """The rows of one question; a type of its own, as a row of a file may itself be a list."""


def key_of(row: Cells, columns: Sequence[str]) -> Hashable:
    """What two rows have in common if they are alike in the columns."""
    return tuple(repr(row.get(column)) for column in columns)


def gathered(rows: Iterable[tuple[int, Any]], same: Sequence[str], documents: str) -> Iterator[tuple[int, Any]]:
    """The groups of rows that are alike in the columns `same`, each with the number of its first row.

    A question was asked again where a document appears again. Rows that are no objects come as they are.
    """
    every: list[tuple[int, Any]] = []
    open_groups: dict[Hashable, tuple[Group, set[str]]] = {}
    for number, row in rows:
        if not isinstance(row, dict):
            every.append((number, row))
            continue
        key, text = key_of(row, same), repr(row.get(documents))
        group, texts = open_groups.get(key, (Group(), {text}))
        if text in texts:
            group, texts = Group(), set()
            every.append((number, group))
            open_groups[key] = group, texts
        group.append(row)
        texts.add(text)
    yield from every


def askings(rows: Sequence[Cells], documents: str) -> list[Group]:
    """The rows of one question, divided where a document appears again."""
    return [group for _, group in gathered(enumerate(rows), (), documents)]


def stand_apart(sample: Sequence[Cells], same: Sequence[str]) -> bool:
    """Whether rows that are alike in the columns have others between them."""
    keys = [key_of(row, same) for row in sample]
    return sum(one != other for one, other in pairwise(keys)) + 1 > len(set(keys))


def are_sorted(values: Sequence[Any]) -> bool:
    """Whether the cells are numbers that never rise, or never fall."""
    try:
        numbers = [float(str(value).replace(",", ".")) for value in values]
    except ValueError:
        return False
    steps = [other - one for one, other in pairwise(numbers)]
    return bool(steps) and (all(step <= 0 for step in steps) or all(step >= 0 for step in steps))


class Closed:
    """The questions whose rows were read: another row of one, far below, shows that its documents are incomplete."""

    def __init__(self, same: Sequence[str], documents: str) -> None:
        self.same, self.documents = same, documents
        self.known: dict[int, frozenset[int]] = {}

    def error(self, group: Sequence[Cells], name: str, number: int) -> InputError | None:
        """An error where the question was read with other documents; else it counts as read from now on."""
        key = hash(key_of(group[0], self.same))
        texts = frozenset(hash(repr(row.get(self.documents))) for row in group)
        before = self.known.setdefault(key, texts)
        if before is texts or before & texts:
            return None
        return InputError(
            "Further documents of a question that is higher up: its rows are not next to each other.",
            "Sort the file by question.", file=name, row=number,
        )  # fmt: skip
