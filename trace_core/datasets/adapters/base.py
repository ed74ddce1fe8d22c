"""What an adapter is: a tool, the keys by which its rows are known, and where these hold our fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from trace_core.errors import InputError

Raw = Mapping[str, Any]
Numbered = tuple[int, Any]


@dataclass(frozen=True, slots=True)
class Adapter:
    """A tool's format. `keys` are paths that a row (or a file that is one object) has, `files` says what they are of.

    `rows` takes what the tool wraps its rows in apart, into rows that are read by names; `fields` are our fields' paths
    in those.
    """

    name: str
    files: str
    keys: Sequence[str]
    fields: Mapping[str, str] = field(default_factory=dict)
    rows: Callable[[Raw], Iterable[Any]] | None = None

    def recognizes(self, row: Raw) -> bool:
        """Whether the row has the keys."""
        return all(_has(row, key.split(".")) for key in self.keys)

    def read(self, wrapped: Iterable[Numbered], name: str) -> Iterator[Numbered]:
        """The rows in what is wrapped, numbered from 1; an `InputError` for one that cannot be read."""
        if self.rows is None:
            yield from wrapped
            return
        number = 0
        for place, held in wrapped:
            if not isinstance(held, dict):
                found: Iterable[Any] = [held]
            elif self.recognizes(held):
                found = self.rows(held)
            else:
                found = [InputError(f"This is no row as {self.name} writes it.", file=name, row=place)]
            for row in found:
                number += 1
                wrong = isinstance(row, InputError)
                yield (
                    number,
                    InputError(row.message, row.hint, file=name, row=number, field=row.field) if wrong else row,
                )


def _has(held: Any, parts: Sequence[str]) -> bool:
    for part in parts:
        if isinstance(held, list) and part == "0":
            held = held[0] if held else None
        elif isinstance(held, dict) and part in held:
            held = held[part]
        else:
            return False
    return True


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects in a list; none where there is no list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def object_of(value: Any) -> dict[str, Any]:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def agreed(values: Iterable[Any]) -> Any:
    """What most annotators said; null for a tie, and where nobody said anything."""
    first = Counter(str(value) for value in values if value is not None).most_common(2)
    return first[0][0] if first and (len(first) == 1 or first[0][1] > first[1][1]) else None
