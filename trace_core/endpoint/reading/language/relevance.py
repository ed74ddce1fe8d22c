"""Relevant contexts told by marks, `c1 (relevant): …`, `✓ [c1] …`, or in a sentence: `Only A and C actually help.`

Such a sentence has a line of its own, or ends the query, and consists of ids, positions and words of a closed list;
any other word makes it part of a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from trace_core.endpoint.reading.language.names import without_names
from trace_core.endpoint.reading.language.ordinals import counted, is_ordinal, spelled_out
from trace_core.endpoint.reading.language.relevant_ids import ALL_BUT

_LONGEST = 140
_OPINION = re.compile(r"\bI(?: would| do)? (?:think|believe|guess|say|reckon)(?: that)?\b", re.IGNORECASE)
_LEADERS = "...."
"""The dots of a form, after a label."""
_TELLS = frozenset(
    "relevant relevante relevantes relevants relevanten pertinent pertinente pertinentes pertinents pertinenti "
    "rilevante rilevanti istotne istotny istotna relevanta "
    "useful helpful help helps helped needed matter matters nützlich hilfreich "
    "wichtig utile utiles utili útil útiles úteis nuttig potrzebne answers".split()
)
_DENIES = frozenset(
    "not isn't isn’t aren't aren’t irrelevant irrelevante irrelevantes irrilevante irrilevanti nicht pas ne no niet "
    "non nie neither noise useless unrelated não".split()
)
_FILLS = frozenset(
    "only just really actually truly the a an is are was were be one ones that which of them those these two three "
    "here for to this question answer it its in fact and or as both context contexts document documents doc "
    "imo imho hit hits result results docs chunk chunks passage passages source sources snippet snippets number "
    "numbers text texts retrieved exhibit exhibits article articles page pages entry entries excerpt excerpts "
    "item items only one unique único única unico unica einzige einziger enige enda jedyny von diesen dieser "
    "fundstelle fundstellen absatz abschnitt treffer below above nummer nummern numéro numéros número números "
    "numero numeri "
    "wäre wären gewesen serait seraient sarebbe sarebbero sería serían seria seriam byłby vore "
    "obviously clearly natürlich offensichtlich évidemment claramente obviamente ovviamente chiaramente uiteraard "
    "oczywiście "
    "nur sind ist war waren wirklich die der das beiden kontexte kontext dokumente dokument quellen quelle texte "
    "stücke für frage und oder davon "
    "seul seuls seule seules seulement sont est étaient était vraiment les le la documents document extraits extrait "
    "contextes contexte et ou parmi eux "
    "solo sólo son es eran era realmente los las el documentos documento contextos contexto fragmentos fragmento y "
    "alleen zijn is de het stukken stuk bronnen bron documenten contexten en "
    "soltanto sono è documenti documento contesti contesto fonti e i gli "
    "apenas são é o os as trechos trecho "
    "brano brani passaggio passaggi passo passi pasaje pasajes passagem passagens passagen stelle stellen ausschnitt "
    "texto textos testo testi tekst teksten teksty fragmenten só somente bara endast är det den stycket stycke stycken "
    "textstycket texten texterna dokumentet "
    "tylko jest są konteksty kontekst fragment fragmenty i oraz".split()
)
_SHOULD = frozenset(
    "expected erwartet attendu attendus esperado esperados attesi verwacht oczekiwane "
    "should must ought supposed needed sollte sollten hätte hätten müsste müssten aurait auraient fallait devait "
    "devaient debería deberían deberíamos debía debían dovrebbe dovrebbero avrebbe avremmo dovevamo dovuto deveria "
    "deveriam devia deviam hadden moeten moest zouden borde skulle powinien powinny powinno powinniśmy".split()
)
_FINDS = frozenset(
    "found find retrieved retrieve fetched fetch pulled surfaced gefunden finden abgerufen trouver trouvé trouvés "
    "récupérer récupérés encontrar encontrado recuperar recuperado trovare trovato trovati recuperare recuperato "
    "vinden gevonden opgehaald hitta hittat hittats znaleźć znalezione".split()
)
"""With one of the words before: `we should have found c4 and c8`."""
_TEXTS = frozenset(
    "contexts context documents document docs chunks chunk passages passage sources snippets ids kontexte dokumente "
    "texte extraits contextes fragmentos contextos documentos contesti documenti documenten trechos".split()
)
_ABOUT_FINDING = frozenset(
    "we it the retriever search system have has been he wir er sie haben werden worden il on nous avoir être été se "
    "haber sido hemos essere stati stato avere ser sido ter terem worden zijn wij att ha har vi ju to be".split()
)
_CLOSED = _FILLS | _TEXTS | _TELLS | _DENIES | _SHOULD | _FINDS | _ABOUT_FINDING
"""Every word of such a sentence but its ids."""
_PARTS = re.compile(
    r"[,;:()]|[ ][—–-][ ]|\b(?:but|while|whereas|where|and|aber|während|wobei|und|mais|dont|et|pero|donde|y|ma|dove|e"
    r"|maar|waarvan|en|mas|onde|men|där|och|ale|oraz)\b"
)
"""What stands between the clauses of a sentence, or between the ids of a list."""
_SENTENCE = re.compile(r"[^.!?\n]{1,2000}(?:[.!?](?!\s|\Z)[^.!?\n]{1,2000}){0,20}")
_AFTER_QUESTION = re.compile(
    r"(?<=[?？])(?P<marks>[ ]?[»”\"]|)(?P<said>[ \t]{1,4}[^.!?？:\n]{5,140})(?=[.!]?[ \t]{0,8}$)", re.MULTILINE
)
"""The last sentence of a line, right after a question."""
_MOST_PARTS = 10
_LONGEST_PROSE = 4000
_BUT = re.compile(r"[,;.](?=\s|$)|\b(?:but|while|whereas|aber|mais|pero|maar|ma|mas|ale|während)\b", re.IGNORECASE)
_TOKEN = re.compile(r"(?:[^\s,;:()\[\]\"“”„«»*_`]|(?<=\w)_(?=\w))+")
_ID = re.compile(r"[#§]?(?:[A-Za-z]{0,12}[_-]?\d{1,6}[a-z]?|[A-Z]|[A-Za-z]{1,16}(?:[_/-][A-Za-z0-9]{1,16}){1,3})")
_LETTERS = re.compile(
    r"(?<![\w'’])([a-h])(?=[ ,]{1,3}(?:(?:and|und|et|y|en|e) )?[a-h](?![\w'’])|[ \t]{0,2}\Z| (?:is|ist|est|es|è)\b)"
    r"|(?:\b(?:and|und|et|y|en)|,) ([a-h])(?![\w'’])"
)
"""Small letters that are ids: `a and c`, `b is`."""
_NUMBERED = r"[A-Za-z]{0,12}[_-]?\d{1,4}"
_RANGE = re.compile(rf"(?<![\w-])({_NUMBERED}) ?(?:to|through|until|bis|à|t/m|do|-|–) ?({_NUMBERED})(?![\w-])")
_RANGED = re.compile(rf"{_NUMBERED}–{_NUMBERED}")
"""`c1 to c3`, as one id."""
_POOL = frozenset("of among from von unter aus parmi entre tra fra van bland av spośród".split())
_ELIDED = re.compile(r"\A[lLdD]['’]|['’](?:ve|d|s|re)\Z")
"""`l'ultimo`, `should've`"""

_RELEVANCE = (
    r"(?P<not>not |ir|non[- ]|nicht |no |niet |pas |nie)?(?:relevant[ei]?s?|pertinent[ei]?s?|rilevant[ei]|istotn[ye])"
)
_MARKED = re.compile(rf"[(\[]{_RELEVANCE}[)\]][ \t:-]{{0,4}}", re.IGNORECASE)
_MARKED_AFTER = re.compile(rf"[ \t]{{0,4}}[(\[]{_RELEVANCE}[)\]]\.?\Z", re.IGNORECASE)
_LONGEST_MARK = 40
_BEFORE_COLON = re.compile(rf"(?P<mark>[(\[]{_RELEVANCE}[)\]])[ \t]{{0,4}}:", re.IGNORECASE)
_TICKED = re.compile(
    r"^[ \t]{0,8}(?:(?P<yes>[✓✔✅☑]\ufe0f?)|[✗✘❌☒✖×]\ufe0f?)[ \t]{0,4}(?P<id>\[[^\[\]\n]{1,64}\]|[\w.#/-]{1,64}:)",
    re.MULTILINE,
)
"""A mark before a context's id."""


