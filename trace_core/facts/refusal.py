"""Detect sentences that decline to answer: one English table of what lacks the answer, and how. The documents, the
context or the information lack it, or I cannot answer: "Cash is not covered." is a statement. A sentence that declines
and then claims something is a claim. What is worded otherwise, or in another language, is not detected: where a judge
reads the answer, its labels say so."""

import re
from collections.abc import Iterable
from functools import cache

LONGEST = 2_000  # the number of leading characters that are read
_ALIKE = str.maketrans("’ʼ`", "'''", '*#>_"“”')  # one kind of apostrophe, and no marks of Markdown or quotation
_CONTRACTIONS = {
    "won't": "will not",
    "can't": "can not",
    "cannot": "can not",
    "n't": " not",
    "'m ": " am ",
    "that's": "that is",
    "there's": "there is",
    "it's": "it is",
    "we're": "we are",
}
_THE = r"(?:any of )?(?:the|this|these|those|my|your|provided|given|retrieved|available) (?:[\w-]+ ){0,2}?"
_DOCUMENTS = (
    r"(?:contexts?|documents?|documentation|passages?|excerpts?|snippets?|search results|knowledge base"
    r"|(?:provided|given|supplied|retrieved|available) (?:information|materials?|texts?|content|data|sources?))\b"
)
_TEXTS = rf"(?:{_DOCUMENTS}|(?:texts?|articles?|sources?|manual|handbook|guide|report|materials?|information)\b)"
_NEWS = r"(?:information|info|details?|context|answers?|mention|reference|knowledge|specifics|indication|data)\b"
_SAY = r"(?:mention|name|state|specify|say|discuss|describe|address|indicate|explain|answer|tell|clarify)"
_HOLD = r"(?:provide|contain|include|give|have|offer|cover)"
_PAST = r"(?:mentioned|stated|specified|addressed|discussed|described|indicated)"
_THERE = rf"(?:{_PAST}|provided|given|found|available|included|answered|determined|inferred|covered|contained|part)"
_ANSWER = r"(?:answer|determine|say|tell|find|confirm|verify|locate|be (?:sure|certain)|know|speculate)"
_END = r"\W*$"
_SOME = r"[^,.;:!?]{0,80}?"

