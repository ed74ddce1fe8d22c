"""What stands after and between the parts of a query: farewells, signatures, and requests that name the tests."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from trace_core.endpoint.reading.language.described import described
from trace_core.endpoint.reading.language.names import without_names
from trace_core.endpoint.reading.language.plain_tests import (
    all_wished,
    hold_names,
    names_before,
    names_denied,
    only_names,
)
from trace_core.endpoint.reading.language.requests import NOTE, asks
from trace_core.endpoint.reading.margins import without_signature
from trace_core.endpoint.reading.sections import Section

_TAIL = 400
"""The most characters at the end of a query that may be a request or a farewell."""
_FAREWELL = re.compile(
    r"(?<!:)\n[ \t¡]{0,8}(?:(?:with )?(?:many |best |kind )?thanks|thank you|thx|ty|cheers"
    r"|(?:with )?(?:kind |best |warm )?regards|sent from my|von meinem|gesendet von|envoyé (?:de|depuis) mon"
    r"|enviado desde|inviato da|verzonden vanaf"
    r"|best(?:(?= ?,)| wishes)|yours|sincerely|(?:vielen |besten |herzlichen )?dank|danke"
    r"|(?:viele|liebe|beste|herzliche|freundliche|schöne) grü(?:ß|ss)e"
    r"|(?:mit|met|med|con|com|avec) (?:freundlichen|besten|(?:vriendelijke|hartelijke|beste) groet(?:en|jes)?"
    r"|vänlig\w{0,2} hälsning(?:ar)?"
    r"|(?:un )?(?:cordial |afectuoso )?saludos?|(?:os )?(?:melhores )?cumprimentos"
    r"|(?:mes )?(?:meilleures )?salutations)"
    r"|(?:melhores )?cumprimentos|distinti saluti|z poważaniem"
    r"|(?:un grand )?merci|(?:bien )?cordialement|(?:bien )?à vous|bonne journée"
    r"|(?:muchas |mil )?gracias|(?:un )?(?:cordial )?saludos?|atentamente|(?:alvast |hartelijk )?bedankt"
    r"|(?:hartelijke|vriendelijke) groet(?:en)?|(?:mille |molte )?grazie|cordiali saluti|(?:muito )?obrigad[oa]"
    r"|(?:med vänliga |vänliga )?hälsningar|mvh|vh|mfg|lg|vg|tack|pozdrawiam"
    r"|dzięk\w{1,4}|s pozdravem|děkuj\w{1,3}|groet(?:jes"
    r"|en)?"
    r"|saluti|abraços?|atenciosamente|un saludo|(?:どうぞ|何卒)?よろしく|以上、?よろしく|ありがとう|谢谢)"
    r"(?:\b|(?<=[ぁ-龥]))(?:[^\n:]|:[a-z_]{2,24}:|:-?[)DP(]){0,60}(?:\n[^\n:]{0,60}){0,5}\Z",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"\n[ \t]{0,8}\n[ \t¡]{0,8}(?:if|should|please|let|just|looking|hope|happy|feel|any|no|falls|wenn|bitte|si"
    r"|n'hésitez|por|no dud\w{1,3})\b(?=[^\n]{0,160}(?:let (?:me|us) know|tell (?:me|us)|get back|reach out|reply"
    r"|forward to|hesitate|feel free|no rush|meld|bescheid|dites|hésitez|avís|d[íi]game|no dud))[^\n:]{0,160}\Z",
    re.IGNORECASE,
)
"""A last paragraph that speaks to whoever reads the letter; it counts only before a farewell."""
_REMARK = re.compile(
    r"\n[=*#_-]{2,10}[ \t][^\n=]{1,60}[ \t][=*#_-]{2,10}\s{0,8}\Z"
    r"|\n[ \t]{0,8}\n[ \t]{0,8}\([^()\n]{8,300}\)\s{0,8}\Z|\n[ \t]{0,8}#[ \t][^\n]{1,300}\Z"
)
"""A last line between rules (`=== END ===`), a last paragraph between parentheses, or a last line that is a comment "
"or a heading of nothing."""
_SEND = re.compile(
    r"\n[ \t]{0,8}\n(?:[^\n:.?!]{1,30}\n)?(?:please|kindly|bitte|merci de|por favor)\b[^\n:\"]{1,70}\Z", re.IGNORECASE
)
"""A last paragraph that asks for the result: `Next steps / Please send the scores.`"""
_REQUEST = re.compile(
    r"(?:please|kindly|pls|(?:can|could) (?:you|someone|somebody|anyone|anybody)|i (?:need|want|would like)"
    r"|we (?:need|want)|score|evaluate|measure|check"
    r"|compute|calculate|run|bitte|merci de|pouvez-vous|por favor)\b",
    re.IGNORECASE,
)
_NOTED = re.compile(rf"\A{NOTE.pattern}[ \t]{{0,2}}[:,–-][ \t]{{1,4}}", re.IGNORECASE)
_ARROW = re.compile(r"(?:[-=]>|→|⇒)[ \t]{0,4}")
_NEEDED = re.compile(r"\b(?:tests?|metrics?)\b[^.\n]{0,40}\b(?:need|want|like|is|are)\b", re.IGNORECASE)
_FEW_WORDS = 4
_EMOJI = re.compile(
    r"\n[ \t]{0,4}(?:(?::[a-z][a-z\d_+-]{1,24}:|[\u2600-\u27bf\ufe0f\U0001f000-\U0001faff]|[:;]-?[)DP(])"
    r"[ \t]{0,4}){1,10}\s{0,8}\Z"
)
"""A last line of nothing else."""
_GAP = re.compile(r"\n[ \t]*\n\s*")
_THANKS_FOR = re.compile(
    r"\s{0,4}(?:(?:many )?thanks|merci|danke|gracias|grazie|obrigad[oa]|bedankt|tack)\b", re.IGNORECASE
)
"""`Merci de calculer la fidélité` is a wish, unlike `Yours faithfully`."""
_SENTENCE = re.compile(r"[^.!?\n]{1,400}[.!?]?")
_BEFORE_BODY = re.compile(r"[\s*_:]{0,40}")
_QUOTED = re.compile('["“”„«»]')


