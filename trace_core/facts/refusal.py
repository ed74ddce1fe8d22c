"""Detect answers that decline to answer.

An answer declines where it speaks of what it was given ("the documents do not say"), of itself ("I cannot tell") or
of the question ("this cannot be answered"). A statement about the world with the same words ("Lime is not covered by
the warranty", "There is no evidence that it harms") is an answer.
"""

from __future__ import annotations

import re

_APOSTROPHES = str.maketrans("’ʼ`", "'''")
_WORD = r"(?:[\w-]{1,24} )"
_GIVEN = r"(?:provided|given|supplied|retrieved|available|found|above)"
_NOUN = (
    r"(?:contexts?|documents?|documentation|passages?|texts?|excerpts?|snippets?|sources?|articles?"
    rf"|search results|knowledge base|paragraphs?|{_GIVEN} (?:information|materials?|data|content|pages|references)"
    rf"|(?:information|materials?|data|content|pages|references) (?:{_GIVEN}|i (?:have|was|'ve)|here))\b"
)
"""What the answer was given."""
_SOURCE = rf"(?:[\w'-]{{1,24}} ){{0,4}}{_NOUN}"
"""It, after up to four words."""
_NOT = r"(?: not|n't| never)"
_CANNOT = r"(?:can ?not|can't|could not|couldn't)"
_FIND = r"(?:answer|determine|say|tell|find|locate|confirm|verify)\b"
_FOUND = r"(?:answered|determined|found|inferred|established|concluded|confirmed|verified)\b"
_SAY = (
    r"(?:provide|contain|mention|state|specify|include|say|give|answer|cover|have|address|discuss|describe|indicate"
    r"|offer|list|detail|explain|reveal|clarify|tell|show|confirm|make|seem|appear|disclose|name|report|identify)\b"
)
_SAYS = (
    r"(?:provides?|contains?|mentions?|states?|specif(?:y|ies)|includes?|says?|gives?|answers?|covers?|has|have"
    r"|address(?:es)?|discuss(?:es)?|describes?|indicates?|tells?|suggests?)\b"
)
_SAID = (
    r"(?:mentioned|provided|specified|stated|covered|answered|addressed|discussed|described|given|included|found"
    r"|listed|available|present|contained|part|known|disclosed)\b"
)
_KNOWLEDGE = r"(?:information|info|details?|data|context|answers?|mentions?|knowledge|record|documentation)\b"
_LITTLE = r"(?:no|not enough|insufficient|nothing)"
_OPENING = (
    r"^\W*(?:(?:i'm |i am |we're |we are )?(?:very |so )?(?:sorry|afraid),?(?: but| that)?,? |unfortunately,? |sadly,? "
    r"|regrettably,? |(?:i |my )?apolog(?:ies|ize|ise),?(?: but)?,? |no, |it (?:seems|appears|looks like) (?:that )?"
    r"|(?:thank you|thanks|great question|good question)[^.!?]{0,60}?,? (?:but|though|however),? ){0,3}"
)
_IN = r"(?:in|within|by|of|among|from|based on|with|using)"
_IT = (
    r"(?:this|that|it|(?:this|that|the|your|such) (?:[\w-]{1,24} ){0,2}?(?:question|answer|information|details?|data))"
)