_TABLE = (
    # I, we
    rf"i (?:\w+ )?(?:do|did|can|could) not (?:\w+ )?(?:{_ANSWER}|assist|comply|help|provide|give|see)\b",
    rf"we (?:\w+ )?(?:do|did|can|could) not (?:\w+ )?(?:answer|know|say|tell|determine|find|confirm)\b{_SOME}"
    rf"(?:{_NEWS}|{_TEXTS}|this{_END}|that{_END})",
    rf"(?:i|we) (?:do|did|can|could) not (?:\w+ )?(?:have|find) {_SOME}{_NEWS}",
    rf"(?:i am|we are|i was|we were) (?:unable|not able) to (?:\w+ )?(?:{_ANSWER}|assist|comply|help|provide|give)\b",
    rf"(?:i|we) (?:have|see|found|find|lack|could find) (?:nothing (?:about|on|in)|(?:no |the )?(?:\w+ )?{_NEWS})",
    rf"i am not (?:\w+ )?(?:sure|certain|aware)(?: (?:about|of|if|what|which|whether)\b|[,;]|{_END})|i have no idea\b",
    r"i (?:must )?(?:respectfully )?(?:decline|refuse) to\b|i (?:will not|would rather not) (?:answer|speculate|say)\b",
    # the documents
    rf"{_THE}{_TEXTS}{_SOME} (?:(?:do|does|did) not|fails? to|never) (?:\w+ ){{0,2}}?{_SAY}\b",
    rf"{_THE}{_DOCUMENTS}{_SOME} (?:(?:do|does|did) not|fails? to) (?:\w+ ){{0,2}}?{_HOLD}\b",
    rf"{_THE}{_TEXTS}{_SOME} \w+ (?:nothing|no|not enough|insufficient) (?:\w+ ){{0,2}}?(?:{_NEWS}|about|on)\b",
    rf"{_THE}{_TEXTS}(?: lack |{_SOME} lacks |{_SOME} (?:is|are) (?:silent|insufficient|not relevant|unrelated)\b)",
    rf"(?:(?:none|nothing|neither) (?:of|in) {_THE}|neither |no ){_TEXTS}{_SOME}\b(?:{_SAY}|{_HOLD})",
    rf"{_THE}{_TEXTS}{_SOME} (?:do|does|did) not (?:\w+ )?(?:allow|permit|enable|let) (?:me|us|one)\b",
    # the question, its answer
    rf"(?:this|that|it|{_THE}(?:question|answer|information)) (?:can|could) not be {_THERE}"
    rf"(?: {_SOME}{_THE}{_TEXTS}|{_END})",
    rf"{_SOME}(?:can|could|is|are|was|were) not (?:be )?(?:\w+ )?(?:{_THERE} )?(?:anywhere )?"
    rf"(?:in|by|from|within|of|based on) {_THE}{_DOCUMENTS}",
    rf"{_SOME}(?:is|are|was|were) not (?:\w+ )?{_PAST}(?:{_END}| (?:in|by) {_THE}{_TEXTS})",
    rf"(?:{_THE}answer|that|it|this) is (?:unknown|unclear|not clear|not known|not possible|impossible)"
    rf"(?: to {_ANSWER}\b| {_SOME}{_THE}{_TEXTS}|{_END})",
    rf"{_SOME}(?:outside|beyond) the scope of {_THE}{_DOCUMENTS}",
    # what there is not
    rf"there (?:is|are|was|were) (?:no|not enough|not any|insufficient) (?:\w+ )?{_NEWS}"
    rf"(?: (?:about|on|of|for|to|regarding|that|available|provided|given|found|in)\b|{_END})",
    rf"there (?:is|was) (?:nothing|not anything) {_SOME}in {_THE}{_TEXTS}",
    rf"(?:no|not enough|insufficient) (?:\w+ )?{_NEWS}"
    rf"(?: (?:about|on|regarding|(?:is |was |were )?(?:available|provided|found|given)|to answer)\b|{_END})",
    r"no (?:relevant|matching) (?:documents?|passages?|information|context|results?)\b",
    rf"(?:unable|not possible|impossible) to {_ANSWER}\b|can not (?:answer|say|tell|determine)\b",
    rf"(?:sorry|not (?:{_PAST}|provided|given|found)(?: in {_THE}{_TEXTS})?|not (?:sure|applicable|known)|unknown"
    rf"|unanswerable|n/?a|no (?:idea|answer)|do not know){_END}",
)
_POLITE = re.compile(
    r"\W{0,20}(?:(?:hello|hi|hey|dear|good (?:morning|afternoon|evening|day))\b[^.!?:;,]{0,25}"
    r"|(?:thank|thanks)[^.!?]{0,60}|(?:(?:that is )?an? )?(?:great|good|excellent) question"
    r"|(?:i am )?(?:so |very )?sorry[^.!?,]{0,40}|(?:i apologi[sz]e|(?:my )?apologies)[^.!?,]{0,40}|sure|ok)[\W_]{0,20}"
)
"""A greeting, thanks or an apology, which say nothing: alone they are passed over, before other words they come off."""
_LEADS = re.compile(
    r"(?:(?:final )?(?:answer|response):|i am afraid(?: that)?|unfortunately|sadly|regrettably|however|but"
    r"|as an ai[^,.]{0,30}|(?:based on|according to|from|in|given) [^.!?,]{1,60},)[,\s]*"
)
_CLAIMS = re.compile(r"\b(?:but|however|although|though|instead)\b(?!,? (?:i|we|please|feel free)\b)")
"""After the words that decline: something is claimed as well."""


@cache
def _pattern() -> re.Pattern[str]:
    # Compiled when first needed: that takes longer than to load all else that a command imports.
    return re.compile(rf"(?!(?:although|though|while|if|when|unless|because)\b)(?:{'|'.join(_TABLE)})")


def _fold(text: str) -> str:
    """The opening of the text in lower case, on one line, without contractions and marks."""
    opening = " ".join(text[:LONGEST].translate(_ALIKE).casefold().split())
    for short, long in _CONTRACTIONS.items():
        opening = opening.replace(short, long)
    return opening


def is_refusal(text: str) -> bool:
    """Whether one sentence, or the opening of an answer, declines to answer and claims nothing."""
    return _declines(_fold(text))


def _declines(whole: str) -> bool:
    rest = whole
    for leading in (_POLITE, _LEADS, _LEADS):
        opening = leading.match(rest)
        rest = rest[opening.end() :] if opening else rest
    matches = filter(None, map(_pattern().match, (whole, rest)))
    after = (re.split(r"[.!?](?:\s|$)", match.string[match.end() :], maxsplit=1)[0] for match in matches)
    return not all(map(_CLAIMS.search, after))


def opens_by_declining(sentences: Iterable[str]) -> bool:
    """Whether an answer opens by declining, after sentences that only greet, thank or (unless alone) apologise."""
    whole = list(map(_fold, sentences))
    first = next((sentence for sentence in whole if not _POLITE.fullmatch(sentence)), None)
    return any(map(_declines, whole)) if first is None else _declines(first)
