"""Who works on a run: a name for this process, and whether the process of another name still lives."""

from __future__ import annotations

import os
import socket
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trace_core.store.runs import Run

BEAT_SECONDS = 5.0
"""Seconds between two signs of life of an owner."""
STALE_SECONDS = 180.0
"""Seconds without a sign of life after which an owner elsewhere counts as dead; a writer may wait 60 s for its turn."""
UNTOLD = "?"
_GIVEN_UP: set[str] = set()
"""Names that this process worked under and could not strike out."""


def new_owner() -> str:
    """`host pid start token`: one engine or import of one process. Its parts say later whether that process lives."""
    pid = os.getpid()
    return f"{socket.gethostname()} {pid} {_started(pid)} {uuid.uuid4().hex[:8]}"


def forget(owner: str) -> None:
    """Say that this process works under the name no more, where the store cannot be told."""
    _GIVEN_UP.add(owner)


def is_dead(run: Run, mine: str | None = None) -> bool:
    """Whether somebody's name stands at the run who works on it no more. `mine` is the name of who asks.

    On this host the process alone decides, and when it started: however long it was silent, it lives. Elsewhere,
    and where the system does not tell a start, the silence does, by the database's clock.
    """
    if not run.owner or run.owner == mine:
        return False
    if run.owner in _GIVEN_UP:
        return True
    host, _, rest = run.owner.partition(" ")
    parts = rest.split()
    if host == socket.gethostname() and len(parts) == 3 and parts[0].isdigit():
        started = _started(int(parts[0]))
        if started != UNTOLD:
            return started != parts[1]
    return run.silence is None or run.silence > STALE_SECONDS


def _started(pid: int) -> str:
    """When the process started, as the system counts; "gone" without such a process, `UNTOLD` where it is not told."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return "gone"
    except OSError:
        pass  # it is there, and another user's
    try:
        # The name may hold spaces and brackets; after its last bracket come the state and 19 more fields.
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        return "gone" if fields[0] == "Z" else fields[19]
    except (OSError, IndexError):
        return UNTOLD
