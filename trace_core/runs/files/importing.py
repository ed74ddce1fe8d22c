"""Import run files into the store: all or nothing, and never over another run."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

from trace_core.errors import InputError, RunTaken, StoreError, UnknownRun
from trace_core.facts.records import Record
from trace_core.runs.files.exported import RunExport, from_store
from trace_core.runs.files.reader import RunSource, open_run
from trace_core.runs.lease import GIVEN_UP, is_dead, new_owner
from trace_core.store.runs import Run, RunStore

Watch = Callable[[Iterator[Record], int], Iterator[Record]]
"""Passes records on, of which there are so many, and shows how far they are."""


def import_run(
    store: RunStore, path: Path, name: str = "", watch: Watch = lambda records, total: records
) -> tuple[str, bool]:
    """Import the file's run; returns its id, and whether it was new: the same run again does nothing. Raises
    `InputError`, with the store unchanged, when any part of the file is wrong, or another run has its id."""
    source = open_run(path, name)
    run_id, digest, total = source.block["id"], file_digest(path), source.head.counts.total
    if there := run_there(store, run_id):
        if there.digest != digest and not _same(source, from_store(store, run_id)):
            raise InputError(
                f"Run {run_id!r} is in the store with other content.",
                "Delete it there first, or give the file's run another id.",
                file=source.name,
                field="run.id",
            )
        return run_id, False
    bring_in(store, source.block, watch(source.records(), total), total=total, digest=digest)
    return run_id, True


def run_there(store: RunStore, run_id: str) -> Run | None:
    """The run with that id, if there is one; remains of an import that died are removed. Raises `RunTaken` while
    another process imports it."""
    try:
        there = store.load_run(run_id)
    except UnknownRun:
        return None
    if not there.importing:
        return there
    if not is_dead(there):
        raise RunTaken(f"Run {run_id!r} is being imported.", "Wait until the import is finished.")
    store.delete_run(run_id, owner=there.owner)
    return None


def bring_in(store: RunStore, block: Mapping[str, Any], records: Iterable[Record], *, total: int, digest: str) -> None:
    """Store a finished run with people's corrections, all or nothing. `block` is the file's block `run`. Raises
    `RunTaken` while another process imports a run of that id."""
    run_id, owner = block["id"], new_owner()
    try:
        store.begin_import(
            run_id,
            owner,
            block["name"],
            block["config"],
            total=total,
            digest=digest,
            note=str(block.get("note") or ""),
            created_at=block["created_at"],
        )
        store.fill_import(run_id, owner, records)
    except BaseException:
        try:
            store.delete_run(run_id, owner=owner)
        except StoreError:  # not ours, or the store fails: then the next visitor removes it
            GIVEN_UP.add(owner)
        raise


def file_digest(path: Path) -> str:
    """SHA-256 of the file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _same(source: RunSource, there: RunExport) -> bool:
    """Whether both are the same run with the same records, from which all else follows."""
    pairs = zip_longest(source.records(), there.records())
    bare: dict[str, Any] = {"findings": [], "reference": None}
    return source.block == there.run and all(
        a and b and a.model_copy(update=bare) == b.model_copy(update=bare) for a, b in pairs
    )
