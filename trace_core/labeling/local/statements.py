"""Questions turned into the statements that a short answer to them makes.

The subject of a question ends where its next word cannot belong to it. A subject cut too short or too long still
leaves all words in the statement, and the reader is not strict about their order.
"""

from __future__ import annotations

import re

from trace_core.facts.words import TOKEN, number_word

_BE = frozenset("is are was were am isn't aren't wasn't weren't".split())
_DO = frozenset("do does did don't doesn't didn't".split())
_HAVE = frozenset("has have had hasn't haven't hadn't".split())
_MODAL = frozenset(
    """can could may might must shall should will would can't couldn't mustn't shouldn't won't wouldn't""".split()
)
AUXILIARY = _BE | _DO | _HAVE | _MODAL
PRONOUN = frozenset(
    """i you we they it he she there this that these those everyone everybody anyone anybody someone somebody
    nobody one""".split()
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
_TRUE_THAT = re.compile(r"(?:is|was) it (?:true|correct|right|the case) that (.{1,2000})", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(
    r", (?:is that (?:right|correct|true|so)|(?:is|are|was|were|does|do|did|has|have|can|will|would|should|must)"
    r"(?:n['’]t)? (?:it|they|he|she|you|we|i|there|that)|right|correct|yes|no|true|am i right)$",
    re.IGNORECASE,
)
_JOINS = re.compile(r"^(?:so|and|but),? ", re.IGNORECASE)
_ASKS = re.compile(
    r"(?:(?:in|at|on|for|by|to|from|with|until|since) )?"
    r"(?:how (?:much|many|long|often|far|old|big|large|high|tall|wide|deep|heavy|fast|soon|late|early)|how|when|where"
    r"|who|whom|whose|why|which|what)\b",
    re.IGNORECASE,
)
_NAMES = re.compile(
    r"(?:please )?(?:name|give|tell me|state|list)(?: me)? ((?:the|a|an|all|its|their|our|two|three) .{3,500})",
    re.IGNORECASE | re.DOTALL,
)
_COUNTS = re.compile(r"how\s{1,20}(?:many|much)(?!\S)", re.IGNORECASE)
_KIND = re.compile(r"(?:what|which) (?:kind|type|sort)s? of \w+ ", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\bMr\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bSt\.)(?<!\bMrs\.)\s+")
_LONGEST = 2000


def last_asked(question: str) -> str:
    """The last sentence of the question."""
    sentences = [s for s in _SENTENCE_END.split(question.strip()[-_LONGEST:]) if s.strip("?!. ")]
    return sentences[-1].rstrip() if sentences else ""


def is_for_a_detail(asked: str) -> bool:
    """Whether the question asks who, what, when and so on, or to name something."""
    return _ASKS.match(asked) is not None or _NAMES.fullmatch(asked) is not None


def asked_whether(asked: str, mark: bool) -> str:
    """The statement whose truth a yes-or-no question asks for; empty for another question.

    `mark` says whether the question ended with a question mark.
    """
    statement = _TAG.sub("", asked)
    if statement != asked:
        return _JOINS.sub("", statement)
    if found := _TRUE_THAT.fullmatch(asked):
        return found[1]
    condition, comma, rest = asked.partition(", ")
    if comma and _is_auxiliary(rest) and len(rest.split()) > 2:
        return f"{condition}, {_inverted(rest.split())}"
    if _is_auxiliary(asked):
        return _inverted(asked.split()) if len(asked.split()) > 2 else ""
    words = [_plain(w) for w in asked.split()]
    states = mark and len(words) > 2 and not is_for_a_detail(asked) and AUXILIARY & set(words)
    return _JOINS.sub("", asked) if states else ""


def _is_auxiliary(text: str) -> bool:
    return bool(text.split()) and _plain(text.split()[0]) in AUXILIARY


def _plain(word: str) -> str:
    return word.lower().replace("’", "'")


def _inverted(words: list[str]) -> str:
    """Is the museum open → the museum is open; do you accept cheques → you accept cheques."""
    auxiliary, rest = _plain(words[0]), words[1:]
    if auxiliary in _DO:
        return " ".join(rest)
    positive = {"can't": "can", "won't": "will"}.get(auxiliary, auxiliary.removesuffix("n't"))
    end = _subject(rest, auxiliary in _BE | _HAVE)
    return " ".join([*rest[:end], positive, *rest[end:]])


def _subject(words: list[str], is_said_of: bool) -> int:
    """The number of words of the subject at the beginning."""
    first = _plain(words[0])
    if first in PRONOUN and (first not in _DETERMINER or first in ("this", "that") or len(words) < 3):
        return 1
    if is_said_of:
        found = next((i for i, w in enumerate(words[1:], start=1) if _ENDS_SUBJECT.fullmatch(w)), 0)
        if found:
            return found
    end = 2 if first in _DETERMINER else 1
    while end < len(words) - 1:
        if words[end][0].isupper() or words[end - 1].endswith(("'s", "’s")):
            end += 1
        elif words[end] in _JOINED and end + 2 < len(words):
            end += 3 if _plain(words[end + 1]) in _DETERMINER else 2
        else:
            break
    return min(end, len(words))


def completed(asked: str, detail: str) -> str:
    """The question as a statement, with the detail in the place of what it asks for; empty where that is unclear."""
    if named := _NAMES.fullmatch(asked):
        return f"{named[1]} is {detail}"
    words = asked.split()
    at = next((i for i, w in enumerate(words[:8]) if _plain(w) in AUXILIARY), 0)
    if not at:
        return _as_subject(asked, words, detail)
    rest, auxiliary = words[at + 1 :], _plain(words[at])
    if not rest:
        return ""
    if _COUNTS.match(asked):
        if detail.replace(",", "").replace(".", "").isdigit() or number_word(detail.lower()):
            detail = " ".join([detail, *words[2:at]])
        if auxiliary in _BE and _ENDS_SUBJECT.fullmatch(rest[0]):
            counted = [] if detail.split()[-1] in words else words[2:at]
            return " ".join([detail, *counted, auxiliary, *rest])
    names = _plain(words[0]) in ("what", "who", "which", "when", "where") and auxiliary in _BE
    if names and not any(_ENDS_SUBJECT.fullmatch(w) for w in rest):
        return " ".join([*rest, auxiliary, detail])
    return f"{_inverted(words[at:])} {detail}"


def _as_subject(asked: str, words: list[str], detail: str) -> str:
    """The statement of a question about its subject: who designed it, which bus goes there, how many pupils came."""
    first = _plain(words[0])
    if kind := _KIND.match(asked):
        return f"{detail} {asked[kind.end() :]}"
    if _COUNTS.match(asked) and len(words) > 3:
        number = len(TOKEN.findall(detail)) == 1
        return " ".join([detail, *words[2 if number else 3 :]])
    if first in ("which", "what") and len(words) > 3:
        return " ".join([detail, *words[2:]])
    return " ".join([detail, *words[1:]]) if first in ("who", "what") and len(words) > 2 else ""
