"""Argilla: records exported as JSON, with what most annotators answered under the name of each question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trace_core.datasets.adapters.base import Adapter, Raw, agreed, object_of, objects


def _rows(record: Raw) -> Iterator[dict[str, Any]]:
    answers = {
        question: agreed(one.get("value") for one in objects(given))
        for question, given in object_of(record["responses"]).items()
    }
    about = {name: value for name, value in object_of(record.get("metadata")).items() if name not in answers}
    yield {"id": record.get("id"), **about, **answers, **object_of(record["fields"])}


ADAPTER = Adapter("Argilla", "records as JSON", ("fields", "responses"), rows=_rows)
