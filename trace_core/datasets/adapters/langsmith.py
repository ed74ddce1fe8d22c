"""LangSmith: the examples of a data set, whose outputs are the expected ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trace_core.datasets.adapters.base import Adapter, Raw


def _rows(example: Raw) -> Iterator[dict[str, Any]]:
    others = {name: value for name, value in example.items() if name != "outputs"}
    yield {**others, "reference_outputs": example["outputs"]}


ADAPTER = Adapter("LangSmith", "examples of a data set", ("inputs", "outputs", "dataset_id"), {"id": "id"}, _rows)
