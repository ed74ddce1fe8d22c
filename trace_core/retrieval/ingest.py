"""Sources → chunks → vectors → a collection. Ingesting the same source again changes nothing."""

from __future__ import annotations

import uuid
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from trace_core.facts.records import valid_text
from trace_core.facts.strict import valid
from trace_core.metrics.found_documents import BETWEEN
from trace_core.retrieval.chunks import CHUNK_WORDS, OVERLAP_WORDS, check_chunking, chunk_spans
from trace_core.retrieval.collections import CollectionInfo, Collections, Point, check_name
from trace_core.retrieval.sources import Source

_BATCH = 64
_NAMESPACE = uuid.UUID("6f1d3c52-8a0e-5b52-9c3c-0d6e3f7a5b11")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an ingest is.

    `sources` counts the documents whose chunks are all in the collection; `chunks` counts their chunks and
    those of the current one, `written` the chunks that were new. `characters` is the amount of source text
    processed, `embedded` how many of them the model had to read. `stopped`: a person ended the ingest.
    """

    sources: int = 0
    chunks: int = 0
    written: int = 0
    characters: int = 0
    embedded: int = 0
    stopped: bool = False


class Chunk(NamedTuple):
    """One chunk to write: its point, the text to embed, and how much of the source it completes."""

    point: Point
    text: str
    end: int


def points(
    collection: str, source: Source, chunk_words: int = CHUNK_WORDS, overlap_words: int = OVERLAP_WORDS
) -> Iterator[Chunk]:
    """The chunks of a source in order; title and headings are embedded with a chunk to give its subject.

    A point's id is derived from the chunk's content and place, so that the same source gets the same points.
    """
    name, file = str(valid_text(source.name)), str(valid_text(source.file))
    whole = str(valid_text(source.text))
    found = list(_chunks(whole, source.sections, chunk_words, overlap_words))
    origin = f"{file}\n{name}" if file else name
    for i, (begin, end, section) in enumerate(found):
        text = whole[begin:end].strip()
        payload = {
            **valid(source.payload),
            "id": name if len(found) == 1 else f"{name}#{i + 1}",
            "document": name,
            "chunk": i,
            "source": file or name,
            "text": text,
        }
        if title := BETWEEN.join(filter(None, (source.title, section))):
            payload["title"] = valid_text(title)
        if source.pages:
            payload["page"] = bisect_right(source.pages, begin)
        stable = uuid.uuid5(_NAMESPACE, f"{collection}\n{origin}\n{i}\n{text}")
        yield Chunk(Point(str(stable), payload), f"{payload.get('title', '')}\n\n{text}".strip(), end)


def _chunks(
    text: str, sections: tuple[tuple[int, str], ...], words: int, overlap: int
) -> Iterator[tuple[int, int, str]]:
    """The start and end of each chunk, and its section; no chunk spans two sections."""
    starts = dict([(0, ""), *sections])
    for (start, section), stop in zip(starts.items(), [*list(starts)[1:], len(text)], strict=True):
        for begin, end in chunk_spans(text[start:stop], words, overlap):
            yield start + begin, start + end, section


def ingest(
    collections: Collections,
    collection: str,
    sources: Iterable[Source],
    *,
    chunk_words: int = CHUNK_WORDS,
    overlap_words: int = OVERLAP_WORDS,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    stop: Callable[[], bool] = lambda: False,
) -> Progress:
    """Write the sources into the collection in batches; the collection is created if missing.

    Each batch is durable when written, and an existing point is not embedded again: an ingest that was
    stopped (`stop` returns true, or `on_progress` raises) is resumed by starting it again. A changed file
    replaces its older version once all of it is written; sources of one name are parts of one document.
    Raises `InputError` for an invalid name or chunk size, `VectorMismatch` before any work when another
    model embedded the collection, `RetrievalError` and `ModelError`.
    """
    check_chunking(chunk_words, overlap_words)
    writer = _Writer(collections, collection)
    for source in sources:
        if stop():
            return replace(writer.done, stopped=True)
        before = writer.characters
        for chunk in points(collection, source, chunk_words, overlap_words):
            if writer.full:
                writer.write()
                on_progress(writer.done)
                if stop():
                    return replace(writer.done, stopped=True)
            writer.add(chunk, before + chunk.end, source.file or source.name)
        writer.end_source(before + len(source.text))
    writer.write()
    writer.delete_older()
    on_progress(writer.done)
    return writer.done


class _Writer:
    """Collects chunks and writes the new ones in batches."""

    def __init__(self, collections: Collections, collection: str) -> None:
        self._collections = collections
        self._name = collection
        self._info: CollectionInfo | None = None
        self._batch: list[Chunk] = []
        self._kept: set[bytes] = set()  # 16 bytes a chunk are all that is kept in memory
        self._files: set[str] = set()
        self.done = Progress()
        self._sources = 0
        self.characters = 0
        if collection not in collections.names():
            check_name(collection)
        else:
            self._info = collections.describe(collection)
            collections.check_model(self._info)
        self._had_points = self._info is not None and self._info.points > 0

    @property
    def full(self) -> bool:
        return len(self._batch) == _BATCH

    def add(self, chunk: Chunk, characters: int, file: str) -> None:
        self._batch.append(chunk)
        self._kept.add(uuid.UUID(chunk.point.id).bytes)
        self._files.add(str(valid_text(file)))
        self.characters = characters

    def end_source(self, characters: int) -> None:
        self._sources += 1
        self.characters = characters

    def write(self) -> None:
        """Write what was added; afterwards every finished source is in the collection."""
        new = self._missing()
        if new:
            vectors = self._collections.embedder.embed([chunk.text for chunk in new])
            if self._info is None:
                self._collections.create(self._name, vectors.shape[1])
                self._info = self._collections.describe(self._name)
            self._collections.write(self._name, [chunk.point for chunk in new], vectors, self._info)
        self.done = Progress(
            self._sources,
            self.done.chunks + len(self._batch),
            self.done.written + len(new),
            self.characters,
            self.done.embedded + sum(len(chunk.text) for chunk in new),
        )
        self._batch = []

    def _missing(self) -> list[Chunk]:
        """The chunks whose point does not exist, or exists with another title or payload."""
        if not self._had_points:
            return self._batch
        there = self._collections.payloads(self._name, [chunk.point.id for chunk in self._batch])
        return [chunk for chunk in self._batch if there.get(chunk.point.id) != chunk.point.payload]

    def delete_older(self) -> None:
        if self._had_points:
            self._collections.delete_older(self._name, sorted(self._files), self._kept)
