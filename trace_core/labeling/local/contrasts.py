"""What a changed word makes false: order, roles, amount or duty, told otherwise than in a document sentence; and
whether a sentence only repeats one.

The reader sees such changes less well than a person. Each contrast compares a claim with the document sentences that
match it best, and says nothing where it cannot be sure: of 95,823 true sentences about the written passages, which were
made to be hard, they find fault with one in 300, of 9,260 sentences that RAGBench calls supported, with one in 1,000.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from trace_core.facts.words import is_negation, stem
from trace_core.labeling.local.texts import Text, analyse

_LONGEST = 600
"""In characters: longer sentences say too much for one word of them to decide."""
_NOTHING = frozenset(("nothing", "nobody", "nowhere"))

_MUTUAL = frozenset(
    """meet met marri equal adjac near resembl differ different connect link join touch border cross share like as and
    or same together opposit beside is are was were be been being also itself will would
    say said write wrote ask explain add repli announc""".split()
)
"""Words that say the same of two things in either order, or stand before or after what somebody says."""
_MOVABLE = frozenset(
    "in on at by for from to with without during under over behind off near of when if while after before".split()
)
"""Words that begin a part which may stand first or last."""
_SMALL = frozenset("a an the its their his her our your my".split())
_SHORTEST, _LONGEST_CLAIM, _LONGEST_TOLD = 3, 40, 200
"""In words, of the claim and of a document sentence."""

_AFTER_ONCE = (
    r"(?= (?:the|a|an|it|they|you|he|she|we|i|all|both|each|every|his|her|its|their|our|your"
    r"|\w{2,20} (?:has|have|had|is|are|was|were))\b)"
)
"""What follows "once" where it means "as soon as"."""
_EARLIER = r"before|prior to|ahead of|earlier than|preced(?:es?|ed|ing)"
_LATER = (
    r"after(?! (?:that|this|which)\b)|later than|as soon as"
    r"|(?<!the )following(?= (?:the|a|an|his|her|its|their|your|our)\b)"
    rf"|(?:^|(?<=, )|(?<=only ))having|once{_AFTER_ONCE}"
)
_THEN = (
    r"then|afterwards?|after (?:that|this|which)|thereafter|subsequently|(?:(?<=and )|(?<=, ))(?:later|next)|finally"
    r"|lastly|followed by|secondly|(?<!the )second(?=$|[,;.])"
)
_JOINT = re.compile(
    rf"\b(?:(?P<earlier>{_EARLIER})|(?:(?:only|immediately|shortly|soon) )?(?P<later>{_LATER})"
    rf"|(?:(?:and|but|only) )?(?P<then>{_THEN})|(?P<until>until)|(?P<stop>while|but))\b|(?P<end>;)"
)
_PART_OF_ORDER = re.compile(r",? \band\b |, |; ")
_DETERMINERS = ("the", "a", "at", "its", "their", "our", "your", "his", "her", "very", "my")
_FIRST = re.compile(r"\bfirst(?:ly| of all)?\b(?![ -](?:aid|class|time|name|floor|language|half|hand))")
_CONDITION = re.compile(r"\b(?:if|when|unless|provided)\b")
_RANGE = re.compile(r"\bfrom (?:the )?([a-z]{2,20}) to (?:the )?([a-z]{2,20})\b")
_PERIOD = re.compile(r"(?:[\w.]+ )?[\w.-]+ (?:second|minute|hour|day|night|week|fortnight|month|year|decade)s?")
"""A period: "ten minutes" is no event."""
_MOST_WORDS = 50
"""A longer sentence tells of too much."""
_LIKE_EVENT, _MOST_LIKE_EVENT = 0.5, 0.6
"""The least share of words in common, 0 to 1, of both events and of one of them."""

_KINDS = {
    "forbidden": r"must not|mustn't|may not|(?:are|is|be|being) (?:not|never) (?:allowed|permitted)|shall not"
    r"|must never|(?:is|are) (?:strictly )?(?:forbidden|prohibited|banned)",
    "free": r"(?:do|does|did|will|would) not (?:have|need) to|(?:don't|doesn't|didn't|won't) (?:have|need) to|need not"
    r"|needn't|not (?:obliged|required|necessary|compulsory|obligatory|mandatory|bound)|no (?:need|obligation|duty)"
    r"|optional|voluntary|not a must|free to|(?:can|may) (?:choose|decide) whether|as (?:you|they) (?:like|wish|please)"
    r"|under no obligation|no one has to|nobody has to",
    "duty": r"must|(?:has|have|had) to|(?:is|are|be|was|were) (?:obliged|required|compelled|bound|forced) to|compulsory"
    r"|obligatory|mandatory|(?:a|the|his|her|their) duty to|no choice but to|cannot avoid|(?:is|are) a must"
    r"|is (?:necessary|essential|required) (?:that|to)",
    "may": r"may|(?:is|are|be) (?:allowed|permitted|welcome|entitled) to|(?:is|are) (?:allowed|permitted)(?=[ .,;]|$)"
    r"|optionally",
    "should": r"should|ought to|(?:is|are) (?:recommended|advised|asked|encouraged|requested) to|(?:is|are) recommended"
    r"|we (?:recommend|advise|suggest)|it is (?:advisable|best)",
}
_KIND = re.compile("|".join(rf"(?P<{name}>\b(?:{pattern})\b)" for name, pattern in _KINDS.items()))
_EXCLUDED = frozenset(
    {
        *(("duty", "free"), ("duty", "may"), ("free", "duty"), ("may", "duty"), ("should", "duty"), ("should", "free")),
        *(("may", "forbidden"), ("forbidden", "may"), ("forbidden", "free")),
    }
)
"""What a document says, and what a claim may then not say."""
_MONTH = re.compile(r"(?<=\S )May\b")
_LIMITED = re.compile(
    r"\b(?:only|except\w{0,5}|unless|if|provided|providing|until|before|after|but|other than|when\w{0,5}|without|either"
    r"|neither|nor|till|apart|under|over|than|least|most|both|instead|rather|first|once|from|while|although|though|however"
    r"|who|whose|nobody|no one|none|no|not|never|outside|within|up to|during|depend\w{0,5}|vary|varies"
    r"|possib\w{1,4})\b|;|n't\b"
)
"""Words that limit whom or what a duty or permission is for: another may be for the rest."""
_POSSIBLE = re.compile(
    r"\bmay (?:also )?(?:not )?(?:differ|include|contain|cause|appear|occur|happen|change|result|lead|help|affect"
    r"|indicate|have|need|seem|experience|suffer|feel|increase|reduce|improve"
    r"|be (?:available|supported|different|due|caused|able|necessary|required|more|less|a|an|the|in|at))\b"
)
"""A "may" that tells what is possible, not what is allowed."""
_CLAUSE = re.compile(r"; |, (?=and |but |while |whereas )")
_OF_KINDS = (
    "obliged required compelled bound forced compulsory obligatory mandatory duty choice avoid necessary essential need"
    " optional voluntary free choose decide like wish please allowed permitted welcome entitled recommended advised"
    " forbidden prohibited banned obligation"
)
_OWN = frozenset(map(stem, _OF_KINDS.split()))
"""The stems of the words that tell the kind: they are no part of what it is about."""

_FILLERS = frozenset("you your then next also first final finally pleas please now afterwards the a an".split())
"""Words that an answer adds or leaves out where it tells steps, and that change nothing."""
_ADDED = frozenset("now then also pleas".split())
"""Those of them that an answer may add wherever it likes."""
_LIMITS = frozenset(
    """not no never none nor neither non only except unless if until or some most few may might can could should almost
    than but when while where as though although whether who which that because since so therefore fals deni say said
    claim believ think thought expect plan suppos alleg rumour propos instead rather formerli former nobodi noth
    nowhere against avoid advis recommend suggest warn""".split()
)
"""Words that may limit what stands beside them."""
_LIMITING_PLACES = frozenset(
    "in on at by for from to with without during before after above below under over of within between".split()
)
"""Words that begin a phrase which may limit the rest: "On Thursdays it is open"."""

_UNITS = """
    second 1, minute 60, hour 3600, day 86400, week 604800, fortnight 1209600, month 2629800, year 31557600,
    decade 315576000, century 3155760000
    | millimetre 0.001, centimetre 0.01, metre 1, kilometre 1000, inch 0.0254, inches 0.0254, foot 0.3048,
    feet 0.3048, yard 0.9144, mile 1609.344
    | milligram 0.001, gram 1, kilogram 1000, tonne 1000000, ton 1000000, ounce 28.35, pound 453.6, stone 6350
    | millilitre 0.001, centilitre 0.01, decilitre 0.1, litre 1, gallon 4.546, pint 0.568, teaspoon 0.005,
    tablespoon 0.015, cup 0.24
    | kilobyte 1, megabyte 1000, gigabyte 1000000, terabyte 1000000000
    | euro 1, dollar 2, franc 4, yen 5, crown 6, krona 7, rupee 8, cent 9, penny 10, pence 10
    | percent 1, degree 2
