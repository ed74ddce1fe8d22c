"""Texts made to freeze their reader: processor time in seconds for each, with a limit of one minute.

python bench/attacks.py
"""

from __future__ import annotations

import io
import signal
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1])]

from trace_core.endpoint.reading.query import parse_query  # noqa: E402
from trace_core.errors import TraceError  # noqa: E402
from trace_core.facts.cleaning import clean  # noqa: E402
from trace_core.facts.sentences import letters, locate  # noqa: E402
from trace_core.retrieval.sources import (  # noqa: E402
    File,
    from_text,
    read_file,
)

GIVEN_UP = 60


def long_query() -> None:
    """10 kB of fences and spaces in a query of POST /trace."""
    for text in ("```" * 3_333, "```json\n" + " \n" * 5_000, "``` " * 2_500, "`" * 10_000):
        with suppress(TraceError):
            parse_query(text)


def heading() -> None:
    """A heading with 100,000 spaces in an uploaded Markdown file."""
    from_text("a.md", "# a" + " " * 100_000)


def key_ranges(length: int) -> Callable[[], None]:
    """A reply with key ranges of that length."""
    keys = [f"0{letters(j)}" for j in range(1000)]

    def read() -> None:
        """Ranges of keys in a judge's reply over 1,000 keys."""
        clean({"all_relevant_sentence_keys": ["0a-0all"] * (length // 10)}, keys, ["a"])
        ranges = ", ".join(f"0{letters(n % 900)}-0all" for n in range(length // 9))
        clean({"all_relevant_sentence_keys": [ranges]}, keys, ["a"])

    return read


def many_names() -> None:
    """20 entries of 1,000 names each, with 1,000 supporting keys."""
    keys, names = [f"0{letters(j)}" for j in range(1000)], [letters(j) for j in range(1000)]
    entry = {"response_sentence_key": names, "supporting_sentence_keys": keys, "fully_supported": True}
    clean({"sentence_support_information": [entry] * 20}, keys, names)


def missing_sentences() -> None:
    """20,000 sentences that are not in their text of 1 MB."""
    text = "a b c d e f g h. " * 60_000
    locate(text, [(str(n), f"a b c d e f g {n}") for n in range(20_000)])


def endless_pdf() -> None:
    """A PDF of 120 kB whose page draws eight million letters."""
    data = packed_pdf(b"BT (a) Tj ET " * 8_000_000)
    list(read_file(File("a.pdf", "a.pdf", len(data), lambda: io.BytesIO(data))))


def packed_pdf(drawn: bytes) -> bytes:
    """A PDF of one page with this content stream."""
    packed = zlib.compress(drawn, 9)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << >> >>",
        b"<< /Filter /FlateDecode /Length %d >>\nstream\n%b\nendstream" % (len(packed), packed),
    ]
    out, places = io.BytesIO(), []
    out.write(b"%PDF-1.4\n")
    for number, value in enumerate(objects, start=1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%b\nendobj\n" % (number, value))
    at = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    out.write("".join(f"{place:010} 00000 n \n" for place in places).encode())
    out.write(b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, at))
    return out.getvalue()


ATTACKS: dict[str, Callable[[], None]] = {
    "a query of 10 kB of fences": long_query,
    "a heading before 100,000 spaces": heading,
    "20 kB of key ranges over 1,000 keys": key_ranges(20_000),
    "200 kB of key ranges over 1,000 keys": key_ranges(200_000),
    "20 entries of 1,000 names": many_names,
    "20,000 sentences that are nowhere": missing_sentences,
    "a PDF of 120 kB that draws without end": endless_pdf,
}


@contextmanager
def given_up(seconds: float) -> Iterator[None]:
    """Limit the processor time that the block may use, in seconds."""

    def over(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def main() -> None:
    """Run the attacks in order."""
    for name, attack in ATTACKS.items():
        start, wall = time.process_time(), time.monotonic()
        try:
            with given_up(GIVEN_UP):
                attack()
            said = ""
        except TimeoutError:
            said = "  given up"
        print(f"{name:<42} {time.process_time() - start:7.2f} s  ({time.monotonic() - wall:.1f} s by the clock){said}")


if __name__ == "__main__":
    main()
