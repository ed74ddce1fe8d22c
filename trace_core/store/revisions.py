"""Every change of a run's records increments its revision, so that readers know which caches are valid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import update

from trace_core.errors import UnknownRun
from trace_core.facts.strict import valid_text
from trace_core.store.schema import RUNS

if TYPE_CHECKING:
    from sqlalchemy import Connection


def unknown(run_id: str) -> UnknownRun:
    """The error for an id of no run."""
    return UnknownRun(
        f"There is no run {valid_text(run_id)!r}.",
        "It may have been deleted. Choose one on the page Runs, or list them: python -m trace_core runs",
    )


def bump(connection: Connection, run_id: str) -> None:
    """Tell readers that the run's records changed. Raises `UnknownRun`."""
    changed = update(RUNS).where(RUNS.c.id == run_id).values(revision=RUNS.c.revision + 1)
    if not connection.execute(changed).rowcount:
        raise unknown(run_id)
