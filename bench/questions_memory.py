"""The server's memory while visitors keep asking: `python bench/questions_memory.py [1000] [--visitors 50]`.

Each question is unique, goes through the page's websocket and is stored. Prints the server's resident memory and the
seconds per question after every tenth of them (Linux), and the memory growth after the first tenth, with its limit.

`--visitors` simulates a day of the public demo: visitors come a few at a time, choose a file of 2 MB on the page
Collections, ask their share of the questions, and leave. The demo's limits use a clock that runs faster.
"""

from __future__ import annotations

import argparse
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
LIMIT, DAY_LIMIT = 30.0, 100.0
"""MB that the server may grow by between the first tenth and the last: for one visitor, and for the demo's day."""
AT_ONCE = 4
FAST = """import time
from trace_core.demo import limits
for limiter in (limits.ASKING, limits.READING, limits.MAKING):
    limiter._clock = lambda: 10_000 * time.monotonic()
"""
"""Code that Python runs before the server: a minute of the demo's limits lasts 6 ms."""


class Day:
    """Counts questions, and measures after every tenth of them."""

    def __init__(self, url: str, n: int) -> None:
        self.url, self.n = url, n
        self.asked = 0
        self.held: list[float] = []
        self._start = time.perf_counter()

    async def ask(self, visitor: LightVisitor) -> None:
        """Ask one more question."""
        self.asked += 1
        number = self.asked
        await visitor.ask(question(number))
        if f"asks visitor {number:03}".encode() not in visitor.said:
            raise SystemExit(f"Question {number} was not answered.")
        if number % (self.n // PARTS) == 0:
            each = (time.perf_counter() - self._start) / (self.n // PARTS)
            await asyncio.sleep(1)  # free the last answer
            self.held.append(server_memory())
            own = server_memory("RssAnon")
            print(
                f"after {number:5,} questions: {self.held[-1]:6.1f} MB, {own:.1f} of it not mapped files, "
                f"{each:.3f} s a question",
                flush=True,
            )
            self._start = time.perf_counter()

    async def alone(self) -> None:
        """One visitor asks all the questions."""
        visitor = await LightVisitor.arrive(self.url)
        for _ in range(self.n):
            await self.ask(visitor)

    async def shared(self, visitors: int) -> None:
        """Visitors, a few at a time, each with a file and a share of the questions."""
        places = asyncio.Semaphore(AT_ONCE)

        async def visit(number: int) -> None:
            async with places:
                visitor = await LightVisitor.arrive(self.url)
                shown = await visitor.upload("corpus", f"pumps {number}.md", pumps(number))
                if f"pumps {number}\\.md\\#1 ".encode() not in shown:
                    raise SystemExit("The file was not shown.")
                for _ in range(self.n // visitors):
                    await self.ask(visitor)
                await visitor.leave()

        await asyncio.gather(*(visit(number) for number in range(visitors)))


def pumps(number: int) -> bytes:
    """A file of 2 MB, unique to the visitor."""
    return "".join(f"# Pump {number}-{n}\nPump {n} runs at {n % 17} bar.\n\n" for n in range(50_000)).encode()


def main() -> None:
    """Start a server on a new data folder, ask, and measure."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("questions", nargs="?", type=int, default=QUESTIONS)
    options.add_argument("--visitors", type=int, default=1)
    chosen = options.parse_args()
    with TemporaryDirectory() as folder, TemporaryDirectory() as first:
        demo = {"TRACE_DEMO": "1", "PYTHONPATH": f"{first}:{ROOT}"} if chosen.visitors > 1 else {}
        Path(first, "sitecustomize.py").write_text(FAST, encoding="utf-8")
        with serve_app(Path(folder), **demo) as url:
            day = Day(url, chosen.questions)
            asyncio.run(day.shared(chosen.visitors) if chosen.visitors > 1 else day.alone())
            held, limit = day.held, DAY_LIMIT if chosen.visitors > 1 else LIMIT
    grown = held[-1] - held[0]
    print(f"grown after the first {chosen.questions // PARTS:,}: {grown:.1f} MB   limit {limit:.0f} MB")


if __name__ == "__main__":
    main()