"""
"""Units of the same kind, with their sizes; of money and shares, only that they differ."""
_SIZES = {
    stem(name): (kind, float(size))
    for kind, line in enumerate(_UNITS.split("|"))
    for name, size in (entry.split() for entry in line.split(","))
}
_AMOUNT = re.compile(
    r"(?:\b(?:(?P<least>at least|more than|over|above|exceed(?:s|ing)?|beyond)"
    r"|(?P<most>at most|less than|fewer than|under|below|within)) )?(?:the )?(?:age of )?"
    r"(?<![\w.,:-])(?P<value>\d{1,15}(?:\.\d{1,6})?)[ -](?P<unit>[a-z]{1,20})"
    r"(?:,? (?:a|an|per|each|every) (?P<rate>second|minute|hour|day|night|week|month|year|person|head|family|car"
    r"|child)\b)?"
)
_NO_UNITS = frozenset("pm am p a s st nd rd th of and or to in at on is are was were the by".split())
_LIKE, _LIKE_BOUND = 0.6, 0.75
"""The least share of the claim's words, 0 to 1, that the document sentence has; the second for a changed bound."""
_NEARLY = 0.05
"""The relative difference up to which a converted amount is the same."""


def contrary(claim: str, documents: Sequence[str]) -> int | None:
    """The place of the document sentence that the claim contradicts by one changed thing; `None` if there is none."""
    contrasts = (exchanged_roles, other_order, other_amount, other_duty)
    return next((place for contrast in contrasts if (place := contrast(claim, documents)) is not None), None)


