"""Split a text into chunks of whole sentences; consecutive chunks may overlap."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from trace_core.errors import InputError
from trace_core.facts.sentences import spans

LEAST_WORDS, MOST_WORDS = 20, 1000
"""The range a person may choose from."""
_WORD = re.compile(r"\S+\s*")
_ITEM = re.compile(r"[ \t]*(?:[-*+•▪●◦‣·–]|\(?\d{1,3}[.)])[ \t]")
_WORD_CHARACTERS = 12
"""This many characters count as a word: a text in a script without spaces would otherwise be a single word."""


class Chunking(NamedTuple):
    """The words of a chunk at most (about 200 tokens; the packaged model reads 256), and the sentences that the next
    chunk repeats, so that a fact on the border is whole in one of them."""

    words: int = 150
    overlap: int = 1


CHUNKING = Chunking()


class _Piece(NamedTuple):
    begin: int
    end: int
    size: int
    whole: bool


def chunk_spans(text: str, words: int, overlap: int) -> Iterator[tuple[int, int]]:
    """Start and end, in code points, of chunks of whole sentences, at most `words` words; a longer one is cut. A row of
    a table and an item of a list are one sentence. A chunk begins with the `overlap` last sentences of the previous
    one, where its own first still fits. No text is lost. Raises `InputError` for empty or endless chunks."""
    if words < 1 or overlap < 0:
        raise InputError("A chunk needs at least one word, and an overlap of 0 sentences or more.", field="chunk size")
    pieces: list[_Piece] = []
    for piece in _pieces(text, words):
        if pieces and sum(p.size for p in pieces) + piece.size > words:
            if text[pieces[0].begin : piece.begin].strip():
                yield pieces[0].begin, piece.begin
            pieces = _last_sentences(pieces, overlap, words - piece.size)
        pieces.append(piece)
    if pieces and text[pieces[0].begin :].strip():
        yield pieces[0].begin, len(text)


def _last_sentences(pieces: list[_Piece], most: int, words: int) -> list[_Piece]:
    """At most `most` whole sentences from the end of a chunk, in `words` words."""
    last: list[_Piece] = []
    for piece in reversed(pieces[1:]):  # a chunk never repeats all of the previous one
        words -= piece.size
        if len(last) == most or words < 0 or not piece.whole:
            break
        last.insert(0, piece)
    return last


def _pieces(text: str, words: int) -> Iterator[_Piece]:
    for begin, end in _rows(text, words):
        start = begin
        while start < end:
            limit = min(end, start + words * _WORD_CHARACTERS)
            space = text.rfind(" ", start, limit) if limit < end else -1
            limit = space + 1 if space > start else limit
            ends = [word.end() for word in islice(_WORD.finditer(text, start, limit), words)]
            cut = ends[-1] if len(ends) == words else limit
            yield _Piece(start, cut, _size(text[start:cut]), (start, cut) == (begin, end))
            start = cut


def _rows(text: str, words: int) -> list[tuple[int, int]]:
    """The sentences, those of an item of a list together where they fit a chunk."""
    rows: list[tuple[int, int]] = []
    for start, stop in spans(text):
        begin, end = rows[-1] if rows else (0, 0)
        in_item = rows and text[end - 1] != "\n" and _ITEM.match(text, begin)
        if in_item and _size(text[begin:stop]) <= words:
            rows[-1] = begin, stop
        else:
            rows.append((start, stop))
    return rows


def _size(text: str) -> int:
    return max(len(text.split()), -(-len(text) // _WORD_CHARACTERS))
