"""Choose the language whose rules cut a text, detected by its small words; English if that is not sure."""

from __future__ import annotations

import re
from collections.abc import Mapping

LOOKED_AT = 2000
"""The number of leading characters from which the language is detected."""
SURE = 3
"""The language is sure with at least this many of its small words, and more than twice as many as of English."""
_ENGLISH = {"the", "of", "and", "is", "to", "that", "for", "it", "are", "by", "this", "be", "from", "not"}
_GERMAN = {"der", "die", "das", "und", "ist", "nicht", "ein", "eine", "auf", "wir", "zu", "den", "im"}
# Without words that are also English ("no", "as", "come") or occur alone in names ("de", "la", "le").
_SMALL: Mapping[str, frozenset[str]] = {
    "es": frozenset("el los las una y es en del se por con para su lo más que está son qué un esta ese".split()),
    "fr": frozenset("les des du une et est pas que qui dans pour avec au aux ce cette ne il elle sont un où".split()),
    "it": frozenset("il gli di che non con della del una sono nel nella è si dal alla un lo".split()),
    "pt": frozenset("os um uma da dos das em não que com se mais ao é está na no pela são".split()),
}
_ANY = frozenset().union(*_SMALL.values())
_OWN = {code: words.difference(*(w for other, w in _SMALL.items() if other != code)) for code, words in _SMALL.items()}


def language_of(text: str) -> str:
    """The code of the language whose rules cut the text: de, es, fr, it or pt, and en for all others."""
    words = set(text[:LOOKED_AT].lower().split())
    english = len(words & _ENGLISH)
    if len(words & _GERMAN) > max(1, english):
        return "de"
    if len(words & _ANY) < max(SURE, 2 * english + 1):
        return "en"
    found = {code: len(words & small) for code, small in _SMALL.items()}
    sure = [code for code, n in found.items() if n >= SURE and n > 2 * english and words & _OWN[code]]
    return max(sure, key=lambda code: (found[code], len(words & _OWN[code])), default="en")


_ABBREVIATIONS: Mapping[str, str] = {
    "de": "Fa. Hr. Fr. Prof. Nr. Abb. Kap. Art. Abs. Tel. evtl. ggf. sog. d._h. z._B. z._T. i._d. S. Bd.",
    "es": (
        "Sr. Sra. Srta. Sres. D. Dña. Dr. Dra. Ud. Uds. Lic. Ing. pág. págs. núm. art. fig. cap. aprox. p._ej. p. pp. "
        "EE. Av. Vd."
    ),
    "fr": ("M. MM. Mme. Mlle. Dr. Me. p. pp. art. fig. chap. éd. vol. env. av. apr. p._ex. c.-à-d. c. n°. St."),
    "it": "sig. Sig. sig.ra dott. Dott. prof. Prof. ing. avv. pag. pagg. art. fig. cap. n. p._es. es. p.",
    "pt": "Sr. Sra. Srs. Dr. Dra. Prof. pág. págs. art. fig. cap. núm. aprox. p._ex. p. Av. Exmo.",
}
"""Language → abbreviations that never end a sentence (“usw.” and “etc.” may); “_” is an optional blank."""
_LISTED = {code: re.escape(listed).replace(r"\ ", "|").replace("_", r"\s?") for code, listed in _ABBREVIATIONS.items()}
_BEFORE = r"(?:^|[\s(\[«“\"'’ʼ¿¡])"
NEVER_LAST = {
    "de": re.compile(rf"{_BEFORE}(?:{_LISTED['de']})$"),
    "es": re.compile(rf"{_BEFORE}(?:{_LISTED['es']})$"),
    "fr": re.compile(rf"{_BEFORE}(?:{_LISTED['fr']})$"),
    "it": re.compile(rf"{_BEFORE}(?:{_LISTED['it']})$"),
    "pt": re.compile(rf"{_BEFORE}(?:{_LISTED['pt']})$"),
}
"""Language → a pattern that matches a text ending with one of its abbreviations."""
