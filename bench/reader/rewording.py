"""Rule-based edits that change the wording as language models do when they repeat a text, and not what it says.

Every edit takes a sentence and returns another one, or `None` where it does not apply.
"""

from __future__ import annotations

import random
import re

from reader.lexicon import IMPERATIVES, lowered, raised

_TIMES = ("when", "once", "as soon as")
_TIME = re.compile(r"(?:^|, |(?<=[a-z]) )(when|once|as soon as)(?= (?:the|you|your|it|they|this|all|a|an) )", re.I)
_VERBS = (
    "appear open close start begin stop turn move change show display play disappear end become receive send pay "
    "refund last take cost get return continue switch blink flicker leave arrive cover include let help"
).split()
_HAPPENS = re.compile(rf"(?<=[a-z] )({'|'.join(_VERBS)})(?:s|(?<=h)es)\b")
_WILL = re.compile(rf"(?<=[a-z] )will ({'|'.join(_VERBS)})\b")
_CARE = re.compile(r"(?:be sure to|make sure to|remember to|take care to|be careful to) ", re.I)
_CARES = ("be sure to ", "make sure to ", "remember to ", "take care to ")
_CHECKING = frozenset("make ensure check avoid keep".split())
_LAST_CLAUSE = re.compile(r"^(\S[^,;]{9,90}) ((?:when|if|after|once|as soon as|depending on) [^,;]{6,80})\.$")
_DOUBLED = frozenset("cut get put plug run set shut stop".split())
_ACTS = (
    "add apply boil call change clean close connect cut delete drive enter fill install leave move open order pay plug "
    "press put read register remove replace return run select send set shut start stop store turn use wash watch"
).split()
_YOU_DO = re.compile(rf"\b(when|while|before|after) you ({'|'.join(_ACTS)})\b", re.I)
_OWNED = (
    "TV device account computer phone app card order screen remote doctor car luggage booking ticket room machine "
    "battery network router password employer landlord application bike contract membership"
).split()
_YOURS = re.compile(rf"\b(the|your)(?= (?:{'|'.join(_OWNED)})\b)", re.I)
_YOU_CAN = re.compile(r"You can (?=[a-z])")
_POSSIBLE = ("It is possible to ", "Users can ", "You are able to ", "One can ")
_AND_THEN = re.compile(r"^[^;]{10,160}?,? and then (.{6,})$")


def begun(sentence: str, rng: random.Random) -> str | None:
    """Exchange what begins a clause of time: "When it is full, …" → "Once it is full, …"."""
    match = _TIME.search(sentence)
    return _put(sentence, match, rng.choice([w for w in _TIMES if w != match[1].lower()])) if match else None


def later(sentence: str, rng: random.Random) -> str | None:
    """Say what happens as what will, or may, happen: "a menu appears" → "a menu will appear"; or the reverse."""
    if match := _WILL.search(sentence):
        ending = "es" if match[1].endswith(("sh", "ch")) else "s"
        return f"{sentence[: match.start()]}{match[1]}{ending}{sentence[match.end() :]}"
    if match := _HAPPENS.search(sentence):
        word = "will" if rng.random() < 0.8 else "may"
        return f"{sentence[: match.start()]}{word} {match[1]}{sentence[match.end() :]}"
    return None


def assured(sentence: str, rng: random.Random) -> str | None:
    """Exchange the words that ask for care, add them to an instruction, or leave them out."""
    if match := _CARE.match(sentence):
        return raised(rng.choice((*_CARES, "")) + sentence[match.end() :])
    return raised(rng.choice(_CARES) + _small(sentence)) if _instructs(sentence, _CHECKING) else None


def moved_forward(sentence: str, rng: random.Random) -> str | None:
    """Move a last clause to the beginning: "Press it when it blinks." → "When it blinks, press it."."""
    match = _LAST_CLAUSE.match(sentence)
    if not match:
        return None
    rest = _small(match[1]) if _instructs(match[1]) else lowered(match[1])
    return f"{raised(match[2])}, {rest}."


def doing(sentence: str, rng: random.Random) -> str | None:
    """Use a participle: "When you connect the cables, …" → "When connecting the cables, …"."""
    match = _YOU_DO.search(sentence)
    if not match:
        return None
    verb = match[2].lower()
    base = verb + verb[-1] if verb in _DOUBLED else verb.removesuffix("e")
    return f"{sentence[: match.start()]}{match[1]} {base}ing{sentence[match.end() :]}"


def yours(sentence: str, rng: random.Random) -> str | None:
    """Exchange "the" and "your" before what the reader of the text owns or uses."""
    found = list(_YOURS.finditer(sentence))
    match = rng.choice(found) if found else None
    return _put(sentence, match, "the" if match[1].lower() == "your" else "your") if match else None


def possible(sentence: str, rng: random.Random) -> str | None:
    """Say in other words what can be done: "You can rate an app." → "It is possible to rate an app."."""
    match = _YOU_CAN.match(sentence)
    return rng.choice(_POSSIBLE) + sentence[match.end() :] if match else None


def last_step(sentence: str, rng: random.Random) -> str | None:
    """Keep the last of several steps: "Open it, and then press Yes." → "Then press Yes."."""
    match = _AND_THEN.match(sentence)
    if not match or not _instructs(match[1]):
        return None
    return f"Then {match[1]}" if rng.random() < 0.3 else raised(match[1])


def _put(sentence: str, match: re.Match[str], word: str) -> str:
    """The sentence with another word in the place of the match's group, with the same first letter's case."""
    word = raised(word) if match[1][0].isupper() else word
    return sentence[: match.start(1)] + word + sentence[match.end(1) :]


def _instructs(sentence: str, but: frozenset[str] = frozenset()) -> bool:
    return sentence.split(" ")[0].lower() in IMPERATIVES - but


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]
