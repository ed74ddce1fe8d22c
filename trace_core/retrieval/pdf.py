"""The pages of a PDF, read by a separate process that is killed when it takes too long.

This file is the program of that process too: so that a PDF made to run forever or to fill the memory cannot harm the
caller, it imports nothing else of TRACE there, and limits its memory.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

if __name__ != "__main__":
    from trace_core.errors import InputError

WHOLE_SECONDS, SECONDS_EACH_MB = 30.0, 10.0
"""Time limit for a PDF: seconds for any, and further seconds per megabyte."""
MEMORY = 2_000_000_000


def pdf_pages(place: str, path: Path) -> list[str | InputError]:
    """The text of each page, or its error. Raises `InputError` for a PDF that cannot be read as a whole."""
    seconds = WHOLE_SECONDS + SECONDS_EACH_MB * path.stat().st_size / 1_000_000
    command = [sys.executable, "-I", str(Path(__file__))]
    try:
        with path.open("rb") as stream:  # the command is our own program, and nothing from outside
            done = subprocess.run(command, stdin=stream, capture_output=True, timeout=seconds, check=True)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise InputError(f"The PDF takes longer than {seconds:.0f} s to read.", "Split it.", file=place) from None
    except subprocess.CalledProcessError:
        raise InputError("The PDF is broken.", "Save or download it again.", file=place) from None
    pages = json.loads(done.stdout)
    if pages is None:
        raise InputError("The PDF is encrypted.", "Save it without a password.", file=place)
    return [
        page["text"] if "text" in page else InputError(f"Page {n} cannot be read ({page['error']}).", file=place)
        for n, page in enumerate(pages, start=1)
    ]


def main() -> None:
    """Read a PDF from standard input; print `null` for an encrypted one, else a list: a text or an error a page."""
    import logging
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    from pypdf import PdfReader

    logging.disable()  # pypdf logs every oddity that it can handle
    reader = PdfReader(sys.stdin.buffer)
    try:  # many PDFs only forbid changes: the empty password opens them
        opened = not reader.is_encrypted or bool(reader.decrypt(""))
    except Exception:  # noqa: BLE001  # an encryption that pypdf does not know
        opened = False
    pages: list[dict[str, str]] = []
    for page in reader.pages if opened else ():
        try:
            pages.append({"text": page.extract_text()})
        except Exception as error:  # noqa: BLE001  # the parser raises many kinds; the other pages are read
            pages.append({"error": type(error).__name__})
    print(json.dumps(pages if opened else None))


if __name__ == "__main__":
    main()
