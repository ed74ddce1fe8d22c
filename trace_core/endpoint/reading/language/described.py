"""The tests that a person asks for in everyday words, by what each of them finds out, in seven languages."""

from __future__ import annotations

import re

from trace_core.endpoint.reading.language.wishes import wishes

_SOURCES = (
    r"(?:contexts?|passages?|documents?|docs|sources?|texts?|chunks?|snippets?|articles?|pages?|excerpts?|quellen?"
    r"|kontexte?n?|texten?|dokumenten?"
    r"|contextes?|extraits?|contextos?|documentos?|fuentes?|fontes?|contest[oi]|documenti|font[ei]|bronnen|teksten"
    r"|trechos?|stycken?t?|abs(?:atz|ätzen?)|paragraphs?|párrafos?|paragraf[oi]|alinea|akapit\w{0,3}|entry|entries"
    r"|źród\w{1,4}|dokument\w{1,4}|källo?r?(?:na)?|texter(?:na)?)\b"
)
_ANSWER = (
    r"\b(?:answer(?:s|ed)?|reply|replies|response|bot|model|assistant|antwort|modell|réponse|modèle|respuesta|modelo"
    r"|risposta|modello|antwoord|resposta|odpowiedź|svaret|it|this|that|everything|claims?)\b"
)
_ON_SOURCES = (
    r"grounded|grounding|supported|backed|founded|found|stick\w{0,3}|follows?|consistent|faithful|true|gedeckt|belegt"
    r"|gestützt|étayée?|soutenue?|respaldad[ao]|apoyad[ao]|fundamentad[ao]|supportat[ao]|fondat[ao]|klopt|onderbouwd"
    r"|apoiad[ao]|sustentad[ao]|fedel[ei]|fidèles?|fie(?:l|is|les)|treu|getrouw|wynika|zgodn[ea]|stöds|stöd|grundat"
)
_MADE_UP = (
    r"made[ -]up|mak(?:e|ing) (?:things|it|this|that|stuff) up|invent(?:s|ed|ing)?|fabricat\w{1,4}|hal?lu[cz]in\w{1,8}"
    r"|al+ucin\w{1,8}|erfunden|inventée?s?|inventa|verzint|erfindet|hittar på"
    r"|zmyśla|inventad[ao]s?|inventat[aoie]|verzonnen|bedacht"
)
_ALL = r"(?:everything|all|alles|tous|toutes|tout|tod[oa]s|tutti|tutte|tutto|tudo)\b"
_FOUND = (
    r"(?:f[io]nd|found|retriev\w{1,4}|return\w{0,3}|fetch\w{0,3}|got|get|gefunden\w?|abgerufen\w?|trouvés?|récupérés?"
    r"|encontr\w{1,6}|recuper\w{1,6}|trovat[oi]|gevonden)\b"
)
_NEEDED = r"(?:relevan\w{1,4}|needed|necessary|should|useful|supposed|required|pertinen\w{1,3}|rilevant[ei]|nodig)\b"
_HOW_MUCH = (
    r"\b(?:how (?:much|many)|what (?:share|part|fraction|percentage)|wie ?viele?|quelle part|combien|cuánt[oa]s?"
    r"|quant[oaie]|hoeveel|quant[oa]s)\b"
)
_USED = r"(?:us(?:e|es|ed|ing)|draws? on|nutzt|verwendet|utilise|usa|utiliza|utilizza|gebruikt)\b"
_CORRECT = (
    r"(?:correct[ae]?|accurate|right|richtig|korrekt|corrett[ao]|juist|correto|corret[ao]|exact[ae]?"
    r"|(?<=est )juste|(?<=-elle )juste|(?<=está )cert[ao]|esatt[ao]|poprawn[ea]|stämmer|rätt|riktigt)\b"
)
_EXPECTED = (
    r"(?:expected|reference|ground truth|gold|model answer|right (?:one|answer)|referenz|musterlösung|attendue"
    r"|référence|esperada|referencia|attesa|riferimento|verwachte|referência|facit|wzorc\w{1,5}|the book|textbook)\b"
)
_QUESTION = (
    r"(?:question|pytani\w{1,2}|frågan|what (?:was|is|i|we|they|the user) asked|frage|pregunta"
    r"|domanda|vraag|pergunta|point)\b"
)
_ADDRESSES = (
    r"(?:(?<!the )(?<!an )(?<!our )(?<!this )(?<!that )(?<!its )answers?|address(?:es)?"
    r"|dodges?|avoids?|gets? to|beantwortet|ein|répond|responde|risponde"
    r"|beantwoordt|responds? to|odpowiada)\b"
)
_OTHERWISE = r"(?!.{0,60}\b(?:correct|accurate|right)ly\b)"

