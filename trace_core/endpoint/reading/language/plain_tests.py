"""The tests that a person names in words."""

from __future__ import annotations

import re

from trace_core.endpoint.payload import QueryError
from trace_core.endpoint.reading.language.choices import choice_left
from trace_core.endpoint.reading.language.corrections import corrected, correction_left
from trace_core.endpoint.reading.language.described import described
from trace_core.endpoint.reading.language.exclusions import (
    denial_left,
    denies,
    dismissal_left,
    excluded,
    says_all,
    without_struck,
)
from trace_core.endpoint.reading.language.name_lists import asks_for_unknown, lists_only_names, names_listed, unsure_in
from trace_core.endpoint.reading.language.names import (
    canonical,
    is_all,
    is_name,
    is_set,
    known_in,
    nearest,
    without_names,
)
from trace_core.endpoint.reading.language.requests import asks, core, ordered
from trace_core.endpoint.reading.language.text import says_none
from trace_core.endpoint.registry import TESTS

_UNCHECKED = re.compile(r"^[ \t]{0,8}(?:[-*•][ \t]{1,4})?(?:\[ {0,2}\]|\( \)|☐|⬜|□)[^\n]*$", re.MULTILINE)
"""A box that is not ticked."""
_LONGEST_WISH = 120
_VAGUE = frozenset(
    "quality qualität qualité calidad qualità qualidade performance availability capacity security quantity "
    "consistency".split()
)
"""Words that are no name of a test when they stand alone; a name that ends like a known one may be that one."""
_ORDERED = re.compile(
    r"\b(?:evaluate|run|check|measure|compute|calculate|score|assess|berechnen?|prüfen?|prüft|miss|messe|évalue[rz]?"
    r"|calcule[rz]?|mesure[rz]?|evalúa|evaluar|calcula|calcular|mide|medir)\b",
    re.IGNORECASE,
)
_LOT = re.compile(r"\b(?:the (?:lot|works)|(?:it|them) all)\b", re.IGNORECASE)
_FULL = re.compile(
    r"\b(?:(?:an?|eine|une|una|uma|een|en) )?"
    r"(?:(?:full|whole|complete|entire|comprehensive) (?:evaluation|eval|assessment)"
    r"|(?:komplette|vollständige|ganze|volle) (?:auswertung|bewertung|evaluation|evaluierung)|évaluation complète"
    r"|evaluación completa|valutazione completa|avaliação completa|volledige evaluatie|fullständig utvärdering"
    r"|pełną ocenę)\b(?! (?:results?|report))",
    re.IGNORECASE,
)
_EVERY = frozenset("every alle alla all the".split())
"""`run all` is none: all of what?"""
_MOST_WORDS = 60
_ALL_TESTS = re.compile(
    r"\b(?:(?:full|whole|complete) set of (?:the )?(?:available )?(?:tests|metrics)"
    r"|all (?:of )?(?:the )?(?:six )?(?:available )?(?:tests|metrics)|every (?:test|metric)"
    r"|alle (?:(?:sechs|zes) )?(?:de )?(?:tests|testen|metriken)|sämtliche (?:tests|metriken)"
    r"|tous les (?:six )?tests|toutes les (?:six )?(?:métriques|mesures)"
    r"|tod[oa]s (?:l?[ao]s )?(?:seis )?(?:testes|tests|métricas|pruebas)"
    r"|tutti (?:e sei )?i (?:sei )?test|tutte le (?:sei )?metriche|wszystkie (?:sześć )?(?:testy|metryki)"
    r"|wszystkich (?:sześciu )?(?:testów|metryk)|alla (?:sex )?(?:tester|mått|mätvärden))\b"
    r"(?!,? (?:that|which|not|bar|without|needing|for which|die|qui|que|che|som|które)\b)"
    r"|\b(?:run|throw|apply) everything\b(?! (?:but|except|apart|other|besides|that|which))"
    r"|\beverything (?:please\b|you(?:['’]ve)? (?:got|have)\b)"
    r"|(?:すべて|全て|全部|全|所有)の?(?:指標|指标|テスト|测试)",
    re.IGNORECASE,
)
"""All of them, without a clause that says which: `all the tests that need no reference`."""
_WHICH = re.compile(
    r"\b(?:all|every|alle|tous|todos|todas|tutti)(?: (?:of )?(?:the|die|les|los|las|i))?(?: \w{1,10})?"
    r" (?:tests?|metrics?|metriken|pruebas|métricas)(?:,? (?:that|which|die|qui|que|che)\b| bar the ones\b)"
    r"[^.;:?!]{0,80}",
    re.IGNORECASE,
)
"""A clause that says which of them: `all the tests that need no reference`."""
_BETWEEN = re.compile(r"[,;\n/&|+]|\band\b|\.(?=\s|$)")
_SENTENCES = re.compile(r"[.:;!?\n()](?:\s|$)|[\n;()]")
_BEFORE_NOW = re.compile(
    r"\b(?:yesterday|already|earlier|last (?:week|time|month|year)|gestern|vorhin|letzte (?:woche|mal)|bereits"
    r"|hier soir|déjà|la semaine dernière|ayer|la semana pasada|ieri|già|la settimana scorsa|ontem|semana passada"
    r"|gisteren|vorige week|igår|redan|förra veckan|wczoraj|już)\b",
    re.IGNORECASE,
)
"""A sentence about a test that has been run."""
_LED = re.compile(r"(?P<lead>[^\n.:;!?,]{3,60}):(?P<tests>[ \t]{1,4}[^\n:.;!?]{3,200})")
_LEFT_OPEN = re.compile(
    r"(?:to be (?:decided|determined|confirmed|defined|agreed)|tba|tbc|pending|undecided|not (?:sure|decided)(?: yet)?"
    r"|later"
    r"|(?:noch )?(?:offen|unklar)|à (?:définir|déterminer)|por (?:definir|determinar)|da definire|a definir"
    r"|nog te bepalen"
    r"|(?:as|wie|come|como|comme) (?:usual|always|before|last time|immer|sempre|siempre|d['’]habitude)"
    r"|the usual(?: (?:ones?|tests|metrics|set))?|(?:the )?same as (?:before|usual|last time)"
    r"|you (?:decide|choose))\W{0,4}",
    re.IGNORECASE,
)
"""Words in the place of tests that name none: `to be decided`, `as usual`."""
_NO_NAME = frozenset(
    "this it these that them please the following my answer for me pls plz thanks thank thx ta cheers danke bitte "
    "merci gracias grazie obrigado obrigada bedankt tack dzięki".split()
)
"""Words of an item that is no name."""


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
    left, order = ordered(_FULL.sub(" full set ", _LOT.sub(" everything ", sentence)))
    return is_set(left) or (is_all(left) and left.lower() not in _EVERY and (order or " " in left))