_WAYS = (
    # Of itself
    r"\bi(?:'m| am| was) (?:unable|not able) to\b|\bi wasn't able to\b",
    r"\bi wish i could (?:tell|answer|say)\b|\bcan(?:not|'t) say from\b",
    r"\bfound (?:nothing|no [\w-]+) (?:about|on|regarding)\b|\bwould be a guess\b",
    r"\b(?:need|have) to (?:consult|check|find|see) (?:another|other|a different|some other) sources?\b",
    rf"\bwe(?:'re| are| were) (?:unable|not able) to {_FIND}",
    rf"\bi {_CANNOT} (?:\w+ )?(?:{_FIND}|(?:identify|provide|give|see|help|assist|comply|be sure)\b)",
    rf"\bwe {_CANNOT} (?:\w+ )?{_FIND}",
    rf"\b(?:i|we) do{_NOT} (?:actually |really )?know\b",
    rf"\b(?:i|we) (?:do|did){_NOT} (?:\w+ )?(?:have|see|find)\b[^.!?]{{0,30}}?\b{_KNOWLEDGE}",
    rf"\b(?:i|we) (?:have|see|find|found) {_LITTLE} {_WORD}{{0,2}}{_KNOWLEDGE}",
    rf"{_OPENING}(?:unable|not possible|impossible) to {_FIND}",
    # Of the question
    rf"{_OPENING}(?:based on {_SOURCE},? )?{_IT} {_CANNOT} be {_FOUND}",
    rf"\b{_CANNOT} be {_FOUND} {_IN} {_SOURCE}",
    rf"\bit(?: is|'s) (?:not possible|not clear|impossible|unclear)\b[^.!?]{{0,60}}?\b{_IN} {_SOURCE}",
    rf"{_OPENING}(?:this|that|the|such) {_WORD}{{0,2}}?(?:information|answer|details?|data) "
    rf"(?:is|was|are|were){_NOT} (?:there|{_SAID})",
    rf"{_OPENING}(?:that|this|it|the {_WORD}{{1,4}}?)\s?(?:is|are|was){_NOT} "
    r"(?:specified|stated|mentioned|provided|given|disclosed)\W*$",
    # Of what it was given
    rf"\b(?:the|this|these|those|my) {_SOURCE}[^.!?,]{{0,80}}?\b(?:do|does|did){_NOT} {_WORD}{{0,2}}?{_SAY}(?! up)",
    rf"\b{_NOUN}[^.!?]{{0,60}}?\b(?:do|does|did){_NOT} (?:allow|enable|permit|help) (?:me|us) to\b",
    rf"\b(?:the|this|these|those|my) {_SOURCE}[^.!?,]{{0,40}}?\b(?:contains?|has|have|says?|gives?|provides?|offers?) "
    r"(?:nothing|no (?:entry|mention|information|details?|answer|data|reference))\b",
    rf"\b{_NOUN}[^.!?,]{{0,20}}?\b(?:is|are)(?: insufficient| too (?:short|vague)|{_NOT} (?:sufficient|enough)) "
    r"(?:to|for)\b",
    rf"\bneither (?:of )?{_SOURCE}[^.!?]{{0,40}}?\b{_SAYS}|\b(?:missing|absent) from {_SOURCE}",
    rf"\bunanswered (?:by|in) {_SOURCE}|\b{_NOUN}[^.!?]{{0,80}}?\bleaves? out\b",
    rf"{_OPENING}(?:the|this|these|those) {_SOURCE}[^.!?]{{0,60}}?\bonly (?:describes?|covers?|talks?|mentions?)\b",
    r"\bno relevant (?:documents?|passages?|information|context|results|sources?)\b",
    r"\bthere (?:is|are)(?:n't| not) (?:enough|any) (?:details?|information|mentions?|data|context)\b",
    r"\bdo(?:es)?(?:n't| not) tell (?:me|us) anything about\b",
    rf"\b{_NOUN}[^.!?]{{0,40}}?\bare all about\b[^.!?]{{0,60}}?\b(?:whereas|while|but) (?:your|the) question\b",
    rf"\bbecause {_SOURCE} never (?:state|mention|say)",
    rf"{_OPENING}(?:none|nothing|no part) (?:of|in) {_SOURCE}[^.!?]{{0,40}}?\b{_SAYS}",
    rf"{_OPENING}(?:(?:from|based on|according to|in) {_SOURCE},? )?(?:the|this|these|those|your|my) {_SOURCE}"
    rf"[^.!?]{{0,40}}?\b(?:do|does|did){_NOT} {_WORD}{{0,2}}?{_SAY}",
    rf"{_OPENING}(?:from|based on|according to) {_SOURCE},? (?:it|they) (?:do|does|did){_NOT} {_SAY}",
    rf"{_OPENING}(?:the|this|these|those) {_SOURCE}[^.!?]{{0,40}}?\b(?:(?:say|provide|contain|give|make|offer)s?"
    r"|has|have) (?:nothing|no)\b",
    rf"{_OPENING}(?:the|this|these|those) {_SOURCE}[^.!?]{{0,20}}?\b(?:lacks?(?! of)|omits?|(?:is|are) silent)\b",
    rf"\b(?:there is|there's|there are|there was) {_LITTLE} {_WORD}{{0,2}}?(?:information|info|mentions?|details"
    r"|context|answer|data)(?: (?:about|on|of|regarding|concerning|available|provided|given|in|within|here|there|to|as"
    r"|that|for|related)\b|\W*$)",
    rf"\b(?:there is|there's|there are) {_LITTLE}\b[^.!?]{{0,60}}?\b(?:in|within) (?:the|these|this|my) {_SOURCE}",
    rf"{_OPENING}{_LITTLE} {_WORD}{{0,2}}?(?:information|info|details|context|data|evidence|answer|mention)\b"
    rf"(?:[^.!?]{{0,60}}?\b(?:provided|given|available|found|to answer|in (?:the|these|this) {_SOURCE})|\W*$)",
    rf"\b(?:is|are|was|were|'s){_NOT} (?:\w+ )?{_SAID} (?:anywhere )?{_IN} {_SOURCE}",
    rf"\b(?:answer|information|details?|that|this|it)(?:'s| is| are){_NOT} (?:in|within|among) {_SOURCE}",
    rf"\bdo(?:es)?{_NOT} (?:appear|seem to be) (?:anywhere )?(?:mentioned )?in {_SOURCE}",
    # In a word
    rf"^\W*(?:(?:i'm |i am )?not (?:sure|enough information|{_SAID})(?: (?:in|by) {_SOURCE})?|no answer"
    r"|unanswerable|cannot ?answer|can't (?:say|tell|answer)|n/?a|unknown|(?:i'm |i am )?sorry"
    rf"|insufficient (?:information|context|data)|not (?:in|found in) {_SOURCE})\W*$",
)
_QUOTED = re.compile(r"(?<=\S\s)[\"“][^\"“”]{1,400}[\"”]")
"""What somebody else said, or a title; not an answer that stands in quotation marks itself."""
_REFUSAL = re.compile("|".join(_WAYS), re.IGNORECASE)
_ALWAYS_THERE = (
    "no", "n't", "sorry", "unable", "n/a", "insufficient", "lack", "omit", "silent", "impossible", "unclear",
    "unanswer", "unknown", "never", "neither", "missing", "absent", "wish", "leave", "guess", "other source", "another",
    "only",
)  # fmt: skip
"""Every refusal contains one of these and most sentences contain none; this check takes a twentieth of the time."""


def is_refusal(text: str) -> bool:
    """Whether one sentence, or the opening of an answer, declines to answer (English wordings)."""
    opening = _QUOTED.sub('""', " ".join(text[:2000].translate(_APOSTROPHES).split()))
    folded = opening.casefold()
    return any(word in folded for word in _ALWAYS_THERE) and _REFUSAL.search(opening) is not None
