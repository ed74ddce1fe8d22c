"""Langfuse: the items of a data set, as its page and its API export them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trace_core.datasets.adapters.base import Adapter, Raw
from trace_core.datasets.documents import last_of, named_text, opened_or_none


def _rows(item: Raw) -> Iterator[dict[str, Any]]:
    given, expected = (opened_or_none(item[name]) for name in ("input", "expectedOutput"))
    asked = last_of(given, "user")
    yield {
        **item,
        "question": asked if isinstance(asked, str) else named_text(given, "question"),
        "reference_answer": named_text(expected, "reference_answer") or None,
    }


ADAPTER = Adapter("Langfuse data sets", "items", ("input", "expectedOutput", "sourceTraceId"), rows=_rows)
