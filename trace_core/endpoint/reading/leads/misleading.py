"""What a clause tells of who did what, for a model to weigh, and whether it tells something else than it seems to."""

from __future__ import annotations

import re

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
    words = words_in(without_names(clause))
    if not _MISLEADING.isdisjoint(words) or any(word.startswith((*RELEVANT, *_MENTIONS)) for word in words):
        return True
    machine, should = any(map(is_machine, words)), any(word.startswith(SHOULD) for word in words)
    asked = any(word.startswith(ASKERS) for word in words)
    asker = asked and not machine and PASSIVE.isdisjoint(words)
    if role == "answer" and (asker or _SUPPOSED.search(clause)):
        return True
    if role == "contexts" and (asker or any(word.startswith(_CHANGED) for word in words)):
        return True
    seen = [one for place, word in enumerate(words) if (one := seen_at(word, place, words))]
    if any(one.kind == "true" for one in seen):
        other = any(one.verb and one.kind in ("question", "contexts") for one in seen)
        return (should and other) or (machine and not should and words[-1] in COPULAS)
    # `we replied to him` is said of one's own bot, and `it began with a guest who asked` of nobody.
    others = [word for word in words if word not in FIRST and not (asked and word == "it")]
    acts = [one for place, word in enumerate(others) if (one := seen_at(word, place, others)) and one.kind != "say"]
    return bool(acts) and not by_the_right_one(clause, others, acts)