_DESCRIBED = {
    "faithfulness": re.compile(
        rf"\b(?:{_ON_SOURCES})\b.{{0,60}}?\b{_SOURCES}|\b{_SOURCES}.{{0,20}}?\b(?:gedeckt|belegt|gestützt)\b"
        r"|\b(?:true to|treu zu|fidèle à|(?:fiel|fedele) a|getrouw aan) ?\?"  # what is quoted here
        rf"|{_CORRECT}.{{0,30}}?\b(?:according to|given|by)"
        rf".{{0,12}}?\b{_SOURCES}|\b(?:{_MADE_UP})\b",
        re.IGNORECASE,
    ),
    "answer_relevancy": re.compile(
        rf"\b{_ADDRESSES}.{{0,20}}?\b{_QUESTION}{_OTHERWISE}"
        rf"|\bgeht\b.{{0,30}}?\bauf die frage\b|\b(?:on|off)[ -]topic\b"
        r"|\bhow relevant (?:is|was) (?:this|the|that) (?:answer|reply|response)\b"
        r"|\bhow relevant (?:this|the|that|its|our|their) (?:answer|reply|response) (?:is|was)\b"
        r"|\b(?:answer|reply|response|antwort|réponse|respuesta|risposta|antwoord|resposta|it)\b.{0,30}?"
        rf"\b(?:relevant[ei]?|relevante|pertinente?|rilevante|pertinent)\b.{{0,20}}?\b{_QUESTION}",
        re.IGNORECASE,
    ),
    "context_utilisation": re.compile(
        rf"{_HOW_MUCH}.{{0,30}}?\b{_SOURCES}.{{0,40}}?\b{_USED}"
        rf"|\b(?:make|made|makes) (?:good |full |any )?use of.{{0,20}}?\b{_SOURCES}",
        re.IGNORECASE,
    ),
    "context_recall": re.compile(
        rf"\b{_FOUND}.{{0,20}}?\b{_ALL}.{{0,30}}?\b{_NEEDED}"
        rf"|\b{_ALL}.{{0,40}}?\b{_NEEDED}.{{0,40}}?\b{_FOUND}"
        rf"|\b{_ALL}.{{0,20}}?\b(?:needed|necessary|relevant)\b.{{0,10}}?\b{_SOURCES}"
        rf"|\b{_FOUND}.{{0,20}}?\btod[oa]s.{{0,30}}?\b{_NEEDED}|\bmiss(?:ed)? (?:anything|something|any)\b"
        rf"|\b(?:contain|include|cover)s?\b.{{0,20}}?\b{_ALL}.{{0,30}}?\b{_NEEDED}",
        re.IGNORECASE,
    ),
    "context_precision": re.compile(
        rf"{_HOW_MUCH}.{{0,60}}?"
        r"\b(?:relevan\w{1,4}|useful|needed|noise|pertinen\w{1,3}|rilevanti?)\b"
        rf"|\ball\b.{{0,30}}?\b{_SOURCES} (?:really |actually )?relevant\b",
        re.IGNORECASE,
    ),
    "answer_accuracy": re.compile(
        rf"\b(?:klopt|stimmt) (?:die|seine|ihre|diese|het|dit|zijn) antwo\w{{1,3}}\b(?!.{{0,60}}\b{_SOURCES})"
        rf"|{_ANSWER}.{{0,30}}?\b{_CORRECT}(?!.{{0,40}}?\b{_SOURCES})|\b{_CORRECT}.{{0,12}}?{_ANSWER}"
        rf"|\b(?:match(?:es)?|agrees?|equals?|stimmt|compared?|overlaps?)\b.{{0,40}}?\b{_EXPECTED}",
        re.IGNORECASE,
    ),
}
_INSTEAD = {"context_precision": {"context_utilisation", "answer_relevancy"}, "context_recall": {"faithfulness"}}
"""A test whose words may contain those of others."""
_NOT_ASKED = re.compile(
    r"\b(?:not|n['’]t|nicht|pas|no|non|niet) (?:asking|ask|care|interested|after|fragen"
    r"|interess\w{1,6})\b[^.;()?]{0,100}",
    re.IGNORECASE,
)
"""`I am not asking whether it is correct`."""
_COUNTED = re.compile(
    r"\b(?P<number>two|three|four|five)[ ](?:[a-z]{1,12}[ ])?(?:things|questions|points)\b", re.IGNORECASE
)
_NUMBERS = ("two", "three", "four", "five")
_LONGEST_REQUEST = 1000
ASKS_HOW = re.compile(
    r"\b(?:how (?:accurate|correct|right|exact) (?:is|was)|wie (?:genau|richtig|korrekt) (?:ist|war)"
    r"|(?:à quel point|dans quelle mesure)|(?:qué tan|cuán) \w{4,10} es|quanto è (?:corretta|accurata|esatta)"
    r"|quão \w{4,10} é|hoe (?:juist|correct|nauwkeurig) is|hur (?:rätt|korrekt|riktigt) är"
    r"|jak (?:poprawna|dokładna) jest)\b",
    re.IGNORECASE,
)
"""A question of how right something is, which does not say that it is: `How accurate is the answer “…”?`"""


def described(preamble: str) -> list[str]:
    """The tests that a question in everyday words asks for: "Is the answer grounded in the contexts?"."""
    said = _NOT_ASKED.sub(" ", " ".join(preamble[:_LONGEST_REQUEST].split()))
    found = {name: match for name, words in _DESCRIBED.items() if (match := words.search(said))}
    instead = {other for name in found for other in _INSTEAD.get(name, ())}
    places = {name: match.start() for name, match in found.items() if name not in instead}
    for wish in wishes(said):
        if any(match.start() < wish.end and wish.start < match.end() for match in found.values()):
            continue
        if wish.test is None and wish.sure:
            return []  # something else is wanted, too
        if wish.test is not None:
            places.setdefault(wish.test, wish.start)
    counted = _COUNTED.search(said)
    if counted and len(places) != _NUMBERS.index(counted["number"].lower()) + 2:
        return []  # one of the wishes was not understood
    return sorted(places, key=places.__getitem__)
