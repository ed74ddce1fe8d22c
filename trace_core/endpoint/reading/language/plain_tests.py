"""The tests that a person names in words."""

from __future__ import annotations

import re

from trace_core.endpoint.reading.language.corrections import corrected, correction_left
from trace_core.endpoint.reading.language.name_lists import asks_for_unknown, lists_only_names, names_listed, unsure_in
from trace_core.endpoint.reading.language.names import canonical, is_all, is_name, is_set, known_in, nearest
from trace_core.endpoint.reading.language.requests import asks, core, ordered
from trace_core.endpoint.registry import TESTS

_UNCHECKED = re.compile(r"^[ \t]{0,8}(?:[-*•][ \t]{1,4})?(?:\[ {0,2}\]|\( \)|☐|⬜|□)[^\n]*$", re.MULTILINE)
"""A box that is not ticked."""
_STRUCK = re.compile(r"~~[^~\n]{1,100}~~")
_LONGEST_WISH, _LONGEST_DENIED = 120, 2000
_LOT = re.compile(r"\b(?:the (?:lot|works)|(?:it|them) all)\b", re.IGNORECASE)
_EVERY = frozenset("every alle alla all the".split())
"""`run all` is none: all of what?"""
_MOST_WORDS = 60
_ALL_TESTS = re.compile(
    r"\b(?:(?:full|whole|complete) set of (?:the )?(?:available )?(?:tests|metrics)"
    r"|all (?:the )?(?:six )?(?:available )?(?:tests|metrics)|every (?:test|metric)|alle (?:sechs )?(?:tests|testen"
    r"|metriken)|tous les (?:six )?tests|toutes les (?:six )?(?:métriques|mesures)"
    r"|tod[oa]s (?:[ao]s )?(?:seis )?(?:testes|tests|métricas|pruebas)|todas las (?:seis )?(?:métricas|pruebas)"
    r"|tutti i (?:sei )?test|tutte le (?:sei )?metriche)\b|(?:すべて|全て|全部|全|所有)の?(?:指標|指标|テスト|测试)",
    re.IGNORECASE,
)
_ALL_BEFORE = re.compile(
    r"\b(?:all|everything|every|alles|alle|tous|toutes|tout|todo|todos|todas|tudo|tutto|tutti|tutte)\b", re.IGNORECASE
)
_NOT = re.compile(
    r"\b(?:except(?: for)?|excluding|without|(?:(?<=everything )|(?<=all )|(?<=tests )|(?<=metrics ))but"
    r"|but not|other than|skip|ignore|leave out|scrap|forget|drop|cancel|vergiss|streiche?|oubliez?|olvida\w{0,3}"
    r"|(?:do not|don['’]t) \w{2,12}|not"
    r"|no (?=(?:answer|context)[ _-]?(?:acc|rec|prec|rel|util)|faithful|accuracy|recall|precision|relevanc|utili)"
    r"|instead of|rather than|anstelle|(?:an)?statt|au lieu de|plutôt que|en (?:vez|lugar) de|invece d[ie]|anziché"
    r"|in plaats van|em vez de|istället för|zamiast"
    r"|apart from|minus|save for|au(?:ß|ss)er|ohne|nicht|keine?|sauf|sans|pas (?:de|la|le)|excepto|exceto|menos|salvo"
    r"|sin|sem|behalve|zonder|niet|geen|tranne|eccetto|senza|oprócz|poza|bez|nie)\b",
    re.IGNORECASE,
)
_UNNEEDED = re.compile(
    r"(?:^|(?<=[.,;:!?\n]))[^.,;:!?\n]{0,80}\b(?:(?:is|are)(?: not|n['’]t) (?:needed|required|necessary|wanted)"
    r"|(?:can|may) be (?:skipped|left out|ignored)|unnecessary|(?:no|nein|nee|nej)(?=[ \t]{0,2}(?:[.,;!\n)]|\Z))"
    r"|brauch\w{1,3} (?:wir|ich|es|man) (?:hier )?nicht"
    r"|nicht nötig"
    r"|n['’](?:est|a) pas (?:besoin|nécessaire|utile|demandée?)|no (?:es|son|hace) (?:necesari\w{1,2}|falta)"
    r"|non (?:serve|servono|è necessari[ao])|hoeft niet|niet nodig|não (?:é|são) necessári\w{1,2})\b",
    re.IGNORECASE,
)
"""A clause that says what is not needed: `Context recall brauchen wir nicht`."""
_SENTENCE = re.compile(r"[;\n]|\.(?=\s|$)")
_CLAUSE = re.compile(r"[,;:\n]|\.(?=\s|$)|\b(?:only|just|but|nur|alleen|seulement|solo|sólo)\b")
_BETWEEN = re.compile(r"[,;\n/&|+]|\band\b|\.(?=\s|$)")
_SENTENCES = re.compile(r"[.:;!?\n()](?:\s|$)|[\n;()]")
_BEFORE_NOW = re.compile(
    r"\b(?:yesterday|already|earlier|last (?:week|time|month|year)|gestern|vorhin|letzte (?:woche|mal)|bereits"
    r"|hier soir|déjà|la semaine dernière|ayer|la semana pasada|ieri|già|la settimana scorsa|ontem|semana passada"
    r"|gisteren|vorige week|igår|redan|förra veckan|wczoraj|już)\b",
    re.IGNORECASE,
)
"""A sentence about a test that has been run."""
_NO_NAME = {"this", "it", "these", "that", "them", "please", "the", "following", "my", "answer", "for", "me"}


