"""Who works on a run: a name for this process, and whether the process behind another name is still alive."""

import hashlib
import os
import socket
import uuid
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from trace_core.store.runs import Run

BEAT_SECONDS = 5.0
"""Seconds between an owner's signs of life."""
STALE_SECONDS = 180.0
"""Seconds of silence after which an owner on another host counts as dead; a writer may wait 60 s for its turn."""
UNTOLD = "?"
GIVEN_UP: set[str] = set()
"""Names that this process no longer works under and could not remove from the store."""


def new_owner() -> str:
    """`host pid start token`: one engine or import of one process. The parts show later whether it is alive."""
    pid = os.getpid()
    return f"{host()} {pid} {_start_time(pid)} {uuid.uuid4().hex[:8]}"


@lru_cache(maxsize=1)
def host() -> str:
    """This host's name, with a token of its start and its process numbers: two containers may share the name alone."""
    parts = [socket.gethostname()]
    with suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip())
        parts.append(os.readlink("/proc/self/ns/pid"))
    return f"{parts[0]}/{hashlib.sha256('/'.join(parts).encode()).hexdigest()[:8]}"


def is_dead(run: Run, mine: str | None = None) -> bool:
    """Whether the run's owner no longer works on it. `mine` is the caller's own name. On this host the process and its
    start decide, elsewhere, or where no start is known, the silence by the database's clock."""
    if not run.owner or run.owner == mine:
        return False
    if run.owner in GIVEN_UP:
        return True
    name, _, rest = run.owner.partition(" ")
    parts = rest.split()
    if name == host() and len(parts) == 3 and parts[0].isdigit():
        start = _start_time(int(parts[0]))
        if start != UNTOLD:
            return start != parts[1]
    return run.silence is None or run.silence > STALE_SECONDS


def _start_time(pid: int) -> str:
    """When the process started, in the system's units; "gone" if there is no such process, `UNTOLD` if unknown."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return "gone"
    except OSError:
        pass  # it exists, and belongs to another user
    try:
        # The name may contain spaces and brackets; after its last bracket come the state and 19 more fields.
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        return "gone" if fields[0] == "Z" else fields[19]
    except (OSError, IndexError):
        return UNTOLD
