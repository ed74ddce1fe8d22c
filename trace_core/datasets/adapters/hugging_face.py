"""Hugging Face's dataset server: a page of rows, as `/rows` and `/first-rows` return it."""

from __future__ import annotations

from trace_core.datasets.adapters.base import Adapter, object_of, objects

ADAPTER = Adapter(
    "Hugging Face's dataset server", "a page of rows", ("features", "rows.0.row"),
    rows=lambda whole: [object_of(one.get("row")) for one in objects(whole["rows"])],
)  # fmt: skip
