"""What an answer opens with before it says anything: a greeting, thanks, an apology, a label."""

from __future__ import annotations

import re

_ADDRESSED = r"(?: (?:there|everyone|all|again|dear|[\w-]{1,20}))?"
_THANKS = r"(?:thank you|thanks)(?: (?:very|so) much)?(?: (?:again )?for [^.!?:;,]{1,80})?"
_PRAISE = (
    r"(?:(?:that is |what )?an? |that is |this is an? )?(?:great|good|excellent|interesting|tricky|fair) (?:question"
    r"|one)"
    r"(?: (?:about|on|regarding) [^.!?:;,]{1,60})?"
)
_SORRY = r"(?:(?:i am|we are) )?(?:(?:very|so|really|terribly|truly|deeply) )?(?:sorry|afraid)"
_APOLOGY = r"(?:(?:i|we) (?:do )?|(?:my|our) (?:sincere )?|please accept my )?apolog(?:ies|i[sz]e)"
_GREETING = (
    rf"(?:hello|hi|hey|greetings|good (?:morning|afternoon|evening|day)){_ADDRESSED}"
    rf"|dear (?:[\w-]{{1,20}} ?){{1,3}}"
)
_ABROAD = (
    r"guten (?:tag|morgen|abend)|hallo|moin|vielen dank[^.!?:;,]{0,60}|danke[^.!?:;,]{0,60}"
    r"|(?:es )?tut mir (?:sehr )?leid"
    r"|entschuldigung|gute frage|bonjour|bonsoir|merci[^.!?:;,]{0,60}|désolée?|je suis (?:vraiment )?désolée?"
    r"|bonne question"
    r"|hola|buen[oa]s (?:días|tardes|noches)|gracias[^.!?:;,]{0,60}|lo siento(?: mucho)?|buena pregunta|perdón"
    r"|ciao|salve|buon(?:giorno|asera)|grazie[^.!?:;,]{0,60}|mi dispiace|spiacente|buona domanda"
    r"|goedendag|goedemorgen|dank je(?: wel)?[^.!?:;,]{0,60}|bedankt[^.!?:;,]{0,60}|het spijt me|goede vraag"
    r"|olá|oi|bom dia|boa (?:tarde|noite|pergunta)|obrigad[oa][^.!?:;,]{0,60}|desculpe|lamento|sinto muito"
    r"|您好|你好|谢谢[^。！？，]{0,30}|感谢[^。！？，]{0,30}|(?:很|非常)?抱歉|对不起|對不起|不好意思"
    r"|こんにちは|ありがとうございます|申し訳(?:ありません|ございません)|すみません"
)
_ADVERB = r"unfortunately|sadly|regrettably|alas|however|but|and|so|well|hmm|sure|certainly|of course|okay|ok|yes|no"
_NOD = r"sure|okay|ok|alright|hmm|well"
_COURTESY = rf"(?:{_GREETING}|{_THANKS}|{_PRAISE}|{_SORRY}|{_APOLOGY}|{_ABROAD}|(?:{_NOD})(?![\w'])(?! [\w']))"
_LABEL = (
    r"(?:(?:final |short |my )?(?:answer|response|reply)|antwort|réponse|respuesta|risposta|antwoord|resposta|答案"
    r"|回答)"
)
_WHO = r"as an? (?:ai|artificial intelligence|large language|language)[\w -]{0,30}"

_ONLY_POLITE = re.compile(
    rf"\W*(?:(?:{_ADVERB}),? ?)?{_COURTESY}(?: (?:to hear (?:that|this)|to say|(?:for|about) [^.!?:;,]{{1,60}}))?"
    rf"(?:[,!.]? (?:{_COURTESY}))?\W*"
)
"""A whole sentence that greets, thanks, praises or apologises and says nothing else."""
_OPENING = re.compile(
    rf"\W*+(?:{_LABEL} ?[:：] ?|{_COURTESY}(?: for (?:the|any) [^.!?:;,]{{1,30}})?[,.!:;，。！]*(?: (?:but|that|to say"
    rf"|though|however)\b,?)?"
    rf"|{_WHO}|(?:{_ADVERB})\b,|(?:{_ADVERB})\b(?= (?:i|we|the|this|that|there|none|no)\b)"
    r"|it (?:seems|appears|looks like)(?: that)?|though|to be honest|honestly)[,\s]*"
)
"""One thing that an answer opens with before it says anything."""
_MOST_OPENINGS = 5


def only_polite(text: str) -> bool:
    """Whether one sentence, folded by `folded`, greets, thanks or apologises and says nothing else."""
    return len(text) < 200 and _ONLY_POLITE.fullmatch(text) is not None


def without_opening(text: str) -> str:
    """The folded text without the greetings, thanks, apologies and labels that it opens with."""
    for _ in range(_MOST_OPENINGS):
        opening = _OPENING.match(text)
        if opening is None:
            break
        text = text[opening.end() :]
    return text
