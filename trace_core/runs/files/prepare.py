"""Prepare a run file's records for the store, by helper processes if there are many.

Reading and counting a record takes twice as long as writing it; the helpers let both proceed in parallel.

"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any, NamedTuple

from trace_core.errors import InputError, TraceError
from trace_core.runs.files.reader import RunSource, read_scored
from trace_core.store.rows import Stored, stored

MANY_BYTES = 50_000_000
"""The file size from which helpers are worth the second they take to start."""
PART_BYTES = 2_000_000
"""Bytes of text sent to a helper at once."""
MOST_HELPERS = 4
"""More helpers would wait for the writer."""


class Prepared(NamedTuple):
    """A record as the store's rows, and people's corrections of it."""

    row: Stored
    overrides: list[dict[str, Any]]


Part = tuple[int, list[bytes]]
"""Records as JSON text, and the number of the first one."""


def prepared(source: RunSource, run_id: str) -> Iterator[Prepared]:
    """The file's records in order. Raises `InputError` at the first wrong one, `TraceError` if a helper dies."""
    config = source.block["config"]
    parts, work = _parts(source.texts()), partial(prepare, source.name, run_id, config)
    many = source.path.stat().st_size >= MANY_BYTES
    made = _by_helpers(work, parts) if many else (work(part) for part in parts)
    return source.each_once((one.row.line["id"], one) for part in made for one in part)


def prepare(name: str, run_id: str, config: Mapping[str, Any], part: Part) -> list[Prepared]:
    """Prepare a part of the file `name`, record by record. Raises `InputError`."""
    first, texts = part
    made = []
    for number, text in enumerate(texts, start=first):
        record = read_scored(text, name, number, config)
        try:
            made.append(Prepared(stored(record, run_id, number), record.overrides))
        except InputError as error:
            raise InputError(error.message, error.hint, file=name, row=number, field=error.field) from None
    return made


def _parts(texts: Iterable[bytes]) -> Iterator[Part]:
    first, part, size = 1, list[bytes](), 0
    try:
        for text in texts:
            part.append(text)
            size += len(text)
            if size >= PART_BYTES:
                yield first, part
                first, part, size = first + len(part), [], 0
    except InputError:
        yield first, part  # report the first error in file order
        raise
    yield first, part


def _by_helpers(work: Callable[[Part], list[Prepared]], parts: Iterator[Part]) -> Iterator[list[Prepared]]:
    """The prepared parts in order; helpers work only a few parts ahead, so that memory stays small."""
    # Helpers of the standard library would rerun the main script, which under Streamlit is a page.
    from joblib import cpu_count
    from joblib.externals.loky import get_reusable_executor

    helpers = min(MOST_HELPERS, cpu_count())
    executor = get_reusable_executor(max_workers=helpers, timeout=10)

    def submitted() -> Iterator[Future[list[Prepared]]]:
        try:
            yield from (executor.submit(work, part) for part in parts)
        except InputError as error:  # an error while reading; it is raised in its turn, as errors of helpers are
            failed = Future[list[Prepared]]()
            failed.set_exception(error)
            yield failed

    waiting = deque[Future[list[Prepared]]]()
    try:
        for future in submitted():
            waiting.append(future)
            if len(waiting) > 2 * helpers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        hint = "Perhaps memory ran out: close other programs, and import it again."
        raise TraceError("A helper process ended while it read the file.", hint) from None
    finally:
        for future in waiting:
            future.cancel()
