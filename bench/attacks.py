"""Texts made to freeze whoever reads them: seconds of the processor for each, given up after a minute.

python bench/attacks.py
"""

from __future__ import annotations

import io
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1])]

from trace_core.endpoint.reading.query import parse_query  # noqa: E402
from trace_core.errors import TraceError  # noqa: E402
from trace_core.facts.labels import clean  # noqa: E402
from trace_core.facts.sentences import letters, locate  # noqa: E402
from trace_core.retrieval.readers import read_file  # noqa: E402
from trace_core.retrieval.sources import File, from_text  # noqa: E402

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
    """Such a reply."""
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


def nested_pdf() -> None:
    """A PDF of 120 kB whose page draws a form that draws a form, each many times."""
    data = pdf_of_forms()
    list(read_file(File("a.pdf", "a.pdf", len(data), lambda: io.BytesIO(data))))


def pdf_of_forms() -> bytes:
    """Forms that draw the next one ten times each: a page without an end."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>"]
    objects.append(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>"
    )
    body = "/X Do " * 10
    objects.append(f"<< /Length {len(body)} >>\nstream\n{body}\nendstream")
    for n in range(5, 12):
        resources = f"/Resources << /XObject << /X {n + 1} 0 R >> >>" if n < 11 else ""
        text = body if n < 11 else "BT (a) Tj ET " * 9_000
        objects.append(
            f"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] {resources} /Length {len(text)} >>\n"
            f"stream\n{text}\nendstream"
        )
    out, places = io.BytesIO(), []
    out.write(b"%PDF-1.4\n")
    for number, value in enumerate(objects, start=1):
        places.append(out.tell())
        out.write(f"{number} 0 obj\n{value}\nendobj\n".encode())
    at = out.tell()
    out.write(f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode())
    out.write("".join(f"{place:010} 00000 n \n" for place in places).encode())
    out.write(f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{at}\n%%EOF\n".encode())
    return out.getvalue()


ATTACKS: dict[str, Callable[[], None]] = {
    "a query of 10 kB of fences": long_query,
    "a heading before 100,000 spaces": heading,
    "20 kB of key ranges over 1,000 keys": key_ranges(20_000),
    "200 kB of key ranges over 1,000 keys": key_ranges(200_000),
    "20 entries of 1,000 names": many_names,
    "20,000 sentences that are nowhere": missing_sentences,
    "a PDF of 120 kB that draws without end": nested_pdf,
}


@contextmanager
def given_up(seconds: float) -> Iterator[None]:
    """Within the block no more than so many seconds of the processor."""

    def over(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def main() -> None:
    """Each attack, one after another."""
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
