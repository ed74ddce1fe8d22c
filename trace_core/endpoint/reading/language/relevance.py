"""Relevant contexts told by marks, `c1 (relevant): …`, `✓ [c1] …`, or in a sentence: `Only A and C actually help.`

Such a sentence has a line of its own, or ends the query, and consists of ids, positions and words of a closed list;
any other word makes it part of a text.
"""

from __future__ import annotations

import re
from typing import Any

from trace_core.endpoint.reading.language.plain_contexts import ALL_BUT, ORDINALS

_LONGEST = 140
_OPINION = re.compile(r"\bI(?: would| do)? (?:think|believe|guess|say|reckon)(?: that)?\b", re.IGNORECASE)
_LEADERS = "...."
"""The dots of a form, after a label."""
_TELLS = frozenset(
    "relevant relevante relevantes relevants relevanten pertinent pertinente pertinentes pertinents pertinenti "
    "rilevante rilevanti istotne istotny useful helpful help helps helped needed matter matters nützlich hilfreich "
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
    "numbers text texts retrieved "
    "nur sind ist war waren wirklich die der das beiden kontexte kontext dokumente dokument quellen quelle texte "
    "stücke für frage und oder davon "
    "seul seuls seule seules seulement sont est étaient était vraiment les le la documents document extraits extrait "
    "contextes contexte et ou parmi eux "
    "solo sólo son es eran era realmente los las el documentos documento contextos contexto fragmentos fragmento y "
    "alleen zijn is de het stukken stuk bronnen bron documenten contexten en "
    "soltanto sono è documenti documento contesti contesto fonti e i gli "
    "apenas são é os as trechos trecho "
    "tylko są konteksty kontekst i oraz".split()
)
_CLOSED = _FILLS | _TELLS | _DENIES
"""Every word of such a sentence but its ids."""
_BUT = re.compile(r"[,;.](?=\s|$)|\b(?:but|while|whereas|aber|mais|pero|maar|ma|mas|ale|während)\b", re.IGNORECASE)
_TOKEN = re.compile(r"[^\s,;:()\[\]\"“”*_`]+")
_ID = re.compile(r"#?(?:[A-Za-z]{0,12}[_-]?\d{1,6}[a-z]?|[A-Z])")
_LETTERS = re.compile(
    r"(?<![\w'’])([a-h])(?=[ ,]{1,3}(?:(?:and|und|et|y|en|e) )?[a-h](?![\w'’])|[ \t]{0,2}\Z| (?:is|ist|est|es|è)\b)"
    r"|(?:\b(?:and|und|et|y|en)|,) ([a-h])(?![\w'’])"
)
"""Small letters that are ids: `a and c`, `b is`."""
_LAST_SENTENCE = re.compile(r"(?<=[.!?])[ \t]{1,4}(?=[^.!?\n]{3,140}[.!]?\Z)")

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


def _all_but(line: str) -> str:
    """The ids that are not relevant, where the line says that all others are."""
    said = _ALL_BUT.fullmatch(line.strip(" \t*_>-•.!"))
    ids, words = _parted(said["ids"]) if said else ([], ["?"])
    told = said and said["tells"].lower() in _TELLS and ids and _FILLS.issuperset(words)
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
    last = _LAST_SENTENCE.search(text.rstrip(), max(0, len(text) - _LONGEST))
    ids = ids_told(text[last.end() :].rstrip()) if last and not found else []
    return f"{text[: last.start()]}\nRelevant: {', '.join(ids)}" if last and ids else text


def ids_told(line: str) -> list[str]:
    """The ids or positions that the line calls relevant; none where it is no such sentence."""
    line = _OPINION.sub("", line).strip(" \t*_>-•.!")
    if not 5 < len(line) <= _LONGEST or _LEADERS in line:
        return []
    if said := _IN_CHARACTERS.fullmatch(line):
        return re.findall(r"[\w-]{1,20}", said["ids"] or said["first"], re.ASCII)
    told: list[str] = []
    tells = False
    for clause in _BUT.split(line):
        ids, words = _parted(clause)
        if not _CLOSED.issuperset(words):
            return []
        if _DENIES.isdisjoint(words):
            tells = tells or not _TELLS.isdisjoint(words)
            told += ids
    return told if tells else []


def tells_relevance(text: str) -> bool:
    """Whether a short text calls a context relevant by its position or id, in whatever words."""
    ids, words = _parted(text)
    tells = not _TELLS.isdisjoint(words) or any(character in text for character in ("関連", "相关"))
    return len(text) <= _LONGEST and tells and (bool(ids) or bool(_IN_CHARACTERS.match(text)))


def _parted(clause: str) -> tuple[list[str], list[str]]:
    """The ids and positions in a clause, and its other words in lower case."""
    letters = {letter for match in _LETTERS.finditer(clause) for letter in match.groups() if letter}
    ids, words = [], []
    for part in _TOKEN.findall(clause):
        name = part.strip(".!'’")
        word = name.lower()
        if _ID.fullmatch(name) or word in ORDINALS or name in letters:
            ids.append(name)
        elif name not in ("", "&"):
            words.append(word)
    return ids, words