@lru_cache(maxsize=4000)
def normal_text(text: str) -> str:
    """The text in lower case, with single spaces and straight apostrophes, without the end of a very long one."""
    return " ".join(text[:_LONGEST].lower().replace("’", "'").split())


@lru_cache(maxsize=4000)
def negations(text: str) -> int:
    """How many words of the text deny something."""
    return sum(is_negation(word) or word in _NOTHING for word in re.findall(r"[a-z']+", normal_text(text)))


def share(words: frozenset[str], text: str) -> float:
    """The share of the words, at least one, that the text has, 0 to 1."""
    return len(words & analyse(text).words) / len(words)


def exchanged_roles(claim: str, documents: Sequence[str]) -> int | None:
    """The place of the document sentence in which two things stand in each other's place; `None` if there is none."""
    statement = analyse(claim)
    ours = _order(statement)
    if statement.words.issuperset(statement.sequence) or not _SHORTEST <= len(ours) <= _LONGEST_CLAIM:
        return None
    for place, text in enumerate(documents):
        passage = analyse(text)
        windows = list(_windows(_order(passage), ours)) if statement.words <= passage.words else []
        if ours not in windows and any(_swapped(ours, theirs, statement.words) for theirs in windows):
            return place
    return None


def _order(text: Text) -> tuple[str, ...]:
    return tuple(word for word in text.sequence[:_LONGEST_TOLD] if word not in _SMALL)


