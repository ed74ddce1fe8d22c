"""A run of the store as people see it: each record with its overrides, and the scores that follow from them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from trace_core.facts.records import Record
from trace_core.pipeline import rescore
from trace_core.runs.config import relevance_divisor

if TYPE_CHECKING:
    from trace_core.store.corrections import Override
    from trace_core.store.runs import RunStore


def reviewed_records(store: RunStore, run_id: str) -> Iterator[Record]:
    """The run's records in order; labels stay the labeler's. Raises `UnknownRun`."""
    config = store.load_run(run_id).config
    events: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for event in _said(store, run_id):
        events[event.record_id].append(event.to_dict())
    for record in store.records(run_id):
        yield _reviewed(record, events[record.id], config) if record.id in events else record


def reviewed_record(store: RunStore, run_id: str, record_id: str) -> Record:
    """One record of the run. Raises `UnknownRun`."""
    record, config = store.load_record(run_id, record_id), store.load_run(run_id).config
    made = _said(store, run_id, record_id)
    return _reviewed(record, [event.to_dict() for event in made], config) if made else record


def _said(store: RunStore, run_id: str, record_id: str | None = None) -> list[Override]:
    from trace_core.store.corrections import OverrideStore  # a run in a file needs no database

    return OverrideStore(store.database).overrides_of(run_id, record_id, history=True)


def _reviewed(record: Record, events: list[dict[str, Any]], config: dict[str, Any]) -> Record:
    """What came with an import stands before what was said here."""
    divisor = relevance_divisor(config)
    known = {event["id"] for event in events}
    before = [event for event in record.overrides if event.get("id") not in known]
    return rescore(record.model_copy(update={"overrides": before + events}), str(config["convention"]), divisor)
