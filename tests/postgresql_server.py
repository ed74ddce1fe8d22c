"""A real PostgreSQL for the tests, which can be killed and restarted on the same data."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from browser import free_port


class PostgreSQL:
    """A PostgreSQL, initially stopped. It refuses to run as root; there it runs as the user `postgres`."""

    def __init__(self, folder: Path, port: int) -> None:
        self._folder, self._port = folder, port
        self.url = f"postgresql+psycopg://owner:s3cret@127.0.0.1:{port}/postgres"
        if os.getuid() == 0:
            shutil.chown(folder, "postgres")
        self._run("initdb", "-A", "trust", "-U", "owner", "-N")

    def start(self) -> None:
        """Start the server; returns when it accepts connections."""
        options = f"-p {self._port} -c listen_addresses=127.0.0.1 -k {self._folder} -c fsync=off"
        self._run("pg_ctl", "-l", str(self._folder / "log"), "-o", options, "-w", "start")

    def kill(self) -> None:
        """Kill the server at once, without a checkpoint, as in a crash. It may already be dead."""
        self._run("pg_ctl", "-m", "immediate", "stop", check=False)

    def _run(self, name: str, *options: str, check: bool = True) -> None:
        as_owner = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        command = [*as_owner, str(_tool(name)), "-D", str(self._folder / "data"), *options]
        subprocess.run(command, check=check, cwd=self._folder, stdout=subprocess.DEVNULL)


@contextmanager
def postgresql() -> Iterator[PostgreSQL]:
    """A server, not started yet, and removed after the block; the test is skipped where PostgreSQL is missing."""
    pytest.importorskip("psycopg", reason="psycopg is not installed", exc_type=ImportError)
    if not (_tool("initdb") and _tool("pg_ctl")):
        pytest.skip("no PostgreSQL: initdb and pg_ctl were not found")
    if os.getuid() == 0 and not shutil.which("runuser"):
        pytest.skip("PostgreSQL does not run as root, and there is no runuser")
    # Outside pytest's own folder, which another run of the tests closes to all but its user.
    folder = Path(tempfile.mkdtemp(prefix="postgresql-"))
    try:
        server = PostgreSQL(folder, free_port())
        try:
            yield server
        finally:
            server.kill()
    finally:
        shutil.rmtree(folder)


def _tool(name: str) -> str | None:
    """The path of the newest PostgreSQL program with that name, or None."""
    debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(debian[-1]) if debian else None)
