"""Were the expected documents retrieved? Recall and precision of a golden question's documents."""

from collections.abc import Iterable, Sequence
from unicodedata import normalize

from trace_core.facts.records import Document

BETWEEN = " › "  # the separator between a document's title and the headings of a section


def document_scores(expected: Iterable[str], documents: Sequence[Document]) -> tuple[float | None, float | None]:
    """Recall (expected documents found ÷ expected) and precision (expected ones retrieved ÷ retrieved), in [0, 1]. A
    document matches by its id, title or file name or, for a chunk, by those of its document, ignoring case; by its path
    also from any folder on: `setup/tank.md` is `docs/setup/tank.md`. Both are `None` if nothing is expected, precision
    also if nothing is retrieved."""
    targets = {_plain(name) for name in expected}
    if not targets:
        return None, None
    names = [_names(document) for document in documents]
    matches = targets & {name for each in names for name in each}
    hits = sum(bool(targets & each) for each in names)
    return len(matches) / len(targets), hits / len(names) if names else None


def document_name(chunk: Document, name: str | None) -> str:
    """The name under which to expect this chunk's document, one that `document_scores` recognizes: the `name` in its
    payload if recognized, else the id of the document it is part of, its title, or its id."""
    if name and _plain(name) in _names(chunk):
        return name.strip()
    whole, part, _ = chunk.id.partition("#")
    title = (chunk.title or "").partition(BETWEEN)[0]
    return next(name.strip() for name in (part and whole, title, chunk.id) if name.strip())


def _names(document: Document) -> set[str]:
    title = document.title or ""
    folders = document.id.partition("#")[0].split("/")  # the path from any folder on: `a/b/c`, `b/c`, `c`
    paths = ("/".join(folders[i:]) for i in range(len(folders)))
    return {_plain(name) for name in (document.id, *paths, title, title.partition(BETWEEN)[0]) if name.strip()}


def _plain(name: str) -> str:
    """The name without regard to case, outer spaces and how its accents are written."""
    return normalize("NFC", name).strip().casefold()
