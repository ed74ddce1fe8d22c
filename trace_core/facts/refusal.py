"""Detect answers that decline to answer: by a list of English wordings, and one short pattern for each other language.

An answer declines where it speaks of itself ("I cannot tell"), of the question ("this cannot be answered"), of what it
was given ("the documents do not say") or of what is missing ("there is no information about it"). A rarer wording is
not detected: where a judge reads the answer, its labels say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

LONGEST = 2_000
"""The number of leading characters that are read."""
_ALIKE = str.maketrans("’ʼ`", "'''", '*#>_"“”')
"""One kind of apostrophe, and no marks of Markdown or quotation."""
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

_MATERIAL = (
    r"(?:contexts?|documents?|documentation|passages?|excerpts?|snippets?|search results|knowledge base"
    r"|(?:provided|given|supplied|retrieved|available) (?:information|materials?|texts?|content|data|sources?"
    r"|pages?))\b"
)
"""What an answer is given, in words that name little else."""
_SOURCE = rf"(?:{_MATERIAL}|(?:texts?|articles?|sources?|manual|handbook|guide|report|materials?)\b)"
_THE = r"(?:the|this|these|those|my|your|any of the) (?:[\w-]+ ){0,2}?"
_KNOWLEDGE = r"(?:information|reason|info|details?|context|answers?|mention|reference|knowledge|specifics|indication)\b"
_SAY = r"(?:mention|name|state|specify|say|discuss|describe|address|indicate|explain|answer|tell)\b"
_HOLD = r"(?:provide|contain|include|give|cover|have|offer|allow|appear)\b"
_STATED = r"(?:mentioned|stated|specified|addressed|discussed|described|covered)"
_PRESENT = rf"(?:{_STATED}|provided|given|found|available|included|answered|determined|part)"
_ABLE = r"(?:can not|could not|am (?:unable|not able) to|(?:are|was|were) (?:unable|not able) to)"
_END = r"\W*$"
_ENGLISH = (
    # of itself
    r"(?:i|we) (?:\w+ )?(?:do|did) not (?:\w+ )?know\b",
    rf"i {_ABLE} (?:\w+ )?(?:answer|determine|say|tell|find|confirm|verify|locate|be sure|provide|give|assist"
    rf"|comply|help)\b",
    rf"we {_ABLE} (?:\w+ )?(?:answer|say|tell|(?:determine|find|locate|confirm)\b[^.!?]{{0,40}}(?:{_KNOWLEDGE}"
    rf"|{_SOURCE}))",
    rf"(?:i|we) (?:do|did|could|can) not (?:\w+ )?(?:have|see|find)\b[^.!?]{{0,30}}\b{_KNOWLEDGE}",
    rf"(?:i|we) (?:have|see|(?:can |could )?find|found|lack) (?:nothing (?:about|on|in)\b|(?:(?:no|not enough) "
    rf")?(?:\w+ )?{_KNOWLEDGE})",
    r"i (?:must )?(?:respectfully )?(?:decline|refuse) to\b|i (?:will not|would rather not) (?:answer"
    r"|speculate|say)\b",
    rf"i am not (?:\w+ )?(?:sure|certain|aware)(?: (?:about|of|if|what|which|whether)\b|[,;]|{_END})|i have "
    rf"no (?:idea|clue|way)\b",
    # of the question
    rf"^(?:this|that|it|the) (?:[\w-]+ )?(?:question |answer |information )?(?:can|could) not be (?:answered"
    rf"|determined|inferred|found)(?: (?:from|with|using|based on) (?:{_THE})?{_SOURCE}|{_END})",
    rf"(?:can|could|is|are|was|were) not (?:be )?(?:\w+ )?{_PRESENT} (?:anywhere )?(?:in|by|from|within|based on"
    rf"|on|of) (?:{_THE})?{_MATERIAL}",
    rf"(?:is|are|was|were) not (?:\w+ )?{_STATED}(?:{_END}| (?:in|by) {_THE}{_SOURCE})|^not {_PRESENT} in "
    rf"{_THE}{_SOURCE}",
    rf"^(?:{_THE})?(?:information|answer)\b[^.!?]{{0,40}}\bnot (?:in {_THE}{_SOURCE}|(?:{_PRESENT}|clear|known){_END})",
    rf"^(?:that|it) is not in {_THE}{_SOURCE}|^the answer is (?:unknown|unclear){_END}",
    rf"it (?:is|was) (?:unclear|not clear|unknown|impossible|not possible)\b(?: to (?:say|tell|answer)\b"
    rf"|[^.!?]{{0,60}}\b{_THE}{_SOURCE})",
    rf"(?:outside|beyond) the scope of {_THE}{_MATERIAL}|remains unanswered\b",
    # of what was given
    rf"{_THE}{_SOURCE}[^.!?,]{{0,60}}? (?:(?:do|does|did) not|fails? to|never) (?:\w+ ){{0,2}}?(?:{_SAY[:-2]})s?\b",
    rf"{_THE}{_MATERIAL}[^.!?,]{{0,60}}? (?:(?:do|does|did) not|fails? to) (?:\w+ ){{0,2}}?{_HOLD}",
    rf"{_THE}{_SOURCE}[^.!?,]{{0,30}}? (?:\w+s?|has) (?:nothing|(?:no|any|not enough|insufficient)) (?:\w+ "
    rf"){{0,2}}?(?:{_KNOWLEDGE}|about|on)\b",
    rf"{_THE}{_SOURCE}[^.!?,]{{0,30}}? (?:lacks? {_KNOWLEDGE}|(?:is|are) (?:silent|insufficient|(?:not relevant"
    rf"|unrelated) to the question))",
    rf"^(?:none|nothing|neither|nowhere) (?:of|in) {_THE}{_SOURCE}[^.!?]{{0,30}}?\b(?:{_SAY[:-2]}|{_HOLD[:-2]})",
    rf"^(?:based on|according to|from|in|given) {_THE}{_SOURCE}[^.!?,]{{0,20}}, [^.!?]{{0,60}}?\b(?:can not be "
    rf"{_PRESENT}|(?:is|are) (?:not {_STATED}|unclear|not (?:clear|possible) to)|does not {_SAY}|there is no "
    rf"{_KNOWLEDGE})",
    # of what is missing
    rf"there (?:is|are|was|were) (?:no|not enough|not any|insufficient) (?:\w+ )?{_KNOWLEDGE}(?: (?:about|on|of"
    rf"|for|to (?:answer|say|tell|this|that|the|your|an?)|regarding|that|available|provided|found|in)\b|{_END})",
    rf"there (?:is|was) (?:nothing|not anything)\b[^.!?]{{0,20}} in {_THE}{_SOURCE}",
    rf"^(?:no|not enough|insufficient) (?:\w+ )?{_KNOWLEDGE}(?: (?:about|on|regarding|(?:is |was |were "
    rf")?(?:available|provided|found|given)(?! to (?!answer|say))|to answer)\b|{_END})",
    r"^no (?:relevant|matching) (?:documents?|passages?|information|context|results?)\b",
    r"^(?:unable|not possible|impossible) to (?:answer|determine|say|tell|find|confirm)\b|^can not (?:answer|say"
    r"|tell)\b",
    rf"^(?:(?:i am )?sorry|not {_PRESENT}|not (?:sure|applicable|known)|unknown|unanswerable|n/?a|no (?:idea"
    rf"|answer)|do not know){_END}",
)
_ELSEWHERE = (
    # German
    r"wei(?:ß|ss) (?:ich |es |leider )*nicht\b(?!,)|nicht in den (?:dokumenten|unterlagen)"
    r"|keine (?:information|angabe|hinweis)|(?:kann|lässt sich)\b[^.!?]{0,60}\bnicht (?:beantwort|sagen|bestimm)",
    # French
    r"je ne (?:le |la )?sais pas(?! \w+r\b)|je n'ai pas [^.!?]{0,20}information"
    r"|je ne peux pas [^.!?]{0,30}(?:répond|aid)"
    r"|(?:documents|contexte|texte)\b[^.!?]{0,20}\bne? ?'?(?:le )?(?:mentionn|indiqu|précis|di)"
    r"|aucune information\b|n'est pas (?:mentionné|précisé|indiqué)",
    # Spanish
    r"no (?:lo )?sé\b(?! \w+r\b)|no (?:puedo|es posible|se puede) (?:responder|decir|determinar)"
    r"|^no especificad[oa]\W*$|no (?:tengo|hay) (?:\w+ ){0,2}(?:información|mención)"
    r"|no (?:lo |se )?(?:menciona|indica|especifica)",
    # Italian
    r"non (?:lo )?so\b(?! \w+re\b)|non (?:posso|è possibile) (?:rispondere|dire|determinare)"
    r"|non (?:ho|ci sono) (?:trovato )?(?:informazioni|nulla)|non (?:lo |è )?(?:menziona|indica|specifica)",
    # Dutch
    r"weet (?:ik )?(?:het |dat )?niet\b|kan niet worden (?:bepaald|beantwoord)"
    r"|geen (?:\w+ )?(?:informatie|vermelding)"
    r"|niet in de (?:documenten|tekst)|niet vermeld\b|tekst zegt\b[^.!?]{0,20}\bniets\b",
    # Portuguese
    r"não sei\b(?! \w+r\b)|não (?:posso|é possível) (?:responder|dizer|determinar)|^não especificado\W*$"
    r"|não (?:tenho|há) (?:\w+ ){0,2}(?:informaç|menção)|não (?:é )?(?:menciona|indica|especifica)"
    r"|resposta não está\b",
)
_WITHOUT_SPACES = (
    # Chinese
    r"不知道|不清楚|(?:无法|無法)[^。！？]{0,12}(?:回答|确定|判断|找到)"
    r"|(?:文档|文件|上下文|资料|文本)[^。！？]{0,12}(?:没有|未|沒有)[^。！？]{0,4}(?:提|说|說)",
    # Japanese
    r"(?:わかりません|分かりません|不明です|(?:お答え|回答|判断)(?:は)?できません)"
    r"|(?:文書|文脈|資料)[^。！？]{0,20}記載[^。！？]{0,8}(?:ません|ない)",
)
_CONDITION = re.compile(r"\b(?:if|when|whenever|unless|should|says?|said|replied|asks?|asked)\b")
"""Before the words, it tells what may be so, or what somebody else said."""
_POLITE = re.compile(
    r"\W{0,20}(?:(?:hello|hi|hey|dear|good (?:morning|afternoon|evening|day)"
    r"|hallo|guten tag|bonjour|hola|ciao|olá|您好|你好)"
    r"\b[^.!?:;,。！？]{0,25}|(?:thank|thanks|vielen dank|merci|gracias|grazie|obrigad)[^.!?。！？]{0,60}"
    r"|(?:(?:that is )?an? )?(?:great|good|excellent) question|(?:i am )?(?:so |very )?sorry[^.!?,]{0,40}"
    r"|(?:i apologi[sz]e|(?:my )?apologies)[^.!?,]{0,40}|sure|okay|ok|lo siento|désolée?|mi dispiace"
    r"|抱歉|こんにちは|すみません)[\W_]{0,20}"
)
"""A greeting, thanks or an apology, which say nothing: alone they are passed over, before other words they come off."""
_LEADS = re.compile(
    r"(?:(?:final )?(?:answer|response):|unfortunately|sadly|regrettably|however|but|as an ai[^,.]{0,30}"
    r"|(?:based on|according to|from|in) [^.!?,]{1,60},)[,\s]*"
)


@cache
def _pattern() -> re.Pattern[str]:
    # Compiled when first needed: that takes longer than to load all else that a command imports.
    # Tried only where a word starts: in a sixth of the time.
    return re.compile(rf"\b(?=\w)(?:{'|'.join((*_ENGLISH, *_ELSEWHERE))})|{'|'.join(_WITHOUT_SPACES)}")


def _folded(text: str) -> str:
    """The opening of the text in lower case, on one line, without contractions and marks."""
    opening = " ".join(text[:LONGEST].translate(_ALIKE).casefold().split())
    for short, long in _CONTRACTIONS.items():
        opening = opening.replace(short, long)
    return opening


def is_refusal(text: str) -> bool:
    """Whether one sentence, or the opening of an answer, declines to answer."""
    return _declines(_folded(text))


def _declines(whole: str) -> bool:
    rest = whole
    for leading in (_POLITE, _LEADS):
        opening = leading.match(rest)
        rest = rest[opening.end() :] if opening else rest
    matches = (_pattern().search(part) for part in {whole, rest})
    return any(match and not _CONDITION.search(match.string, 0, match.start()) for match in matches)


def opens_by_declining(sentences: Iterable[str]) -> bool:
    """Whether an answer opens by declining, after sentences that only greet, thank or (unless alone) apologise."""
    polite = []
    for sentence in map(_folded, sentences):
        if not _POLITE.fullmatch(sentence):
            return _declines(sentence)
        polite.append(sentence)
    return any(map(_declines, polite))
