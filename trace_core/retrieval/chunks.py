"""Split a text into chunks of whole sentences; consecutive chunks may overlap."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from trace_core.errors import InputError
from trace_core.facts.sentences import spans

CHUNK_WORDS = 150
"""About 200 tokens; the packaged model reads at most 256."""
OVERLAP_WORDS = 0
LEAST_WORDS, MOST_WORDS = 20, 1000
"""The range a person may choose from."""
_WORD = re.compile(r"\S+\s*")
_WORD_CHARACTERS = 12
"""This many characters count as a word: a text in a script without spaces would otherwise be a single word."""


class _Piece(NamedTuple):
    """A sentence, or a part of one that is longer than a chunk: offsets, and its size in words."""

    begin: int
    end: int
    size: int
    whole: bool


def check_chunking(words: int, overlap: int) -> None:
    """Raises `InputError` where chunking would never end or give empty chunks."""
    if words < 1:
        raise InputError("A chunk needs at least one word.", field="chunk size")
    if not 0 <= overlap < words:
        raise InputError("The overlap must be smaller than the chunk.", "Choose 0 for none.", field="overlap")


def chunks(text: str, words: int = CHUNK_WORDS, overlap: int = OVERLAP_WORDS) -> list[str]:
    """Whole sentences packed into chunks of at most `words` words; a longer sentence is cut.

    With `overlap`, a chunk begins with the last whole sentences of the previous one, at most `overlap`
    words, where its own first sentence still fits. No text is lost: without overlap the joined chunks
    are the text, whitespace aside. Raises `InputError` as `check_chunking` does.
    """
    return [text[begin:end].strip() for begin, end in chunk_spans(text, words, overlap)]


def chunk_spans(text: str, words: int = CHUNK_WORDS, overlap: int = OVERLAP_WORDS) -> Iterator[tuple[int, int]]:
    """The start and end of each chunk in the text, in code points; no chunk is only whitespace."""
    check_chunking(words, overlap)
    held: list[_Piece] = []
    for piece in _pieces(text, words):
        if held and sum(p.size for p in held) + piece.size > words:
            if text[held[0].begin : piece.begin].strip():
                yield held[0].begin, piece.begin
            held = _last_sentences(held, min(overlap, words - piece.size))
        held.append(piece)
    if held and text[held[0].begin :].strip():
        yield held[0].begin, len(text)


def _last_sentences(held: list[_Piece], most: int) -> list[_Piece]:
    """The whole sentences at the end of a chunk that together have at most `most` words."""
    kept: list[_Piece] = []
    for piece in reversed(held[1:]):  # a chunk never repeats all of the previous one
        most -= piece.size
        if most < 0 or not piece.whole:
            break
        kept.insert(0, piece)
    return kept


def _pieces(text: str, words: int) -> Iterator[_Piece]:
    for begin, end in spans(text):
        start = begin
        while start < end:
            cut = _cut(text, start, end, words)
            size = max(len(text[start:cut].split()), -(-(cut - start) // _WORD_CHARACTERS))
            yield _Piece(start, cut, size, (start, cut) == (begin, end))
            start = cut


def _cut(text: str, begin: int, end: int, words: int) -> int:
    """Where a piece that starts at `begin` ends: after at most `words` words, between two words if possible."""
    limit = min(end, begin + words * _WORD_CHARACTERS)
    space = text.rfind(" ", begin, limit) if limit < end else -1
    limit = space + 1 if space > begin else limit
    ends = [word.end() for word in islice(_WORD.finditer(text, begin, limit), words)]
    return ends[-1] if len(ends) == words else limit
