"""An ingest in the background: read everything once, then write. It runs on when nobody watches."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from trace_core.errors import InputError, TraceError
from trace_core.retrieval.chunks import CHUNK_WORDS, OVERLAP
from trace_core.retrieval.collections import Collections
from trace_core.retrieval.ingest import IngestProgress, ingest
from trace_core.retrieval.sources import File, Source, read_file

MOST_ERRORS = 1000
"""The most errors that are kept; further ones are only counted, so that bad rows cannot fill the memory."""
Phase = Literal["checking", "writing", "done", "stopped", "failed"]
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Contents:
    """What there is to ingest, known from reading it once: documents, their characters, and what cannot be read."""

    sources: int = 0
    characters: int = 0
    failures: int = 0
    errors: list[InputError] = field(default_factory=list)


def read_contents(
    files: Iterable[File], stop: Callable[[], bool] = lambda: False, into: Contents | None = None
) -> Contents:
    """Read every file once, for counts and the first errors."""
    total = into or Contents()
    for each in (each for file in files for each in read_file(file)):
        if isinstance(each, Source):
            total.sources += 1
            total.characters += len(each.text)
        else:
            total.failures += 1
            total.errors += [each] if total.failures <= MOST_ERRORS else []
        if stop():
            break
    return total


def readable_sources(files: Iterable[File]) -> Iterator[Source]:
    """The documents of the readable files, in order."""
    return (each for file in files for each in read_file(file) if isinstance(each, Source))


def seconds_left(share: float, seconds: float) -> float | None:
    """What is left of a work of which this share took these seconds."""
    return seconds * (1 - share) / share if share else None


class IngestJob:
    """One ingest of files into a collection; `chunking` is the words of a chunk and the sentences of overlap."""

    def __init__(
        self,
        collections: Collections,
        collection: str,
        files: Sequence[File],
        chunking: tuple[int, int] = (CHUNK_WORDS, OVERLAP),
    ) -> None:
        self.id = uuid.uuid4().hex
        self.collection = collection
        self._collections, self._files, self._chunking = collections, files, chunking
        self._stop = threading.Event()
        self._thread = threading.Thread()
        self._since, self._seconds = time.monotonic(), 0.0
        self.contents, self.progress = Contents(), IngestProgress()
        self.phase: Phase = "stopped"
        self.error: TraceError | None = None

    def start(self) -> None:
        """Start, or resume after a stop or a failure: what is in the collection is not written again."""
        if self.running:
            return
        self._stop.clear()
        self.contents, self.progress, self.error = Contents(), IngestProgress(), None
        self._enter("checking")
        self._thread = threading.Thread(target=self._run, name=f"ingest {self.collection}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ask the job to stop after its current batch."""
        self._stop.set()

    def wait(self, seconds: float | None = None) -> IngestJob:
        """The job itself, once it has ended, or after `seconds`."""
        if self._thread.ident:
            self._thread.join(seconds)
        return self

    @property
    def running(self) -> bool:
        """Whether a thread is at work."""
        return self.phase in ("checking", "writing")

    @property
    def stopping(self) -> bool:
        """Whether the job was asked to stop and has not stopped yet."""
        return self._stop.is_set() and self.running

    @property
    def seconds(self) -> float:
        """The time in its present phase or, once it has ended, in its last one."""
        return time.monotonic() - self._since if self.running else self._seconds

    @property
    def share(self) -> float:
        """The share of the text that is processed, from 0 to 1."""
        return min(1.0, self.progress.characters / self.contents.characters) if self.contents.characters else 0.0

    @property
    def left(self) -> float | None:
        """Estimated seconds left, where known."""
        return seconds_left(self.share, self.seconds)

    def _enter(self, phase: Phase) -> None:
        now = time.monotonic()
        self._seconds, self._since = now - self._since, now
        self.phase = phase

    def _run(self) -> None:
        try:
            self._enter(self._work())
            if self.phase == "done":
                self._files = ()  # an upload's bytes are no longer needed
        except Exception as error:  # noqa: BLE001  # a thread has nobody to raise it to: it is shown instead
            if not isinstance(error, TraceError):
                _log.exception("An ingest ended unexpectedly.")
                message = f"The ingest ended unexpectedly ({type(error).__name__}: {str(error)[:200]})."
                error = TraceError(message, "Resume it, or see the log.")
            self.error = error
            self._enter("failed")
        if self.phase == "done":
            self._collections.prepare(self.collection)

    def _work(self) -> Phase:
        read_contents(self._files, self._stop.is_set, self.contents)
        if self._stop.is_set():
            return "stopped"
        if not self.contents.sources:
            raise InputError("There is nothing to ingest.", "Choose files with text in them.")
        self._enter("writing")
        show = partial(setattr, self, "progress")
        files, stop = readable_sources(self._files), self._stop.is_set
        result = ingest(self._collections, self.collection, files, *self._chunking, on_progress=show, stop=stop)
        return "done" if result.complete else "stopped"


class IngestJobs:
    """The jobs of a process: one at a time, since each takes the whole machine."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.current: IngestJob | None = None

    def begin(self, job: IngestJob) -> None:
        """Start the job in place of one that has ended. Raises `InputError` while another is running."""
        with self._lock:
            if self.current and self.current.running:
                raise InputError(
                    f"Documents are being added to {self.current.collection!r} now.", "Wait until it ends, or stop it."
                )
            self.current = job
            job.start()

    def dismiss(self) -> None:
        """Forget a job that has ended."""
        with self._lock:
            if self.current and not self.current.running:
                self.current = None
