"""How people say that they sent something wrong: `sorry, I copied the wrong line`, `perdón, me equivoqué`."""

from __future__ import annotations

import re

SORRY = (
    r"(?:sorry|oops|ups|wait|correction|actually|pardon|entschuldigung|korrektur|désolée?|perdón|corrección"
    r"|scusa(?:te)?|correzione|desculpa|correção|correctie|förlåt|rättelse|przepraszam)\b[,:!.– -]{1,4}"
)
SLIP = re.compile(
    r"\b(?:wrong (?:line|one|text|row|field|cell|box|answer)|mistyped|mixed up the|copy[ -]paste error"
    r"|my (?:mistake|bad)|i (?:was wrong|got (?:it|that) wrong|made an? (?:mistake|error))"
    r"|(?:falsche?n?) (?:zeile|text|antwort)|tippfehler|vertippt|verwechselt|vertan|verschrieben|mein fehler"
    r"|mauvaise (?:ligne|réponse)|faute de frappe|(?:me suis|m['’]étais) trompée?|erreur de ma part"
    r"|línea equivocada|me equivoqué|me he equivocado|error mío"
    r"|riga sbagliata|mi sono sbagliat[oa]|ho sbagliato|errore mio|linha errada|enganei-me|me enganei|erro meu"
    r"|verkeerde regel|vergist|foutje|mijn fout|fel rad|skrev fel|mitt fel"
    r"|nie ta linia|pomyli(?:łe|ła)m|pomyłka|mój błąd)\b",
    re.IGNORECASE,
)
"""A mistake of whoever sends the query; an answer may correct itself, too, but makes none of these."""
INSTEAD = re.compile(r"\b(?:typo|please (?:use|take)|bitte nimm)\b", re.IGNORECASE)
"""The same where a paragraph of its own says it."""
_ABOUT_THE_MAIL = r"(?:this|if|for|about|that this|das|dass|für|wenn|pour|si|por|que|per|se|voor|för)\b"
_SAYS = re.compile(
    rf"(?:\A|[.!?\n][\"”»)]?)\s{{0,4}}(?:{SORRY}|nachtrag: |edit: |update: )(?!{_ABOUT_THE_MAIL})[^.!?\n]{{0,80}}?"
    r"\b(?:is|was|be|ist|war|sein|est|était|es|era|ser|è|essere|é|zijn|är|var|to)\b",
    re.IGNORECASE,
)
"""`Sorry, the answer was …`"""


def corrects(prose: str) -> str:
    """The words in the prose that take back what was sent; empty where there are none."""
    found = SLIP.search(prose) or _SAYS.search(prose)
    return found[0].strip(' \n.!?"”»)') if found else ""
