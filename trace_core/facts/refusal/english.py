"""English wordings that decline: who declines, the ability or mention that is denied, and what is missing.

An answer declines where it speaks of itself ("I cannot tell"), of the question ("this cannot be answered"), of what it
was given ("the documents do not say") or of what is missing ("there is no information about it"). A statement about the
world in the same words ("Lime is not covered by the warranty", "No data is provided to third parties") is an answer:
words that also name things of the world decline only beside a word for the answer, the question or what was given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from trace_core.facts.refusal.politeness import without_opening

# What the answer was given

_GIVEN = r"(?:provided|given|supplied|retrieved|available|found|above|shared|attached|following)"
_ONLY_THAT = (
    rf"(?:contexts?|documents?|documentation|passages?|texts?|excerpts?|snippets?|paragraphs?|knowledge base"
    rf"|search results|{_GIVEN} (?:information|materials?|data|content|pages|references|articles?|sources?|reports?"
    rf"|files?)"
    rf"|(?:information|materials?|data|content|pages|references|articles?|sources?)"
    rf" (?:{_GIVEN}|(?:that )?(?:i|you) (?:have|was|gave|supplied|provided|shared)|here))\b"
)
"""Words for what was given that name little else."""
_ALSO_THAT = (
    r"(?:articles?|sources?|manuals?|guides?|handbooks?|brochures?|leaflets?|reports?|files?|pages?|sections?|chapters?"
    r"|papers?|instructions|faqs?)\b"
)
"""Words for what was given that name other things, too: only a verb of saying tells that they are meant so."""
_UP_TO_FOUR = r"(?:[\w'-]{1,24} ){0,4}?"
_SOURCE = rf"{_UP_TO_FOUR}{_ONLY_THAT}"
_ANY_SOURCE = rf"{_UP_TO_FOUR}(?:{_ONLY_THAT}|{_ALSO_THAT})"
_THE = r"\b(?:the|this|these|those|my|your|both|provided|given|retrieved) "
_OUT_OF = (
    r"(?:in|within|by|of|among|from|(?:solely |only |purely )?(?:based|going) (?:solely |only |purely )?(?:on|by)|with"
    r"|using|given|on|per|through|according to|anywhere in|as part of|to)"
)
_HERE = rf"{_OUT_OF} {_ANY_SOURCE}"
"""Within what was given."""

# Verbs

_ADVERB = r"(?:[\w-]{1,24} ){0,2}?"
_ONE = r"(?:[\w-]{1,24} )?"
_SAY = (
    r"(?:mention|state|specify|say|discuss|describe|address|indicate|explain|reveal|clarify|tell|disclose|answer|detail"
    r"|elaborate|go into|(?:speak|talk) (?:of|about|to)|refer|touch)\b"
)
_SAYS = (
    r"(?:provides?|contains?|mentions?|states?|specif(?:y|ies)|includes?|says?|gives?|answers?|covers?|has|have"
    r"|address(?:es)?|discuss(?:es)?|describes?|indicates?|tells?|suggests?)\b"
)
_HOLD = (
    r"(?:provide|contain|include|give|cover|have|offer|list|show|confirm|make|seem|appear|name|report|identify"
    r"|suggest)\b"
)
"""What things of the world do as well."""
_STATED = (
    r"(?:mentioned|specified|stated|answered|addressed|discussed|described|indicated|disclosed|explained|covered"
    r"|clarified|detailed|listed)\b"
)
_SAID = rf"(?:{_STATED}|(?:provided|given|included|found|available|present|contained|part|known|there)\b)"
_ANSWER = r"(?:answer|determine|say|tell|confirm|verify|respond|conclude|infer|ascertain|establish|speculate|know)\b"
_FIND = r"(?:find|locate|see|identify)\b"
_FOUND = r"(?:answered|determined|found|inferred|established|concluded|confirmed|verified|ascertained|located)\b"
_DO_NOT = r"(?:(?:do|does|did) (?:not|never)|fails? to|failed to)"
_UNABLE = (
    r"(?:(?:can|could|would) not|(?:am|are|was|were) (?:currently )?(?:unable|not (?:currently )?able) to"
    r"|will not be able to)"
)

# What is missing

_KNOWLEDGE = (
    r"(?:information|info|details?|data|context|answers?|mentions?|knowledge|documentation|references?"
    r"|indications?|specifics|statements?)\b"
)
_TOLD = r"(?:information|info|mentions?|details?|context|answers?|references?|explanations?)\b"
_LITTLE = r"(?:no|not enough|not any|not sufficient|insufficient|nothing|too little)"
_NOTHING = (
    r"(?:nothing|(?:no|insufficient|not enough|too little) (?:[\w-]{1,24} ){0,2}?(?:entry|mention|information"
    r"|details?|answers?"
    r"|data|references?|indications?|clues?|hints?|specifics|context|explanation|figures?))\b"
)
_FOR_NOW = r"(?:simply |currently |really |unfortunately |just |also )?"
_ABOUT = r"(?:about|on|regarding|concerning|as to)"
_ENOUGH_TO = (
    r"(?:to (?:fully |properly |definitively |confidently )?(?:answer|say|tell|determine|give an"
    r"|provide an)\b)"
)
_QUESTION = r"(?:(?:[\w'-]{1,24} ){0,2}?(?:question|query|topic|subject|answer|information|request))\b"
_END = r"[^\w()]*$"
_ASKED_FOR = (
    r"(?: (?:that |which )?(?:you (?:are|were|have)|i (?:would )?need|you (?:need|want|requested|seek)|needed|required"
    r"|requested|necessary)[^.!?,]{0,40}?)?"
)
_SOUGHT = (
    r"(?:(?:(?:this|that|the|your|such|any) (?:[\w'-]{1,24} ){0,2}?|(?:further|more|relevant|requested|additional) )?"
    rf"(?:question|query|answer(?: to (?:{_QUESTION}|this|that|it))?|information|details?"
    rf"|data){_ASKED_FOR}(?: {_ABOUT} [^.!?,]{{1,40}}?)?)"
)
_ITSELF = rf"(?:this|that|it|{_SOUGHT})"
_MISSING_IN_THE_END = rf"(?:{_END}|(?: (?:here|anywhere|currently|yet|at this time|to me))*(?:{_END}|[,;]| {_HERE}))"

_OF_ITSELF = re.compile(
    rf"\bi am (?:unable|not able) to\b|\bi was (?:unable|not able) to\b"
    rf"|\bi {_UNABLE} {_ONE}{_ANSWER}|\bwe {_UNABLE} {_ONE}(?:answer|determine|say|tell|confirm|verify)\b"
    rf"|\bi (?:can|could) not {_ONE}(?:{_FIND}|(?:provide|give|assist|comply|be (?:sure|certain)|help(?! but))\b)"
    rf"|\bwe {_UNABLE} {_ONE}{_FIND}[^.!?]{{0,60}}?\b(?:{_KNOWLEDGE}|anything\b|{_HERE})"
    rf"|\b(?:i|we) {_ONE}(?:do|did) not (?:actually |really |currently )?know\b"
    rf"|\bi would need (?:more|further|additional) {_KNOWLEDGE}"
    r"|\b(?:i|we) have no (?:idea|clue|way (?:of|to)|knowledge)\b"
    rf"|\b(?:i|we) (?:do|did|have) not {_ONE}(?:have|see|find|found|seen|possess)\b[^.!?]{{0,30}}?\b{_KNOWLEDGE}"
    rf"|\bi (?:do|did) not {_ONE}(?:have (?:any )?access to|find anything)\b"
    rf"|\b(?:i|we) (?:have|see|found|(?:can|could) (?:find|see|locate)) {_LITTLE} (?:[\w-]{{1,24}} ){{0,2}}{_KNOWLEDGE}"
    rf"|\b(?:i|we) (?:see|found|(?:can|could) (?:find|see|locate)) nothing\b|\b(?:i"
    rf"|we) lack\b[^.!?]{{0,30}}?\b{_KNOWLEDGE}"
    rf"|\bi\b[^.!?]{{0,80}}? found (?:nothing|no {_KNOWLEDGE}) {_ABOUT}\b"
    rf"|\bi do not (?:think|believe)(?: that)? (?:{_THE[2:]}{_SOURCE}|i can (?:answer|say|help))"
    r"|\bi do not understand (?:the|your) question\b"
    rf"|\bthere is no way (?:to|of) (?:know|tell|determin|say)\w*(?:{_END}| {_HERE})"
    r"|\bi wish i could (?:tell|answer|say)\b|\bwould be a guess\b|\bcan not (?:say|tell) from\b"
    r"|\b(?:need|have) to (?:consult|check|find|see) (?:another|other|a different|some other) sources?\b"
    rf"|\b(?:nobody|no one|no-one) (?:can|could) (?:tell|say|determine|know)\b[^.!?]{{0,30}}? {_HERE}"
)
_BEGINS_OF_ITSELF = re.compile(
    rf"found (?:nothing|no {_KNOWLEDGE}) {_ABOUT}\b|not that i (?:can tell|know|am aware)\b|i can only (?:answer|help"
    rf"|assist)\b|"
    r"i am not (?:entirely |quite |really )?(?:sure|certain|aware)(?: (?:about|of|if|whether|what|how|who|when|where"
    r"|why|which)\b"
    rf"|{_END}|[,;])"
    r"|(?:i (?:will not|would (?:rather|prefer) not(?: to)?|refuse to|decline to|must (?:respectfully )?decline to"
    r"|prefer not to"
    r"|am not (?:going|willing|allowed|permitted) to)|i must refuse to) (?:be able to )?(?:answer|respond|speculate"
    r"|comment"
    r"|discuss|provide|help|assist|engage|say|guess|share|disclose)\b"
    rf"|(?:i )?(?:must |have to )?(?:respectfully )?decline(?: to answer\b|{_END})"
    rf"|(?:unable|not possible|impossible|not able) to (?:{_ANSWER}|{_FIND})"
    rf"|(?:can|could) not (?:be {_FOUND}|(?:answer|determine|say|tell)(?: {_HERE}|{_END}))"
)
_OF_THE_QUESTION = re.compile(
    rf"\bcan not be {_FOUND}[^.!?,]{{0,20}}? {_HERE}|\bcould not be {_FOUND}[^.!?,]{{0,20}}? {_HERE}"
    rf"|\bit (?:is|was) (?:not (?:possible|clear|known)|impossible|unclear|unknown"
    rf"|uncertain)\b[^.!?]{{0,60}}? {_OUT_OF} {_THE[2:]}{_SOURCE}"
    rf"|\bit (?:is|was) (?:not possible|impossible) to {_ONE}(?:(?:answer|say|tell)\b|know(?:{_END}| {_HERE})"
    rf"|[\w-]{{1,24}} (?:a (?:definitive|specific|clear) )?(?:an |the )?(?:answer|question)\b)"
    rf"|\b(?:is|are|was|were) not {_ONE}{_SAID} (?:anywhere )?{_OUT_OF} {_SOURCE}"
    rf"|\b(?:is|are|was|were) not {_ONE}{_STATED} (?:anywhere )?{_OUT_OF} {_THE[2:]}{_ANY_SOURCE}"
    rf"|\b(?:answer|information|details?|that|this|it) (?:is|are) not (?:in|within|among) {_ANY_SOURCE}"
    rf"|\bdo(?:es)? not (?:appear|seem to be) (?:anywhere )?(?:mentioned )?in {_SOURCE}"
    rf"|\b(?:outside|beyond|out of|not within) (?:of )?(?:the scope of|what) {_ANY_SOURCE}"
    rf"|\b(?:unanswer(?:ed|able)|not answerable) {_OUT_OF} {_SOURCE}"
    rf"|\bis not (?:something|anything|a (?:question|topic)) (?:that )?(?:in )?{_THE[2:]}{_ANY_SOURCE}"
    rf"|\b(?:missing|absent) from {_SOURCE}"
)
_BEGINS_OF_THE_QUESTION = re.compile(
    rf"{_ITSELF} (?:can|could) not be (?:(?:answered|determined|inferred|concluded|ascertained)\b(?! (?:by|via|over"
    rf"|through|at)\b)"
    rf"|{_FOUND}{_MISSING_IN_THE_END})"
    rf"|{_SOUGHT} (?:is|was|are|were) (?:not {_ONE}{_SAID}|missing|unavailable){_MISSING_IN_THE_END}"
    rf"|{_SOUGHT} (?:is|was|are|were) not (?:in|within|among) {_ANY_SOURCE}"
    rf"|(?:this|that|it) (?:is|was) not {_ONE}(?:{_STATED}|provided\b|given\b){_MISSING_IN_THE_END}"
    rf"|(?:this|that|it) (?:is|was) not {_ONE}{_SAID} {_HERE}"
    rf"|{_ITSELF} (?:is|was|are|were) not {_ONE}(?:{_STATED}|provided\b|given\b|found\b) (?:in|by|within|anywhere)"
    rf" (?:the|this|these|any|my) {_ANY_SOURCE}"
    rf"|the {_UP_TO_FOUR}(?:is|are|was|were) not {_ONE}(?:specified|stated|mentioned|given|disclosed"
    rf"|indicated){_END}"
    rf"|(?:the|an) (?:exact |correct |specific )?answer {_ADVERB}(?:is|was|remains) (?:unknown|unclear|uncertain"
    rf"|not (?:known|clear))\b"
)
_BEGINS_WITHIN_A_FRAME = re.compile(
    rf"(?:it|this|that|the answer) (?:can|could) not be {_FOUND}|(?:it|this) is (?:not possible|impossible|unclear"
    rf"|not clear)\b"
    rf"|(?:it|they) {_DO_NOT} {_ADVERB}(?:{_SAY}|(?!(?:appear|seem) (?:that|like|as)\b){_HOLD})"
    rf"|{_UP_TO_FOUR}(?:[\w'-]{{1,24}} ){{0,4}}?(?:is|are|was|were) not {_ONE}"
    r"(?:specified|stated|mentioned|disclosed|discussed|addressed|indicated)\b"
    rf"|the answer is (?:unknown|unclear|not)\b|there (?:is|are|was|were) (?:no|not (?:enough|any)"
    rf"|insufficient) {_ADVERB}{_KNOWLEDGE}"
)
"""After “Based on the context,”."""
_GAP = (
    r"(?:(?!who\b|whose\b|people\b|if\b|when\b|because\b|that (?!i |we |you |were |was |are "
    r"|have ))[^.!?,\s]{1,30} ){0,14}?"
)
"""Words between the source and its verb; none that tells what the source says."""
_OF_SOURCES = re.compile(
    rf"{_THE}{_SOURCE} {_GAP}{_DO_NOT} {_ADVERB}(?:{_SAY}|{_HOLD})(?! up\b)"
    rf"|{_THE}{_ANY_SOURCE} {_GAP}{_DO_NOT} {_ADVERB}(?:{_SAY}|{_HOLD} (?:[\w'-]{{1,24}} ){{0,3}}?(?:{_KNOWLEDGE}"
    rf"|this {_QUESTION}"
    rf"|that {_QUESTION}|your {_QUESTION}|the {_QUESTION}))"
    rf"|{_THE}{_ANY_SOURCE} {_GAP}(?:contains?|has|have|says?|gives?|provides?|offers?|makes?|shows?) {_NOTHING}"
    rf"|{_THE}{_ANY_SOURCE} {_GAP}(?:lacks?|omits?) {_ADVERB}{_KNOWLEDGE}"
    rf"|{_THE}{_SOURCE} (?:{_GAP}are all about|[^.!?]{{0,60}}? leaves? out)\b"
    rf"|{_THE}{_SOURCE} {_GAP}(?:is|are)(?: insufficient| too (?:short|vague)| not (?:sufficient|enough)) (?:to|for)\b"
    rf"|{_THE}{_SOURCE} {_GAP}(?:is|are) (?:not {_ONE}(?:relevant|related|about|pertinent)|unrelated|irrelevant)"
    rf"(?: to (?:the|this|your|that|my) {_QUESTION}|{_END})"
    rf"|{_THE}{_SOURCE} {_GAP}do(?:es)? not (?:relate|pertain) to (?:the|this|your|that|my) {_QUESTION}"
    rf"|\b{_ONLY_THAT}[^.!?]{{0,60}}?\bdo(?:es)? not (?:allow|enable|permit|help) (?:me|us) to\b"
    rf"|\bneither (?:of )?{_SOURCE}[^.!?]{{0,40}}?\b{_SAYS}|\bdo(?:es)? not tell (?:me|us) anything about\b"
    rf"|\b(?:because|the|these|this) {_SOURCE} never {_SAYS}|\b(?:because|the|these|this) {_SOURCE} never (?:states?"
    rf"|addresses)\b"
)
_BEGINS_OF_SOURCES = re.compile(
    rf"nowhere in {_ANY_SOURCE}|(?:none|nothing|no part|neither|not one) (?:of|in) {_ANY_SOURCE} {_GAP}(?:{_SAYS}"
    rf"|(?:is|are) {_ONE}(?:relevant|related))"
    rf"|no {_ANY_SOURCE} (?:{_SAYS[:-2]})\b(?= [^.!?]{{0,60}}?\b(?:this|that|the|your|it|any))"
    rf"|{_THE[2:]}{_SOURCE}[^.!?]{{0,60}}?\bonly (?:describes?|covers?|talks?|mentions?|discuss(?:es)?)\b"
    rf"|{_THE[2:]}{_SOURCE}[^.!?]{{0,40}}?\b(?:(?:say|provide|give|make)s? (?:nothing|no)\b"
    rf"|(?:(?:contain|offer)s?|has|have) {_NOTHING})"
    rf"|{_THE[2:]}{_SOURCE}[^.!?]{{0,20}}?\b(?:lacks?(?! of)|omits?)\b|{_THE[2:]}{_ANY_SOURCE} (?:is|are"
    rf"|remains?) silent\b"
)
_OF_ABSENCE = re.compile(
    rf"\bthere (?:is|are|was|were) {_FOR_NOW}{_LITTLE} (?:[\w'-]{{1,24}} ){{0,2}}?(?:{_TOLD}(?: (?:{_ABOUT}|of"
    rf"|available|provided|given"
    rf"|found|here|there|that|for|related|{_ENOUGH_TO}|{_HERE})\b|{_END})"
    rf"|data(?: (?:{_ABOUT}|available|provided|given|{_ENOUGH_TO}|{_OUT_OF} {_SOURCE})|{_END})"
    rf"|(?:evidence|grounds|indications?)(?: (?:{_OUT_OF} {_SOURCE}|to (?:fully )?answer\b)))"
    rf"|\bthere (?:is|are|was|were) (?:nothing|not anything)\b[^.!?]{{0,60}}? (?:in|within) (?:the|these|this"
    rf"|my) {_ANY_SOURCE}"
    rf"|\bthere (?:is|are|was|were) {_FOR_NOW}{_LITTLE}\b[^.!?]{{0,60}}? (?:in|within|from|by) (?:the|these|this|my)"
    rf" {_ADVERB}(?:contexts?|passages?|excerpts?|snippets?|{_GIVEN} [\w-]{{1,24}}|documents? provided"
    rf"|[\w-]{{1,24}} {_GIVEN})\b"
    rf"|\b(?:i|we|there|search|system) (?:is|are|was|were|found|find|returned|see) no (?:relevant|matching|pertinent"
    rf"|suitable)\b"
    r"|\b(?:search|query) (?:has )?(?:returned|found|gave|yielded) no (?:results?|documents?|match(?:es)?|information"
    r"|answers?)\b"
)
_THERE = (
    r"(?: (?:is|was|are|were|has been|have been|could be|can be))?(?: \w+ly)? (?:provided|given|available|found"
    r"|included|mentioned|made|stated|present)"
)
_BEGINS_OF_ABSENCE = re.compile(
    rf"(?:more|further|additional) {_KNOWLEDGE} (?:is|are|would be) (?:needed|required|necessary) {_ENOUGH_TO}|"
    rf"{_LITTLE} (?:[\w-]{{1,24}} ){{0,2}}?(?:information|info|details?|context|data|answers?|mentions?|evidence"
    rf"|indications?)"
    rf"(?: {_ENOUGH_TO}| {_OUT_OF} {_SOURCE})"
    rf"|{_LITTLE} (?:[\w-]{{1,24}} ){{0,2}}?(?:information|info|details?|context|data|answers?|mentions?|indications?)"
    rf"(?:{_END}|{_THERE}(?:{_END}| (?:{_ABOUT}|for|to answer|{_HERE}))"
    rf"| (?:{_ABOUT}|of) [^.!?]{{1,60}}?(?:{_THERE}(?:{_END}| {_HERE})| (?:is|are|was|were) in {_ANY_SOURCE}))"
    rf"|no (?:information|info|details|mention) (?:{_ABOUT}|of) (?:(?!is |are |was |were |may |can |will |must |has "
    rf"|gets? )[^.!?,\s]{{1,30}} ?){{1,6}}{_END}"
    rf"|nothing (?:is|was) (?:said|mentioned|stated|written|found) {_ABOUT}\b|nothing (?:relevant )?(?:was|is"
    rf"|could be) found{_MISSING_IN_THE_END}|not (?:enough|sufficient) {_KNOWLEDGE}(?: to\b|{_END})"
    rf"|no (?:relevant|matching|pertinent|suitable|such)? ?(?:documents?|passages?|information|context|results?"
    rf"|sources?|answers?)"
    rf"(?: (?:were|was|are|is|could be|have been|has been))? ?(?:found|available|retrieved|returned|provided"
    rf"|given){_MISSING_IN_THE_END}"
    r"|no relevant (?:documents?|passages?|information|context|results|sources?) (?:was|were|is|are|could)\b"
)
_IN_A_WORD = re.compile(
    rf"(?:(?:(?:i am )?not (?:sure|certain|enough information|applicable|{_SAID})(?: (?:(?:in|by|from"
    rf"|within) )?{_ANY_SOURCE})?"
    r"|no (?:idea|clue|comment|answer)|it is (?:unclear|unknown|not (?:clear|known))|unanswerable|undetermined"
    r"|indeterminate|inconclusive|unspecified|(?:can"
    rf"|could) not (?:answer|say|tell)|n/?a|unknown|(?:[\w'-]{{1,24}} ){{0,4}}[\w'-]{{1,24}}: (?:not {_ONE}(?:specified"
    r"|stated|mentioned|given|disclosed|available)|unknown|n/?a)|(?:i am )?sorry"
    rf"|(?:insufficient|not enough|no|missing) (?:information|context|data|evidence|details)|{_ONE}(?:information"
    rf"|details|answer|data)"
    rf" (?:is )?(?:un(?:available|known)|not {_ONE}{_SAID})|not (?:in|found in|mentioned in) {_ANY_SOURCE}"
    rf"|don't know|do not know|no clue))\W*"
)
_FRAME = re.compile(
    rf"(?:based (?:solely |only |purely )?(?:on|upon)|according to|given|from|in|within|per|using|with|as per"
    rf"|looking at|going by"
    rf"|(?:after )?(?:reviewing|reading|checking)) (?=[^.!?,]{{0,80}}?\b(?:{_ONLY_THAT}"
    rf"|{_ALSO_THAT}))[^.!?,]{{1,80}},? "
)
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|unless|in case|should|where|whether|until|once|says?|said) (?:[\w'-]+ ){0,4}$"
)
"""Ends the text before words that only tell what may be so."""
_CUES = (
    "not", "no ", "n't", "none", "nothing", "nobody", "sorry", "unable", "n/a", "na", "insufficient", "lack", "omit",
    "silent", "impossible", "unclear", "unanswer", "unknown", "never", "neither", "missing", "absent", "wish", "leave",
    "guess", "other source", "another", "only", "cannot", "decline", "refuse", "fail", "unavailable", "irrelevant",
    "unrelated", "scope", "too ", "prefer", "beyond", "nowhere", "undetermined", "indeterminate", "inconclusive",
    "unspecified", "need",
)  # fmt: skip
"""Every refusal contains one of these and most sentences contain none; this check takes a twentieth of the time."""
_ANYWHERE = (_OF_ITSELF, _OF_THE_QUESTION, _OF_SOURCES, _OF_ABSENCE)
_AT_THE_START = (_BEGINS_OF_ITSELF, _BEGINS_OF_THE_QUESTION, _BEGINS_OF_SOURCES, _BEGINS_OF_ABSENCE)


def declines(text: str) -> bool:
    """Whether the folded sentence declines to answer, in English."""
    if not any(cue in text for cue in _CUES):
        return False
    body = without_opening(text).strip("\"“”'([ ")
    if _IN_A_WORD.fullmatch(body) or _IN_A_WORD.fullmatch(text) or any(_said(text)):
        return True
    frame = _FRAME.match(body)
    rest = without_opening(body[frame.end() :]) if frame else body
    starts = any(pattern.match(start) for start in {body, rest} for pattern in _AT_THE_START)
    return starts or (frame is not None and _BEGINS_WITHIN_A_FRAME.match(rest) is not None)


def _said(text: str) -> Iterator[bool]:
    """Each refusal in the text, but for those that stand under a condition."""
    for pattern in _ANYWHERE:
        for match in pattern.finditer(text):
            if not _CONDITION.search(text[max(0, match.start() - 80) : match.start()]):
                yield True
