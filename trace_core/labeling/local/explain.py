"""Why a response sentence got its label, in words drawn from what was measured."""

from __future__ import annotations

import re

from trace_core.labeling.local.compare import Comparison
from trace_core.labeling.local.exchange_features import exchanges
from trace_core.labeling.local.order_features import swaps
from trace_core.labeling.local.texts import Text
from trace_core.labeling.local.words import normal_number, number_word, stem

NEGATION_COSINE = 0.6
"""Only a sentence this near says the same thing but for a "not"."""
FRAME = 0.5
"""Where so much of the words around is the same, another word is in the place of one."""
SWAP_GAIN = 0.9
"""From this gain, two things stand in each other's places."""
_SURFACE = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+(?:[.,]\d+)*")
_MOST_NAMED = 3


def supported(c: Comparison, row: int, chosen: list[int], keys: list[str]) -> str:
    """Why it is fully supported by the chosen document sentences; there is at least one."""
    text = c.answer.texts[row]
    for place in chosen:
        if c.documents.texts[place].bare == text.bare:
            return f"{keys[place]} says the same, word for word."
    return f"{_listed(chosen, keys)} {_hold(chosen)} {_cover(c, row, chosen):.0%} of its content " + _near(c, row)


def doubtful(c: Comparison, row: int, chosen: list[int], keys: list[str], surface: str) -> str:
    """Why it is not fully supported: the first thing found that the documents do not bear out."""
    text = c.answer.texts[row]
    if not chosen:
        return f"No document sentence supports it {_near(c, row)}"
    return (
        _missing(c, text, chosen, keys, surface)
        or _contrary(c, row, text, keys, surface)
        or f"{_listed(chosen, keys)} {_hold(chosen)} only {_cover(c, row, chosen):.0%} of its content {_near(c, row)}"
    )


def _missing(c: Comparison, text: Text, chosen: list[int], keys: list[str], surface: str) -> str:
    """Numbers, then names, that no document sentence or none of the chosen ones holds."""
    every = frozenset().union(*(t.words for t in c.documents.texts))
    held = frozenset().union(*(c.documents.texts[i].words for i in chosen))
    for kind, said in (("number", text.numbers), ("name", c.names(text))):
        if strange := said - every - c.question.texts[0].words:
            return f"No document sentence mentions {_words(strange, surface)}."
        if kind == "number" and (strange := said - held):
            return f"The number {_words(strange, surface)} is not in {_listed(chosen, keys)}."
        if strange := said - held:
            return f"{_listed(chosen, keys)} {_do(chosen)} not mention {_words(strange, surface)}."
    return ""


def _contrary(c: Comparison, row: int, text: Text, keys: list[str], surface: str) -> str:
    """A "not" on one side alone, a word in the place of another, or two things in each other's places."""
    best = int(c.aligned[row, 0])
    other = c.documents.texts[best]
    if c.match[row, best] >= NEGATION_COSINE and (text.negations > 0) != (other.negations > 0):
        return f"It and {keys[best]} differ in a negation."
    for exchange in exchanges(text, other):
        if exchange.frame >= FRAME:
            return f"In the place of {_words(exchange.ours, surface)}, {keys[best]} says something else."
    if swaps(text, [c.documents.texts[i] for i in c.aligned[row]])["swap gain"] >= SWAP_GAIN:
        return f"It puts things of {keys[best]} in another order."
    return ""


def _words(tokens: frozenset[str], surface: str) -> str:
    """Stems and numbers as the sentence spells them, in its order."""
    spelled: dict[str, str] = {}
    for word in _SURFACE.findall(surface):
        lower = word.lower().replace("’", "'")
        number = normal_number(word) if word[0].isdigit() else number_word(lower)
        token = f"#{number}" if number else stem(lower)
        if token in tokens:
            spelled.setdefault(token, word)
    return ", ".join(list(spelled.values())[:_MOST_NAMED])


def _cover(c: Comparison, row: int, chosen: list[int]) -> float:
    weight = c.answer.words[row] * c.rarity
    held = c.documents.words[chosen].max(axis=0)
    return float((weight * held).sum() / (weight.sum() + 1e-6))


def _near(c: Comparison, row: int) -> str:
    return f"(best cosine {c.cos[row].max():.2f})."


def _listed(chosen: list[int], keys: list[str]) -> str:
    return ", ".join(keys[i] for i in chosen)


def _hold(chosen: list[int]) -> str:
    return "holds" if len(chosen) == 1 else "hold"


def _do(chosen: list[int]) -> str:
    return "does" if len(chosen) == 1 else "do"
