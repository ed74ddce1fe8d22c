"""Thousands of made-up requests to POST /trace, checked against its OpenAPI description: `python bench/api_fuzz.py`.

Prints how often each status came, and every reply that the description does not allow; exit code 1 if there is one.
"""

from __future__ import annotations

import logging
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from trace_fuzz import fuzzed  # noqa: E402  # after the path is set
from trace_server import served  # noqa: E402

REQUESTS = 5000
KINDS = 3  # valid by the description, invalid by it, queries of our own


def main() -> int:
    """Send the requests to a server of its own."""
    logging.getLogger("trace.api").setLevel(logging.ERROR)
    with served() as url:
        logging.getLogger("trace.api").setLevel(logging.ERROR)
        start = time.perf_counter()
        tried = fuzzed(url, REQUESTS // KINDS + 1)
        seconds = time.perf_counter() - start
    total = sum(tried.statuses.values())
    print(f"{total} requests in {seconds:.0f} s")
    for status, count in sorted(tried.statuses.items()):
        print(f"  {status}: {count}")
    print(f"not allowed by the description: {len(tried.problems)}")
    print("\n".join(tried.problems[:10]))
    return 1 if tried.problems or total < REQUESTS else 0


if __name__ == "__main__":
    sys.exit(main())