def names_in(section: str, listed: bool) -> list[str]:
    """The names in a list of tests (`listed`), or in the text after "Evaluate" in a sentence.

    An unknown name is kept, so that the reply can report it. A name that is ruled out ("except …", "not …")
    is dropped.
    """
    names: list[str] = []
    wanted, ruled_out = _parted(_UNCHECKED.sub("", section))
    for item in _BETWEEN.split(wanted):
        names += _names_of(item, listed)
    return [name for name in names if name not in ruled_out]


def all_wished(prose: str) -> list[str]:
    """All tests, where a sentence asks for everything and says nothing else: `Run everything on this:`."""
    sentences = [one for one in _SENTENCES.split(prose) if len(one) <= _LONGEST_WISH]
    return list(TESTS) if any(map(_wishes_all, sentences)) else []


def _wishes_all(sentence: str) -> bool:
    left, order = ordered(_LOT.sub(" everything ", sentence))
    return is_set(left) or (is_all(left) and left.lower() not in _EVERY and (order or " " in left))


def misspelled(preamble: str) -> list[str]:
    """The tests whose names stand in the text with a letter or two wrong."""
    words = [word.strip(".,:;!?()") for word in _parted(preamble)[0].split()[:_MOST_WORDS]]
    parts = [part for place, word in enumerate(words) for part in (word, " ".join(words[place : place + 2]))]
    return list(dict.fromkeys(name for part in parts if (name := nearest(part))))


def _parted(text: str) -> tuple[str, set[str]]:
    """The text without the tests it rules out, and their names."""
    text, replaced = corrected(_STRUCK.sub("; ", text))
    dropped = [match[0] for match in _UNNEEDED.finditer(text)]
    wanted, ruled_out = _without_denied(_UNNEEDED.sub(";", text))
    ruled_out |= replaced
    return wanted, ruled_out.union(*(known_in(clause) for clause in dropped))


def _without_denied(text: str) -> tuple[str, set[str]]:
    kept: list[str] = []
    denied: set[str] = set()
    place = 0
    while found := _NOT.search(text, place):
        kept.append(text[place : found.start()])
        every = _ALL_BEFORE.search(text, place, found.start())
        end = (_SENTENCE if every else _CLAUSE).search(text, found.end())
        place = end.start() if end else len(text)
        clause = text[found.end() : place][:_LONGEST_DENIED]
        denied |= {*known_in(clause), *names_listed(clause, short=True)}
    return "; ".join([*kept, text[place:]]), denied


def names_before(preamble: str, short: bool = False) -> list[str]:
    """The tests named before the first label; also by their `short` names, where a sentence holds nothing else."""
    wanted, ruled_out = _parted(_UNCHECKED.sub("", preamble))
    sentences = _SENTENCES.split(wanted)
    if any(asks(one) and names_listed(one, short) for one in sentences):
        sentences = [one for one in sentences if asks(one) or not _BEFORE_NOW.search(one)]
    names = [name for sentence in sentences for name in names_listed(sentence, short)]
    if names:
        names += [name for sentence in sentences for name in asks_for_unknown(sentence) if name not in names]
    if _ALL_TESTS.search(wanted) or (ruled_out and not names and _ALL_BEFORE.search(wanted)):
        names = list(TESTS)
    return [name for name in names if name not in ruled_out]


def unsure_name(text: str) -> str:
    """A word beside a known name that may be another one, or may correct it; empty where there is none."""
    if correction := correction_left(text):
        return correction
    wanted, _ = _parted(text)
    return next((word for sentence in _SENTENCES.split(wanted) if (word := unsure_in(sentence))), "")


def only_names(text: str) -> bool:
    """Whether the text consists of tests' names, perhaps short ones, and of words of a request."""
    sentences = [one for one in _SENTENCES.split(text) if core(one)]
    return bool(sentences) and all(map(lists_only_names, sentences))


def names_denied(text: str) -> set[str]:
    """The known tests that the text rules out."""
    return _parted(text)[1]


def _names_of(item: str, listed: bool) -> list[str]:
    known = list(known_in(item))
    word = re.sub(r"^\d{1,2}[.)]\s{0,4}", "", item.strip(" \t*•-\"'`[](){}:_"))
    if known:
        return known
    if is_name(word):
        return [canonical(word)]
    if is_all(word) or is_all(item):
        return list(TESTS)
    if not re.fullmatch(r"[\w -]{1,60}", word) or not re.search(r"[^\W\d_]", word):
        return []
    words = word.lower().split()
    if near := nearest(word):
        return [near]
    most = 3 if listed else 1
    return ["_".join(words)] if len(words) <= most and not _NO_NAME & set(words) else []
