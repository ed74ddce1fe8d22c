"""Short sentences to learn from: a made document, an answer that it bears out, and one with a word exchanged.

RAGBench's sentences are long; what people try first is short ("The tank is blue."). Everything here is
made: things and values of the families in `short_families.txt` (name, question, frames, things, values),
put into frames. `short_probe.txt` holds others, written by hand, to measure on and never to train on: no
word exchanged there is exchanged here.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Family(NamedTuple):
    """Values that exclude each other, the things that have them, and the ways to say so."""

    name: str
    question: str
    frames: tuple[str, ...]
    things: tuple[str, ...]
    values: tuple[str, ...]


class Short(NamedTuple):
    """One made record: which response is right, and the same record's wrong one."""

    family: str
    kind: str
    question: str
    documents: list[str]
    before: list[str]
    """What the response says before the sentence that is right or wrong; supported, as what is after it."""
    supported: str
    contradicted: str
    after: list[str]

    def responses(self) -> tuple[str, str]:
        """The whole response, right and wrong."""
        right, wrong = (
            " ".join([*self.before, sentence, *self.after]) for sentence in (self.supported, self.contradicted)
        )
        return right, wrong


def _family(text: str) -> Family:
    name, question, frames, things, values = (part.strip() for part in text.split("|"))
    cut = (tuple(part.strip() for part in many.split("/")) for many in (frames, things, values))
    return Family(name, question, *cut)


FAMILIES = tuple(
    _family(line) for line in (Path(__file__).parent / "short_families.txt").read_text(encoding="utf-8").splitlines()
)
TAILS = tuple(
    "behind the old house / according to the manual / since last year / for most of the visitors / near the river"
    " / in the first week / because of the rain / as the owner says / except in emergencies / at the end".split(" / ")
)
"""What can be said besides, so that some sentences are longer."""
EACH = 24
"""So many are made of a family, a quarter of them with a "not"."""
LONGER = 0.4
"""The share with a tail."""


def short_sentences(seed: int) -> Iterator[Short]:
    """`EACH` of every family; seeded."""
    rng = random.Random(f"short {seed}")
    for family in FAMILIES:
        for i in range(EACH):
            thing, another = rng.sample(family.things, 2)
            question = family.question.format(t=thing)
            kind, told, beside = _negated(family, thing, rng) if i % 4 == 3 else _exchanged(family, thing, another, rng)
            said, right, wrong = _with_tail(told, rng)
            others = _others(family, rng)
            documents = _documents([said, *beside, *(document for document, _ in others)], rng)
            company = [answer for _, answer in rng.sample(others, rng.randint(0, len(others)))]
            place = rng.randint(0, len(company))
            yield Short(family.name, kind, question, documents, company[:place], right, wrong, company[place:])


Told = tuple[str, str, str]
"""What the document says, the same in other words, and what it contradicts."""


def _exchanged(family: Family, thing: str, another: str, rng: random.Random) -> tuple[str, Told, list[str]]:
    """The value of the document becomes another of its family; sometimes another thing has that one."""
    value, other = rng.sample(family.values, 2)
    said, repeated = rng.sample(family.frames, 2)
    if said.startswith("It"):  # a document names what it speaks of
        said, repeated = family.frames[0], said if repeated == family.frames[0] else repeated
    wrong = rng.choice((said, repeated, repeated))
    beside = [_filled(family.frames[0], another, other)] if rng.random() < 0.3 else []
    told = _filled(said, thing, value), _filled(repeated, thing, value), _filled(wrong, thing, other)
    return "short", told, beside


def _negated(family: Family, thing: str, rng: random.Random) -> tuple[str, Told, list[str]]:
    """A "not" on one side alone, in a sentence that has "is" or "was"."""
    value = rng.choice(family.values)
    frames = [f for f in family.frames if " is " in f or " was " in f] or ["It is true: " + family.frames[0]]
    said, repeated = rng.choice(frames), rng.choice(frames)
    for verb in ("is", "was"):
        said = said.replace(f"It {verb} ", f"The {thing} {verb} ")
    document, same = _filled(said, thing, value), _filled(repeated, thing, value)
    against = _denied(same)
    if rng.random() < 0.5:
        document, same, against = _denied(document), against, same
    if same == document:
        same = "Indeed, " + same[0].lower() + same[1:]
    return "short not", (document, same, against), []


def _denied(sentence: str) -> str:
    for verb in (" is ", " was "):
        if verb in sentence:
            return sentence.replace(verb, f"{verb}not ", 1)
    return sentence


def _with_tail(told: Told, rng: random.Random) -> Told:
    """Some sentences longer: the document's alone, or the responses with it."""
    tail, (said, *responses) = f" {rng.choice(TAILS)}.", told
    if rng.random() < LONGER:
        said = said.removesuffix(".") + tail
        if rng.random() < 0.7:
            responses = [response.removesuffix(".") + tail for response in responses]
    return said, responses[0], responses[1]


def _filled(frame: str, thing: str, value: str) -> str:
    text = frame.format(t=thing, v=value).replace("The the ", "The ")
    return text[0].upper() + text[1:]


def _others(family: Family, rng: random.Random) -> list[tuple[str, str]]:
    """Up to three facts of other families, each as a document says it and as a response does."""
    found = []
    for other in rng.sample([f for f in FAMILIES if f is not family], rng.randrange(4)):
        thing, value = rng.choice(other.things), rng.choice(other.values)
        answer = rng.choice([frame for frame in other.frames if not frame.startswith("It ")])
        found.append((_filled(other.frames[0], thing, value), _filled(answer, thing, value)))
    return found


def _documents(sentences: list[str], rng: random.Random) -> list[str]:
    """The sentences in any order, in one or two documents."""
    rng.shuffle(sentences)
    cut = rng.randint(1, len(sentences))
    return [" ".join(part) for part in (sentences[:cut], sentences[cut:]) if part]
