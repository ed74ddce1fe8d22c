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
HELD_EVERY, CHUNKS_HELD_EVERY, PUBLIC_HELD_EVERY = 10, 3, 4
"""One in this number of passages, of chunks, and of the premises of `NATURAL`, is held out: to measure the reader, and
to fit the decision over it.
"""
NATURAL = ("begin", "fever", "fool_me_twice", "summedits", "wice")
"""Public sets of statements that people or models wrote freely; a share of each is held out."""
_WORD = re.compile(r"\w+")
_COMPANY_UNDER = 5
"""A passage of so many sentences is long enough by itself."""


def public(file: Path) -> list[Pair]:
    """The pairs to learn from of one public set. Long premises keep their best-matching sentences, in order."""
    rows = public_rows(file)
    if file.name.split(".")[0] in NATURAL:
        rows = [row for row in rows if not is_held(row["premise"], PUBLIC_HELD_EVERY)]
    return [Pair(_nearest(r["premise"], r["hypothesis"]), r["hypothesis"], PUBLIC[r["label"]]) for r in rows]


def public_rows(file: Path) -> list[dict[str, str]]:
    """Every row of a public set: `premise`, `hypothesis`, `label`."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def is_held(text: str, one_in: int) -> bool:
    """Whether what begins with this text is held out from the reader: one in so many, by its words alone."""
    return crc32(text.encode()) % one_in == 0


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


Written = TypeVar("Written", Chunk, Passage)


def passages(names: str = "*") -> list[Passage]:
    """Every passage from a file whose name matches, by file name and line. Raises `TypeError`."""
    found = [Passage(row["p"], row.get("q", ""), row["e"], row["c"], row["n"]) for row in _rows("passages", names)]
    for passage in found:
        if isinstance(passage.sentences, str):  # it would be read letter by letter
            raise TypeError(f"A passage is a list of sentences, not a text: {passage.sentences[:60]}")
    return found


def chunks(names: str = "*") -> list[Chunk]:
    """Every chunk with its questions, from a file whose name matches."""
    return [Chunk(row["d"], [(asked["q"], asked["r"]) for asked in row["qs"]]) for row in _rows("chunks", names)]


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


def _parted(every: Sequence[Written], one_in: int) -> tuple[list[Written], list[Written]]:
    held: list[Written] = []
    learned: list[Written] = []
    for one in every:
        (held if is_held(one.sentences[0], one_in) else learned).append(one)
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
    """The passage's pairs, often among sentences of other passages."""
    sides = (
        (passage.entailed, Label.ENTAILS),
        (passage.contradicted, Label.CONTRADICTS),
        (passage.open, Label.NEITHER),
    )
    for hypotheses, label in sides:
        for hypothesis in hypotheses:
            yield Pair(with_company(passage.sentences, others, rng), hypothesis, label)
    strange = rng.choice(others)
    if strange is not passage:
        yield Pair(" ".join(passage.sentences), rng.choice(strange.entailed), Label.NEITHER)
    if passage.question:
        for sentence in passage.sentences if len(passage.sentences) == 1 else ():
            yield Pair(passage.question, sentence, Label.RELEVANT)
        yield Pair(passage.question, rng.choice(strange.sentences), Label.IRRELEVANT)


def with_company(sentences: Sequence[str], others: Sequence[Passage], rng: random.Random) -> str:
    """The sentences, often among some of other passages, as the best sentences of several documents stand together."""
    wanted = rng.choices((0, 1, 2, 3, 4, 5), (45, 15, 15, 10, 9, 6))[0] if len(sentences) < _COMPANY_UNDER else 0
    beside = [rng.choice(rng.choice(others).sentences) for _ in range(wanted)]
    place = rng.randint(0, len(beside))
    return " ".join([*beside[:place], *sentences, *beside[place:]])


def claims_nothing(file: Path) -> list[str]:
    """Sentences that claim nothing about the documents, one per line."""
    return [line for line in file.read_text(encoding="utf-8").splitlines() if line]