class Parted(NamedTuple):
    """A text without what stands after its last part, and the tests that requests name and rule out."""

    text: str
    asked: list[str]
    denied: set[str]


def parted(text: str, sections: Sequence[Section] = ()) -> Parted:
    """The text without a farewell at its end, and without the requests that stand between or after its parts.

    Where no test is named elsewhere, any paragraph that wishes for one is such a request, and so is the last line.
    """
    text = without_farewell(_EMOJI.sub("", text))
    text = without_signature(text)
    remark = _REMARK.search(text)
    if remark and not any(one.field == "tests" and one.end > remark.start() for one in sections):
        text = text[: remark.start()]
    text = text.rstrip()
    named = any(section.field == "tests" for section in sections)
    named = named or bool(sections and names_before(text[: sections[0].start]))
    asked: list[str] = []
    denied: set[str] = set()
    for start, end in reversed(_paragraphs(text, sections)):
        wish = _wish(text[start:end].strip(), named, last=end == len(text))
        if wish.asked or wish.denied:
            asked, denied = [*wish.asked, *asked], denied | wish.denied
            text = f"{text[:start].rstrip()}\n\n{text[end:]}".rstrip()
    start = text.rfind("\n", _tail(text))
    line = _in_last_line(text[start:].strip(), named) if start > 0 and not (asked or denied) else Parted("", [], set())
    if line.asked or line.denied:
        return Parted(text[:start].rstrip(), *line[1:])
    return Parted(_SEND.sub("", text), asked, denied)


def without_farewell(text: str) -> str:
    """The text without a farewell at its end, and without what speaks to the reader before it."""
    farewell = _FAREWELL.search(text, _tail(text))
    if farewell and not (_THANKS_FOR.match(farewell[0]) and names_before(farewell[0])):
        text = text[: farewell.start()].rstrip()
        if closing := _CLOSING.search(text, _tail(text)):
            text = text[: closing.start()].rstrip()
    return text


def _paragraphs(text: str, sections: Sequence[Section]) -> list[tuple[int, int]]:
    """(start, end) of the short paragraphs after the first label that are not what directly follows a label."""
    starts = [gap.end() for gap in _GAP.finditer(text)]
    marks = sorted([*(gap.start() for gap in _GAP.finditer(text)), *(one.start for one in sections), len(text)])
    ends = [marks[bisect_left(marks, start)] for start in starts]
    found = [(start, end) for start, end in zip(starts, ends, strict=True) if 0 < end - start <= _TAIL]
    if not sections:
        return found[-1:]  # what stands before is read as a whole
    bodies = {
        body.end()
        for section in sections
        if section.field != "unused" and (body := _BEFORE_BODY.match(text, section.end))
    }
    return [(start, end) for start, end in found if start > sections[0].start and start not in bodies]


def _wish(said: str, named: bool, last: bool) -> Parted:
    """What a paragraph asks for; nothing where it is no request."""
    said = _NOTED.sub("", said)
    if ":" in said[:-1] and not _ARROW.match(said):
        return Parted("", [], set())
    asked = _REQUEST.match(said) or only_names(said) or (not named and _wished(said, last))
    asked = asked or (last and (_NEEDED.search(said) or _mostly_names(said)))
    denied = names_denied(said) if asked or without_names(said) != said else set()
    names = names_before(said, short=True) if asked or denied else []
    hold_names(said if names else "")
    if last and not names and (asked or said.endswith("?")):
        names = described(said)
    if last and not named and not names:
        names = all_wished(said)
    return Parted("", names, denied)


def _in_last_line(said: str, named: bool) -> Parted:
    """What the last line asks for, which no blank line sets off."""
    said = _NOTED.sub("", said)
    if ":" in said[:-1] and not _ARROW.match(said):
        return Parted("", [], set())
    asked = _REQUEST.match(said) or (not named and (only_names(said) or _wished(said, True)))
    denied = names_denied(said) if asked or without_names(said) != said else set()
    names = names_before(said, short=True) if asked or denied else []
    return Parted("", names or (described(said) if asked or said.endswith("?") else []), denied)


def _wished(said: str, last: bool) -> bool:
    """Whether a sentence names tests and asks for them; the `last` paragraph may also ask how they are."""
    sentences = [one[0] for one in _SENTENCE.finditer(said) if not _QUOTED.search(one[0])]
    return any(names_before(one) for one in sentences if asks(one) or (last and one.endswith("?")))


def _mostly_names(said: str) -> bool:
    """Whether one line names tests and says little else: `@eval faithfulness + recall pls`."""
    return "\n" not in said and len(without_names(said).split()) <= _FEW_WORDS


def _tail(text: str) -> int:
    """Where the part begins that may be a request or a farewell."""
    return max(0, len(text) - _TAIL)
