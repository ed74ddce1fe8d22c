"""Rule-based edits of sentences, which either change the meaning or keep it.

Every edit takes a sentence and returns another one, or `None` where it does not apply. An edited pair is
(sentence, edit of the sentence); harmless edits may come before a harmful one, so that how much overlaps
says nothing about the label.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from itertools import combinations, pairwise

from reader import rewording
from reader.lexicon import (
    CALENDAR,
    IMPERATIVES,
    NOT_SAID,
    OPPOSITES,
    PREFIXES,
    SAME,
    SPELLED,
    UNITS,
    WordNet,
    lowered,
    raised,
)
from reader.pairs import Label, Pair

Edit = Callable[[str, random.Random], str | None]
_WORD = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?")
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?![\w])")
_NAME = re.compile(r"(?<=[a-z,;] )(?!I\b)[A-Z][a-z]+(?: (?:[A-Z][a-z]+|of the|of|de|van))*(?: [A-Z][a-z]+)?\b")
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|can|could|will|would|should|must|may|has|have|had|does|do|did)\b(?! (?:not|no|n't|never)\b)"
)
_NOT = re.compile(
    r"\b(is|are|was|were|could|would|should|must|has|have|had|did|will) not\b|\b(can)not\b|\b(can|do|does) not\b"
)
_PARENTHESIS = re.compile(r" \([^()]{2,80}\)")
_WHICH = re.compile(r", (?:which|who|where) [^,.]{8,90}(?=[,.])")
_LEAD = re.compile(r"^(However|Moreover|Furthermore|Additionally|In addition|Therefore|Thus|Finally|Indeed|Also), ")
_CLAUSE = re.compile(
    r"^(When|If|After|Before|While|Once|Because|Although|Unless|Until|As soon as) ([^,]{6,80}), (.{10,})\.$"
)
_CONDITION = re.compile(
    r"^(?:If|Unless|When|Once) [^,]{6,80}, (.{10,})\.$"
    r"|^(.{10,}?) (?:if|unless|only if|only when|provided that) [^,]{6,80}\.$"
)
_ENDING = re.compile(
    r"^(.{20,}?) ((?:in|by|for|with|at|from|during|through|until|since|near|under) (?:[\w-]+ ){0,6}[\w-]+)\.$"
)
_WIDER = re.compile(r"\b(?:not|no|never|only|all|any|every|each|none|must|cannot|unless|if|without|than)\b|n't", re.I)
"""Words in whose presence a sentence without its ending may say more than the whole."""
_AND = re.compile(r"^(.{15,}?),? and (.{3,})\.$")


def _exchange(sentence: str, groups: Sequence[Sequence[str]], rng: random.Random, both: bool) -> str | None:
    """Replace a word (or phrase) by another of its group."""
    found = []
    for group in groups:
        for at, word in enumerate(group if both else group[:1]):
            match = re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", sentence, re.IGNORECASE)
            if match:
                found.append((match, [w for i, w in enumerate(group) if i != at]))
    if not found:
        return None
    match, others = rng.choice(found)
    other = rng.choice(others)
    if match.group()[:1].isupper() and match.start() == 0:
        other = raised(other)
    return sentence[: match.start()] + other + sentence[match.end() :]


def opposite(sentence: str, rng: random.Random) -> str | None:
    """Replace a word by its opposite from the list."""
    return _exchange(sentence, OPPOSITES, rng, both=True)


def not_said(sentence: str, rng: random.Random) -> str | None:
    """Replace a word by a stronger one."""
    return _exchange(sentence, NOT_SAID, rng, both=False)


def same(sentence: str, rng: random.Random) -> str | None:
    """Replace a word by a synonym from the list."""
    return _exchange(sentence, SAME, rng, both=True)


def unit(sentence: str, rng: random.Random) -> str | None:
    """Replace the unit after a number."""
    match = re.search(r"(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten))[- ]?([A-Za-z°]+)", sentence)
    for group in UNITS:
        if match and match.group(1) == group[0]:
            return sentence[: match.start(1)] + rng.choice(group[1:]) + sentence[match.end(1) :]
    return None


def calendar(sentence: str, rng: random.Random) -> str | None:
    """Replace a weekday or month."""
    groups = [[w] for group in CALENDAR for w in group if w != "May" and re.search(rf"\b{w}\b", sentence)]
    if not groups:
        return None
    (word,) = rng.choice(groups)
    kind = next(group for group in CALENDAR if word in group)
    return re.sub(rf"\b{word}\b", rng.choice([w for w in kind if w != word]), sentence, count=1)


def number(sentence: str, rng: random.Random) -> str | None:
    """Replace a number as a person might mistake it."""
    found = list(_NUMBER.finditer(sentence))
    spelled = [m for m in _WORD.finditer(sentence) if m.group().lower() in SPELLED[2:]]
    if not found and not spelled:
        return None
    match = rng.choice(found or spelled)
    if not found:
        other = rng.choice([w for w in SPELLED[1:] if w != match.group().lower()])
        other = raised(other) if match.group()[0].isupper() else other
        return sentence[: match.start()] + other + sentence[match.end() :]
    said = match.group()
    digits = [i for i, c in enumerate(said) if c.isdigit()]
    if rng.random() < 0.5 or len(digits) > 3:
        place = rng.choice(digits[:2] if len(digits) < 4 else digits[1:])
        new = rng.choice([d for d in "123456789" if d != said[place]])
        other = said[:place] + new + said[place + 1 :]
    else:
        value = int(re.sub(r"\D", "", said))
        other = str(
            rng.choice(
                [v for v in (value * 2, value * 10, value + 1, max(value - 1, 0), value // 2, value + 5) if v != value]
            )
        )
    return sentence[: match.start()] + other + sentence[match.end() :]


def negated(sentence: str, rng: random.Random) -> str | None:
    """Insert or remove a "not"."""
    text = sentence.replace("n't", " not").replace("ca not", "cannot")
    if match := _NOT.search(text):
        kept = match.group(1) or match.group(2) or match.group(3)
        return text[: match.start()] + kept + text[match.end() :]
    found = list(_AUXILIARY.finditer(sentence))
    if not found:
        return None
    match = rng.choice(found[:2])
    word = match.group()
    new = (
        "cannot" if word == "can" else f"{word} not" if rng.random() < 0.7 or word in ("may", "must") else word + "n't"
    )
    new = {"willn't": "won't", "can't": "can't", "shalln't": "shan't"}.get(new, new)
    return sentence[: match.start()] + new + sentence[match.end() :]


def roles(sentence: str, rng: random.Random) -> str | None:
    """Swap two names that have a verb between them."""
    names = list(_NAME.finditer(" " + sentence))
    first = re.match(r"^(?!The |A |An |In |On |This |It |You |If |When )[A-Z][a-z]+(?: [A-Z][a-z]+)*\b", sentence)
    spans = ([first.span()] if first else []) + [(m.start() - 1, m.end() - 1) for m in names]
    for (a, b), (c, d) in pairwise(spans):
        between = sentence[b:c]
        if (
            len(between) > 6
            and not re.search(r"\b(?:and|or|between|with|both|is|was|are|were)\b|^,", between)
            and sentence[a:b] != sentence[c:d]
        ):
            return sentence[:a] + sentence[c:d] + between + sentence[a:b] + sentence[d:]
    return None


def without_condition(sentence: str, rng: random.Random) -> str | None:
    """Remove the condition of a conditional statement."""
    match = _CONDITION.match(sentence)
    return raised((match.group(1) or match.group(2)) + ".") if match else None


def digits(sentence: str, rng: random.Random) -> str | None:
    """Write digits as words, or words as digits."""
    for match in re.finditer(
        r"(?<![\w.,])(?:\d|1[0-2])(?![\w.,])|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b",
        sentence,
    ):
        said = match.group()
        other = SPELLED[int(said)] if said.isdigit() else str(SPELLED.index(said))
        return sentence[: match.start()] + other + sentence[match.end() :]
    return None


def shortened(sentence: str, rng: random.Random) -> str | None:
    """Remove a parenthesis, a relative clause or an opening word."""
    for pattern in rng.sample([_PARENTHESIS, _WHICH, _LEAD], 3):
        if pattern.search(sentence):
            return raised(pattern.sub("", sentence, count=1))
    return None


def moved(sentence: str, rng: random.Random) -> str | None:
    """Move a leading clause to the end."""
    match = _CLAUSE.match(sentence)
    if not match:
        return None
    word, clause, rest = match.groups()
    return f"{raised(rest)} {word.lower()} {clause}."


def told(sentence: str, rng: random.Random) -> str | None:
    """Turn an instruction into advice: "Press the button." → "You should press the button."."""
    first = sentence.split(" ")[0].lower()
    if first not in IMPERATIVES:
        return None
    return (
        rng.choice(("You should ", "You need to ", "Please ", "First, ", "You can "))
        + sentence[:1].lower()
        + sentence[1:]
    )


def prefixed(sentence: str, rng: random.Random) -> str | None:
    """Prepend words that claim nothing."""
    return rng.choice(PREFIXES) + lowered(sentence)


def half(sentence: str, rng: random.Random) -> str | None:
    """Keep the part before the last "and" that begins a clause of its own."""
    match = _AND.match(sentence)
    return (
        match.group(1) + "."
        if match
        and len(match.group(1).split()) > 5
        and " if " not in sentence
        and "between" not in sentence
        and "both" not in sentence.lower()
        else None
    )


def without_ending(sentence: str, rng: random.Random) -> str | None:
    """Remove a last "in 1990", "by the owner": the sentence says less, and nothing different."""
    match = _ENDING.match(sentence)
    if not match or _WIDER.search(sentence) or match.group(1).count("(") != match.group(1).count(")"):
        return None
    return f"{match.group(1).rstrip(',')}."


def numbers_exchanged(sentence: str, rng: random.Random) -> str | None:
    """Swap two numbers of the same length."""
    found = list(_NUMBER.finditer(sentence))
    alike = [
        (one, other)
        for one, other in combinations(found, 2)
        if len(one.group()) == len(other.group()) and one.group() != other.group()
    ]
    if not alike:
        return None
    one, other = rng.choice(alike)
    (a, b), (c, d) = one.span(), other.span()
    return sentence[:a] + sentence[c:d] + sentence[b:c] + sentence[a:b] + sentence[d:]


def with_less(sentence: str, rng: random.Random) -> str | None:
    """A sentence that says less, so that the whole sentence adds something to it."""
    for edit in rng.sample([without_ending, shortened], 2):
        less = edit(sentence, rng)
        if less and len(sentence) - len(less) > 12 and not _LEAD.match(sentence):
            return less
    return None


_TRIES = 3
"""The number of edits that are tried for one, since most fit few sentences."""


class Editor:
    """Edits that need WordNet or other sentences, and the random choice of edits."""

    def __init__(self, wordnet: WordNet) -> None:
        self._wordnet = wordnet
        self._harmful: list[tuple[float, Edit, Label]] = [
            (2, opposite, Label.CONTRADICTS),
            (1, self.antonym, Label.CONTRADICTS),
            (2, self.sister, Label.NOT_ENTAILED),
            (2, number, Label.CONTRADICTS),
            (2, unit, Label.CONTRADICTS),
            (2, calendar, Label.CONTRADICTS),
            (1.5, negated, Label.CONTRADICTS),
            (2, not_said, Label.NOT_ENTAILED),
            (2, roles, Label.NOT_ENTAILED),
            (1, without_condition, Label.NOT_ENTAILED),
            (1.5, numbers_exchanged, Label.CONTRADICTS),
            (3, rewording.order, Label.NOT_ENTAILED),
            (3, rewording.cause, Label.NOT_ENTAILED),
            (3, rewording.condition, Label.NOT_ENTAILED),
            (3, rewording.quantifier, Label.NOT_ENTAILED),
            (0.5, rewording.alone, Label.NOT_ENTAILED),
        ]
        self._harmless: list[tuple[float, Edit]] = [
            (2, same),
            (2, self.synonym),
            (2, digits),
            (1.5, shortened),
            (2, moved),
            (2, told),
            (1.5, prefixed),
            (1, half),
            (1.5, without_ending),
            (2, rewording.begun),
            (2, rewording.later),
            (2, rewording.assured),
            (2, rewording.moved_forward),
            (1, rewording.doing),
            (1, rewording.yours),
            (1, rewording.possible),
            (1, rewording.last_step),
        ]
        self._same: list[tuple[float, Edit]] = [
            (2, same),
            (2, self.synonym),
            (2, digits),
            (1, moved),
            (1, prefixed),
            (1, rewording.begun),
            (1, rewording.later),
            (1, rewording.assured),
            (1, rewording.moved_forward),
            (1, rewording.doing),
        ]

    def antonym(self, sentence: str, rng: random.Random) -> str | None:
        """Replace a word by its opposite from WordNet."""
        return self._word(
            sentence,
            rng,
            lambda w: self._wordnet.opposites(w) if self._wordnet.part(w) in ("adj", "adv", "verb") else [],
        )

    def sister(self, sentence: str, rng: random.Random) -> str | None:
        """Replace a noun by another of its kind from WordNet."""
        return self._word(sentence, rng, self._sisters)

    def _sisters(self, word: str) -> list[str]:
        if word.endswith("s") and not word.endswith("ss") and self._wordnet.part(word[:-1]) == "noun":
            return [f"{w}s" for w in self._wordnet.sisters(word[:-1]) if not w.endswith("s")]
        return self._wordnet.sisters(word) if self._wordnet.part(word) == "noun" else []

    def synonym(self, sentence: str, rng: random.Random) -> str | None:
        """Replace a word by a synonym from WordNet."""
        return self._word(sentence, rng, self._wordnet.synonyms)

    def _word(self, sentence: str, rng: random.Random, others: Callable[[str], list[str]]) -> str | None:
        places = [m for m in _WORD.finditer(sentence) if len(m.group()) > 3 and m.group().islower()]
        rng.shuffle(places)
        for match in places[:8]:
            if found := others(match.group()):
                return sentence[: match.start()] + rng.choice(found) + sentence[match.end() :]
        return None

    def harmless(self, sentence: str, rng: random.Random, most: int = 2) -> str:
        """Apply up to `most` edits that keep a true sentence true; some leave a part of it out."""
        return _applied(self._harmless, sentence, rng, most)

    def reworded(self, sentence: str, rng: random.Random, most: int) -> str:
        """Apply up to `most` edits that leave nothing out, so that a false sentence stays false."""
        return _applied(self._same, sentence, rng, most)

    def harmful(self, sentence: str, rng: random.Random, numbers: bool = True) -> tuple[str, Label] | None:
        """Apply one harmful edit that fits; returns its label, too. Without `numbers`, numbers stay as they are."""
        edits = [e for e in self._harmful if numbers or e[1] is not number]
        while edits:
            chosen = rng.choices(range(len(edits)), [w for w, _, _ in edits])[0]
            _, edit, label = edits.pop(chosen)
            changed = edit(sentence, rng)
            if changed and changed.lower() != sentence.lower():
                return changed, label
        return None

    def pairs(self, sentences: Sequence[str], place: int, rng: random.Random) -> list[Pair]:
        """A harmless and a harmful pair from one sentence of a document, and one from a neighbour."""
        sentence = sentences[place]
        premise = _premise(sentences, place, rng)
        found = [Pair(premise, self.harmless(sentence, rng, 3), Label.ENTAILS)]
        if made := self.harmful(self.reworded(sentence, rng, 2), rng):  # last, so that nothing takes it away again
            found.append(Pair(premise, *made))
        if _NUMBER.search(sentence):  # where numbers are changed often, unchanged ones must be as frequent
            found.append(Pair(premise, self.harmless(sentence, rng, 1), Label.ENTAILS))
        if less := with_less(sentence, rng):
            added = [*sentences[max(0, place - 1) : place], less] if rng.random() < 0.3 else [less]
            found.append(Pair(" ".join(added), self.harmless(sentence, rng, 1), Label.NEITHER))
        if rng.random() < 0.35 and len(sentences) > 2:
            other = rng.choice([s for i, s in enumerate(sentences) if abs(i - place) > 1] or [sentence])
            if other != sentence and other not in premise:
                found.append(Pair(premise, self.harmless(other, rng, 1), Label.NEITHER))
        if rng.random() < 0.2 and place + 1 < len(sentences) and len(sentence) + len(sentences[place + 1]) < 260:
            both = f"{sentence.rstrip('.')}, and {lowered(sentences[place + 1])}"
            found.append(Pair(f"{sentence} {sentences[place + 1]}", both, Label.ENTAILS))
            if made := self.harmful(sentences[place + 1], rng):
                wrong = f"{sentence.rstrip('.')}, and {lowered(made[0])}"
                found.append(Pair(f"{sentence} {sentences[place + 1]}", wrong, made[1]))
        return found


def _applied(edits: Sequence[tuple[float, Edit]], sentence: str, rng: random.Random, most: int) -> str:
    for _ in range(rng.randint(0, most)):
        drawn = rng.choices([e for _, e in edits], [w for w, _ in edits], k=_TRIES)
        sentence = next((made for edit in drawn if (made := edit(sentence, rng))), sentence)
    return sentence


def _premise(sentences: Sequence[str], place: int, rng: random.Random) -> str:
    """The sentence alone, or with one or two of its neighbours."""
    draw = rng.random()
    before = 1 if 0.5 < draw < 0.7 or draw > 0.9 else 0
    after = 1 if draw > 0.7 else 0
    return " ".join(sentences[max(0, place - before) : place + 1 + after])
