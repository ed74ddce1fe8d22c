"""Label Studio: tasks exported as JSON, with what most annotators chose under the name of each control."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trace_core.datasets.adapters.base import Adapter, Raw, agreed, object_of, objects


def _rows(task: Raw) -> Iterator[dict[str, Any]]:
    said: dict[str, list[Any]] = {}
    for annotation in objects(task["annotations"]):
        if annotation.get("was_cancelled"):
            continue
        for one in objects(annotation.get("result")):
            value = object_of(one.get("value"))
            held = next((value[key] for key in ("choices", "text", "rating") if key in value), None)
            said.setdefault(str(one.get("from_name")), []).append(held[0] if isinstance(held, list) and held else held)
    answers = {name: agreed(values) for name, values in said.items()}
    yield {"id": task.get("id"), **answers, **object_of(task["data"])}


ADAPTER = Adapter("Label Studio", "tasks as JSON", ("data", "annotations"), rows=_rows)
