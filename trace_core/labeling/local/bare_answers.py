"""Bare answers spelled out: "No." and "9 euros." say something only together with their question.

"Is the museum open on Mondays?" — "Yes." is read as "The museum is open on Mondays."; "No." denies that sentence.
"How much do students pay?" — "9 euros." is read as "Students pay 9 euros."
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from trace_core.facts.words import STOPWORDS, TOKEN, stem
from trace_core.labeling.local.statements import (
    AUXILIARY,
    PRONOUN,
    asked_whether,
    completed,
    is_for_a_detail,
    last_asked,
)
from trace_core.labeling.local.wording.quantities import numbers
from trace_core.labeling.local.wording.texts import names_sources, read, unmarked

_YES = r"yes|yeah|yep|yup|correct|right|exactly|indeed|absolutely|definitely|certainly|of course|sure|true|affirmative"
_NO = (
    r"no|nope|not (?:at all|really|necessarily|quite|any ?more|yet)|never|(?:unfortunately|definitely|certainly"
    r"|absolutely|of course|(?:i['’]m )?afraid) not|incorrect|wrong|false|by no means|under no circumstances|negative"
)
_WHO = r"(?:i|you|we|they|it|he|she|there|this|that|these|those|one)"
_ECHO = (
    r"(?:[,;.!]? (?:of course(?: not)?|please|always|not any ?more|it['’]s true"
    r"|that(?:['’]s| is)? (?:correct|right|true|so)|(?:it|that|there)['’]s not|(?:you|they|we)['’]re not"
    rf"|{_WHO} (?:do not|don['’]t) have to|{_WHO} (?:won['’]t|can['’]t)"
    rf"|{_WHO} (?:is|are|am|was|were|can|could|may|might|must|should|will|would|do|does|did|has|have|had)"
    r"(?:(?:n['’]t)| ?not)?))?"
)
"""What may follow a yes or no without saying more: "it is", "you can't"."""
_AGREES = re.compile(rf"(?:{_YES}|that(?:['’]s| is) (?:correct|right|true)){_ECHO}[\s.!]*", re.IGNORECASE)
_DENIES = re.compile(
    rf"(?:{_NO}|that(?:['’]s| is) (?:not (?:correct|right|true)|wrong|false)){_ECHO}[\s.!]*", re.IGNORECASE
)
_LONGEST_ANSWER = 8
"""The most words of a fragment."""
LONGEST_THING = 4
"""The most words of one that begins with an article; a longer one may be a sentence."""
_ARTICLES = frozenset({"the", "a", "an", "all", "both", "only", "every", "each"})
_PAST = frozenset("fell rose came went won lost ran began sang left died grew broke stood".split())
_WITHIN_NAMES = frozenset("and of the de van von la le du".split())
_LONGEST_BARE = 200
_LONGEST_NUMBER = 24
_NUMBER_ALONE = re.compile(
    r"\W{0,3}(?P<number>\d[\d.,]{0,12}(?<![.,])|[A-Za-z]{3,9})[ \t]?(?P<unit>[A-Za-z]{1,3})?[.!]?\s*"
)
"""A number in digits or in words, and perhaps the abbreviation of a unit."""
_OF_AN_AMOUNT = re.compile(r"how (?:much|long|far|big|large|high|tall|wide|deep|heavy|fast)\b", re.IGNORECASE)
"""Questions whose answer has a unit; "how many" names what is counted, and ages need none."""
_WITH_WORD = re.compile(r"(?P<number>\d[\d.,]{0,12}(?<![.,])|[A-Za-z]{3,9})[ \t]+(?P<word>[^\W\d_]{2,30})")
_OPENS_FRAGMENT = frozenset(
    """in on at by for from with without within after before since until till because due every each once twice three
    about around approximately roughly nearly almost over under up between the a an only to through via daily
    weekly monthly yearly none nobody never nothing both""".split()
)
SAYS_MORE = AUXILIARY | PRONOUN - {"one", "this", "that", "these", "those"}
"""Words of a whole sentence: a fragment has none of them."""


class Claim(NamedTuple):
    """What a response sentence claims, as a whole sentence, and whether it denies it instead."""

    statement: str
    denies: bool


def with_unit(question: str, answer: str, documents: Sequence[str]) -> str:
    """A number alone with the word that follows it in the document sentence nearest to the question: "15" and "15 e" →
    "15 euros". Any other answer is unchanged.
    """
    asks = len(answer) <= _LONGEST_NUMBER and _OF_AN_AMOUNT.match(last_asked(question))
    alone = _NUMBER_ALONE.fullmatch(answer) if asks else None
    value = numbers(alone["number"]) if alone else []
    if alone is None or len(value) != 1:
        return answer
    asked = read(question).words
    for document in sorted((d for d in documents if value[0] in numbers(d)), key=lambda d: -len(read(d).words & asked)):
        for found in _WITH_WORD.finditer(document):
            word = found["word"]
            fits = alone["unit"] is None or word.lower().startswith(alone["unit"][0].lower())
            if numbers(found["number"]) == value and word.lower() not in STOPWORDS and fits:
                return f"{alone['number']} {word}"
    return answer


def spelled_out(question: str, answer: str) -> Claim | None:
    """The statement that a bare answer to the question makes; `None` if the answer is a sentence of its own."""
    bare = unmarked(answer)
    asked = last_asked(question)
    if not bare or not asked or len(bare) > _LONGEST_BARE:
        return None
    mark, asked = asked.endswith("?"), asked.rstrip("?!. ")
    if statement := asked_whether(asked, mark):
        agrees, denies = _AGREES.fullmatch(bare), _DENIES.fullmatch(bare)
        return Claim(as_sentence(statement), denies is not None) if agrees or denies else None
    statement = completed(asked, _lower(bare.rstrip(" ."))) if _is_fragment(bare, asked) else ""
    return Claim(as_sentence(statement), False) if statement else None


def _is_fragment(answer: str, asked: str) -> bool:
    """Whether the answer to a question for a detail is only the detail."""
    if not is_for_a_detail(asked) or answer[-1] in ":?!":
        return False
    text = read(answer)
    if text.refusal or (text.tokens and names_sources(text)):
        return False
    spelled = TOKEN.findall(answer)
    words = [w.lower().replace("’", "'") for w in spelled]
    says_more = SAYS_MORE & {low for low, word in zip(words, spelled, strict=True) if word != "May"}
    if not 0 < len(words) <= _LONGEST_ANSWER or _AGREES.fullmatch(answer) or says_more:
        return False
    repeated = _content(words) & _content([w.lower() for w in TOKEN.findall(asked)])
    if words[0] in _ARTICLES:
        return len(words) <= LONGEST_THING and not repeated
    if len(repeated) > 1:
        return False
    begins = words[0] in _OPENS_FRAGMENT or words[0][0].isdigit() or not answer[0].isalpha()
    names = (w[0].isupper() or w[0].isdigit() or w in _WITHIN_NAMES for w in spelled)
    return begins or len(words) == 1 or all(names) or (len(words) == 2 and _is_a_thing(*words))


def _is_a_thing(first: str, second: str) -> bool:
    """Whether two words are a thing or an amount ("goat cheese", "six months"), not a sentence ("Cats purr")."""
    amount = bool(numbers(first))
    return amount or not (first.endswith("s") or second.endswith(("s", "ed")) or second in _PAST)


def _content(words: list[str]) -> set[str]:
    """The stems of the words that carry meaning."""
    return {stem(w) for w in words if w not in STOPWORDS}


def _lower(detail: str) -> str:
    """The detail within a sentence: "In 1987" → "in 1987", names as they are."""
    first = detail.split()[0]
    return first.lower() + detail[len(first) :] if first.lower() in _OPENS_FRAGMENT else detail


def as_sentence(text: str) -> str:
    """The text as a sentence: a capital letter and a full stop."""
    return f"{text[0].upper()}{text[1:]}."