def marked_relevant(contexts: list[Any]) -> tuple[list[Any], list[str]]:
    """The contexts without marks such as `(relevant)`, and the ids of those that are so marked."""
    found: list[Any] = []
    ids: list[str] = []
    for place, item in enumerate(contexts, start=1):
        held = item if isinstance(item, dict) else {"text": item}
        text = held.get("text")
        mark = _mark_of(text) if isinstance(text, str) else None
        if mark and not mark["not"]:
            ids.append(str(held.get("id", place)))
        found.append({**held, "text": f"{mark.string[: mark.start()]}{mark.string[mark.end() :]}"} if mark else item)
    return (found, ids) if ids else (contexts, [])


def _mark_of(text: str) -> re.Match[str] | None:
    """The mark at the text's beginning or end."""
    return _MARKED.match(text) or _MARKED_AFTER.search(text, max(0, len(text) - _LONGEST_MARK))


def with_marks_after_ids(text: str) -> str:
    """`Chunk 1 (relevant): …` and `✓ [c1] …` with the mark between id and text."""
    text = _TICKED.sub(lambda m: f"{m['id']} {'(relevant)' if m['yes'] else '(not relevant)'}", text)
    return _BEFORE_COLON.sub(r": \g<mark>", text)


_ASCII_IDS = r"[A-Za-z0-9_-]{1,20}(?:[とや、,和 ]{1,2}[A-Za-z0-9_-]{1,20}){0,20}"
_IN_CHARACTERS = re.compile(
    rf"[^\x00-\x7f]{{0,10}}(?:関連|相关)[^\x00-\x7f]{{0,10}}[はが是](?P<ids>{_ASCII_IDS})(?:だけ|のみ)?(?:です|だ)?。?"
    rf"|(?P<first>{_ASCII_IDS})(?:だけ|のみ)?[はが](?:関連|相关)[^\x00-\x7f]{{0,10}}"
)
"""`関連しているのはAとCです。`"""
_ALL_BUT = re.compile(
    r"(?:all|every|alle|tous|toutes|todos|todas|tutti|tutte|wszystkie)\b(?:[ ][^\W\d_]{1,12}){0,4}?[ ]"
    r"(?:but|except(?: for)?|apart from|au(?:ß|ss)er|bis auf|sauf|salvo|excepto|exceto|menos|tranne|behalve|oprócz)[ ]"
    r"(?P<ids>[^.!?:]{1,60}?)[ ](?:(?:is|are|were|was|sind|waren|sont|son|sono|são|zijn|są)[ ])?"
    r"(?P<tells>[^\W\d_]{4,12})",
    re.IGNORECASE,
)
"""`All of the above but B are relevant`."""


