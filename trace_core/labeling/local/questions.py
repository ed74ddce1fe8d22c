"""A bare "Yes." or "No." spelled out: "Is the museum open on Mondays?" — "Yes." claims "The museum is open on Mondays."

The subject of a question ends where its next word cannot belong to it. A subject cut too short or too long still
leaves all words in the statement, and the reader is not strict about their order.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from trace_core.labeling.local.texts import unmarked

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
_BE_HAVE = frozenset("is are was were am isn't aren't wasn't weren't has have had hasn't haven't hadn't".split())
_DO = frozenset("do does did don't doesn't didn't".split())
_MODAL = frozenset(
    "can could may might must shall should will would can't couldn't mustn't shouldn't won't wouldn't".split()
)
_AUXILIARY = _BE_HAVE | _DO | _MODAL
_PRONOUN = frozenset(
    "i you we they it he she there everyone everybody anyone anybody someone somebody nobody one this that".split()
)
_DETERMINER = frozenset(
    """the a an my your our their his her its this that these those all some any each every both no most two three
    four five six""".split()
)
_JOINED = frozenset("of for from and with without".split())
"""Words after which a subject may go on."""
_ENDS_SUBJECT = re.compile(
    r"\w{2,}ed|given|taken|written|broken|chosen|driven|eaten|fallen|frozen|hidden|known|seen|shown|stolen|thrown|worn"
    r"|grown|drawn|gone|done|built|held|made|kept|found|sold|born|lent|led|paid|sent|cut|put|set|lost|won|bought|taught|hurt"
    r"|open|closed|free|available|possible|necessary|ripe|full|empty|due|ready|safe|dangerous|legal|valid|late|able"
    r"|accessible|suitable|washable|waterproof|responsible|compulsory|obligatory|mandatory|optional|still|also|already"
    r"|always|usually|only|really|ever|near|next|older|younger|higher|lower|larger|smaller|longer|shorter|cheaper|faster",
    re.IGNORECASE,
)
"""Words that begin what is said of the subject of "is", "was" and the like."""
_TAG = re.compile(
    r", (?:is that (?:right|correct|true|so)|(?:is|are|was|were|does|do|did|has|have|can|will|would|should|must)"
    r"(?:n['’]t)? (?:it|they|he|she|you|we|i|there|that)|right|correct|yes|no|true|am i right)$",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\bMr\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bSt\.)(?<!\bMrs\.)\s+")
_LONGEST, _LONGEST_BARE = 2000, 200


class Claim(NamedTuple):
    """What a response sentence claims, as a whole sentence, and whether it denies it instead."""

    statement: str
    denies: bool


def spelled_out(question: str, answer: str) -> Claim | None:
    """The statement that a bare yes or no claims or denies; `None` for any other answer or question."""
    bare = unmarked(answer)
    if not bare or len(bare) > _LONGEST_BARE:
        return None
    agrees, denies = _AGREES.fullmatch(bare), _DENIES.fullmatch(bare)
    statement = _statement(question) if agrees or denies else ""
    return Claim(f"{statement[0].upper()}{statement[1:]}.", denies is not None) if statement else None


def _statement(question: str) -> str:
    """The statement whose truth the question's last sentence asks for; empty for a question of another kind."""
    sentences = [s for s in _SENTENCE_END.split(question.strip()[-_LONGEST:]) if s.strip("?!. ")]
    asked = sentences[-1].rstrip("?!. \n") if sentences else ""
    statement = _TAG.sub("", asked)
    if statement != asked:
        return re.sub(r"^(?:so|and|but),? ", "", statement, flags=re.IGNORECASE)
    condition, comma, rest = asked.partition(", ")
    if comma and _opens(rest):
        return f"{condition}, {_inverted(rest.split())}"
    return _inverted(asked.split()) if _opens(asked) else ""


def _opens(text: str) -> bool:
    """Whether it begins as a question for yes or no."""
    words = text.split()
    return len(words) > 2 and _plain(words[0]) in _AUXILIARY


def _plain(word: str) -> str:
    return word.lower().replace("’", "'")


def _inverted(words: list[str]) -> str:
    """Is the museum open → the museum is open; do you accept cheques → you accept cheques."""
    auxiliary, rest = _plain(words[0]), words[1:]
    if auxiliary in _DO:
        return " ".join(rest)
    positive = {"can't": "can", "won't": "will"}.get(auxiliary, auxiliary.removesuffix("n't"))
    end = _subject(rest, auxiliary in _BE_HAVE)
    return " ".join([*rest[:end], positive, *rest[end:]])


def _subject(words: list[str], is_said_of: bool) -> int:
    """The number of words of the subject at the beginning."""
    first = _plain(words[0])
    if first in _PRONOUN:
        return 1
    if is_said_of:
        end = next((i for i, w in enumerate(words[1:], start=1) if _ENDS_SUBJECT.fullmatch(w)), 0)
        if end:
            return end
    end = 2 if first in _DETERMINER else 1
    while end < len(words) - 1:
        if words[end][0].isupper() or words[end - 1].endswith(("'s", "’s")):
            end += 1
        elif words[end] in _JOINED and end + 2 < len(words):
            end += 3 if _plain(words[end + 1]) in _DETERMINER else 2
        else:
            break
    return min(end, len(words))
