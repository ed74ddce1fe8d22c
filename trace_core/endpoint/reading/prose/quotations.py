"""The quotations of a text, with what stands around them, and the ids of those that are contexts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from trace_core.endpoint.payload import QueryError, unclear
from trace_core.endpoint.reading.language.names import without_names
from trace_core.endpoint.reading.leads.marks import joins, spans_of
from trace_core.endpoint.reading.leads.surroundings import Around, place
from trace_core.endpoint.reading.leads.told import clause_after, last_clause

_ID = r"(?=[\w.#/-]{0,20}\d)\w[\w.#/-]{0,40}"
_MARKED = r"\[(?P<marked>[^\[\]\n]{1,64})\]"
_LABELED = r"[(\[](?:id|nr|no)[ .:=]{1,3}(?P<labeled>[\w.#/-]{1,40})[)\]]"
_BEFORE = re.compile(
    rf"(?:{_LABELED}|{_MARKED}|\((?P<held>{_ID})\)|(?<![\w.#/-])(?P<bare>{_ID}))"
    r"(?:[ ](?:says?|reads?|states?|sagt|lautet|dit|dice|diz))?[ \xa0:=,(–-]{0,4}\Z"
)
_AFTER = re.compile(
    rf"[ \t]{{0,2}}(?:{_LABELED}|[(\[](?P<held>{_ID})[)\]])"
    rf"|[ ](?:under|as|unter|als|sous|comme|como|come)[ ](?P<named>{_ID})\b"
)
_MARK_BEFORE = re.compile(rf"(?:{_LABELED}|{_MARKED}|\((?P<held>{_ID})\))[ \xa0:]{{0,4}}\Z")
_MARK_AFTER = re.compile(rf"\A[ \t]{{0,2}}(?:{_LABELED}|[(\[](?P<held>{_ID})[)\]])")
WITHIN = re.compile(rf"(?:{_MARKED}|(?P<named>{_ID}):)[ \t]{{1,4}}")
_BEFORE_IN_CODE = re.compile(r"[{}<>=]|\A\s*:\s*\Z")
_JOINT = re.compile(r"[\w,;/&+]")
"""What joins a text to the one before it; a stop alone does not."""


class Quotation(NamedTuple):
    """A quoted text, where its marks stand, and the words between it and the one before it."""

    text: str
    start: int
    end: int
    gap: str

    @property
    def lead(self) -> str:
        """The words before it, without ids in brackets: its own, and that of the quotation before."""
        return _MARK_BEFORE.sub("", _MARK_AFTER.sub("", self.gap))

    @property
    def in_code(self) -> bool:
        """Whether it stands behind brackets, an equals sign, or a colon after another quotation, as in JSON."""
        return _BEFORE_IN_CODE.search(self.gap) is not None

    @property
    def joined(self) -> bool:
        """Whether nothing but `and`, a comma or the like leads to it, so that it is what the one before it is."""
        return joins(self.lead) and _JOINT.search(self.lead) is not None

    def clause(self, after: str) -> str:
        """The clause that leads to it, or that of the words after it where it begins a sentence."""
        clause = last_clause(self.lead)
        return clause if clause.strip() or self.joined else clause_after(after)


def quotations(text: str) -> list[Quotation]:
    """The quotations that are no tests' names; a comma at the end belongs to the sentence around it."""
    spans = [(a, b) for a, b in spans_of(text) if re.search(r"\w", without_names(text[a + 1 : b]))]
    begins = [0, *(end + 1 for _, end in spans)]
    return [
        Quotation(text[a + 1 : b].strip().removesuffix(","), a, b, text[begin:a])
        for begin, (a, b) in zip(begins, spans, strict=False)
    ]


def arounds(text: str, parts: Sequence[Quotation]) -> Iterator[Around]:
    """What stands around each quotation, without the role of the one before it."""
    sizes = [len(part.text) for part in parts]
    ends = [part.start for part in parts[1:]] + [len(text)]
    for number, (part, end) in enumerate(zip(parts, ends, strict=False)):
        yield Around(part.lead, text[part.end + 1 : end], part.text, None, place(number, sizes))


def contexts_of(text: str, parts: Sequence[Quotation]) -> list[dict[str, str]]:
    """Each context's text, and its id where all have one: before, after or within the quotation marks.

    Raises `QueryError` where only some have one.
    """
    found = (
        [WITHIN.match(part.text) for part in parts],
        [_BEFORE.search(part.gap) for part in parts],
        [_AFTER.match(text, part.end + 1) for part in parts],
    )
    for within, ids in enumerate(found):
        names = [next(filter(None, one.groups())).strip() for one in ids if one]
        if len(names) == len(parts) == len(set(names)):
            begins = [one.end() if one and not within else 0 for one in ids]
            return [{"id": name, "text": p.text[b:]} for name, p, b in zip(names, parts, begins, strict=True)]
    if any(one for ids in found for one in ids if one and not one.groupdict().get("bare")):
        raise QueryError("Only some of the contexts have ids.", "Give each of them an id, or none.")
    return [{"text": part.text} for part in parts]


def with_roles(text: str, told: Sequence[tuple[Quotation, str]]) -> dict[str, Any]:
    """The canonical JSON of quotations and their roles."""
    of_role: dict[str, list[Quotation]] = {}
    for part, role in told:
        of_role.setdefault(role, []).append(part)
    contexts = of_role.pop("contexts", None)
    given: dict[str, Any] = {
        role: parts[0].text if len(parts) == 1 else [part.text for part in parts] for role, parts in of_role.items()
    }
    for part in (part for parts in of_role.values() for part in parts):
        if _MARK_BEFORE.search(part.gap) or _MARK_AFTER.match(text[part.end + 1 :]):
            raise unclear(part.text)  # it has an id, as contexts have
    return given | ({"contexts": contexts_of(text, contexts)} if contexts else {})
