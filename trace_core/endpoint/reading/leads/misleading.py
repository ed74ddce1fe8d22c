"""What a clause tells of who did what, for a model to weigh, and whether it tells something else than it seems to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trace_core.endpoint.reading.language.names import without_names
from trace_core.endpoint.reading.language.roles import RELEVANT, stems
from trace_core.endpoint.reading.leads.told import by_the_right_one, is_machine, is_person, seen_at, words_in
from trace_core.endpoint.reading.leads.words import ASKERS, COPULAS, DENIED, FIRST, PASSIVE, SHOULD

_MISLEADING = DENIED - frozenset("would according previously formerly originally almost rather without kein".split())
"""Words that make a clause tell something else than its verb."""
_SUPPOSED = re.compile(
    r"\b(?:would|should|ought|hätte|würde|sollte|aurait|devrait|habría|debería|tendría|avrebbe|dovrebbe|teria|deveria|zou"
    r"|had moeten|borde|skulle|powinien|powinna)\b",
    re.IGNORECASE,
)
"""Words of what was not said."""
_CHANGED = stems(
    "changed replaced updated reworded geandert ersetzt modifi remplac cambiad modificat alterad gewijzigd"
)
_OURS = FIRST | {"ai", "ia"}
_SUBJECT = 4
"""The first words of a clause, where the one stands who does it."""
_PIECES = re.compile(r"[,;](?=\s|\Z)|[ ][–—-]{1,2}(?=\s)")
_REQUEST = re.compile(
    r"\b(?:could|would|can|might|may) (?:you(?: believe)?|i|we|someone|somebody)\b"
    r"|\b(?:könnte?n?|würdest|würden) (?:sie|ihr|du|ich|wir)\b|\b(?:pourriez|pourrais)[ -](?:vous|tu|je)\b",
    re.IGNORECASE,
)
_MENTIONS = stems("mention includ erwahn mencion menzion vermeld")


def tells_of(clause: str) -> list[str]:
    """The kinds of the telling words in the clause, in order, with who does it: `machine`, `person`."""
    words = words_in(clause)
    found = []
    for place, word in enumerate(words):
        if seen := seen_at(word, place, words):
            found.append(seen.kind)
        elif is_machine(word) or is_person(word):
            found.append("machine" if is_machine(word) else "person")
        elif word in DENIED:
            found.append("denied")
    return found


def misleads(clause: str, role: str) -> bool:
    """Whether the clause says that it did not happen, that the wrong one did it, or only a part of it, or what is
    relevant, so that what follows may not have that role.
    """
    piece = _last_piece(_REQUEST.sub(" ", without_names(clause)))
    words = words_in(piece)
    may = {"could", "might"} if role in ("question", "contexts") else set()
    if not (_MISLEADING - may).isdisjoint(words) or any(word.startswith(_MENTIONS) for word in words):
        return True
    if role == "answer":
        return bool(_SUPPOSED.search(piece)) or _of_an_asker(words) or _by_another(piece, words)
    if role == "contexts":
        told = any(word.startswith((*RELEVANT, *_CHANGED)) for word in words)
        return told or _of_an_asker(words) or _by_another(piece, words)
    asked = role == "question" and any(word.startswith(ASKERS) for word in words)
    return not asked and _by_another(piece, words)


def _last_piece(clause: str) -> str:
    """What follows the last comma or dash; more where that is a word alone, as in `it did not, however, say`."""
    pieces = _PIECES.split(clause)
    return " ".join(pieces[-3:]) if len(pieces[-1].split()) == 1 else pieces[-1]


def _of_an_asker(words: Sequence[str]) -> bool:
    """Whether one who asks a machine did it."""
    asks = any(word.startswith(ASKERS) for word in words[:_SUBJECT])
    return asks and not any(map(is_machine, words)) and (PASSIVE | FIRST).isdisjoint(words)


def _by_another(clause: str, words: Sequence[str]) -> bool:
    """Whether a machine asked, a person found or answered, or what is called right is a machine's word."""
    machine, should = any(map(is_machine, words)), any(word.startswith(SHOULD) for word in words)
    seen = [one for place, word in enumerate(words) if (one := seen_at(word, place, words))]
    if any(one.kind == "true" for one in seen):
        other = any(one.verb and one.kind in ("question", "contexts") for one in seen)
        return (should and other) or (machine and not should and words[-1] in COPULAS)
    # `we replied` is said of one's own bot, `it began with a guest who asked` of nobody; `ai` is no AI in French.
    asked = any(word.startswith(ASKERS) for word in words)
    others = [word for word in words if word not in _OURS and not (asked and word == "it")]
    acts = [one for place, word in enumerate(others) if (one := seen_at(word, place, others)) and one.kind != "say"]
    return bool(acts) and not by_the_right_one(clause, others, acts)
