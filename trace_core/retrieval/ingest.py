"""Sources → chunks → vectors → a collection. Ingesting the same source again changes nothing."""

import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from trace_core.facts.strict import valid, valid_text
from trace_core.metrics.found_documents import BETWEEN
from trace_core.retrieval.chunks import CHUNK_WORDS, OVERLAP, chunk_spans
from trace_core.retrieval.collections import Collections, Point, check_name
from trace_core.retrieval.sources import Source

_BATCH = 64
_NAMESPACE = uuid.UUID("6f1d3c52-8a0e-5b52-9c3c-0d6e3f7a5b11")


@dataclass(frozen=True, slots=True)
class IngestProgress:
    """How far an ingest is: documents finished, chunks stored, how many of them were new, characters of text read.

    An ingest that was stopped is not `complete`.
    """

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


def points(
    collection: str, source: Source, chunk_words: int = CHUNK_WORDS, overlap: int = OVERLAP
) -> Iterator[NewChunk]:
    """The chunks of a source in order, each embedded with its title and headings; the same source, the same ids."""
    name, file = str(valid_text(source.name)), str(valid_text(source.file))
    whole = str(valid_text(source.text))
    places = list(_chunks(whole, source.sections, chunk_words, overlap))
    origin = f"{file}\n{name}" if file else name
    for i, (begin, end, section) in enumerate(places):
        text = whole[begin:end].strip()
        identity = name if len(places) == 1 else f"{name}#{i + 1}"
        payload = {**valid(source.payload), "id": identity, "document": name, "chunk": i}
        payload |= {"source": file or name, "text": text}
        if title := BETWEEN.join(filter(None, (source.title, section))):
            payload["title"] = valid_text(title)
        stable = uuid.uuid5(_NAMESPACE, f"{collection}\n{origin}\n{i}\n{text}")
        yield NewChunk(Point(str(stable), payload), f"{payload.get('title', '')}\n\n{text}".strip(), end)


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
    chunk_words: int = CHUNK_WORDS,
    overlap: int = OVERLAP,
    *,
    on_progress: Callable[[IngestProgress], None] = lambda progress: None,
    stop: Callable[[], bool] = lambda: False,
) -> IngestProgress:
    """Write the sources into the collection, made if missing, in batches, each durable when written.

    An existing point is not embedded again, so a stopped ingest is resumed by starting it again. A changed file
    replaces its older version once all of it is written. Raises `InputError`, `RetrievalError`, `ModelError`.
    """
    info = None
    if collection in collections.names():
        info = collections.describe(collection)
        collections.check_model(info)
    else:
        check_name(collection)
    had_points = info is not None and info.points > 0
    ids: set[bytes] = set()  # 16 bytes a chunk are all that stays in memory
    files: set[str] = set()

    def each_chunk() -> Iterator[tuple[NewChunk, int, int]]:
        """Each chunk, and how many sources and characters are finished with it."""
        characters = 0
        for number, source in enumerate(sources):
            files.add(str(valid_text(source.file or source.name)))
            chunks = list(points(collection, source, chunk_words, overlap))
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
        new = [chunk for chunk in chunks if there.get(chunk.point.id) != chunk.point.payload]
        if new:
            vectors = collections.embedder.embed([chunk.text for chunk in new])
            if info is None:
                collections.create(collection, vectors.shape[1])
                info = collections.describe(collection)
            collections.write(collection, [chunk.point for chunk in new], vectors, info)
        _, documents, characters = batch[-1]
        count = progress.chunks + len(batch)
        progress = IngestProgress(documents, count, progress.new_chunks + len(new), characters)
        on_progress(progress)
    if had_points:
        collections.delete_older(collection, sorted(files), ids)
    return progress
