"""Sources → chunks → vectors → a collection, at once or in the background. The same source again changes nothing."""

import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Literal, NamedTuple

from trace_core.errors import InputError, TraceError
from trace_core.facts.strict import valid, valid_text
from trace_core.metrics.found_documents import BETWEEN
from trace_core.retrieval.chunks import CHUNKING, Chunking, chunk_spans
from trace_core.retrieval.collections import Collections, Point, check_name
from trace_core.retrieval.sources import File, Source, read_file

MOST_ERRORS = 1000
"""The most errors that are kept; further ones are only counted, so that bad rows cannot fill the memory."""
Phase = Literal["checking", "writing", "done", "stopped", "failed"]
_BATCH = 64
_NAMESPACE = uuid.UUID("6f1d3c52-8a0e-5b52-9c3c-0d6e3f7a5b11")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class IngestProgress:
    """Documents finished, chunks stored, how many are new, characters of text read; a stopped one is not `complete`."""

    sources: int = 0
    chunks: int = 0
    new_chunks: int = 0
    characters: int = 0
    complete: bool = True


class NewChunk(NamedTuple):
    """One chunk to write: its point, the text to embed, and how much of the source it completes."""

    point: Point
    text: str
    end: int


def points(collection: str, source: Source, chunking: Chunking = CHUNKING) -> Iterator[NewChunk]:
    """The chunks of a source in order, each embedded with its title and headings; the same source, the same ids."""
    name, file, whole = (str(valid_text(text)) for text in (source.name, source.file, source.text))
    starts = dict([(0, ""), *source.sections])
    places = [  # no chunk spans two sections
        (start + begin, start + end, section)
        for (start, section), stop in zip(starts.items(), [*list(starts)[1:], len(whole)], strict=True)
        for begin, end in chunk_spans(whole[start:stop], *chunking)
    ]
    for i, (begin, end, section) in enumerate(places):
        text = whole[begin:end].strip()
        identity = name if len(places) == 1 else f"{name}#{i + 1}"
        payload = {**valid(source.payload), "id": identity, "document": name, "chunk": i}
        payload |= {"source": file or name, "text": text}
        if title := BETWEEN.join(filter(None, (source.title, section))):
            payload["title"] = valid_text(title)
        origin = f"{file}\n{name}" if file else name
        stable = uuid.uuid5(_NAMESPACE, f"{collection}\n{origin}\n{i}\n{text}")
        yield NewChunk(Point(str(stable), payload), f"{payload.get('title', '')}\n\n{text}".strip(), end)


def ingest(
    collections: Collections,
    collection: str,
    sources: Iterable[Source],
    chunking: Chunking = CHUNKING,
    *,
    on_progress: Callable[[IngestProgress], None] = lambda progress: None,
    stop: Callable[[], bool] = lambda: False,
) -> IngestProgress:
    """Write the sources into the collection, made if missing, in batches, each durable when written. An existing point
    is not embedded again, so a stopped ingest is resumed by starting it again. A changed file replaces its older
    version once all of it is written. Raises `InputError`, `RetrievalError`, `ModelError`."""
    info = collections.describe(collection) if collection in collections.names() else None
    if info:
        collections.check_model(info)
    else:
        check_name(collection)
    had_points = bool(info and info.points)
    ids: set[bytes] = set()  # 16 bytes a chunk are all that stays in memory
    files: set[str] = set()

    def each_chunk() -> Iterator[tuple[NewChunk, int, int]]:
        """Each chunk, and how many sources and characters are finished with it."""
        characters = 0
        for number, source in enumerate(sources):
            files.add(str(valid_text(source.file or source.name)))
            chunks = list(points(collection, source, chunking))
            for chunk in chunks:
                ids.add(uuid.UUID(chunk.point.id).bytes)
                yield chunk, number + (chunk is chunks[-1]), characters + chunk.end
            characters += len(source.text)

    progress, pending = IngestProgress(), each_chunk()
    while batch := list(islice(pending, _BATCH)):
        if stop():
            return replace(progress, complete=False)
        chunks = [chunk for chunk, _, _ in batch]
        there = collections.payloads(collection, [chunk.point.id for chunk in chunks]) if had_points else {}
        if new := [chunk for chunk in chunks if there.get(chunk.point.id) != chunk.point.payload]:
            vectors = collections.embedder.embed([chunk.text for chunk in new])
            if info is None:
                collections.create(collection, vectors.shape[1])
                info = collections.describe(collection)
            collections.write(info, [chunk.point for chunk in new], vectors)
        _, documents, characters = batch[-1]
        progress = IngestProgress(documents, progress.chunks + len(batch), progress.new_chunks + len(new), characters)
        on_progress(progress)
    if had_points:
        collections.delete_older(collection, sorted(files), ids)
    return progress


@dataclass(slots=True)
class Contents:
    """What there is to ingest, known from reading it once: documents, their characters, and what cannot be read."""

    sources: int = 0
    characters: int = 0
    failures: int = 0
    errors: list[InputError] = field(default_factory=list)


def read_contents(files: Iterable[File], total: Contents, stop: Callable[[], bool] = lambda: False) -> Contents:
    """Read every file once, for counts and the first errors: all are added to `total`, which is returned."""
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
    """One ingest of files into a collection, by a thread of its own: it reads everything once, and then writes."""

    def __init__(
        self, collections: Collections, collection: str, files: Sequence[File], chunking: Chunking = CHUNKING
    ) -> None:
        self.id = uuid.uuid4().hex
        self.collection = collection
        self._collections, self._files, self._chunking = collections, files, chunking
        self._stop = threading.Event()
        self.thread = threading.Thread()
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
        self.thread = threading.Thread(target=self._run, name=f"ingest {self.collection}", daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """Ask the job to stop after its current batch."""
        self._stop.set()

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
        stop = self._stop.is_set
        read_contents(self._files, self.contents, stop)
        if stop():
            return "stopped"
        if not self.contents.sources:
            raise InputError("There is nothing to ingest.", "Choose files with text in them.")
        self._enter("writing")
        show, files = partial(setattr, self, "progress"), readable_sources(self._files)
        result = ingest(self._collections, self.collection, files, self._chunking, on_progress=show, stop=stop)
        return "done" if result.complete else "stopped"


class IngestJobs:
    """The jobs of a process: one at a time, since each takes the whole machine."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.current: IngestJob | None = None
        self._count = 0

    @property
    def version(self) -> str:
        """Another one once a job has changed a collection, even where its number of points stays."""
        return f"{self._count} {self.current.phase if self.current else 'closed'}"

    def begin(self, job: IngestJob) -> None:
        """Start the job in place of one that has ended. Raises `InputError` while another is running."""
        with self._lock:
            if self.current and self.current.running:
                now = f"Documents are being added to {self.current.collection!r} now."
                raise InputError(now, "Wait until it ends, or stop it.")
            self.current, self._count = job, self._count + 1
            job.start()

    def dismiss(self) -> None:
        """Forget a job that has ended."""
        with self._lock:
            if self.current and not self.current.running:
                self.current = None
