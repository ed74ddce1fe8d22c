"""Tables that pandas, MLflow or a data frame wrote as one JSON object: a list of values for each column."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trace_core.datasets.adapters.base import Adapter, Raw, objects


def _split(whole: Raw) -> Iterator[dict[str, Any]]:
    columns = [str(column) for column in whole["columns"]]
    for cells in whole["data"]:
        yield dict(zip(columns, cells, strict=False)) if isinstance(cells, list) else cells


def columns(whole: Raw) -> Iterator[dict[str, Any]] | None:
    """The rows of an object with a list, or an object by index, for each column; null where it is something else."""
    values = list(whole.values())
    lists = len(values) > 1 and all(isinstance(value, list) for value in values)
    if lists and len({len(value) for value in values}) == 1 and not objects(values[0]):
        return (dict(zip(whole, cells, strict=True)) for cells in zip(*values, strict=True))
    first = values[0] if values and isinstance(values[0], dict) else {}
    alike = bool(first) and all(isinstance(value, dict) and value.keys() == first.keys() for value in values)
    if alike and all(key.isdecimal() for key in first):
        return ({column: held[key] for column, held in whole.items()} for key in first)
    return None


ADAPTER = Adapter("pandas and MLflow", "a table as JSON", ("columns", "data"), rows=_split)