_ALL_OF_THEM = re.compile(
    r"(?:(?:they|these|those|sie|diese|ils|elles)[ ](?P<before>are|were|sind|waren|sont|étaient)[ ])?"
    r"(?P<every>all|both|alle|beide|tous|toutes|tod[oa]s|amb[oa]s|tutt[ie]|entramb[ie]|allebei|wszystkie)"
    r"(?P<more>(?:[ ][^\W_]{1,12}){0,5}?)[ ]"
    r"(?:(?P<verb>are|were|sind|waren|sont|étaient|son|eran|sono|erano|são|eram|zijn|waren|są)[ ])?"
    r"(?P<tells>[^\W\d_]{4,12})",
    re.IGNORECASE,
)
"""`All three are relevant`, `they are all relevant`."""


def _all_of_them(line: str) -> str:
    """The words for all contexts, with how many they are, where the line says that they are relevant."""
    said = _ALL_OF_THEM.fullmatch(line)
    if said is None or said["tells"].lower() not in _TELLS or bool(said["before"]) is bool(said["verb"]):
        return ""
    more = [word.lower() for word in said["more"].split()]
    counts = [word for word in more if counted(word)]
    known = len(counts) <= 1 and (_FILLS | _POOL | {"them"}).issuperset(set(more) - set(counts))
    return " ".join([said["every"].lower(), *counts]) if known else ""


