"""Parts without a label that nothing else can be: a list is the contexts, a question the question, and so is a quoted
text before the first label what the words before it say. Each gets its usual label here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from trace_core.endpoint.payload import QueryError
from trace_core.endpoint.reading.language.described import described
from trace_core.endpoint.reading.language.plain_tests import names_before, only_names
from trace_core.endpoint.reading.language.words import USUAL
from trace_core.endpoint.reading.leads.marks import spans_of
from trace_core.endpoint.reading.leads.told import tells_contexts
from trace_core.endpoint.reading.quoted import read_quoted
from trace_core.endpoint.reading.sections import Section, line_start, sections_of

_LINE = re.compile(r"[^\n]+")
_ITEM = re.compile(
    r"[ \t]{0,8}(?:(?P<bullet>[-*•])|(?P<number>\(?(?P<place>\d{1,2}|[A-Za-z])[.)])"
    r"|(?:[-*•][ \t])?(?P<bracket>[*_`]{0,3}\[[\w.#/-]{1,40}\][*_`]{0,3}:?)"
    r"|(?P<id>[A-Za-z][\w-]{0,20}\d\w{0,5}[ \t]?[:=]))[ \t]{1,4}\S"
)
_ENDS = (".", "!", "?", '"', "”", "»", "…")
_PARAGRAPH = re.compile(r"(?<=\n\n)[ \t]{0,4}(?P<asked>[^\n:\"“„«]{8,300}[?？])[ \t]{0,4}(?=\n[ \t]{0,4}\n)")
_TO_A_READER = re.compile(
    r"(?:hi|hey|hello|so|and|also)?[ ,]{0,2}(?:(?:can|could|would|will) (?:you|some|any)|any(?:one|body)?\b"
    r"|some(?:one|body)\b|what(?:['’]s| do you)\b"
    r"|(?:(?:how|what|why) )?(?:is|was|are|does|did|do)(?:n['’]t)? (?:it|this|that|these|those)\b"
    r"|k(?:ann|ö)n+(?:s?t|te[tn]?)?\w{0,2} (?:ihr|du|jemand)|stimmt|was (?:meint|denkt|sagt)|ist (?:das|dies)\b"
    r"|po(?:uvez|urriez)-vous|peux-tu|est-ce (?:juste|correct)|qu['’]en"
    r"|¿?(?:puedes|podéis|podrías|podrían|es correct)|puoi|potete|potresti|è (?:giusto|corretto)"
    r"|vo?cês? pode|podes?\b|podem\b|está cert|(?:kun|kunnen|kan|zou|wil) (?:je|jij|jullie|iemand|u)\b"
    r"|klopt|kan (?:du|ni|någon)|stämmer|czy (?:możesz|możecie|ktoś|to)\b)",
    re.IGNORECASE,
)
"""How a question begins that is for whoever reads the query."""
_SINGLE = ("question", "answer", "ground_truth")


class _List(NamedTuple):
    """The lines of a list, the kind of its marks, and the line before it."""

    start: int
    end: int
    kind: str
    lead: str


def with_bare_parts(text: str, wanted: Collection[str]) -> str:
    """The text with a label before the parts of the `wanted` fields that have none."""
    for field, labeled in (("contexts", _with_list), ("question", _with_question)):
        if field in wanted and all(section.field != field for section in sections_of(text)):
            text = labeled(text, sections_of(text))
    return _with_quoted(text, sections_of(text))


def _with_list(text: str, sections: Sequence[Section]) -> str:
    """The text with a label before its only list that can be the contexts, and one after it that ends it."""
    found = [one for one in _lists(text, sections) if _may_be_contexts(text, one, sections)]
    if len(found) != 1:
        return text
    ((start, end, _, lead),) = found
    head, rest = text[:start], text[end:]
    if lead.endswith(":") and sections and sections[0].start < start:
        head = head.rstrip()[: -len(lead)]  # `Results:` is no part of the question before it
    after = rest.lstrip()
    if after and all(section.start != len(text) - len(after) for section in sections):
        rest = f"\n\n{USUAL['unused']}:{rest}"
    return f"{head}{USUAL['contexts']}:\n{text[start:end]}{rest}"


def _lists(text: str, sections: Sequence[Section]) -> Iterator[_List]:
    """The lists of at least two items, each on one line, that no other lines adjoin but labels and what leads there."""
    lines = [(line, _kind(line[0])) for line in _LINE.finditer(text) if line[0].strip()]
    labels = {section.start: section.field for section in sections}
    place = 0
    for kind, group in groupby(lines, key=lambda line: line[1]):
        items = [line for line, _ in group]
        before = lines[place - 1][0] if place else None
        place += len(items)
        after = lines[place][0] if place < len(lines) else None
        if not kind or len(items) == 1 or (kind == "number" and _place(items[0][0]) not in ("1", "A", "a")):
            continue
        start, end = items[0].start(), items[-1].end()
        apart = after is None or after.start() in labels or _blank(text, end, after.start())
        if apart and (before is None or _leads(text, before, start, labels, kind)):
            yield _List(start, end, kind, before[0].strip() if before else "")


def _leads(text: str, before: re.Match[str], start: int, labels: Mapping[int, str], kind: str) -> bool:
    """Whether the line before a list does not go on in it: a blank line, a colon or a question mark stands between.

    What has ids may follow a wish for tests, too.
    """
    lead, label = before[0].strip(), labels.get(before.start())
    if label and lead.endswith(":"):
        return False  # the label says what the list is
    asked = kind in ("bracket", "id") and (only_names(lead) or (label == "question" and kind == "bracket"))
    return asked or _blank(text, before.end(), start) or lead.endswith((":", "?", "？"))


def _blank(text: str, start: int, end: int) -> bool:
    """Whether a blank line stands between the places."""
    return text.count("\n", start, end) > 1


def _kind(line: str) -> str:
    item = _ITEM.match(line)
    return next((kind for kind in ("bracket", "id", "number", "bullet") if item and item[kind]), "")


def _place(line: str) -> str:
    item = _ITEM.match(line)
    return item["place"] if item else ""


def _may_be_contexts(text: str, listed: _List, sections: Sequence[Section]) -> bool:
    """Whether nothing says that the list is something else, and it looks like texts that were found."""
    before = [section for section in sections if section.start < listed.start]
    after_answer = bool(before) and before[-1].field not in ("question", "tests", "relevant_context_ids")
    if after_answer and (listed.kind != "bracket" or listed.lead.endswith(":")):
        return False  # the steps of an answer
    items = text[listed.start : listed.end]
    if any(listed.start <= section.start < listed.end for section in sections) or names_before(items):
        return False
    if listed.kind in ("bracket", "id") or tells_contexts(listed.lead):
        return True
    sentences = all(line.rstrip().endswith(_ENDS) for line in items.split("\n") if line.strip())
    return sentences and not listed.lead.endswith(":")


def _with_question(text: str, sections: Sequence[Section]) -> str:
    """The text with a label before the only paragraph, before the other parts, that is a question."""
    end = next((one.start for one in sections if one.field not in ("tests", "unused")), 0)
    framed = f"\n\n{text}"
    found = [one for one in _PARAGRAPH.finditer(framed, 0, end + 2) if _may_be_the_question(one["asked"])]
    if len(found) != 1:
        return text
    place = found[0].start("asked") - 2
    return f"{text[:place]}{USUAL['question']}: {text[place:]}"


def _may_be_the_question(asked: str) -> bool:
    return not (_TO_A_READER.match(asked) or names_before(asked, short=True) or described(asked))


def _with_quoted(text: str, sections: Sequence[Section]) -> str:
    """The text with labels for what is quoted before the first one, where each quotation is told, and no other is."""
    start = sections[0].start if sections and line_start(text, sections[0].start) == sections[0].start else 0
    try:
        quoted = read_quoted(text[:start], beside_labels=True) if start else {}
    except QueryError:
        return text
    known = {section.field for section in sections}
    if not quoted or spans_of(text[start:]) or not all(one in _SINGLE and one not in known for one in quoted):
        return text
    if "question" in quoted and not quoted["question"].endswith(("?", "？")):
        return text
    prose, place = [], 0
    for begins, ends in spans_of(text[:start]):
        prose.append(text[place:begins])
        place = ends + 1
    said = "".join(f"\n{USUAL[field]}: {held}" for field, held in quoted.items() if isinstance(held, str))
    return f"{''.join([*prose, text[place:start]])}{said}\n{text[start:]}"
