"""Were the expected documents retrieved? Recall and precision of a golden question's documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trace_core.facts.records import Document

BETWEEN = " › "
"""Between a document's title and the headings of a section of it."""


def document_scores(expected: Iterable[str], documents: Sequence[Document]) -> tuple[float | None, float | None]:
    """Expected documents found ÷ expected, and retrieved documents that are expected ÷ retrieved, both in [0, 1].

    Documents are expected by title, id or, of a chunk, the id or title of its document; upper or lower case. Both are
    `None` where nothing is expected, precision also where nothing is retrieved.
    """
    wanted = {name.casefold() for name in expected}
    if not wanted:
        return None, None
    names = [_names(document) for document in documents]
    found = wanted & {name for each in names for name in each}
    hits = sum(bool(wanted & each) for each in names)
    return len(found) / len(wanted), hits / len(names) if names else None


def document_name(chunk: Document, said: str | None = None) -> str:
    """What to expect where the document of this chunk should be found: a name by which `document_scores` knows it.

    What its payload says (`said`) where that is one, else the id of which the chunk is a part, its title, or its id.
    """
    if said and said.strip().casefold() in _names(chunk):
        return said.strip()
    whole, part, _ = chunk.id.partition("#")
    title = (chunk.title or "").partition(BETWEEN)[0]
    return next(name.strip() for name in (part and whole, title, chunk.id) if name.strip())


def _names(document: Document) -> set[str]:
    title = document.title or ""
    known = (document.id, document.id.partition("#")[0], title, title.partition(BETWEEN)[0])
    return {name.strip().casefold() for name in known if name.strip()}
