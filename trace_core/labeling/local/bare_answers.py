"""Bare answers spelled out: "No." and "9 euros." say something only together with their question.

"Is the museum open on Mondays?" — "Yes." is read as "The museum is open on Mondays."; "No." denies that sentence.
"How much do students pay?" — "9 euros." is read as "Students do pay 9 euros." The subject of a question ends where
its next word can no longer belong to it; a subject cut too short or too long still leaves all words in the sentence.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from trace_core.facts.refusal import is_refusal
from trace_core.facts.words import STOPWORDS, TOKEN, stem
from trace_core.labeling.local.texts import MARKS

_AUXILIARY = frozenset(
    """is are was were am be can could may might must shall should will would do does did has have had
    isn't aren't wasn't weren't can't couldn't mustn't shouldn't won't wouldn't don't doesn't didn't hasn't haven't
    hadn't""".split()
)
_PRONOUN = frozenset(
    """i you we they it he she there this that these those everyone everybody anyone anybody someone somebody
    nobody one""".split()
)
_DETERMINER = frozenset(
    """the a an my your our their his her its this that these those all some any each every both no most two three
    four five six""".split()
)
_JOINED = frozenset("of for from and with without".split())
"""Words after which a subject goes on."""
_YES = r"yes|yeah|yep|yup|correct|right|exactly|indeed|absolutely|definitely|certainly|of course|sure|true|affirmative"
_NO = (
    r"no|nope|not at all|not really|not necessarily|not quite|never|(?:definitely|certainly|absolutely|of course) not"
    r"|incorrect|wrong|false|by no means|under no circumstances|negative"
)
_ECHO = (
    r"(?:[,;.!]? (?:that(?:['’]s| is)? (?:correct|right|true|so)|it['’]s true|(?:i|you|we|they|it|he|she|there|this"
    r"|that|these|those|one) (?:is|are|am|was|were|can|could|may|might|must|should|will|would|do|does|did|has|have|had)"
    r"(?:(?:n['’]t)| ?not)?|(?:i|you|we|they|it|he|she|there|this|that) (?:won['’]t|can['’]t)"
    r"|(?:it|that|there)['’]s not|(?:you|they|we)['’]re not))?"
)
"""What may follow a yes or no without saying more: "it is", "you can't"."""
_AGREES = re.compile(rf"(?:{_YES}|that(?:['’]s| is) (?:correct|right|true)){_ECHO}[\s.!]*", re.IGNORECASE)
_DENIES = re.compile(
    rf"(?:{_NO}|that(?:['’]s| is) (?:not (?:correct|right|true)|wrong|false)){_ECHO}[\s.!]*", re.IGNORECASE
)
_TRUE_THAT = re.compile(r"(?:is|was) it (?:true|correct|right|the case) that (.{1,2000})", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(
    r", (?:is that (?:right|correct|true|so)|(?:is|are|was|were|does|do|did|has|have|can|will|would|should|must)"
    r"(?:n['’]t)? (?:it|they|he|she|you|we|i|there|that)|right|correct|yes|no|true|am i right)$",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:(?:in|at|on|for|by|to|from|with|until|since) )?"
    r"(?:how (?:much|many|long|often|far|old|big|large|high|tall|wide|deep|heavy|fast|soon|late|early)|how|when|where"
    r"|who|whom|whose|why|which|what)\b",
    re.IGNORECASE,
)
_LONGEST_ANSWER = 8
"""The most words of a fragment."""
_LONGEST_THING = 4
"""The most words of one that begins with an article; a longer one may be a sentence."""
_ARTICLES = frozenset({"the", "a", "an", "all", "both", "only", "every", "each"})
_OPENS_FRAGMENT = frozenset(
    """in on at by for from with without within after before since until till because due every each once twice three
    about around approximately roughly nearly almost over under up between the a an only at_least to through via daily
    weekly monthly yearly none nobody never nothing both""".split()
)
SAYS_MORE = _AUXILIARY | _PRONOUN - {"one", "this", "that", "these", "those"}
"""Words of a whole sentence: a fragment has none of them."""


class Claim(NamedTuple):
    """What a response sentence claims, as a whole sentence, and whether it denies it instead."""

    statement: str
    denies: bool


def spelled_out(question: str, answer: str) -> Claim | None:
    """The statement that a bare answer to the question makes; `None` if the answer is a sentence of its own."""
    bare = " ".join(MARKS.sub(" ", answer).split())
    asked = _asked(question)
    if not bare or not asked or len(bare) > 200:
        return None
    mark, asked = asked.endswith("?"), asked.rstrip("?!. ")
    if yes_or_no := _tagged(asked) or _statement(asked) or (_claimed(asked) if mark else ""):
        agrees, denies = _AGREES.fullmatch(bare), _DENIES.fullmatch(bare)
        return Claim(as_sentence(yes_or_no), denies is not None) if agrees or denies else None
    completed = _completed(asked, bare) if _is_fragment(bare, asked) else ""
    return Claim(as_sentence(completed), False) if completed else None


