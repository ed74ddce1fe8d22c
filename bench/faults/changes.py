"""Change one word, number, name or "not" of a sentence, so that its meaning changes."""

from __future__ import annotations

import random
import re

_NUMBER = re.compile(r"(?<![\w.,-])\d+(?:[.,]\d+)*(?![\w-])")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}(?: [A-Z][a-z]+)*\b")
_IS = re.compile(r"\b(is|are|was|were|can|could|will|would|should|must|may|has|have|does|do|did)\b(?! not\b|n't)")
_NOT = re.compile(r"\b(is|are|was|were|can|could|will|would|should|must|may|has|have|does|do|did) not\b|\bcannot\b")
_OPPOSITES = (
    ("increase", "decrease"),
    ("increased", "decreased"),
    ("higher", "lower"),
    ("high", "low"),
    ("more", "fewer"),
    ("before", "after"),
    ("on", "off"),
    ("open", "closed"),
    ("left", "right"),
    ("up", "down"),
    ("first", "last"),
    ("older", "younger"),
    ("largest", "smallest"),
    ("north", "south"),
    ("enable", "disable"),
    ("allows", "prevents"),
    ("always", "never"),
    ("above", "below"),
    ("maximum", "minimum"),
    ("early", "late"),
    ("positive", "negative"),
)


def changed(sentence: str, names: list[str], rng: random.Random) -> str | None:
    """The sentence with one thing changed; `None` where nothing can be changed."""
    ways = [_number, _name, _denied, _opposite]
    rng.shuffle(ways)
    for way in ways:
        made = way(sentence, names, rng)
        if made and made != sentence:
            return made
    return None


def names_in(text: str) -> list[str]:
    """The names within the text's sentences."""
    return _NAME.findall(text)


def _number(sentence: str, _: list[str], rng: random.Random) -> str | None:
    found = list(_NUMBER.finditer(sentence))
    if not found:
        return None
    match = rng.choice(found)
    digits = list(match.group())
    at = rng.choice([i for i, c in enumerate(digits) if c.isdigit()])
    digits[at] = rng.choice([d for d in "123456789" if d != digits[at]])
    return sentence[: match.start()] + "".join(digits) + sentence[match.end() :]


def _name(sentence: str, names: list[str], rng: random.Random) -> str | None:
    found = list(_NAME.finditer(sentence))
    others = [name for name in names if name not in sentence]
    if not found or not others:
        return None
    match = rng.choice(found)
    return sentence[: match.start()] + rng.choice(others) + sentence[match.end() :]


def _denied(sentence: str, _: list[str], rng: random.Random) -> str | None:
    if match := _NOT.search(sentence):
        return sentence[: match.start()] + (match.group(1) or "can") + sentence[match.end() :]
    if match := _IS.search(sentence):
        return f"{sentence[: match.end()]} not{sentence[match.end() :]}"
    return None


def _opposite(sentence: str, _: list[str], rng: random.Random) -> str | None:
    for pair in rng.sample(_OPPOSITES, len(_OPPOSITES)):
        for one, other in (pair, pair[::-1]):
            if match := re.search(rf"\b{one}\b", sentence):
                return sentence[: match.start()] + other + sentence[match.end() :]
    return None