def _all_but(line: str) -> str:
    """The ids that are not relevant, where the line says that all others are."""
    said = _ALL_BUT.fullmatch(line.strip(" \t*_>-•.!"))
    ids, words = _parted(said["ids"]) if said else ([], ["?"])
    told = said and said["tells"].lower() in _TELLS and ids and _FILLS.issuperset(words) and spelled_out(_names(line))
    return f"{ALL_BUT} {', '.join(ids)}" if told else ""


def told_relevant(text: str) -> str:
    """The text with such a sentence as a label and the ids: `Relevant: A, C`; unchanged where there is none, or two."""
    lines = text.split("\n")
    found = [
        (place, said)
        for place, line in enumerate(lines[1:], start=1)
        if (said := _all_but(line) or ", ".join(ids_told(line)))
    ]
    if len(found) == 1:
        ((place, said),) = found
        return "\n".join([*lines[:place], f"Relevant: {said}", *lines[place + 1 :]])
    start = text.rfind("\n", 0, len(text.rstrip())) + 1
    stated = [one.span() for one in _stated(text, start)] + [one.span("said") for one in _AFTER_QUESTION.finditer(text)]
    last = {(a, b) for a, b in stated if ":" not in text[a:b] and ids_told(text[a:b])}
    after = text[max(last)[1] :].partition("\n")[0].strip(" \t.!*_") if len(last) == 1 else ""
    if found or len(last) != 1 or (after and without_names(after) == after and "?" not in after):
        return text
    ((before, end),) = last
    rest, line, more = text[end:].lstrip(".!?").partition("\n")
    return f"{text[:before].rstrip(' ')}{rest}\nRelevant: {', '.join(ids_told(text[before:end]))}{line}{more}"


def told_before(text: str, labels: int) -> str:
    """The text with what a clause before the first label (at `labels`) tells: `recall please, only B is relevant`."""
    prose, ids = told_in_prose(text[:labels])
    return f"{prose}\nRelevant: {', '.join(ids)}\n{text[labels:]}" if ids else text


def told_in_prose(prose: str) -> tuple[str, list[str]]:
    """The prose without the one clause that tells which contexts are relevant, and their ids; none where two do."""
    sentences = _stated(prose) if len(prose) <= _LONGEST_PROSE else []
    found = [(one.start() + a, one.start() + b, ids) for one in sentences for a, b, ids in _clause_told(one[0])]
    if len(found) != 1:
        return prose, []
    ((start, end, ids),) = found
    return f"{prose[:start]}{prose[end:]}", ids


def _stated(text: str, start: int = 0) -> list[re.Match[str]]:
    """The sentences from a place on that are no questions."""
    return [one for one in _SENTENCE.finditer(text, start) if text[one.end() : one.end() + 1] != "?"]


