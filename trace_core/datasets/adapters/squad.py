"""SQuAD: articles with paragraphs, and questions about each of them; several right answers, or none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trace_core.datasets.adapters.base import Adapter, Raw, objects


def _rows(whole: Raw) -> Iterator[dict[str, Any]]:
    for article in objects(whole["data"]):
        for paragraph in objects(article.get("paragraphs")):
            for asked in objects(paragraph.get("qas")):
                right = [answer.get("text") for answer in objects(asked.get("answers"))]
                yield {
                    "id": asked.get("id"), "question": asked.get("question"), "documents": [paragraph.get("context")],
                    "document_titles": [str(article.get("title") or "")], "reference_answer": right or None,
                }  # fmt: skip


ADAPTER = Adapter("SQuAD", "the data set's JSON", ("data.0.paragraphs",), rows=_rows)
