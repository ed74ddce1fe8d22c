"""What the words before a text say that it is, as a story tells it: `a guest typed`, `and it came back with`, `it
should have said`, `the only article it pulled was this`, in nine languages.

Who does it matters as much as the verb: a person asks and a machine answers; a machine that asks back, a person who
answers or finds something, and whatever did not happen, tell nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from trace_core.datasets.text.translation import unaccented
from trace_core.endpoint.reading.language.names import without_names
from trace_core.endpoint.reading.language.roles import ASKED, RELEVANT, said_by
from trace_core.endpoint.reading.language.words import field_named
from trace_core.endpoint.reading.leads.words import (
    ADVERBS,
    ANSWERED,
    ASKERS,
    ASKS,
    CONSULTS,
    COPULAS,
    DENIED,
    ENGINES,
    FETCHED,
    FILLS,
    FINDS,
    FIRST,
    FOR,
    HANGING,
    HITS,
    KNOWS,
    MACHINE,
    MACHINES,
    NEGATED,
    ORIGINS,
    PASSIVE,
    PERSON,
    PERSONS,
    PHRASES,
    REFERENCES,
    REPLIES,
    RETURNS,
    SAYS,
    SEARCH,
    SEARCHERS,
    SEARCHES,
    SHOULD,
    TOPICS,
    TRUE,
    WANTED,
)

_WORD = re.compile(r"[^\W\d_]+")
_STRANGE = re.compile(r"[/|()\[\]]|(?<=\w[ ])[A-HJ-Z]\b")
"""A sign that no such clause has, or the letter of one of several texts."""
_NUMBER = re.compile(r"\w{0,20}\d\w{0,20}(?:[ ](?:[^\W\d_]{1,20}[ ])?(?P<of>[^\W\d_]{1,30}))?")
_CLAUSE = re.compile(r"[.!?;…:\u2600-\u27bf\U0001f000-\U0001faff](?:[\"”“»)]?\s)|\n")
_CLAUSE_AFTER = re.compile(r"[.!?;…:,\n]")
_OF_MACHINE = re.compile(r"['’]s?[ ](?:question|query)\b", re.IGNORECASE)
_BUT = re.compile(
    r",[ ](?:but|while|whereas|aber|während|mais|alors que|tandis que|pero|mientras que|ma|mentre|mas|enquanto|maar"
    r"|terwijl|men|medan|ale|podczas gdy)\b",
    re.IGNORECASE,
)
_MOST_SEARCHED, _FEW = 6, 4
_HELPING = frozenset("has had have hat hatte a avait ha habia ho heeft had har hade did".split())
_COUNTS_AS_TRUE = re.compile(
    r"\b(?:counts?|gilt|gelten|comptent?|valen?|conta(?:no|m)?|telt|tellen|räknas|liczy się|is|are|would be|ist|sind"
    r"|est|sont|es|son|è|sono|zijn|é|são|är|jest|są)\b(?: \w{1,8}){0,2} (?:correct|right|accepted|acceptable|richtig"
    r"|korrekt|akzeptiert|correct[eo]?s?|accepté\w{0,2}|acceptables?|correct[ao]s?|aceptad[ao]s|válid[ao]s?|corrett[oaie]"
    r"|giust[oaie]|accettat[oaie]|juist|goed|corret[ao]s?|aceit[ao]s?|rätt|godkänt|poprawn\w{1,2})\s*\Z",
    re.IGNORECASE,
)
"""`“…” or “…” counts as correct`."""
_AS = re.compile(
    r"(?:as|als|comme|como|come|som|jako) (?:(?:the|an?|die|la|le|el|il|de|het|o) )?(?P<what>[^\W\d_][\w ]{2,40})",
    re.IGNORECASE,
)
"""`“…” as the ground truth`"""
_ABOUT_A_QUESTION = re.compile(
    r"(?:\A|\s)(?:for|about|zu|für|pour|para|per|voor|over|för|dla)"
    r"(?: (?:the|die|la|de|het|den) (?:question|query|frage|pregunta|domanda|pergunta|vraag))?[ \t]*\Z",
    re.IGNORECASE,
)


class _Seen(NamedTuple):
    """A telling word: its place, what it tells, and whether it is a verb."""

    place: int
    kind: str
    verb: bool


def last_clause(gap: str) -> str:
    """The clause before a text."""
    gap = gap.rstrip(" \t\n:：,—–-")
    ends = list(_CLAUSE.finditer(gap))
    return gap[ends[-1].end() :] if ends else gap


def clause_after(gap: str) -> str:
    """The clause after a text."""
    return _CLAUSE_AFTER.split(gap.lstrip(" ,.!?"), maxsplit=1)[0]


def told_by(clause: str, text: str = "") -> str | None:
    """The field of the text after the clause; `None` where the clause does not tell, or tells two things.

    What stands before a comma and `but` is told of something else: `I have lost the question, but the bot said`.
    """
    return _told_by(clause, text) or (_told_by(last, text) if (last := _BUT.split(clause)[-1]) != clause else None)


def _told_by(clause: str, text: str) -> str | None:
    """The same of a clause without a contrast."""
    if without_names(clause) != clause or _STRANGE.search(clause) or _numbered(clause):
        return None
    if named := "question" if asks_about(clause, text) else field_named(clause.strip(" \t*_#>-•")):
        return named
    words = words_in(clause)
    if not words or not DENIED.isdisjoint(words) or words[-1] in HANGING:
        return None
    if any(word.startswith(RELEVANT) for word in words):
        return None
    seen = [one for place, word in enumerate(words) if (one := seen_at(word, place, words))]
    if not seen and len(words) <= _FEW:
        return _speaker(words) or _label(clause)
    if not seen or not _leads(words, seen[-1]):
        return _written(words, text)
    kinds = {one.kind for one in seen}
    if "true" in kinds:
        return _truth(kinds, words)
    kinds = _without_say(_without_return(kinds, words, seen), words, seen)
    if len(kinds) != 1 or not by_the_right_one(clause, words, seen):
        return _written(words, text)
    return kinds.pop() or None


def told_after(clause: str, text: str) -> str | None:
    """The field of a text that the clause follows: `“…?” asked the guest`, `“…” was the only passage it got`."""
    words = clause.split()
    if named := _AS.fullmatch(clause.strip()):
        return field_named(named["what"])
    if _COUNTS_AS_TRUE.search(clause) and DENIED.isdisjoint(words_in(clause)):
        return "ground_truth"
    helping = next((place for place, word in enumerate(words) if unaccented(word.lower()) not in _HELPING), len(words))
    verbs = helping + (helping < len(words) and _is_verb(words[helping]))
    return told_by(" ".join([*words[verbs:], *words[:verbs]]), text)


def _is_verb(word: str) -> bool:
    """Whether a clause after a text may begin with the word: the one who does it comes next."""
    plain = unaccented(word.lower())
    seen = seen_at(plain, 0, [plain])
    return plain in COPULAS or plain.startswith(WANTED) or bool(seen and seen.verb)


def asks_about(clause: str, text: str) -> bool:
    """Whether the clause leads to a question that something was found or said for: `the three hits for “…?”`."""
    return text.rstrip().endswith(("?", "？")) and _ABOUT_A_QUESTION.search(clause) is not None


def tells_contexts(line: str) -> bool:
    """Whether a line that leads to a list speaks of texts, or of finding them: `Retrieved these three for “…”:`."""
    return any(word.startswith((*TOPICS, *FINDS, *HITS)) for word in words_in(line))


def contradicts(gap: str, field: str) -> bool:
    """Whether the clause before a text tells something else than the field, or that the wrong one did it, or none."""
    clause = without_names(last_clause(gap))
    words = [word for word in words_in(clause) if word not in PERSON]  # `I'd like to know … of the answer`
    seen = [one for place, word in enumerate(words) if (one := seen_at(word, place, words))]
    told = [_sayer(words, seen, one) if one.kind in ("say", "return") else one.kind for one in seen]
    kinds = [kind for kind in told if kind]
    if not kinds:
        return "return" in {one.kind for one in seen} and any(map(is_person, words))
    if not NEGATED.isdisjoint(words):
        return True
    if "true" in kinds:
        return any(map(is_machine, words)) and not any(word.startswith(SHOULD) for word in words)
    if field == "contexts" and (not DENIED.isdisjoint(words) or any(word.startswith(RELEVANT) for word in words)):
        return True
    return kinds[-1] != field or not by_the_right_one(clause, words, seen)


def _numbered(clause: str) -> bool:
    """Whether the clause has a number that does not count the texts: an id, which would be dropped."""
    return any(not (n["of"] and unaccented(n["of"].lower()).startswith(TOPICS)) for n in _NUMBER.finditer(clause))


def words_in(clause: str) -> list[str]:
    """The words of the clause without accents, in lower case, and those of another look by words that mean the same."""
    for phrase, word in PHRASES:
        clause = phrase.sub(f" {word} ", clause)
    said = [*_WORD.findall(clause), ""]
    plain = [unaccented(word.lower()).replace("ł", "l") for word in said]
    return [
        "ich" if word == "I" and not after.startswith(TOPICS) else one  # not in `I passaggi trovati`
        for word, one, after in zip(said, plain, plain[1:], strict=False)
    ]


def seen_at(word: str, place: int, words: Sequence[str]) -> _Seen | None:
    """What the word at that place tells; `None` where it tells nothing."""
    if word.startswith(TRUE) and (word.endswith(ADVERBS) or ANSWERED.match(" ".join(words[place + 1 : place + 2]))):
        return None  # `correctly answered`, `richtig geantwortet`
    if _searcher(word):
        return None
    if word.startswith((*SHOULD, *TRUE)):
        return _Seen(place, "true", False)
    if word in KNOWS:
        wants = any(one.startswith(WANTED) for one in words) and FIRST.isdisjoint(words)
        return _Seen(place, "question", True) if wants else None
    for stems_of, kind, verb in (
        ((*ASKS, *SEARCHES), "question", True), ((*ASKED, "prompt"), "question", False), (TOPICS, "contexts", False),
        (CONSULTS, "question" if any(map(is_person, words)) else "contexts", True), (FINDS, "contexts", True),
        (REPLIES, "answer", True), (RETURNS, "return", True), (SAYS, "say", True),
    ):  # fmt: skip
        if word.startswith(stems_of):
            return _Seen(place, kind, verb)
    return None


def _leads(words: Sequence[str], last: _Seen) -> bool:
    """Whether nothing but small words, and who was asked, stands between the last telling word and the text."""
    after = list(enumerate(words))[last.place + 1 :]
    if any(word in FOR for _, word in after):
        return words[last.place].startswith(SEARCHES) and words[-1] in FOR and len(after) <= _MOST_SEARCHED
    if after and not last.verb and last.kind == "contexts" and after[0][1] in ORIGINS:
        return len(after) <= _MOST_SEARCHED
    for place, word in after:
        if word in COPULAS:
            told = place == last.place + 1 or not last.verb or words[place - 1] in COPULAS
            if not told:
                return False
        elif place == last.place + 1 and word in PASSIVE:
            continue
        elif not (word in FILLS or is_person(word) or any(map(is_machine, words[place : place + 3]))):
            return False
    return True


def _truth(kinds: set[str], words: Sequence[str]) -> str | None:
    """What should have been said; what should have been found or asked is none."""
    if kinds & {"question", "contexts"}:
        return None
    if not any(word.startswith(SHOULD) for word in words) and any(map(is_machine, words)):
        return None  # the machine has answered right, or says that it has
    said = kinds & {"answer", "say"} or words[-1] in COPULAS or words[-1].startswith(REFERENCES)
    return "ground_truth" if said else None


def _without_return(kinds: set[str], words: Sequence[str], seen: Sequence[_Seen]) -> set[str]:
    """What a search returns was found; what anyone else returns is unknown, unless another word tells it."""
    verb = next((one for one in seen if one.kind == "return"), None)
    return (kinds - {"return"} or {"contexts" if _searches(words, verb) else ""}) if verb else kinds


def _without_say(kinds: set[str], words: Sequence[str], seen: Sequence[_Seen]) -> set[str]:
    """What `said` tells depends on who says it: a machine answers, a source is cited; of anyone else it is unknown."""
    verb = next((one for one in seen if one.kind == "say"), None)
    if verb is None:
        return kinds
    kinds = kinds - {"say"}
    if _searches(words, verb):
        return kinds | {"contexts"}
    if _sayer(words, seen, verb) == "answer" and not any(map(is_person, words[: verb.place])):
        return kinds | {"answer"}
    return kinds if _sayer(words, seen, verb) == "contexts" and kinds == {"contexts"} else {"", *kinds}


def _searches(words: Sequence[str], verb: _Seen) -> bool:
    """Whether a search does it, and no machine that speaks: `the search engine found`, unlike `the search bot said`."""
    who = words[: verb.place] or words
    speaks = [word for word in who if is_machine(word) and not _searcher(word) and not word.startswith(ENGINES)]
    return any(map(_searcher, who)) and not speaks


def _sayer(words: Sequence[str], seen: Sequence[_Seen], verb: _Seen) -> str:
    """What is told by whoever says something: the first before the verb that is a source, or a machine."""
    if _searches(words, verb):
        return "contexts"
    topic = next((one.place for one in seen if one.kind == "contexts" and one.place < verb.place), len(words))
    machine = next((place for place, word in enumerate(words[: verb.place]) if is_machine(word)), len(words))
    return "contexts" if topic < machine else "answer" if machine < topic else ""


def by_the_right_one(clause: str, words: Sequence[str], seen: Sequence[_Seen]) -> bool:
    """Whether a machine has not asked, and no person has answered or found, unless in the passive voice."""
    verb = next((one for one in seen if one.verb), None)
    if verb is None:
        before = words[: seen[0].place]
        if seen[0].kind == "contexts" and any(map(is_person, before)) and not any(map(is_machine, before)):
            return False
        return not (any(map(is_machine, before)) and _OF_MACHINE.search(clause))
    before = words[: verb.place]
    passive = not PASSIVE.isdisjoint(before) or ((COPULAS | PASSIVE).issuperset(words[-1:]) and verb.place == 0)
    wrong_one = is_machine if verb.kind == "question" else is_person
    ours = words[verb.place].startswith(FETCHED) and FIRST.issuperset(word for word in before if is_person(word))
    noun_first = any(not one.verb and one.place < verb.place for one in seen) and verb.kind == "question"
    return passive or noun_first or ours or not any(map(wrong_one, before))


def _speaker(words: Sequence[str]) -> str | None:
    """What stands after the one who speaks alone: `Visitor:`, `Our bot:`."""
    named = [word for word in words if word not in FILLS]
    if not named:
        return None
    return "answer" if all(map(is_machine, named)) else "question" if all(w.startswith(ASKERS) for w in named) else None


def _label(clause: str) -> str | None:
    """What a word says that stands alone as a label does: `Soll:`."""
    said = said_by(clause) if clause.strip().isalpha() else None
    return said.field if said and said.whole else None


def opens(clause: str) -> bool:
    """Whether a customer says or writes something; at the beginning of a story this is what the machine was asked."""
    words = words_in(clause)
    asker = any(word.startswith(ASKERS) for word in words[:-1])
    says = bool(words) and words[-1].startswith(SAYS) and asker and not any(map(is_machine, words))
    return says and DENIED.isdisjoint(words) and PASSIVE.isdisjoint(words)


def _written(words: Sequence[str], text: str) -> str | None:
    """What a person has written is a question where it ends like one."""
    asks = text.rstrip().endswith(("?", "？")) and len(words) > 1
    says = words[-1].startswith(SAYS) and any(map(is_person, words[:-1])) and not any(map(is_machine, words))
    return "question" if asks and says and PASSIVE.isdisjoint(words) else None


def _searcher(word: str) -> bool:
    return word in SEARCH or word.startswith(SEARCHERS)


def is_machine(word: str) -> bool:
    """Whether the word, in lower case without accents, is one for a machine."""
    return word in MACHINE or (word.startswith(MACHINES) and not word.startswith(PERSONS))  # an engineer is no engine


def is_person(word: str) -> bool:
    """Whether the word names people."""
    return word in PERSON or word.startswith(PERSONS)