def _clause_told(sentence: str) -> Iterator[tuple[int, int, list[str]]]:
    """(start, end, ids) of the longest clause that tells it, unless another part of the sentence names ids, too."""
    marks = list(_PARTS.finditer(sentence))
    if all_but := _all_but(sentence):
        yield 0, len(sentence), [all_but]
    if _ALL_BUT.search(sentence) or len(marks) > _MOST_PARTS or not _may_tell(sentence):
        return
    starts, ends = [0, *(mark.end() for mark in marks)], [*(mark.start() for mark in marks), len(sentence)]
    spans = sorted(((a, b) for a in starts for b in ends if a < b), key=lambda span: span[0] - span[1])
    told = next(((a, b, ids) for a, b in spans if (ids := ids_told(sentence[a:b]))), None)
    if told and set(_parted(f"{sentence[: told[0]]} {sentence[told[1] :]}")[0]) <= {"I"}:  # `I need …`
        yield told


def _may_tell(sentence: str) -> bool:
    return not (_TELLS | _SHOULD).isdisjoint(_parted(sentence)[1])


def ids_told(line: str) -> list[str]:
    """The ids or positions that the line calls relevant; none where it is no such sentence."""
    if line.rstrip(" \t*_").endswith("?"):
        return []  # it asks
    line = _OPINION.sub("", line).strip(" \t*_>-•.!")
    if every := _all_of_them(line):
        return [every]
    line = _RANGE.sub(r"\1–\2", line)
    if not 5 < len(line) <= _LONGEST or _LEADERS in line or spelled_out(_names(line)) is None or _among(line):
        return []
    if said := _IN_CHARACTERS.fullmatch(line):
        return re.findall(r"[\w-]{1,20}", said["ids"] or said["first"], re.ASCII)
    told: list[str] = []
    tells = False
    for clause in _BUT.split(line):
        ids, words = _parted(clause)
        if not _CLOSED.issuperset(words):
            return []
        sought = not _SHOULD.isdisjoint(words)
        if _DENIES.isdisjoint(words) and (sought or _FINDS.isdisjoint(words)):
            tells = tells or not _TELLS.isdisjoint(words) or (sought and not (_FINDS | _TEXTS).isdisjoint(words))
            told += ids
    return told if tells else []


def _among(line: str) -> bool:
    """Whether the line begins with the ids among which some are: `Of c1 to c4 we needed c2`."""
    words = _names(line)[:2]
    return len(words) > 1 and words[0].lower() in _POOL and _parted(words[1])[0] != []


def only_positions(text: str) -> bool:
    """Whether a short text is nothing but positions, perhaps of what is relevant: `Solo el segundo.`"""
    ids, words = _parted(text) if len(text) <= _LONGEST else ([], [])
    return bool(ids) and all(map(is_ordinal, ids)) and _FILLS.issuperset(words)


def tells_search(text: str) -> bool:
    """Whether a short text says that a context should have been found, by its position or id."""
    ids, words = _parted(text) if len(text) <= _LONGEST else ([], [])
    return bool(ids) and not _SHOULD.isdisjoint(words) and not _FINDS.isdisjoint(words)


def tells_relevance(text: str) -> bool:
    """Whether a short text calls a context relevant by its position or id, in whatever words."""
    ids, words = _parted(text)
    tells = not _TELLS.isdisjoint(words) or any(character in text for character in ("関連", "相关"))
    return len(text) <= _LONGEST and tells and (bool(ids) or bool(_IN_CHARACTERS.match(text)))


def _parted(clause: str) -> tuple[list[str], list[str]]:
    """The ids and positions in a clause, and its other words in lower case."""
    letters = {letter for match in _LETTERS.finditer(clause) for letter in match.groups() if letter}
    ids, words = [], []
    for name in spelled_out(_names(clause)) or _names(clause):
        if _ID.fullmatch(name) or _RANGED.fullmatch(name) or is_ordinal(name) or name in letters:
            ids.append(name)
        elif name not in ("", "&"):
            words.append(name.lower())
    return ids, words


def _names(clause: str) -> list[str]:
    return [_ELIDED.sub("", part.strip(".!?¿'’")) for part in _TOKEN.findall(clause)]
