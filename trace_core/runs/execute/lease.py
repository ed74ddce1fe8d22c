"""Who works on a run: a name for this process, and whether the process of another name still lives."""

from __future__ import annotations

import os
import socket
import time
import uuid
from pathlib import Path

from trace_core.store.runs import Run

BEAT_SECONDS = 5.0
"""Seconds between two signs of life of an owner."""
STALE_SECONDS = 180.0
"""After so long without a word an owner elsewhere counts as dead; a writer may wait 60 s for its turn."""


def new_owner() -> str:
    """`host pid start token`: one engine of one process. Its parts say later whether that process lives."""
    pid = os.getpid()
    return f"{socket.gethostname()} {pid} {_started(pid)} {uuid.uuid4().hex[:8]}"


def is_dead(run: Run, mine: str | None = None, now: float | None = None) -> bool:
    """Whether the run's status is running although nobody works on it any more.

    On this host the process is looked up. `mine` is the owner name of the engine that asks: a name of
    the same process that is not its own belongs to an engine that may live, and goes by its heartbeat.
    """
    if not run.owner or run.owner == mine:
        return False
    host, _, rest = run.owner.partition(" ")
    parts = rest.split()
    if host == socket.gethostname() and len(parts) == 3 and parts[0].isdigit() and _started(int(parts[0])) != parts[1]:
        return True
    return (time.time() if now is None else now) - (run.heartbeat or 0.0) > STALE_SECONDS


def _started(pid: int) -> str:
    """When the process started, as the system counts; "gone" without such a process, "?" where it is not told."""
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
        return "?"
