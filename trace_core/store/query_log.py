"""The query log: one JSON line per question asked, for log readers. Field names are seed 002's. The file is rotated at
ten megabytes; three older files are kept."""

import json
import logging
from collections.abc import Mapping
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from trace_core.errors import StoreError
from trace_core.facts.records import EXPECTED, Record
from trace_core.metrics import METRICS

MAX_BYTES = 10_000_000
BACKUPS = 3


def log_line(record: Record, contributions: Mapping[str, float] | None = None) -> dict[str, Any]:
    """One record as a log line: the required fields, and the known optional ones. `contributions`: document id → its
    label in [0, 1], for labeled documents."""
    scores = record.scores
    line: dict[str, Any] = {
        "query": record.question,
        "retrieved_ids": [document.id for document in record.documents],
        "answer": record.response.text if record.response else None,
        "citations": _citations(record),
        "trace_scores": {name: getattr(scores, name) if scores else None for name in METRICS},
    }
    if scores:
        line["convention"] = scores.convention
        line |= {"undefined": dict(scores.undefined)} if scores.undefined else {}
    if record.verdict:
        line["verdict"] = record.verdict.model_dump()
    if record.cleaning:
        line["cleaning"] = record.cleaning
    if record.retrieval and record.retrieval.confidence is not None:
        line["retrieval_confidence"] = record.retrieval.confidence
    if record.retrieval and record.retrieval.action:
        line |= {"retrieval_action": record.retrieval.action, "fallback_triggered": False}
    if contributions:
        line["doc_contribution_scores"] = dict(contributions)
    if record.golden:
        line |= record.golden.model_dump(exclude_none=True)
    line |= {name: record.fields[name] for name in EXPECTED if name in record.fields}
    if record.usage:
        tokens = [record.usage[name] for name in ("prompt_tokens", "completion_tokens") if name in record.usage]
        line["token_usage"] = record.usage | ({"total_tokens": sum(tokens)} if len(tokens) == 2 else {})
    return line


def _citations(record: Record) -> list[str]:
    """Document ids: for an answer made here, those its maker cites; for a given answer, those its labels name."""
    labels = record.labels
    if record.response is None or record.response.citations or "answer" in record.seconds or labels is None:
        return record.response.citations if record.response else []
    keys = {key for entry in labels.sentence_support_information or [] for key in entry.supporting_sentence_keys}
    return list(dict.fromkeys(d.id for d in record.documents if any(s.key in keys for s in d.sentences)))


class _Strict(RotatingFileHandler):
    def handleError(self, record: logging.LogRecord) -> None:
        """Called where the error is handled: pass it on."""
        raise


class QueryLog:
    """Appends to one file; thread-safe within a process."""

    def __init__(self, path: Path, max_bytes: int = MAX_BYTES) -> None:
        self.path = path
        self._handler = _Strict(path, maxBytes=max_bytes, backupCount=BACKUPS, encoding="utf-8", delay=True)

    def append(self, record: Record, contributions: Mapping[str, float] | None = None) -> None:
        """Write one line. Raises `StoreError` if the file cannot be written."""
        line = json.dumps(log_line(record, contributions), allow_nan=False)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._handler.handle(logging.LogRecord("trace.queries", logging.INFO, "", 0, line, None, None))
        except OSError as error:
            raise StoreError(
                f"The query log {self.path} cannot be written ({error.strerror}).",
                "Set TRACE_QUERY_LOG to a path that can be written.",
            ) from error

    def close(self) -> None:
        """Close the file; the next line reopens it."""
        self._handler.close()
