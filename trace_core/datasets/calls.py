"""What the retrievers of an application returned, in the record of its calls as TruLens keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trace_core.datasets.notations import object_of, objects_of

_FINDS = ("retriev", "search", "relevant_documents")
_DEEPEST = 50
"""The most frames of a call's stack that are looked at."""


def calls_of(record: Any) -> list[Mapping[str, Any]]:
    """The calls in a record, or in their list; none where it is something else."""
    calls = objects_of(record.get("calls") if isinstance(record, Mapping) else record)
    return calls if all("stack" in call and "rets" in call for call in calls) else []


def retrieved(calls: list[Mapping[str, Any]]) -> list[Any] | None:
    """What the outermost of them that retrieve returned, each document once; null where none does.

    A retriever within another one finds the candidates that the outer one chooses from.
    """
    found = [(_frames(call), call["rets"]) for call in calls if isinstance(call["rets"], list)]
    found = [(frames, returned) for frames, returned in found if frames and _retrieves(frames[-1])]
    known = {frames for frames, _ in found}
    outer = [rets for frames, rets in found if not any(frames[:depth] in known for depth in range(1, len(frames)))]
    return list({repr(one): one for rets in outer for one in rets}.values()) if found else None


def _frames(call: Mapping[str, Any]) -> tuple[tuple[str, str, str], ...]:
    """Place, class and method of each frame in the stack of a call."""
    found = []
    for frame in objects_of(call["stack"])[:_DEEPEST]:
        method = object_of(frame.get("method"))
        owner = object_of(object_of(method.get("obj")).get("cls"))
        found.append((repr(frame.get("path")), str(owner.get("name")), str(method.get("name"))))
    return tuple(found)


def _retrieves(frame: tuple[str, str, str]) -> bool:
    """Whether a method retrieves, by its name or by that of its class."""
    _, owner, method = (part.lower() for part in frame)
    return owner.endswith("retriever") or any(word in method for word in _FINDS)
