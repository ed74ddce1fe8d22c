"""RAGBench's labels through the whole judge: `python bench/judge_replay.py path/to/ragbench`.

Every row goes prompt → HTTP → parse → clean → score; the server replies with the row's own labels.
Prints, for each file, how many rows differ from `score` on the same labels under any convention, and the calls.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from replaying import replay  # noqa: E402  # after the path is set


def main(folder: Path) -> None:
    """Print one line per file, and the total."""
    rows = calls = differing = failed = 0
    for file in sorted(folder.glob("*.jsonl")):
        start = time.perf_counter()
        done = replay(file)
        seconds = time.perf_counter() - start
        print(
            f"{file.stem:<24} {done.rows:5} rows  {done.calls / done.rows:.3f} calls a row  "
            f"{len(done.differing)} differ  {len(done.failed)} failed  {seconds:5.1f} s",
            flush=True,
        )
        rows, calls = rows + done.rows, calls + done.calls
        differing, failed = differing + len(done.differing), failed + len(done.failed)
    print(f"{'all':<24} {rows:5} rows  {calls / rows:.3f} calls a row  {differing} differ  {failed} failed")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
