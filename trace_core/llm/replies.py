"""A reply to one question, and what a reply and its repair contain together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from trace_core.llm.completion import Completion
from trace_core.llm.reading import Found, find_object
from trace_core.llm.usage import Usage

T = TypeVar("T", bound=BaseModel)
Wrong = Callable[[Mapping[str, Any]], Collection[str]]
"""Returns the fields of a reply's object that are missing or unusable."""


@dataclass(frozen=True, slots=True)
class Reply(Generic[T]):
    """The result of one question.

    `value` is the whole object, `None` if the reply cannot be used. `data` are the usable fields (of the
    reply and its repair together). `raw` are the model's texts, in order. `how` is the requested
    format (`json_schema`, `json_object` or `text`) or `cache`. `problem` says in words what is wrong
    with an unusable reply; `notes` say what was done to read it. `whole` says that no part of the object
    was cut off, `plain` that the only text contains only the object; `repaired` are the fields
    requested again.
    """

    value: T | None
    data: Mapping[str, Any]
    raw: tuple[str, ...]
    usage: Mapping[str, float]
    how: str
    problem: str = ""
    notes: tuple[str, ...] = ()
    whole: bool = True
    plain: bool = False
    repaired: tuple[str, ...] = ()


def wrong_for(schema: type[BaseModel]) -> Wrong:
    """A check by schema: it returns the fields that do not validate."""

    def wrong(data: Mapping[str, Any]) -> Collection[str]:
        try:
            schema.model_validate(data)
        except ValidationError as error:
            return {str(e["loc"][0]) if e["loc"] else "" for e in error.errors(include_url=False)}
        return set()

    return wrong


def _valid(schema: type[T], data: Mapping[str, Any]) -> T | None:
    try:
        return schema.model_validate(data)
    except ValidationError:
        return None


class Read(NamedTuple):
    """What a reply and its repair contain together; `missing` are the unusable fields."""

    data: Mapping[str, Any]
    missing: list[str]
    whole: bool
    plain: bool = False
    repaired: tuple[str, ...] = ()

    def reply(
        self,
        schema: type[T],
        raw: tuple[str, ...],
        usage: Usage,
        how: str,
        problem: str = "",
        notes: Sequence[str] = (),
    ) -> Reply[T]:
        """This content as a `Reply` to the question."""
        value = None if self.missing else _valid(schema, self.data)
        why = (problem or self._lacks()) if self.missing else ""
        return Reply(value, self.data, raw, usage, how, why, tuple(notes), self.whole, self.plain, self.repaired)

    def _lacks(self) -> str:
        if not self.data and not self.repaired:
            return "The reply has no JSON object."
        return f"The reply lacks {', '.join(self.missing)}{' even when asked again' if self.repaired else ''}."


def read(replies: Sequence[Completion], schema: type[BaseModel], wrong: Wrong) -> Read:
    """Read one reply, or a reply and its repair."""
    first, *repairs = (find_object(one.object_text, schema.model_fields, ended=one.ended) for one in replies)
    data = dict(first.data or {})
    missing = sorted({*wrong(data), *([first.cut] if first.cut else [])})
    if not repairs:
        return Read(data, missing, first.whole, first.plain)
    again = repairs[0]
    _mend(data, again, missing, wrong)
    return Read(data, sorted(wrong(data)), first.whole and again.whole, repaired=tuple(missing))


def _mend(data: dict[str, Any], found: Found, missing: Collection[str], wrong: Wrong) -> None:
    """Take over the fields that were requested again and are now usable."""
    again = found.data or {}
    for name in missing:
        a_part_again = found.cut == name and name in data  # then keep the first part
        if name in again and not a_part_again and name not in wrong({**data, name: again[name]}):
            data[name] = again[name]
