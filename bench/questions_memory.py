"""What the server holds while one visitor asks on and on: `python bench/questions_memory.py [1000]`.

Each question is another one, goes through the page's websocket and is kept. Prints the server's resident memory and
the seconds a question after every tenth of them (Linux), and by how much the memory grew after the first tenth,
beside the limit.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from light_visitor import LightVisitor
from visitors import ROOT, question, server_memory

sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from ask_page import serve_app  # noqa: E402  # after the path is set

QUESTIONS, PARTS = 1000, 10
LIMIT = 30.0
"""MB that the server may grow by between the first tenth and the last."""


async def ask_on(url: str, n: int) -> list[float]:
    """The memory after every tenth of the questions."""
    held = []
    visitor = await LightVisitor.arrive(url)
    for part in range(1, PARTS + 1):
        start = time.perf_counter()
        for number in range(n // PARTS):
            await visitor.ask(question(part * 1000 + number))
        each = (time.perf_counter() - start) / (n // PARTS)
        await asyncio.sleep(1)  # what the last answer left is collected
        held.append(server_memory())
        print(f"after {part * n // PARTS:5,} questions: {held[-1]:6.1f} MB, {each:.3f} s a question", flush=True)
    return held


def main() -> None:
    """Start a server on a new data folder, ask, and measure."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else QUESTIONS
    with TemporaryDirectory() as folder, serve_app(Path(folder)) as url:
        held = asyncio.run(ask_on(url, n))
    print(f"grown after the first {n // PARTS:,}: {held[-1] - held[0]:.1f} MB   limit {LIMIT:.0f} MB")


if __name__ == "__main__":
    main()