def _asked(question: str) -> str:
    """The last sentence of the question."""
    sentences = [s for s in re.split(r"(?<=[.!?])\s+", question.strip()[-2000:]) if s.strip("?!. ")]
    return sentences[-1].rstrip() if sentences else ""


def _statement(asked: str) -> str:
    """The statement whose truth a yes-or-no question asks for; empty for another question."""
    if found := _TRUE_THAT.fullmatch(asked):
        return found[1]
    condition, comma, rest = asked.rpartition(", ")
    words = rest.split()
    if comma and words[:1] and words[0].lower() in _AUXILIARY:
        return f"{condition}, {_inverted(words)}" if len(words) > 2 else ""
    words = asked.split()
    return _inverted(words) if len(words) > 2 and words[0].lower().replace("’", "'") in _AUXILIARY else ""


def _tagged(asked: str) -> str:
    """The statement before a tag such as "right?" or "is it?"; empty without one."""
    statement = _TAG.sub("", asked)
    return re.sub(r"^(?:so|and|but),? ", "", statement, flags=re.IGNORECASE) if statement != asked else ""


def _claimed(asked: str) -> str:
    """What a question in the form of a statement claims: "The pool is heated?"; empty for another question."""
    words = [w.lower().replace("’", "'") for w in asked.split()]
    states = len(words) > 2 and not _ASKS.match(asked) and words[0] not in _AUXILIARY and _AUXILIARY & set(words)
    return re.sub(r"^(?:so|and|but),? ", "", asked, flags=re.IGNORECASE) if states else ""


def _inverted(words: list[str]) -> str:
    """Is the museum open → the museum is open."""
    auxiliary, rest = _positive(words[0].lower().replace("’", "'")), words[1:]
    end = _subject(rest)
    return " ".join([*rest[:end], auxiliary, *rest[end:]])


def _positive(auxiliary: str) -> str:
    """isn't → is; a negative question asks for the positive statement."""
    return {"can't": "can", "won't": "will"}.get(auxiliary, auxiliary.removesuffix("n't"))


def _subject(words: list[str]) -> int:
    """The number of words of the subject at the beginning."""
    if words[0].lower() in _PRONOUN and not (len(words) > 2 and words[0].lower() in _DETERMINER - {"this", "that"}):
        return 1
    end = 2 if words[0].lower() in _DETERMINER else 1
    while end < len(words) - 1:
        if words[end][0].isupper() or words[end - 1].endswith(("'s", "’s")):
            end += 1
        elif words[end] in _JOINED and end + 2 < len(words):
            end += 3 if words[end + 1].lower() in _DETERMINER else 2
        else:
            break
    return min(end, len(words))


def _is_fragment(answer: str, asked: str) -> bool:
    """Whether the answer to a question for a detail is only the detail."""
    if not _ASKS.match(asked) or is_refusal(answer) or answer.endswith((":", "?", "!")):
        return False
    words = [w.lower().replace("’", "'") for w in TOKEN.findall(answer)]
    if not 0 < len(words) <= _LONGEST_ANSWER or _AGREES.fullmatch(answer) or SAYS_MORE & set(words):
        return False
    repeated = _content(words) & _content([w.lower() for w in TOKEN.findall(asked)])
    if words[0] in _ARTICLES:
        return len(words) <= _LONGEST_THING and not repeated
    if len(repeated) > 1:
        return False
    begins = words[0] in _OPENS_FRAGMENT or words[0][0].isdigit() or not answer[0].isalpha()
    return begins or len(words) < 3 or all(w[0].isupper() or w[0].isdigit() for w in TOKEN.findall(answer))


def _content(words: list[str]) -> set[str]:
    """The stems of the words that carry meaning."""
    return {stem(w) for w in words if w not in STOPWORDS}


def _completed(asked: str, answer: str) -> str:
    """The question as a statement, with the answer in the place of what it asks for."""
    detail = answer.rstrip(" .")
    words = asked.split()
    at = next((i for i, w in enumerate(words[:6]) if w.lower() in _AUXILIARY), 0)
    wanted = words[: at or 1]
    if not at:  # "Who designed the tower?"
        return " ".join([detail, *words[1:]]) if words[0].lower() in ("who", "what") and len(words) > 2 else ""
    if detail[0].isdigit() and detail.replace(",", "").replace(".", "").isdigit() and len(wanted) > 2:
        detail = " ".join([detail, *wanted[2:]])  # "How many rooms …?" — "12"
    rest = words[at + 1 :]
    if not rest:
        return ""
    if wanted[0].lower() in ("what", "who", "which") and words[at].lower() in ("is", "are", "was", "were"):
        return " ".join([*rest, words[at].lower(), _lower(detail)])
    return f"{_inverted(words[at:])} {_lower(detail)}"


def _lower(detail: str) -> str:
    """The detail within a sentence: "In 1987" → "in 1987", names as they are."""
    first = detail.split()[0]
    return first.lower() + detail[len(first) :] if first.lower() in _OPENS_FRAGMENT else detail


def as_sentence(text: str) -> str:
    """The text as a sentence: a capital letter and a full stop."""
    return f"{text[0].upper()}{text[1:]}."