def unknown_wished(prose: str) -> list[str]:
    """The unknown tests in sentences that order nothing else, `Please evaluate groundedness.`, and those that the other
    sentences describe.
    """
    sentences = _SENTENCES.split(_parted(prose)[0])
    names = {one: asks_for_unknown(one) for one in sentences if _ORDERED.search(one)}
    found = [name for one in names.values() for name in one]
    if any(word in _VAGUE or is_name(word) for name in found for word in name.split("_")[-1:]):
        return []
    return found + described(". ".join(one for one in sentences if not names.get(one))) if found else []


def misspelled(preamble: str) -> list[str]:
    """The tests whose names stand in the text with a letter or two wrong."""
    words = [word.strip(".,:;!?()") for word in _parted(preamble)[0].split()[:_MOST_WORDS]]
    parts = [part for place, word in enumerate(words) for part in (word, " ".join(words[place : place + 2]))]
    return list(dict.fromkeys(name for part in parts if (name := nearest(part))))


def _parted(text: str) -> tuple[str, set[str]]:
    """The text without the tests it rules out, and their names."""
    text, replaced = corrected(without_struck(_LED.sub(_led, text)))
    wanted, ruled_out = excluded(text)
    return wanted, ruled_out | replaced


def _led(said: re.Match[str]) -> str:
    """Words and the tests after a colon, as one clause where the words rule them out or tell of the past."""
    lead, tests = said["lead"], said["tests"]
    if not only_names(tests):
        return said[0]
    return f"{lead} except{tests}" if denies(lead) else f"{lead}{tests}" if _BEFORE_NOW.search(lead) else said[0]


def names_before(preamble: str, short: bool = False) -> list[str]:
    """The tests named before the first label; also by their `short` names, where a sentence holds nothing else."""
    wanted, ruled_out = _parted(_UNCHECKED.sub("", preamble))
    sentences = _SENTENCES.split(wanted)
    if any(names_listed(one, short) and (asks(one) or not _BEFORE_NOW.search(one)) for one in sentences):
        sentences = [one for one in sentences if asks(one) or not _BEFORE_NOW.search(one)]
    names = [name for sentence in sentences for name in names_listed(sentence, short)]
    if names:
        names += [name for sentence in sentences for name in asks_for_unknown(sentence) if name not in names]
    if _ALL_TESTS.search(wanted) or (ruled_out and not names and says_all(wanted)):
        names = list(TESTS)
    return [name for name in names if name not in ruled_out]


def unsure_name(text: str) -> str:
    """Words beside a known name that may be another one, or correct it, or leave open which; empty for none."""
    if told := correction_left(text) or _some_of_all(text):
        return told
    wanted, _ = _parted(text)
    if left := choice_left(wanted) or denial_left(wanted) or dismissal_left(text):
        return left
    return next((word for sentence in _SENTENCES.split(wanted) if (word := unsure_in(sentence))), "")


def _some_of_all(text: str) -> str:
    """A clause that says which of all tests are meant, in words that name none; empty where there is none."""
    found = _WHICH.search(text)
    return found[0] if found else ""


def hold_names(said: str) -> None:
    """Raise for a word beside the name of a test that may be another one's."""
    if unsure := unsure_name(said):
        raise QueryError(f"It is unclear whether {unsure!r} is a test.", "Name the tests alone, after Tests:")


def hold_list(listed: str) -> None:
    """Raise for a list of tests where words take one of several back, or leave open which is meant."""
    if said := correction_left(listed):
        raise QueryError(f"It is unclear which tests {said!r} takes back.", "Name the wanted tests alone, after Tests:")
    wanted, _ = _parted(listed)
    if said := choice_left(wanted) or denial_left(wanted) or dismissal_left(listed):
        raise QueryError(f"It is unclear which tests {said!r} leaves.", "Name the wanted tests alone, after Tests:")


def leaves_open(tests: str) -> bool:
    """Whether what stands in the place of tests names none, and says so: `TBD`, `to be decided`, `as usual`."""
    said = tests.strip(" \t\n-*•\"'`[]")
    unnamed = bool(said) and without_names(said) == said
    return unnamed and (says_none(said) or _LEFT_OPEN.fullmatch(said) is not None)


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
