"""The ids of relevant contexts, named after a label: `c1 and c3`, `1-3`, `all but B`, `the last two`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trace_core.endpoint.reading.language.ordinals import at_position, counted, spelled_out

_NO_IDS = {"none", "n/a", "and", "are", "is", "the", "context", "contexts", "document", "documents", "id", "ids",
           "only", "just", "one", "ones", "number", "numbers", "no", "nos", "le", "la", "les", "el", "los",
           "der", "die", "das", "il", "dokument", "dokumente", "documento", "documentos", "contexte",
           "kontext", "y", "e", "et", "und", "ou", "o", "oder", "en", "nur", "seulement", "uniquement", "solo", "sólo",
           "soltanto", "alleen", "apenas", "só", "endast", "bara", "tylko", "den", "het", "och", "dem", "gli", "lo",
           "os", "as"}  # fmt: skip
_NONE = re.compile(
    r"(?:none|no(?:ne)? of (?:them|these|those|the (?:above|contexts|documents|passages))|nothing|neither|n/a|-"
    r"|keine[rs]?|aucune?|ningun[oa]|nessun[oa]|geen|żaden)"
)
_EVERY = re.compile(
    r"(?:(?P<both>both|beide|amb[oa]s|entramb[ie]|allebei|les deux)|all|every one|everything|alle|tous|toutes|tod[oa]s"
    r"|tutt[ie]|wszystkie)(?: of)?(?: (?:the|les|l[oa]s|[ioae]s?|le|de))?(?: (?P<count>\w{1,8}))??(?: of)?"
    r"(?: (?:them|these))?"
)
"""All of them, perhaps with how many they are."""
ALL_BUT = "all but"
"""What stands before the ids of contexts that are the only ones not relevant."""
_EVERY_BUT = re.compile(
    r"(?:all|every one|everything|alle|alles|tous|toutes|tout|todos|todas|todo|tutti|tutte|tutto)"
    r"(?: of (?:them|these))?,?[ ]"
    r"(?:but|except(?: for)?|apart from|au(?:ß|ss)er|sauf|salvo|excepto|exceto|menos|tranne|behalve)[ ]"
)
_FROM_TO = re.compile(
    r"#?([A-Za-z_-]{0,16}?)(\d{1,4})[ \t]?(?:-|–|\.\.\.?|…|to|through|until|bis|à|a|t/m)[ \t]?"
    r"#?([A-Za-z_-]{0,16}?)(\d{1,4})"
)


def relevant_among(body: str) -> set[str]:
    """Every word in the list of relevant ids that may be an id."""
    return set(_words(body))


def read_ids(body: str | None, known: Sequence[str | None]) -> list[str]:
    """The relevant ids in the order named; a name that matches a context's id except for case becomes that id."""
    names = [name for name in known if name]
    said = (body or "").strip(" \t\n.").lower()
    if not said or _NONE.fullmatch(said):
        return []
    if every := _EVERY.fullmatch(said):
        count = 2 if every["both"] else counted(every["count"]) if every["count"] else len(names)
        return names if count == len(names) else _words(said)
    if but := _EVERY_BUT.match(said):
        others = read_ids(said[but.end() :], known)
        return [name for name in names if name not in others] if set(others) <= set(names) else _words(said)
    by_case = {name.casefold(): name for name in names}
    ids: list[str] = []
    for part in re.split(r"[,;\n]|\band\b|(?<=\s)[+&](?=\s)", body or ""):
        whole = part.strip(" \xa0\t.[]()\"'`*•-“”„«»")
        if whole.casefold() not in by_case and whole.lstrip("#").casefold() in by_case:
            whole = whole.lstrip("#")
        ids += [whole] if whole.casefold() in by_case else _range(whole, names) or _words(part)
    return list(dict.fromkeys(by_case.get(name.casefold()) or at_position(name, names) or name for name in ids))


def _range(text: str, known: Sequence[str]) -> list[str]:
    """`1-3` and `c1 to c3` as a list, where all ids in between are known."""
    found = _FROM_TO.fullmatch(text)
    if found is None or (found[3] or found[1]) != found[1]:
        return []
    first, last = int(found[2]), int(found[4])
    names = [f"{found[1]}{number}" for number in range(first, min(last, first + len(known)) + 1)]
    return names if first < last and set(names) <= set(known) else []


def like_ids(name: str, known: Sequence[str]) -> bool:
    """Whether an unknown name looks like one of the contexts' ids rather than like a word."""
    if any(map(str.isdigit, name)):
        return True
    return any(len(name) == len(one) <= 2 and one.isalpha() for one in known)


def _words(body: str) -> list[str]:
    words = [word.strip(".-*•:") for word in re.findall(r"[^\s,;\[\](){}\"'`“”„«»]+", body)]
    words = spelled_out(words) or words
    return [word for word in words if word and word.lower() not in _NO_IDS]
