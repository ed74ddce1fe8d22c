"""A training pair of texts, and the files with such pairs."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterator, Sequence
from enum import IntEnum
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from zlib import crc32

from trace_core.facts.sentences import response_sentences


class Label(IntEnum):
    """The relation of hypothesis to premise. The first four are the reader's classes."""

    ENTAILS = 0
    CONTRADICTS = 1
    NEITHER = 2
    CLAIMS_NOTHING = 3
    NOT_ENTAILED = 4
    """Contradicted or left open: the source does not distinguish them."""
    RELEVANT = 5
    IRRELEVANT = 6


class Pair(NamedTuple):
    """Premise (or question) and hypothesis (or document sentence)."""

    premise: str
    hypothesis: str
    label: Label


PUBLIC = {
    "entailment": Label.ENTAILS,
    "contradiction": Label.CONTRADICTS,
    "neutral": Label.NEITHER,
    "not_entailment": Label.NOT_ENTAILED,
}
LONG_PREMISE = 60
"""In words. A longer premise is cut to the sentences that match the hypothesis best, as in the product."""
_KEPT = 3
HELD_EVERY, CHUNKS_HELD_EVERY = 10, 3
"""One in this number of passages, and of chunks, is held out: to measure the reader, and to train and choose the
models over it.
"""
_WORD = re.compile(r"\w+")


def public(file: Path) -> list[Pair]:
    """The pairs of one public set. Long premises keep their best-matching sentences, in order."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [Pair(_nearest(r["premise"], r["hypothesis"]), r["hypothesis"], PUBLIC[r["label"]]) for r in rows]


def _nearest(premise: str, hypothesis: str) -> str:
    if len(premise.split()) <= LONG_PREMISE:
        return premise
    said = set(_WORD.findall(hypothesis.lower()))
    sentences = [s.text for s in response_sentences(premise)]
    shared = [len(said & set(_WORD.findall(s.lower()))) / (8 + len(s.split())) ** 0.5 for s in sentences]
    best = sorted(range(len(sentences)), key=lambda i: -shared[i])[:_KEPT]
    return " ".join(sentences[i] for i in sorted(best))


class Chunk(NamedTuple):
    """Hand-written sentences of one chunk, and questions with the positions of the sentences that help to answer."""

    sentences: list[str]
    questions: list[tuple[str, list[int]]]


class Passage(NamedTuple):
    """A hand-written passage with what it says, denies and leaves open."""

    sentences: list[str]
    question: str
    entailed: list[str]
    contradicted: list[str]
    open: list[str]


_Written = TypeVar("_Written", Chunk, Passage)


def passages(names: str = "*") -> list[Passage]:
    """Every passage from a file whose name matches, by file name and line. Raises `TypeError`."""
    found = [Passage(row["p"], row.get("q", ""), row["e"], row["c"], row["n"]) for row in _rows("passages", names)]
    for passage in found:
        if isinstance(passage.sentences, str):  # it would be read letter by letter
            raise TypeError(f"A passage is a list of sentences, not a text: {passage.sentences[:60]}")
    return found


def chunks() -> list[Chunk]:
    """Every chunk with its questions."""
    return [Chunk(row["d"], [(asked["q"], asked["r"]) for asked in row["qs"]]) for row in _rows("chunks")]


def _rows(kind: str, names: str = "*") -> Iterator[dict[str, Any]]:
    """The rows of `passages.jsonl.gz` or `chunks.jsonl.gz`; `file` is what a row was written in."""
    with gzip.open(Path(__file__).parent / f"{kind}.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from (row for row in map(json.loads, lines) if fnmatch(row["file"], names))


def kept_back(every: Sequence[Passage]) -> tuple[list[Passage], list[Passage]]:
    """Passages to measure on and passages to train on; the split depends only on a passage's words."""
    return _parted(every, HELD_EVERY)


def chunks_kept_back(every: Sequence[Chunk]) -> tuple[list[Chunk], list[Chunk]]:
    """Chunks to measure on and chunks to train on."""
    return _parted(every, CHUNKS_HELD_EVERY)


def _parted(every: Sequence[_Written], one_in: int) -> tuple[list[_Written], list[_Written]]:
    held: list[_Written] = []
    learned: list[_Written] = []
    for one in every:
        (learned if crc32(one.sentences[0].encode()) % one_in else held).append(one)
    return held, learned


def of_chunk(chunk: Chunk, rng: random.Random) -> Iterator[Pair]:
    """Each question with the sentences that help, and with some of the others."""
    for question, helping in chunk.questions:
        others = [i for i in range(len(chunk.sentences)) if i not in helping]
        for i in helping:
            yield Pair(question, chunk.sentences[i], Label.RELEVANT)
        for i in rng.sample(others, min(len(others), max(2, len(helping)))):
            yield Pair(question, chunk.sentences[i], Label.IRRELEVANT)


def of_passage(passage: Passage, others: list[Passage], rng: random.Random) -> Iterator[Pair]:
    """The passage's pairs, sometimes with a sentence of another passage before or after it."""
    text = " ".join(passage.sentences)
    sides = (
        (passage.entailed, Label.ENTAILS),
        (passage.contradicted, Label.CONTRADICTS),
        (passage.open, Label.NEITHER),
    )
    for hypotheses, label in sides:
        for hypothesis in hypotheses:
            yield Pair(_with_company(text, others, rng), hypothesis, label)
    strange = rng.choice(others)
    if strange is not passage:
        yield Pair(text, rng.choice(strange.entailed), Label.NEITHER)
    if passage.question:
        for sentence in passage.sentences if len(passage.sentences) == 1 else ():
            yield Pair(passage.question, sentence, Label.RELEVANT)
        yield Pair(passage.question, rng.choice(strange.sentences), Label.IRRELEVANT)


def _with_company(text: str, others: list[Passage], rng: random.Random) -> str:
    draw = rng.random()
    if draw > 0.3:
        return text
    beside = rng.choice(rng.choice(others).sentences)
    return f"{beside} {text}" if draw < 0.15 else f"{text} {beside}"


def claims_nothing(file: Path) -> list[str]:
    """Sentences that claim nothing about the documents, one per line."""
    return [line for line in file.read_text(encoding="utf-8").splitlines() if line]
