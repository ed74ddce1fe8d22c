"""Pick the chunks of a collection to ask about: spread evenly over its documents, and reproducible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from random import Random

from trace_core.errors import InputError
from trace_core.metrics.found_documents import document_name
from trace_core.retrieval import Collections
from trace_core.summary.statistics import SEED

SHORTEST = 40
"""In characters; a shorter chunk contains nothing to ask about."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk as returned by a search, and its `document` under the name that golden questions use."""

    document: str
    id: str
    title: str | None
    text: str


def read_chunks(collections: Collections, collection: str) -> Iterator[Chunk]:
    """Every chunk with text. Raises `RetrievalError`."""
    for chunk, name in collections.chunks(collection):
        yield Chunk(document_name(chunk, name), chunk.id, chunk.title, chunk.text)


def pick(chunks: Iterable[Chunk], n: int, seed: int = SEED) -> list[Chunk]:
    """At most `n` usable chunks: one from each document, then a second one from each, and so on.

    The choice is random by `seed`, whatever the order of the chunks; a larger `n` begins with the same chunks.
    Raises `InputError` if no chunk is usable.
    """
    usable = {chunk for chunk in chunks if len(chunk.text.strip()) >= SHORTEST}
    if not usable:
        raise InputError(f"No chunk has the {SHORTEST} characters that it takes to be asked about.", "Choose another.")
    order = sorted(usable, key=lambda chunk: (chunk.document, chunk.id, chunk.text))
    Random(seed).shuffle(order)  # noqa: S311  # a sample, no secret
    documents: dict[str, list[Chunk]] = {}
    for chunk in order:
        documents.setdefault(chunk.document, []).append(chunk)
    return [chunk for layer in zip_longest(*documents.values()) for chunk in layer if chunk][:n]
