"""Thousands of generated requests to POST /trace, checked against its description: `python bench/api_fuzz.py [5000]`.

At the same time half as many bodies drip, stall, break off or are left half sent, on the dashboard's own port. Prints
the count of each status, every reply that the description does not allow, how long `/trace/schema` and the health page
took meanwhile, and how many concurrent requests one address may have, before and after. The exit code is 1 if a reply
is not allowed or is a 500 or 503, a page took longer than 1 s, or a place was lost.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from slow_bodies import beside, places, sending  # noqa: E402  # after the path is set
from trace_fuzz import fuzzed  # noqa: E402
from trace_server import serve_uvicorn  # noqa: E402

REQUESTS = 5000
KINDS = 3  # valid by the description, invalid by it, queries of our own
SLOW, AT_ONCE = 2, 100
LIMIT = 1.0  # seconds for a page under this load


def main() -> int:
    """Send the requests to a separate server."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else REQUESTS
    with TemporaryDirectory() as folder, serve_uvicorn(Path(folder)) as url:
        before = places(url)
        start = time.perf_counter()
        with beside(url) as pages, sending(url, wanted // SLOW, AT_ONCE) as slow:
            tried = fuzzed(f"{url}/trace", wanted // KINDS + 1)
        seconds = time.perf_counter() - start
        after = places(url)
    total = sum(tried.statuses.values())
    print(f"{total} requests and {slow.total()} slow ones in {seconds:.0f} s")
    for status, count in sorted(tried.statuses.items()):
        print(f"  {status}: {count}")
    for (kind, came), count in sorted(slow.items()):
        print(f"  {kind}: {came}: {count}")
    print(f"not allowed by the description: {len(tried.problems)}")
    print("\n".join(tried.problems[:10]))
    for path, waited in pages.seconds.items():
        print(f"{path}: asked {len(waited)} times, slowest {max(waited):.2f} s   limit {LIMIT:g} s")
    print("\n".join(pages.failed[:10]))
    print(f"places for one address: {before} before, {after} after")
    broken = {500, 503} & set(tried.statuses) or {"500", "503"} & {status for _, status in slow}
    fewer = total < wanted or slow.total() < wanted // SLOW
    late = any(max(waited) > LIMIT for waited in pages.seconds.values())
    return 1 if tried.problems or broken or late or pages.failed or after < before or fewer else 0


if __name__ == "__main__":
    sys.exit(main())
