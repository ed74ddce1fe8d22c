"""Run files into the store: all of a file or nothing of it, and never over another run."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trace_core.errors import InputError, UnknownRun
from trace_core.facts.records import Record
from trace_core.runs.files.exported import Exported, from_store
from trace_core.runs.files.prepare import prepared
from trace_core.runs.files.reader import RunSource, open_run
from trace_core.runs.progress import Meter, Progress
from trace_core.store.rows import Stored

if TYPE_CHECKING:
    from trace_core.store.runs import RunStore

Tell = Callable[[Progress], None]
Corrected = list[tuple[str, list[dict[str, Any]]]]
"""Record ids, and what people corrected there."""
UNFINISHED = ""
"""The digest of a run whose import has not come to its end."""
TOLD_EVERY = 500
"""Records."""


def import_run(store: RunStore, path: Path, name: str = "", tell: Tell = lambda _: None) -> tuple[str, bool]:
    """Put the file's run into the store: its id, and whether it was new there. `tell` hears how far it is.

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
    if there and there.digest == UNFINISHED:  # an import that was killed
        store.delete_run(info.id)
    elif there:
        if there.digest != digest and not _same(source, from_store(store, info.id)):
            raise InputError(
                f"Run {info.id!r} is in the store with other content.",
                "Delete it there first, or give the file's run another id.", file=source.name, field="run.id",
            )  # fmt: skip
        return info.id, False
    _write(store, source, digest, tell)
    return info.id, True


def _write(store: RunStore, source: RunSource, digest: str, tell: Tell) -> None:
    info = source.info
    store.create_run(
        info.name, source.block["config"],
        total=source.head.counts.total, status="done", note=str((info.model_extra or {}).get("note") or ""),
        run_id=info.id, created_at=info.created_at, digest=UNFINISHED,
    )  # fmt: skip
    corrected: Corrected = []
    try:
        store.save_records(info.id, _rows(source, corrected, tell))
        save_corrections(store, info.id, corrected)
        store.finish_import(info.id, digest)
    except BaseException:
        store.delete_run(info.id)
        raise


def _rows(source: RunSource, corrected: Corrected, tell: Tell) -> Iterator[Stored]:
    """The rows as they come; what people corrected is kept aside."""
    total = source.head.counts.total
    meter = Meter(source.info.id, total, done=0, failed=0, to_do=total)
    number = 0
    for number, (row, overrides) in enumerate(prepared(source, source.info.id), start=1):
        if overrides:
            corrected.append((row.line["id"], overrides))
        yield row
        if not number % TOLD_EVERY:
            meter.saved(TOLD_EVERY, new=TOLD_EVERY, failed=0)
            tell(meter.now())
    meter.saved(number % TOLD_EVERY, new=number % TOLD_EVERY, failed=0)
    meter.end("done", "")
    tell(meter.now())


def save_corrections(store: RunStore, run_id: str, corrected: Corrected) -> None:
    """The corrections as events, where reviewers find them; the records' numbers follow from them already."""
    from trace_core.store.corrections import CorrectionStore

    CorrectionStore(store.database).copy(run_id, corrected)


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
