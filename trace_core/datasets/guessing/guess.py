"""Guess which column is which field, from the names that tools use and the columns' contents.

A wrong guess is worse than none: where two readings are equally likely, the column is left out and a note
says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trace_core.datasets.guessing.answers import take_reference, take_response
from trace_core.datasets.guessing.columns import Columns
from trace_core.datasets.guessing.fitting import is_share
from trace_core.datasets.guessing.questions import take_question
from trace_core.datasets.guessing.texts import take_documents, take_expected_documents
from trace_core.datasets.names import ALIASES
from trace_core.datasets.words import names_category, names_kind
from trace_core.metrics import METRICS

Rows = Sequence[Mapping[str, Any]]
_TRUE = ("true_", "ground_truth_")
_SPECIAL = ("documents", "question", "response", "reference_answer")


def guessed(
    columns: Sequence[str],
    paths: Sequence[str],
    groups: Mapping[str, tuple[str, ...]],
    sample: Rows,
    fields: Sequence[str],
) -> tuple[dict[str, str], tuple[str, ...], dict[str, tuple[str, ...]]]:
    """Field → column, path or group; notes on unclear columns; groups of columns that are found here."""
    known = Columns(columns, paths, groups, sample)
    take_documents(known)
    take_question(known)
    take_response(known)
    take_reference(known)
    for field in fields:
        if field not in known.fields and field not in _SPECIAL:
            known.take(field, (field, *ALIASES.get(field, ())))
    take_expected_documents(known)
    _take_category(known)
    _take_scores(known)
    ordered = {field: known.fields[field] for field in fields if field in known.fields}
    return ordered, tuple(known.notes), known.more


def _take_category(known: Columns) -> None:
    """The category by the words of a name: the only such column of short texts; else a type that varies."""
    free = [c for c in known.columns if c not in known.fields.values() and known.says_little(c)]
    kinds = [c for c in free if names_kind(c) and len({*known.values(c)}) > 1]
    named = [c for c in free if names_category(c)] or kinds
    if len(named) == 1:
        known.fields.setdefault("category", named[0])


def _take_scores(known: Columns) -> None:
    """Take one column per metric, where there are no documents to label."""
    if "metrics" in known.fields or "documents" in known.fields or not _scores(known, "metrics", ""):
        return
    for start in _TRUE:
        if "ground_truth_scores" not in known.fields:
            _scores(known, "ground_truth_scores", start)


def _scores(known: Columns, field: str, start: str) -> bool:
    columns = tuple(known.named[start + name] for name in METRICS if start + name in known.named)
    if len(columns) < len(METRICS) or not all(_is_share(known, column) for column in columns):
        return False
    known.fields[field] = f"{start}*"
    known.more[f"{start}*"] = columns
    return True


def _is_share(known: Columns, column: str) -> bool:
    return all(is_share(row.get(column)) for row in known.sample)