def _windows(passage: tuple[str, ...], ours: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The stretches of a document sentence with our words in some order."""
    wanted = sorted(ours)
    return (w for at in range(len(passage) - len(ours) + 1) if sorted(w := passage[at : at + len(ours)]) == wanted)


def _swapped(claim: tuple[str, ...], text: tuple[str, ...], content: frozenset[str]) -> bool:
    """Whether the words are A X B Y C here and A Y B X C there, X and Y with content, and B is not mutual."""
    start = next(i for i, (a, b) in enumerate(zip(claim, text, strict=True)) if a != b)
    end = len(claim) - next(i for i, (a, b) in enumerate(zip(claim[::-1], text[::-1], strict=True)) if a != b)
    ours, theirs = claim[start:end], text[start:end]
    for i in range(1, len(ours)):
        for j in range(i + 1, len(ours)):
            if ours[j:] + ours[i:j] + ours[:i] == theirs and {*ours[:i]} & content and {*ours[j:]} & content:
                return not ({*ours[i:j]} <= _MUTUAL or (start == 0 and {ours[0], theirs[0]} & _MOVABLE))
    return False


class Events(NamedTuple):
    """The words of two events, the earlier one first; words of both are left out."""

    first: frozenset[str]
    second: frozenset[str]


def other_order(claim: str, documents: Sequence[str]) -> int | None:
    """The place of the document sentence that tells the claim's events in the other order; `None` if none does.

    A document sentence that tells them in the claim's order clears it.
    """
    events = events_in_order(claim)
    if not events:
        return None
    passages = [events_in_order(text) for text in documents]
    if any(_same_events(a, b) for a in events for of_one in passages for b in of_one):
        return None
    for place, of_one in enumerate(passages):
        turned = any(_same_events(a, Events(b.second, b.first)) for a in events for b in of_one)
        if turned and negations(claim) == negations(documents[place]):
            return place
    return None


@lru_cache(maxsize=4000)
def events_in_order(text: str) -> tuple[Events, ...]:
    """The events that a sentence puts in order, two at a time."""
    text = normal_text(text)
    if text.count(" ") >= _MOST_WORDS or ("after" in text and ("before" in text or "earlier" in text)):
        return ()  # it may speak of both
    events = []
    for one, other in (*_joined(text), *_firsts(text)):
        if _PERIOD.fullmatch(one.strip()) or _PERIOD.fullmatch(other.strip()):
            continue
        a, b = analyse(one).words, analyse(other).words
        if a - b and b - a:
            events.append(Events(a - b, b - a))
    for start, end in _RANGE.findall(text):
        events.append(Events(frozenset((f"from {start}", f"to {end}")), frozenset((f"from {end}", f"to {start}"))))
    return tuple(events)


def _joined(text: str) -> Iterator[tuple[str, str]]:
    """Earlier and later part of the sentence, for every word such as "before" in it."""
    joints = list(_JOINT.finditer(text))
    for number, joint in enumerate(joints):
        kind = str(joint.lastgroup)
        if kind in ("stop", "end"):
            continue
        start = joints[number - 1].end() if number else 0
        end = joints[number + 1].start() if number + 1 < len(joints) else len(text)
        before, after = text[start : joint.start()].strip(" ,."), text[joint.end() : end].strip(" ,.")
        opens = not before or _PERIOD.fullmatch(before) or text[: joint.start()].rstrip().endswith((",", "and"))
        if kind != "then" and opens:  # "Before it boils, add the salt."
            after, comma, before = after.partition(",")
            if not comma:
                continue
        if kind == "until":
            if not negations(before):
                continue  # what lasts until something happens may end with it
            kind = "later"
        yield (after, before) if kind == "later" else (before, after)


def _firsts(text: str) -> Iterator[tuple[str, str]]:
    """The part with the adverb "first", and each part beside it."""
    for match in _FIRST.finditer(text):
        before = text[: match.start()].rstrip()
        if before.endswith("'s") or before.rpartition(" ")[2] in _DETERMINERS:
            continue
        cuts = list(_PART_OF_ORDER.finditer(text))
        spans = list(zip([0, *(c.end() for c in cuts)], [*(c.start() for c in cuts), len(text)], strict=True))
        at = next((i for i, (start, end) in enumerate(spans) if start <= match.start() < end), None)
        if at is None:
            continue
        mine = text[slice(*spans[at])].replace(match[0], " ")
        if condition := _CONDITION.search(mine):  # "It can be exported if the password is entered first."
            yield mine[condition.end() :], mine[: condition.start()]
        yield from ((mine, text[slice(*span)]) for span in spans[at + 1 :])


def _same_events(a: Events, b: Events) -> bool:
    """Whether the events are the same in the same order; one word that would cross them does not count."""
    if len(a.first & b.second) + len(a.second & b.first) > 1:
        return False
    shares = _common(a.first - b.second, b.first - a.second), _common(a.second - b.first, b.second - a.first)
    return min(shares) >= _LIKE_EVENT and max(shares) >= _MOST_LIKE_EVENT


def _common(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / min(len(a), len(b)) if a and b else 0


def other_duty(claim: str, documents: Sequence[str]) -> int | None:
    """The place of the document sentence that says the same as a duty where the claim says a permission, or the like.

    Of a document sentence only the clause counts that is most like the claim. `None` if there is none, or if a clause
    has several of them or limits them.
    """
    kind, words = _only_kind(claim), analyse(claim).words - _OWN
    if kind is None or len(words) < 2:
        return None
    for place, text in enumerate(documents):
        clause = max(_CLAUSE.split(text), key=lambda one: share(words, one))
        if (other := _only_kind(clause)) and (other, kind) in _EXCLUDED and share(words, clause) >= _LIKE:
            return place
    return None


@lru_cache(maxsize=4000)
def _only_kind(text: str) -> str | None:
    """The one kind of duty or permission that the text speaks of, without limits."""
    text = normal_text(_MONTH.sub(" ", text))
    kinds = [str(one.lastgroup) for one in _KIND.finditer(text)]
    if len(kinds) != 1 or _POSSIBLE.search(text) or _LIMITED.search(_KIND.sub(" ", text)):
        return None
    return kinds[0]


class Amount(NamedTuple):
    """A number, the stem of its unit, the period or head it is for, and its bound: 1 at least, -1 at most, 0 none."""

    value: float
    unit: str
    rate: str
    bound: int


@lru_cache(maxsize=4000)
def amounts(text: str) -> tuple[Amount, ...]:
    """Every number of the text, in one notation, that has a unit or counts something."""
    return tuple(
        Amount(float(a["value"]), stem(a["unit"]), a["rate"] or "", bool(a["least"]) - bool(a["most"]))
        for a in _AMOUNT.finditer(normal_text(text))
        if a["unit"] not in _NO_UNITS
    )


def other_amount(claim: str, documents: Sequence[str]) -> int | None:
    """The place of the document sentence that has a number of the claim with another unit, rate or bound.

    `None` if there is none, or if one of the document sentences has the claim's amount.
    """
    theirs = [other for text in documents for other in amounts(text)]
    strange = [one for one in amounts(claim) if not any(_equal(one, other) for other in theirs)]
    words = frozenset(word for word in analyse(claim).words if word[0] != "#") - _SIZES.keys()
    if not words or not strange:
        return None
    for place, text in enumerate(documents):
        common = share(words, text)
        if common < _LIKE or negations(claim) != negations(text):
            continue
        if any(_differs(one, other, common) for one in strange for other in amounts(text)):
            return place
    return None


def _differs(one: Amount, other: Amount, common: float) -> bool:
    if one.value != other.value:
        return False
    ours, theirs = _SIZES.get(one.unit), _SIZES.get(other.unit)
    if ours and theirs and ours != theirs:
        return ours[0] == theirs[0]
    another_rate = bool(one.rate and other.rate and one.rate != other.rate)
    return one.unit == other.unit and (another_rate or (common >= _LIKE_BOUND and one.bound * other.bound < 0))


def _equal(one: Amount, other: Amount) -> bool:
    """Whether the two amounts are the same, or nothing speaks against it."""
    ours, theirs = _SIZES.get(one.unit), _SIZES.get(other.unit)
    if ours is None or theirs is None:
        return one == other
    if ours[0] != theirs[0] or abs(one.value * ours[1] - other.value * theirs[1]) > _NEARLY * one.value * ours[1]:
        return False
    other_rate = one.rate and other.rate and one.rate != other.rate
    return one.unit != other.unit or (one.bound * other.bound >= 0 and not other_rate)


def repeats(answer: Text, document: Text) -> bool:
    """Whether the document sentence says the answer in the same words: all of them, with a part moved, or a clause."""
    ours, theirs = (tuple(w for w in text.sequence if w not in _FILLERS) for text in (answer, document))
    if len(answer.words) < 2 or not 3 <= len(ours) <= len(theirs) or not answer.words - _ADDED <= document.words:
        return False
    if len(ours) == len(theirs):
        return ours == theirs or _is_moved(ours, theirs)
    places = (at for at in range(len(theirs) - len(ours) + 1) if theirs[at : at + len(ours)] == ours)
    return any(_clause(theirs[:at], theirs[at + len(ours) :]) for at in places)


def _is_moved(ours: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Whether a phrase or clause of the beginning stands at the end, or the other way round."""
    for at in range(1, len(theirs)):
        if ours == theirs[at:] + theirs[:at]:
            return bool({theirs[0], ours[0]} & (_LIMITING_PLACES | _LIMITS))
    return False


def _clause(before: tuple[str, ...], after: tuple[str, ...]) -> bool:
    """Whether the rest of the document sentence leaves the clause between as it is."""
    rest = {*before, *after}
    if rest & _LIMITS or any(is_negation(word) for word in rest) or set(before) & (_LIMITING_PLACES | {"and"}):
        return False
    return not after or after[0] == "and"
