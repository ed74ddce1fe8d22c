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


def _names(document: Document) -> set[str]:
    title = document.title or ""
    known = (document.id, document.id.partition("#")[0], title, title.partition(BETWEEN)[0])
    return {name.strip().casefold() for name in known if name.strip()}
