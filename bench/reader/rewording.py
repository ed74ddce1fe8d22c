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


_THEN = re.compile(r"^(?P<first>[^,;]{6,80}?)(?P<link>,? and then|, then|; then) (?P<second>.{6,})\.$")
_BECAUSE = re.compile(r"^(?P<effect>.{10,90}?),? because (?!of )(?P<cause>[^,]{8,90})\.$")
_IF = re.compile(r"(?<!only )(?<!even )(?<!ask )(?<!see )(?<!know )(?<!check )(?<!as )\b(if|unless)\b", re.I)
_WHEN = re.compile(r"\b(only (?:if|when|after|with)|even (?:if|when|after|without)|as long as|provided that)\b", re.I)
_REVERSED = {
    "if": "unless",
    "unless": "if",
    "only if": "even if",
    "only when": "even when",
    "only after": "even before",
    "only with": "even without",
    "even if": "only if",
    "even when": "only when",
    "even after": "only before",
    "even without": "only with",
    "as long as": "unless",
    "provided that": "unless",
}
_NOT_COUNTED = "the |of |its |their |our |your |her |his |day|night|week|month|year|time|other "
_QUANTIFIERS: list[tuple[str, tuple[str, ...]]] = [
    (r"all (?:of )?(?=the |its |their |our |your |her |his )", ("none of ", "hardly any of ", "only half of ")),
    (rf"(?:all|every|each) (?!{_NOT_COUNTED})(?=[a-z])", ("no ",)),
    (r"most of (?=the |its |their )", ("hardly any of ", "none of ", "all of ")),
    (r"most (?=[a-z]+s\b)", ("few ", "no ", "hardly any ")),
    (r"some of (?=the |its |their )", ("none of ", "all of ")),
    (r"none of (?=the |its |their )", ("some of ", "all of ", "one of ")),
    (r"half (?:of )?(?=the |its |their )", ("all of ", "none of ", "a quarter of ")),
    (r"one of (?=the |its |their )", ("none of ", "all of ")),
    (r"a few ", ("no ", "countless ")),
    (r"few (?=[a-z]+s\b)", ("most ", "many ")),
    (r"(?:nobody|no one)\b", ("everybody", "somebody")),
    (r"(?:everybody|everyone)\b", ("nobody", "hardly anybody")),
    (r"nothing\b", ("something", "everything")),
    (r"usually\b", ("rarely", "never", "always")),
    (r"often\b", ("rarely", "never")),
    (r"always\b", ("never", "rarely", "seldom")),
    (r"never\b", ("sometimes", "always", "often")),
    (r"(?:rarely|seldom)\b", ("often", "always")),
    (r"once (?=an? |per |every )", ("twice ", "three times ")),
    (r"twice\b", ("once", "four times")),
    (r"every (?=day|week|month|year)", ("every other ", "every second ", "every third ")),
    (r"double (?=the )", ("half ",)),
    (r"first (?=[a-z]+\b)", ("second ", "third ", "last ")),
    (r"second (?=[a-z]+\b)", ("first ", "third ")),
    (r"(?<=\d )a\.m\.", ("p.m.",)),
    (r"(?<=\d )p\.m\.", ("a.m.",)),
    (r"noon\b", ("midnight",)),
    (r"weekdays\b", ("weekends",)),
    (r"weekends\b", ("weekdays",)),
]
"""What is said of how many, how often and when, and what contradicts it or goes beyond it."""
_SUBJECT = re.compile(r"^((?:The |A |An )?[A-Za-z]+) (can|may|is|are|has|have|was|were|must) ")
_NO_SUBJECT = frozenset("It They He She You We I There This That These Those No Only Nobody Nothing Each".split())
_ENDING = re.compile(r" ((?:in|by|for|with|at|from|during|through|near|under|on|without) (?:[\w-]+ ){0,5}[\w-]+)\.$")
_LONG_WORD = re.compile(r"[a-z]{4,}|\d+")


def _lowered(text: str) -> str:
    first = text.split(" ")[0]
    name = first[1:].lower() != first[1:] or first.lower() not in _SMALL
    return text if name else text[:1].lower() + text[1:]


_SMALL = frozenset("the a an it they he she you we there this these those all each most some no if when".split())


def order(sentence: str, rng: random.Random) -> str | None:
    """Exchange two steps: "Rinse the pan, then dry it." → "Dry it, then rinse the pan."."""
    match = _THEN.match(sentence)
    if not match or any(match[part].split()[0].lower() not in IMPERATIVES for part in ("first", "second")):
        return None
    first = match["first"][:1].lower() + match["first"][1:]
    return f"{raised(match['second'])}{match['link']} {first}."


def cause(sentence: str, rng: random.Random) -> str | None:
    """Exchange cause and effect, or deny the cause."""
    match = _BECAUSE.match(sentence)
    if not match:
        return None
    if rng.random() < 0.5:
        return f"{raised(match['cause'])} because {_lowered(match['effect'])}."
    return f"{match['effect']} although {match['cause']}."


def condition(sentence: str, rng: random.Random) -> str | None:
    """Turn "if" into "unless", "only if" into "even if", and back."""
    match = _WHEN.search(sentence) or _IF.search(sentence)
    if not match:
        return None
    other = _REVERSED.get(match.group(1).lower())
    if other is None:
        return None
    other = raised(other) if match.group(1)[:1].isupper() else other
    return sentence[: match.start()] + other + sentence[match.end() :]


def quantifier(sentence: str, rng: random.Random) -> str | None:
    """Change how many or how often, beyond what the sentence allows."""
    found = [
        (match, others)
        for pattern, others in _QUANTIFIERS
        if (match := re.search(rf"(?<![\w-])(?<!not )(?<!at ){pattern}", sentence, re.I))
    ]
    if not found:
        return None
    match, others = rng.choice(found)
    other = rng.choice(others)
    if match.start() == 0:
        other = raised(other)
    return sentence[: match.start()] + other + sentence[match.end() :]


def alone(sentence: str, rng: random.Random) -> str | None:
    """Say of one thing that it is the only one: "Guests may swim." → "Only guests may swim."."""
    match = _SUBJECT.match(sentence)
    if not match or match.group(1).split()[0] in _NO_SUBJECT:
        return None
    return f"Only {_lowered(sentence)}"


def detailed(sentence: str, strange: str, premise: str) -> str | None:
    """Add the ending of an unrelated sentence, such as "in the garage", which the premise does not mention."""
    match = _ENDING.search(strange)
    if not match or not sentence.endswith("."):
        return None
    known = set(_LONG_WORD.findall(premise.lower()))
    if known & set(_LONG_WORD.findall(match.group(1).lower())):
        return None
    return f"{sentence[:-1]} {match.group(1)}."
