"""A part that the last paragraph corrects: `Oops, wrong line. The answer was actually “…”, not “…”.`"""

from __future__ import annotations

import re
from typing import NamedTuple

from trace_core.endpoint.payload import Payload, QueryError
from trace_core.endpoint.reading.language.leads import last_clause, told_by
from trace_core.endpoint.reading.quoted import spans_of

_LONGEST = 600
_SLIP = re.compile(
    r"\b(?:wrong (?:line|one|text|row|field|cell)|typo|mistyped|(?:copied|pasted|mixed up) the|copy[ -]paste"
    r"|please (?:use|take)|(?:falsche?n?) (?:zeile|text)|tippfehler|vertippt|verwechselt|bitte nimm"
    r"|mauvaise ligne|faute de frappe|línea equivocada|me equivoqué de"
    r"|riga sbagliata|linha errada|verkeerde regel|fel rad|nie ta linia)\b",
    re.IGNORECASE,
)
"""A mistake of whoever sends the query; an answer may correct itself, too, but makes none of these."""
_ADVERB = re.compile(
    r"\b(?:actually|really|in fact|eigentlich|tatsächlich|en fait|en réalité|en realidad|in realtà|na verdade|eigenlijk"
    r"|egentligen|naprawdę)\b",
    re.IGNORECASE,
)
_OLD = re.compile(
    r"(?:[^\"“”„«»\n]{0,40} )?(?:instead of|rather than|not|anstelle von|statt|nicht|au lieu de|et non|pas|en lugar de"
    r"|en vez de|y no|no|invece di|non|em vez de|e não|não|in plaats van|niet|istället för|inte|zamiast|nie) "
    r"[\"“„«]?(?P<old>[^\"“”„«»\n]{1,200}?)[\"“”»]?[.!]{0,3}",
    re.IGNORECASE,
)
_FIELDS = ("question", "answer", "ground_truth")


class Amended(NamedTuple):
    """A text without such a paragraph, the field that it corrects, the right value, and the wrong one."""

    text: str
    field: str
    value: str
    old: str


def amended(text: str) -> Amended | None:
    """What the last paragraph corrects; `None` where it corrects nothing, or does not say what was wrong."""
    before, gap, last = text.rstrip().rpartition("\n\n")
    if not gap or len(last) > _LONGEST or not _SLIP.search(last):
        return None
    spans = spans_of(last)
    if not spans:
        return None
    start, end = spans[0]
    clause = " ".join(_ADVERB.sub(" ", last_clause(last[:start])).split())
    field = told_by(clause, last[start + 1 : end])
    wrong = _OLD.fullmatch(last[end + 1 :].strip(" ,;–—-"))
    if field not in _FIELDS or wrong is None:
        return None
    return Amended(before, field, last[start + 1 : end].strip(), wrong["old"].strip())


def with_amendment(payload: Payload, told: Amended) -> Payload:
    """The payload with the right value. Raises `QueryError` where the part is not the wrong one."""
    if getattr(payload, told.field) != told.old:
        raise QueryError(f"It is unclear which part {told.old[:40]!r} is.", "Send the query again with the right part.")
    return payload.model_copy(update={told.field: told.value})
