"""Pick the chunks of a collection to ask about: spread evenly over its documents, and reproducible."""

from __future__ import annotations

import hashlib
from bisect import insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

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
    Memory is limited to `n` documents with `n` chunks each. Raises `InputError` if no chunk is usable.
    """
    chosen: dict[str, list[tuple[bytes, Chunk]]] = {}
    places: list[tuple[bytes, str]] = []
    for chunk in chunks:
        if len(chunk.text.strip()) < SHORTEST:
            continue
        if chunk.document not in chosen:
            chosen[chunk.document] = []
            insort(places, (_place(seed, chunk.document), chunk.document))
            if len(places) > n:
                del chosen[places.pop()[1]]
        _put(chosen.get(chunk.document), (_place(seed, chunk.document, chunk.id, chunk.text), chunk), n)
    if not chosen:
        raise InputError(f"No chunk has the {SHORTEST} characters that it takes to be asked about.", "Choose another.")
    rounds = zip_longest(*(chosen[document] for _, document in places))
    return [one[1] for each in rounds for one in each if one][:n]


def _put(own: list[tuple[bytes, Chunk]] | None, placed: tuple[bytes, Chunk], n: int) -> None:
    """Insert a chunk at its place among those of its document, unless it is a repeat; keep `n`."""
    if own is not None and placed not in own:
        insort(own, placed, key=lambda one: one[0])
        del own[n:]


def _place(seed: int, *names: str) -> bytes:
    return hashlib.blake2b(repr((seed, names)).encode(), digest_size=16).digest()
