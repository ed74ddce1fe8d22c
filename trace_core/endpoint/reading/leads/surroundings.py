"""What a quoted text is, judged by the words around it and its own look: a linear model over their letters.

The rules of `told` know the commonest verbs and nouns of nine languages; people use many more: `it shot back`, `what
I'd accept is`, `wyszukiwarka zwróciła`. `bench/train_leads.py` makes the model from hand-written leads and messages.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trace_core.datasets.text.translation import unaccented
from trace_core.endpoint.reading.leads.misleading import tells_of

FILE = Path(__file__).parent / "leads.npz"
ROLES = ("question", "answer", "contexts", "ground_truth", "none")
SIZE = 2**15
"""The number of places that features are hashed to."""
_BEFORE, _AFTER = 14, 5
"""The most words before and after a quotation that are looked at."""
_LONGEST = 100
_SENTENCE = re.compile(r"(?<=[.!?…])\s+(?=\S)|\n\s*\n")
_PIECE = re.compile(r"[^\W\d_]+|\d+|[?!:;,.()\[\]–—-]")
_LETTERS = (3, 4, 5)

Array = NDArray[np.float64]


class Around(NamedTuple):
    """A quotation with the words before and after it, and what the one before it is.

    Of a text that is not known but for its end, `?` alone is given.
    """

    before: str
    after: str
    text: str
    previous: str | None
    place: tuple[str, ...] = ()


def log_odds(around: Around) -> Array:
    """The log-probability of each of `ROLES`, of which `none` is no part of the sample."""
    weights, bias = _weights()
    places = hashed(around)
    logits = weights[places].sum(axis=0) / np.sqrt(len(places)) + bias
    odds: Array = logits - np.logaddexp.reduce(logits)
    return odds


def place(number: int, sizes: Sequence[int]) -> tuple[str, ...]:
    """Where a quotation stands among all of a message, and how long it is beside them."""
    many = len(sizes)
    shorter = sum(size < sizes[number] for size in sizes) / max(many - 1, 1)
    return (
        f"first {number == 0}", f"last {number == many - 1} {many}", f"{min(number, 4)} of {min(many, 6)}",
        f"longest {sizes[number] == max(sizes)}", f"longer than {round(3 * shorter)} thirds",
    )  # fmt: skip


def hashed(around: Around) -> NDArray[np.intp]:
    """The distinct places of a quotation's features."""
    return np.unique(np.fromiter((zlib.crc32(one.encode()) % SIZE for one in _features(around)), dtype=np.intp))


@lru_cache(maxsize=1)
def _weights() -> tuple[Array, Array]:
    """`SIZE` × roles, and one bias a role."""
    with np.load(FILE) as read:
        return read["weights"] * read["scale"], read["bias"]


def _features(around: Around) -> Iterator[str]:
    lead = _last_sentence(around.before)[-_LONGEST:]
    before = _pieces(lead)[-_BEFORE:]
    after = _pieces(around.after[:_LONGEST])[:_AFTER]
    words = [piece for piece in before if piece[0].isalnum()]
    for word in words:
        padded = f" {word} "
        yield from (f"c{padded[i : i + n]}" for n in _LETTERS for i in range(len(padded) - n + 1))
    yield from _runs("w", ["^", *before, "$"], 3)
    yield from _runs("t", ["^", *after], 2)
    yield from _runs("k", ["^", *tells_of(lead), "$"], 3)
    yield from _runs("l", ["^", *tells_of(" ".join(after))], 2)
    short = len(words) < 3  # such as "and": then what came before tells most
    asks = around.text.endswith(("?", "？"))
    yield from (f"q{asks}", f"q{asks} {around.previous}", f"p{around.previous} {short}")
    if len(around.text) > 1:
        yield from _looks(around.text)
        yield from (f"y{word}" for word in _pieces(around.text[:40])[:1])
    yield from (f"z{one}" for one in around.place)


def _looks(text: str) -> Iterator[str]:
    """What a text looks like: its length, and whether it is a sentence."""
    length = len(text).bit_length()
    ends, begins = text[-1] in ".!", "a" if text[0].islower() else "A" if text[0].isupper() else "0"
    yield from (f"x{length}", f"x{ends}", f"x{begins}", f"x{length} {ends} {begins}")


def _runs(kind: str, pieces: list[str], most: int) -> Iterator[str]:
    """Each run of up to `most` pieces."""
    for n in range(1, most + 1):
        yield from (f"{kind}{' '.join(pieces[i : i + n])}" for i in range(len(pieces) - n + 1))


def _last_sentence(text: str) -> str:
    return next((part for part in reversed(_SENTENCE.split(text.strip()[-20 * _LONGEST :])) if part), "")


def _pieces(text: str) -> list[str]:
    """Words without accents, marks, and one sign for every number."""
    return ["0" if piece.isdigit() else piece for piece in _PIECE.findall(unaccented(text.lower()))]
