"""What a process connects to and which files it makes, recorded by strace.

    python tests/network_watch.py label|dashboard --seconds 120

Prints each address outside this machine that was connected or sent to, and each file made outside the working folder;
exits 1 if there is any. Home, caches and working folder are new and empty, and the environment holds no CI variable.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
LABELS = """
import time, trace_core
record = trace_core.evaluate("How much?", ["The tank holds 2 litres. It is red."], "It holds 2 litres.")
assert record.error is None and record.labels is not None, record.error
time.sleep({seconds})
"""
_CALLS = "connect,sendto,sendmsg,openat,open,creat"
_ADDRESS = re.compile(r"sa_family=AF_INET6?.*?(?:inet_addr\(|inet_pton\(AF_INET6, )\"([^\"]+)\"")
_FILE = re.compile(r"(?:openat\(.*?, |open\(|creat\()\"([^\"]+)\", [^)]*O_CREAT")
_HERE = re.compile(r"127\.|::1$|0\.0\.0\.0|::$")


@dataclass(frozen=True)
class Watch:
    """The addresses outside this machine, the files made elsewhere than in the working folder, and the exit status."""

    addresses: list[str]
    files: list[str]
    status: int


def reason_not_to_watch() -> str:
    """Why nothing can be watched here; empty if it can."""
    strace = shutil.which("strace")
    if strace is None:
        return "strace is not installed"
    tried = subprocess.run([strace, "-qq", "-o", os.devnull, "true"], capture_output=True, check=False)
    return "" if tried.returncode == 0 else "strace may not trace here"


def watch(words: list[str], seconds: float | None = None, **environment: str) -> Watch:
    """Run a program, for `seconds` at most, and report what it did."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made).resolve()
        home, work, log = folder / "home", folder / "work", folder / "strace"
        home.mkdir()
        work.mkdir()
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "LD_LIBRARY_PATH") if name in os.environ}
        own = {"HOME": str(home), "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(work)}
        program = subprocess.Popen(
            ["strace", "-f", "-qq", "-e", f"trace={_CALLS}", "-o", str(log), *words],
            cwd=work,
            env=kept | own | environment,
            start_new_session=True,
        )
        try:
            status = program.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(program.pid, signal.SIGTERM)
            program.wait()
            status = 0
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        addresses = {found[1] for line in lines if (found := _ADDRESS.search(line)) and not _HERE.match(found[1])}
        files = {found[1] for line in lines if (found := _FILE.search(line)) and "= -1" not in line}
        outside = {file for file in files if not file.startswith((str(work), "/dev/")) and file.startswith("/")}
        left = {str(path) for path in home.rglob("*") if path.is_file()}
        return Watch(sorted(addresses), sorted(outside | left), status)


def labeling(seconds: float, **environment: str) -> Watch:
    """Label a record through the library, then wait."""
    return watch([sys.executable, "-c", LABELS.format(seconds=seconds)], **environment)


def dashboard(seconds: float) -> Watch:
    """Serve the dashboard, whose start loads the model and the embedded Qdrant."""
    words = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py"), "--server.headless=true"]
    return watch([*words, "--server.port=0"], seconds)


def main() -> None:
    """Print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["label", "dashboard"])
    parser.add_argument("--seconds", type=float, default=60.0)
    chosen = parser.parse_args()
    if reason := reason_not_to_watch():
        sys.exit(f"Nothing was watched: {reason}.")
    seen = (labeling if chosen.what == "label" else dashboard)(chosen.seconds)
    for title, found in (("addresses outside this machine", seen.addresses), ("files elsewhere", seen.files)):
        print(f"{title}: {', '.join(found) or 'none'}")
    sys.exit(bool(seen.addresses or seen.files or seen.status))


if __name__ == "__main__":
    main()
