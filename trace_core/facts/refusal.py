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
_CONTRACTIONS = {"won't": "will not", "can't": "can not", "cannot": "can not", "n't": " not", "'m ": " am ",
                 "that's": "that is", "there's": "there is", "it's": "it is", "we're": "we are"}  # fmt: skip

_GIVEN = (
    r"(?:contexts?|documents?|documentation|passages?|excerpts?|snippets?|search results|knowledge base"
    r"|(?:provided|given|supplied|retrieved|available) (?:information|materials?|texts?|content|data|sources?"
    r"|pages?))\b"
)
"""What an answer is given, in words that name little else."""
_SOURCE = rf"(?:{_GIVEN}|(?:texts?|articles?|sources?|manual|handbook|guide|report|materials?)\b)"
_THE = r"(?:the|this|these|those|my|your|any of the) (?:[\w-]+ ){0,2}?"
_KNOWLEDGE = r"(?:information|reason|info|details?|context|answers?|mention|reference|knowledge|specifics|indication)\b"
_SAY = r"(?:mention|name|state|specify|say|discuss|describe|address|indicate|explain|answer|tell)\b"
_HOLD = r"(?:provide|contain|include|give|cover|have|offer|allow|appear)\b"
_STATED = r"(?:mentioned|stated|specified|addressed|discussed|described|covered)"
_FOUND = rf"(?:{_STATED}|provided|given|found|available|included|answered|determined|part)"
_ABLE = r"(?:can not|could not|am (?:unable|not able) to|(?:are|was|were) (?:unable|not able) to)"
_END = r"\W*$"
_ENGLISH = (
    # of itself
    r"\b(?:i|we) (?:\w+ )?(?:do|did) not (?:\w+ )?know\b",
    rf"\bi {_ABLE} (?:\w+ )?(?:answer|determine|say|tell|find|confirm|verify|locate|be sure|provide|give|assist"
    rf"|comply|help)\b",
    rf"\bwe {_ABLE} (?:\w+ )?(?:answer|say|tell|(?:determine|find|locate|confirm)\b[^.!?]{{0,40}}(?:{_KNOWLEDGE}"
    rf"|{_SOURCE}))",
    rf"\b(?:i|we) (?:do|did|could|can) not (?:\w+ )?(?:have|see|find)\b[^.!?]{{0,30}}\b{_KNOWLEDGE}",
    rf"\b(?:i|we) (?:have|see|(?:can |could )?find|found|lack) (?:nothing (?:about|on|in)\b|(?:(?:no|not enough) "
    rf")?(?:\w+ )?{_KNOWLEDGE})",
    r"\bi (?:must )?(?:respectfully )?(?:decline|refuse) to\b|\bi (?:will not|would rather not) (?:answer"
    r"|speculate|say)\b",
    rf"\bi am not (?:\w+ )?(?:sure|certain|aware)(?: (?:about|of|if|what|which|whether)\b|[,;]|{_END})|\bi have "
    rf"no (?:idea|clue|way)\b",
    # of the question
    rf"^(?:this|that|it|the) (?:[\w-]+ )?(?:question |answer |information )?(?:can|could) not be (?:answered"
    rf"|determined|inferred|found)(?: (?:from|with|using|based on) (?:{_THE})?{_SOURCE}|{_END})",
    rf"\b(?:can|could|is|are|was|were) not (?:be )?(?:\w+ )?{_FOUND} (?:anywhere )?(?:in|by|from|within|based on"
    rf"|on|of) (?:{_THE})?{_GIVEN}",
    rf"\b(?:is|are|was|were) not (?:\w+ )?{_STATED}(?:{_END}| (?:in|by) {_THE}{_SOURCE})|^not {_FOUND} in "
    rf"{_THE}{_SOURCE}",
    rf"^(?:{_THE})?(?:information|answer)\b[^.!?]{{0,40}}\bnot (?:in {_THE}{_SOURCE}|(?:{_FOUND}|clear|known){_END})",
    rf"^(?:that|it) is not in {_THE}{_SOURCE}|^the answer is (?:unknown|unclear){_END}",
    rf"\bit (?:is|was) (?:unclear|not clear|unknown|impossible|not possible)\b(?: to (?:say|tell|answer)\b"
    rf"|[^.!?]{{0,60}}\b{_THE}{_SOURCE})",
    rf"\b(?:outside|beyond) the scope of {_THE}{_GIVEN}|\bremains unanswered\b",
    # of what was given
    rf"\b{_THE}{_SOURCE}[^.!?,]{{0,60}}? (?:(?:do|does|did) not|fails? to|never) (?:\w+ ){{0,2}}?(?:{_SAY[:-2]})s?\b",
    rf"\b{_THE}{_GIVEN}[^.!?,]{{0,60}}? (?:(?:do|does|did) not|fails? to) (?:\w+ ){{0,2}}?{_HOLD}",
    rf"\b{_THE}{_SOURCE}[^.!?,]{{0,30}}? (?:\w+s?|has) (?:nothing|(?:no|any|not enough|insufficient)) (?:\w+ "
    rf"){{0,2}}?(?:{_KNOWLEDGE}|about|on)\b",
    rf"\b{_THE}{_SOURCE}[^.!?,]{{0,30}}? (?:lacks? {_KNOWLEDGE}|(?:is|are) (?:silent|insufficient|(?:not relevant"
    rf"|unrelated) to the question))",
    rf"^(?:none|nothing|neither|nowhere) (?:of|in) {_THE}{_SOURCE}[^.!?]{{0,30}}?\b(?:{_SAY[:-2]}|{_HOLD[:-2]})",
    rf"^(?:based on|according to|from|in|given) {_THE}{_SOURCE}[^.!?,]{{0,20}}, [^.!?]{{0,60}}?\b(?:can not be "
    rf"{_FOUND}|(?:is|are) (?:not {_STATED}|unclear|not (?:clear|possible) to)|does not {_SAY}|there is no "
    rf"{_KNOWLEDGE})",
    # of what is missing
    rf"\bthere (?:is|are|was|were) (?:no|not enough|not any|insufficient) (?:\w+ )?{_KNOWLEDGE}(?: (?:about|on|of"
    rf"|for|to (?:answer|say|tell|this|that|the|your|an?)|regarding|that|available|provided|found|in)\b|{_END})",
    rf"\bthere (?:is|was) (?:nothing|not anything)\b[^.!?]{{0,20}} in {_THE}{_SOURCE}",
    rf"^(?:no|not enough|insufficient) (?:\w+ )?{_KNOWLEDGE}(?: (?:about|on|regarding|(?:is |was |were "
    rf")?(?:available|provided|found|given)(?! to (?!answer|say))|to answer)\b|{_END})",
    r"^no (?:relevant|matching) (?:documents?|passages?|information|context|results?)\b",
    r"^(?:unable|not possible|impossible) to (?:answer|determine|say|tell|find|confirm)\b|^can not (?:answer|say"
    r"|tell)\b",
    rf"^(?:(?:i am )?sorry|not {_FOUND}|not (?:sure|applicable|known)|unknown|unanswerable|n/?a|no (?:idea"
    rf"|answer)|do not know){_END}",
)
_ELSEWHERE = (
    # German
    r"\b(?:weiss|weiß) (?:ich |es |das |leider )*nicht\b(?!,)|\bkeine ahnung\b|^nicht (?:angegeben|bekannt)\W*$"
    r"|\bnicht hervor\b"
    r"|\b(?:kann|können|konnten?|lässt sich)\b[^.!?]{0,60}\bnichts?\b[^.!?]{0,30}(?:beantwort|sagen|finden"
    r"|bestimm|festst)"
    r"|\b(?:dokument|kontext|text|unterlagen|quelle|handbuch|passage)\w*\b[^.!?]{0,40}\b(?:nichts?"
    r"|keine)\b[^.!?]{0,20}(?:erwähn|angeg|"
    r"information|hinweis|auskunft|darüber|dazu)|\b(?:erwähn|beantwort|nenn)\w+ (?:das|dies|diese "
    r"frage)\b[^.!?]{0,10}\bnicht\b"
    r"|\bnicht (?:in|im|aus) [^.!?]{0,20}(?:dokument|kontext|text\b|unterlagen|quelle|handbuch)"
    r"|\bkeine (?:\w+ )?(?:information|angabe|hinweise|aussage)\w*(?: (?:dazu|darüber|zum?|über|treffen|gefunden"
    r"|vor|verfügbar)\b|\W*$)",
    # French
    r"\bje ne (?:le |la )?sais pas(?! \w+r\b)|\bje n'(?:en sais rien|ai (?:aucune idée|(?:pas"
    r"|trouvé)[^.!?]{0,30}(?:information|réponse)))"
    r"|\b(?:je|on) ne (?:peux|peut|trouve|suis|parviens)\b[^.!?]{0,40}(?:répondre|mention|mesure de|information"
    r"|aider)"
    r"|\b(?:documents?|contexte|textes?|extraits?|passages?)\b[^.!?]{0,20}\bne? ?'?(?:le |la )?(?:mentionne"
    r"|indique|précise|répond|di[ts]|fourni|contien)"
    r"\w*[^.!?]{0,10}\b(?:pas (?!de)|pas\W*$|rien|aucune (?:information|mention)|pas d'information)"
    r"|\b(?:aucune|pas d') ?(?:information|mention|précision|indication)\b|\bn'est pas (?:mentionné|précisé"
    r"|indiqué|disponible)"
    r"|^(?:non (?:précisé|disponible)|information non disponible)\W*$|\bimpossible de répondre\b",
    # Spanish
    r"\bno (?:lo )?sé\b(?! \w+r\b)|\bni idea\b|\bdesconozco\b|^no especificad[oa]\W*$"
    r"|\bno (?:puedo|es posible|se puede|pude|podemos)\b[^.!?]{0,30}(?:responder|decir|determinar|encontrar|ayudar)"
    r"|\bno (?:tengo|hay|dispongo de|encuentro|encontré|existe) (?:\w+ ){0,3}(?:información|mención)|\bno he "
    r"encontrado nada\b"
    r"|\b(?:documentos?|contexto|textos?|pasajes?)\b[^.!?]{0,30}\bno (?:lo |se )?(?:menciona|indica|especifica"
    r"|dice|responde|proporciona)"
    r"|\b(?:información|respuesta)\b[^.!?]{0,10}\bno (?:está disponible[^\w]*$|se encuentra|aparece)|\bno se "
    r"(?:menciona|indica|especifica)\w*",
    # Italian
    r"\bnon (?:lo )?so\b(?! \w+re\b)|\bnon ne ho idea\b|^non specificato\W*$"
    r"|\bnon (?:posso|è possibile|riesco|sono in grado)\b[^.!?]{0,30}(?:rispondere|dire|determinar|trovare)"
    r"|\bnon (?:ho|ci sono|c'è|trovo) (?:\w+ ){0,3}(?:informazion|menzione|nulla)"
    r"|\b(?:document[oi]|contesto|test[oi]|passagg\w+)\b[^.!?]{0,30}\bnon (?:lo )?(?:menziona|indica|specifica"
    r"|dic|risponde|fornis)"
    r"|\b(?:informazion[ei]|rispost[ae])\b[^.!?]{0,10}\bnon (?:è|sono|si trova)\b|\bnon (?:è|viene) (?:menzionat"
    r"|indicat|specificat)",
    # Dutch
    r"\bweet (?:ik )?(?:het |dat )?(?:helaas )?niet\b|\bgeen idee\b|^niet vermeld\W*$"
    r"|\bkan (?:ik )?[^.!?]{0,40}\bniet\b[^.!?]{0,20}(?:beantwoord|vinden|zeggen|bepa)|\b(?:geen|onvoldoende) "
    r"(?:\w+ )?(?:informatie|vermelding)"
    r"|\b(?:document|context|tekst|bron)\w*\b[^.!?]{0,20}\b(?:vermeld|noem|zeg|geef|geven"
    r"|staa)\w*\b[^.!?]{0,20}\bniets?\b"
    r"|\b(?:staat|wordt)\b[^.!?]{0,20}\bniet\b[^.!?]{0,10}(?:in|vermeld|genoemd)",
    # Portuguese
    r"\bnão sei\b(?! \w+r\b)|\bnão faço ideia\b|^não especificado\W*$"
    r"|\bnão (?:posso|é possível|consigo|foi possível)\b[^.!?]{0,30}(?:responder|dizer|determinar|encontrar)"
    r"|\bnão (?:tenho|há|encontr\w+|existe) (?:\w+ ){0,3}(?:informaç|menção|nada)"
    r"|\b(?:documentos?|contexto|textos?|trechos?)\b[^.!?]{0,30}\bnão (?:o )?(?:menciona|indica|especifica|diz"
    r"|responde|fornece)"
    r"|\b(?:informação|resposta)\b[^.!?]{0,10}\bnão está\b|\bnão (?:é|está|foi) (?:mencionad|indicad|especificad)",
    # Chinese
    r"我(?:也)?不知道|不清楚|(?:无法|無法)[^。！？]{0,12}(?:回答|确定|確定|得知|判断|找到)|没有[^。！？]{0,6}(?:信息|资料|答案)|^(?:未提及|信息不足)\W*$"
    r"|(?:文档|文件|文中|上下文|资料|文本|材料)[^。！？]{0,12}(?:没有|未|並未|并未|沒有)[^。！？]{0,4}(?:提|说|說|给|包含|涉及|找到)",
    # Japanese
    r"(?:わかりません|分かりません|不明です|(?:お答え|回答|判断|特定)(?:は)?できません)"
    r"|(?:文書|ドキュメント|文脈|コンテキスト|本文|資料|テキスト)[^。！？]{0,20}(?:記載|言及|書かれて|含まれて|見つかり)[^。！？]{0,8}(?:ません|ない)",
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
    return re.compile("|".join((*_ENGLISH, *_ELSEWHERE)))


def _folded(text: str) -> str:
    """The opening of the text in lower case, on one line, without contractions and marks."""
    opening = " ".join(text[:LONGEST].translate(_ALIKE).casefold().split())
    for short, long in _CONTRACTIONS.items():
        opening = opening.replace(short, long)
    return opening


def is_refusal(text: str) -> bool:
    """Whether one sentence, or the opening of an answer, declines to answer."""
    whole = _folded(text)
    rest = whole
    for leading in (_POLITE, _LEADS):
        found = leading.match(rest)
        rest = rest[found.end() :] if found else rest
    matches = (_pattern().search(part) for part in (whole, rest))
    return any(match and not _CONDITION.search(match.string, 0, match.start()) for match in matches)


def opens_by_declining(sentences: Iterable[str]) -> bool:
    """Whether an answer of these sentences opens by declining; a later sentence may merely mention refusals.

    Sentences that only greet, thank or apologise are passed over; an answer of such sentences alone declines if one of
    them does ("Sorry.").
    """
    polite = []
    for sentence in sentences:
        if not _POLITE.fullmatch(_folded(sentence)):
            return is_refusal(sentence)
        polite.append(sentence)
    return any(map(is_refusal, polite))
