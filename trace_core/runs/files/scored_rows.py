"""Import rows that already have labels or scores as a run; no model is asked."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from trace_core.datasets import DataSet, Item, read_dataset
from trace_core.datasets.mapping import MappingSpec
from trace_core.datasets.rows import LABEL_FIELDS
from trace_core.diagnosis.rescoring import rescore
from trace_core.errors import InputError, counted
from trace_core.facts.failed_generation import FAILED_GENERATION
from trace_core.facts.records import Failure, Record
from trace_core.metrics import Scoring
from trace_core.runs.files.exported import new_block
from trace_core.runs.files.importing import bring_in, file_digest, run_there
from trace_core.runs.files.row_records import expecting, scores_record, to_record, unique_ids
from trace_core.store.runs import RunStore

Lines = Iterable[Record | InputError]
READY = ("labeled", "scores")
"""Kinds of rows that need no labeler."""


def read_scored_rows(path: Path, mapping: MappingSpec = None) -> DataSet:
    """The labeled or scored rows of a file, and an error for every other row. Raises `InputError` when the file as a
    whole cannot be read, or has no rows."""
    return read_dataset(path, mapping=mapping, unfit=_unfit)


def _unfit(item: Item) -> InputError | None:
    if item.kind not in READY and _failure(item) is None:
        return InputError("Labels or scores were expected.", "`python -m trace_core run FILE` makes them.")
    return None


def _failure(item: Item) -> Failure | None:
    """Why the row could not be labeled, as an export or `label` wrote it; `None` for any other row."""
    extra = item.model_extra or {}
    error, empty = extra.get("error"), all(name in extra and extra[name] is None for name in LABEL_FIELDS)
    failing = isinstance(error, str) and error.strip() and empty and item.kind not in READY
    return Failure(step="run", message=str(error)) if failing else None


def import_rows(
    store: RunStore,
    path: Path,
    rows: Sequence[Item],
    convention: str,
    settings: dict[str, Any],
    mapping: Mapping[str, str | None] | None = None,
) -> tuple[str, bool]:
    """Store the rows, read under `mapping`, as a run; returns its id, and whether it was new: again does nothing.
    Scores without labels are taken to be under `convention`. Raises `SettingsError` for an unknown one."""
    scoring, records = Scoring.of_run({"settings": settings, "convention": convention}), []
    for item, record_id in zip(rows, unique_ids(rows), strict=True):
        if item.kind == "scores":
            records.append(expecting(scores_record(item, record_id, convention), item))
            continue
        record, failure = expecting(to_record(item, record_id), item), _failure(item)
        if failure and not failure.message.startswith(FAILED_GENERATION):
            # Perhaps it failed before it had an answer, which a row has as an empty list of sentences.
            record.error, record.response = failure, record.response if item.response else None
        records.append(rescore(record, scoring))
    read = json.dumps(mapping, sort_keys=True) if mapping else ""
    return import_records(store, path, records, convention, settings, read)


def import_records(
    store: RunStore, path: Path, lines: Lines, convention: str, settings: dict[str, Any], read: str = ""
) -> tuple[str, bool]:
    """Store whole records, read twice and never held together, as a run; errors among them are left out. Scores and
    people's corrections stay as they are; of one id the second is `id#2`. Convention and divisor are the records' own,
    where they show them; `read` says how the file was read. Raises `InputError` for scores under several conventions: a
    run has one."""
    under, versions, divisors = Counter[str](), set[str | None](), list[float]()

    def records() -> Iterator[Record]:
        return (line for line in lines if isinstance(line, Record))

    def survey() -> Iterator[Record]:
        for record in records():
            under.update([record.scores.convention] if record.scores else [])
            versions.update([labels.labeler_version] if (labels := record.labeler_labels) else [])
            divisors.extend(filter(None, [] if divisors else [_divisor_of(record)]))
            yield record

    ids = unique_ids(survey())
    if len(under) > 1:
        each = ", ".join(f"{name} ({counted(n, 'row')})" for name, n in under.items())
        message, hint = f"It has scores under {len(under)} conventions: {each}.", "Keep the rows of one of them."
        raise InputError(message, hint, file=str(path), field="convention")
    convention = next(iter(under), convention)
    digest = file_digest(path)
    run_id = hashlib.sha256(f"{digest} {convention} {len(ids)} {read}".encode()).hexdigest()[:12]
    if run_there(store, run_id):
        return run_id, False
    settings = settings | ({"relevance_divisor": divisors[0]} if divisors else {})
    config = {"settings": settings, "labeler": "recorded", "convention": convention, "left_out": 0}
    run = new_block(path.name, versions, config)
    own = (record.model_copy(update={"id": name}) for record, name in zip(records(), ids, strict=True))
    bring_in(store, run | {"id": run_id}, own, total=len(ids), digest=digest)
    return run_id, True


def _divisor_of(record: Record) -> float | None:
    """What the number of relevant sentences was divided by; `None` where the record does not show it."""
    scores, relevant = record.scores, record.labels.all_relevant_sentence_keys if record.labels else None
    share = scores.context_relevance if scores and scores.convention == "trace" else None
    return round(len(set(relevant)) / share, 6) if relevant and share and 0 < share < 1 else None
