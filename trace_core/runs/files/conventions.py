"""The one convention of an imported run: scores without labels cannot be computed under another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from trace_core.errors import InputError, counted
from trace_core.facts.records import Record
from trace_core.metrics import METRICS


def chosen(records: Sequence[Record], convention: str | None) -> Sequence[Record]:
    """Where scores without labels are under several conventions, of these only the ones under `convention`.

    Everything stays where it names none of them.
    """
    known = _conventions(records)
    if len(known) < 2 or convention not in known:
        return records
    return [record for record in records if bound_to(record) in (None, convention)]


def common(records: Sequence[Record], default: str, name: str) -> str:
    """The convention of the records' scores, or `default` where none has scores.

    Raises `InputError` where scores without labels are under several conventions: a run has one, and the others would
    be lost.
    """
    known = _conventions(records)
    if len(known) > 1:
        each = ", ".join(f"{convention} ({counted(n, 'row')})" for convention, n in known.items())
        hint = f"Import it once for each: {' or '.join(f'--convention {convention}' for convention in known)}."
        raise InputError(f"It has scores under {len(known)} conventions: {each}.", hint, file=name, field="convention")
    first = next((record.scores.convention for record in records if record.scores), default)
    return next(iter(known), first)


def with_convention(record: Record, convention: str) -> Record:
    """The record; where it has neither labels nor a single score, its reasons stand under that convention."""
    scores = record.scores
    if scores is None or record.labels or scores.convention == convention or bound_to(record):
        return record
    return record.model_copy(update={"scores": scores.model_copy(update={"convention": convention})})


def _conventions(records: Sequence[Record]) -> Counter[str]:
    return Counter(convention for record in records if (convention := bound_to(record)))


def bound_to(record: Record) -> str | None:
    """The convention of scores that no labels allow to compute anew."""
    scores = record.scores
    if scores is None or record.labels or all(getattr(scores, name) is None for name in METRICS):
        return None
    return scores.convention
