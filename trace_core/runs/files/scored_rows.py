"""Import rows that already have labels or scores as a run; no model is asked."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trace_core.datasets import DataSet, Item, scores_record, to_record, unique_ids
from trace_core.datasets.dataset import Mapped, read_items_mapped
from trace_core.datasets.rows import LABEL_FIELDS, made_here
from trace_core.diagnosis.rescoring import rescore
from trace_core.errors import InputError, counted
from trace_core.facts.failed_generation import FAILED_GENERATION
from trace_core.facts.records import Failure, Record
from trace_core.metrics import RELEVANCE_DIVISOR, check_convention
from trace_core.runs.files.exported import expecting
from trace_core.runs.files.importing import bring_in, file_digest, run_there
from trace_core.runs.files.reader import bound_to, check_scores, with_convention
from trace_core.runs.files.writer import run_file

if TYPE_CHECKING:
    from trace_core.store.runs import RunStore

READY = ("labeled", "scores")
"""Kinds of rows that need no labeler."""


def read_scored_rows(path: Path, name: str = "", mapping: Mapped = None) -> DataSet:
    """The labeled or scored rows of a file, and an error for every other row.

    Raises `InputError` when the file as a whole cannot be read, or has no rows.
    """
    name = name or str(path)
    known, rows = read_items_mapped(path, name=name, mapping=mapping)
    found = DataSet(name, known)
    for number, item in enumerate(rows, start=1):
        if isinstance(item, InputError):
            found.errors.append(item)
        elif error := _unfit(item, name, number):
            found.errors.append(error)
        else:
            found.items.append(item)
    if not found.items and not found.errors:
        raise InputError("The file holds no rows.", file=name)
    return found


def _unfit(item: Item, name: str, number: int) -> InputError | None:
    """Why the row cannot be imported; `None` where it can."""
    if item.kind not in READY and _failure(item) is None:
        hint = "`python -m trace_core run FILE` makes them."
        return InputError("Labels or scores were expected.", hint, file=name, row=number)
    try:
        if made_here(item):  # its ground truth is as an export wrote it, or as somebody changed it
            check_scores(to_record(item, str(number), with_labels=False))
    except InputError as error:
        return InputError(error.message, error.hint, file=name, row=number, field=error.field)
    return None


def _failure(item: Item) -> Failure | None:
    """Why the row could not be labeled, as an export or `label` wrote it; `None` for any other row."""
    extra = item.model_extra or {}
    said, empty = extra.get("error"), all(name in extra and extra[name] is None for name in LABEL_FIELDS)
    told = isinstance(said, str) and said.strip() and empty and item.kind not in READY
    return Failure(step="run", message=str(said)) if told else None


def import_rows(
    store: RunStore,
    path: Path,
    rows: Sequence[Item],
    convention: str,
    settings: dict[str, Any],
    mapping: Mapping[str, str | None] | None = None,
) -> tuple[str, bool]:
    """Store the rows, read under `mapping`, as a run; returns its id, and whether it was new.

    The id is derived from the file, the convention and the mapping, so that importing again does nothing. Scores
    without labels are taken to be under `convention`, since they do not show their own. Raises `SettingsError` for an
    unknown convention.
    """
    check_convention(convention)
    divisor = float(settings.get("relevance_divisor", RELEVANCE_DIVISOR))
    read = f" {json.dumps(mapping, sort_keys=True)}" if mapping else ""
    identity = f"{file_digest(path)} {convention} {len(rows)}{read}"
    return _import(store, path, identity, lambda: _records(rows, convention, divisor), convention, settings)


def import_records(
    store: RunStore, path: Path, records: Sequence[Record], convention: str, settings: dict[str, Any]
) -> tuple[str, bool]:
    """Store whole records as a run: scores and people's corrections stay as they are.

    The run gets the convention of its records, or `convention` where none has scores, and the divisor of relevance that
    their labels and scores show. Raises `InputError` where scores without labels are under several conventions.
    """
    found = _common(records, convention, str(path))
    records = [with_convention(record, found) for record in records]
    divisor = next((shown for record in records if (shown := _divisor_of(record))), None)
    if divisor is not None:
        settings = settings | {"relevance_divisor": divisor}
    identity = f"{file_digest(path)} {found} {len(records)}"
    return _import(store, path, identity, lambda: records, found, settings)


def under_one_convention(records: Sequence[Record], convention: str | None) -> Sequence[Record]:
    """Where scores without labels are under several conventions, of these only the ones under `convention`.

    Everything stays where it names none of them.
    """
    known = _conventions(records)
    if len(known) < 2 or convention not in known:
        return records
    return [record for record in records if bound_to(record) in (None, convention)]


def _common(records: Sequence[Record], default: str, name: str) -> str:
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


def _conventions(records: Sequence[Record]) -> Counter[str]:
    return Counter(convention for record in records if (convention := bound_to(record)))


def _divisor_of(record: Record) -> float | None:
    """What the number of relevant sentences was divided by; `None` where the record does not show it."""
    scores, relevant = record.scores, record.labels.all_relevant_sentence_keys if record.labels else None
    if scores is None or scores.convention != "trace" or not relevant or not 0 < (scores.context_relevance or 0) < 1:
        return None
    known = len(set(relevant) & set(record.sentences().document_keys()))
    return round(known / scores.context_relevance, 6) if known and scores.context_relevance else None


def _import(
    store: RunStore,
    path: Path,
    identity: str,
    records: Callable[[], Sequence[Record]],
    convention: str,
    settings: dict[str, Any],
) -> tuple[str, bool]:
    run_id = hashlib.sha256(identity.encode()).hexdigest()[:12]
    if run_there(store, run_id):
        return run_id, False
    made = records()
    run = run_file(made, path.name, convention=convention, labeler="recorded", settings=settings)["run"]
    if golden := sum(record.golden is not None for record in made):
        run["config"]["golden"] = golden
    rows = ((record, record.overrides) for record in made)
    bring_in(store, run | {"id": run_id}, rows, total=len(made), digest=file_digest(path))
    return run_id, True


def _records(items: Sequence[Item], convention: str, divisor: float) -> list[Record]:
    return [
        _record(item, record_id, convention, divisor) for item, record_id in zip(items, unique_ids(items), strict=True)
    ]


def _record(item: Item, record_id: str, convention: str, divisor: float) -> Record:
    alone = item.kind == "scores"
    made = scores_record(item, record_id, convention) if alone else to_record(item, record_id)
    made = expecting(made, item)
    failure = _failure(item)
    if failure and not failure.message.startswith(FAILED_GENERATION):
        # Perhaps it failed before it had an answer, which a row has as an empty list of sentences.
        made.error, made.response = failure, made.response if item.response else None
    return made if alone else rescore(made, convention, divisor)
