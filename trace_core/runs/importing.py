"""Run files into the store: all of a file or nothing of it, and never over another run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from trace_core.errors import InputError, UnknownRun
from trace_core.overrides import read
from trace_core.records import Record
from trace_core.runs.export import Exported, from_store
from trace_core.runs.source import RunSource, open_run

if TYPE_CHECKING:
    from trace_core.store.runs import Run, RunStore


def import_run(store: RunStore, path: Path, name: str = "") -> tuple[str, bool]:
    """Put the file's run into the store: its id, and whether it was new there.

    The same run again does nothing. Raises `InputError` when the file is wrong anywhere, or when another run
    has its id; the store is then as it was.
    """
    source = open_run(path, name)
    info = source.info
    digest = _file_digest(path)
    try:
        there = store.load_run(info.id)
    except UnknownRun:
        there = None
    if there and _empty(there):  # an import that was killed before its records were in
        store.delete_run(info.id)
    elif there:
        if there.digest != digest and not _same(source, from_store(store, info.id)):
            raise InputError(
                f"Run {info.id!r} is in the store with other content.",
                "Delete it there first, or give the file's run another id.", file=source.name, field="run.id",
            )  # fmt: skip
        return info.id, False
    _write(store, source, digest)
    return info.id, True


def _write(store: RunStore, source: RunSource, digest: str) -> None:
    info = source.info
    store.create_run(
        info.name, source.block["config"],
        total=source.head.counts.total, status="done", note=str((info.model_extra or {}).get("note") or ""),
        run_id=info.id, created_at=info.created_at, digest=digest,
    )  # fmt: skip
    corrected: list[Record] = []
    try:
        store.save_records(info.id, _noting(source, corrected), first_position=1)
        _keep_overrides(store, info.id, corrected)
    except BaseException:
        store.delete_run(info.id)
        raise


def _noting(source: RunSource, corrected: list[Record]) -> Iterator[Record]:
    """The records as they come; those that people corrected are kept aside."""
    for number, record in enumerate(source.records(), start=1):
        if record.overrides:
            try:
                read(record)
            except InputError as error:
                raise InputError(error.message, error.hint, file=source.name, row=number, field=error.field) from None
            corrected.append(record)
        yield record


def _keep_overrides(store: RunStore, run_id: str, corrected: list[Record]) -> None:
    """The corrections as events, where reviewers find them; the records' numbers follow from them already."""
    from trace_core.store.overrides import OverrideStore

    events = OverrideStore(store.database)
    for record in corrected:
        for event in record.overrides:
            events.add_override(
                run_id, record.id, author=event["author"], sentence_key=event.get("sentence_key", ""),
                field=event["field"], value=event["value"], reason=event.get("reason", ""),
                created_at=event["created_at"], override_id=event["id"],
            )  # fmt: skip


def _empty(run: Run) -> bool:
    return run.digest is not None and 0 < run.counts["total"] == run.counts["pending"]


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _same(source: RunSource, there: Exported) -> bool:
    """The same run with the same records; findings and summary follow from these."""
    if source.block != there.run:
        return False
    pairs = zip_longest(source.records(), there.records())
    return all(a and b and _dumped(a) == _dumped(b) for a, b in pairs)


def _dumped(record: Record) -> str:
    return record.model_dump_json(exclude={"findings"})
