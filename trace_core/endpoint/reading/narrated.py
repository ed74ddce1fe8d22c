"""A sample told as a story: `a guest typed “…” and our bot came back with “…”`, `it had found these two articles:` and
a list. Each text that is quoted, indented, listed or alone after a colon gets its role from the clause before it; one
that gets none makes the whole query unclear, because what it holds would be dropped in silence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import dedent
from typing import Any, NamedTuple

from trace_core.datasets.words import words_of
from trace_core.endpoint.payload import QueryError, unclear
from trace_core.endpoint.reading.endings import FINAL, ends
from trace_core.endpoint.reading.guards import held_beside
from trace_core.endpoint.reading.language.described import described
from trace_core.endpoint.reading.language.names import without_names
from trace_core.endpoint.reading.language.plain_contexts import read_contexts
from trace_core.endpoint.reading.language.plain_tests import hold_names, names_before, unknown_wished
from trace_core.endpoint.reading.language.relevance import tells_relevance, told_in_prose
from trace_core.endpoint.reading.language.requests import NOTE
from trace_core.endpoint.reading.language.slips import corrects
from trace_core.endpoint.reading.language.text import says_none
from trace_core.endpoint.reading.language.words import field_named
from trace_core.endpoint.reading.leads.marks import joins, spans_of
from trace_core.endpoint.reading.leads.told import is_machine, last_clause, opens, told_after, told_by
from trace_core.endpoint.reading.plain import fields_of
from trace_core.endpoint.reading.quoted import ANOTHER, OR

_CHAT = re.compile(
    r"^\[?\d{1,2}:\d{2}(?::\d{2})?(?:[ \t]?[AaPp][Mm])?\]?[ \t,–-]{0,4}[^\W\d][\w .'’-]{0,30}?:[ \t]{1,4}", re.MULTILINE
)
_ITEM = re.compile(r"[ \t]{0,12}(?:[-*•]|\(?\d{1,3}[.)]|\[[\w.#/-]{1,40}\])[ \t]{1,4}\S")
_BULLET = re.compile(r"\A[ \t]{0,12}(?:[-*•]|\(?1[.)])[ \t]{1,4}")
_INDENTED = re.compile(r"(?:[ ]{2}|\t|[ ]?>[ ])")
_COLON_LINE = re.compile(
    r"^(?P<lead>[^\n:：\"“”„«»]{2,80})[:：][ \t]{1,4}(?P<text>(?!['‘])[^\n\"“”„«»‘]{1,2000})$", re.MULTILINE
)
_ABOUT = re.compile(
    r"(?:subject|betreff|re|fw|fwd|aw|wg|objet|asunto|oggetto|onderwerp|assunto|ämne|temat)", re.IGNORECASE
)
_WISHES = re.compile(
    r"\b(?:know|check|want|need|tell|please|pls|things?|tests?|metrics?|prüf\w{0,3}|wissen|savoir|saber|sapere|weten|veta"
    r"|bitte)\b",
    re.IGNORECASE,
)
EDITED = re.compile(
    r"\b(?:sorry|oops|correction|scratch that|i (?:mean|meant)|but (?:really|actually))\b", re.IGNORECASE
)
"""Words after a text that may change its role."""
_SENTENCE = re.compile(r"[^.!?;\n]{1,2000}[.!?;]?")
_EITHER = re.compile(
    r"(?:(?:we|i|they|wir|nous|ci|ik) )?(?:(?:would |will |can |also )?(?:accept|allow|take)|akzeptieren|acceptons"
    r"|aceptamos|accettiamo|aceitamos|accepteren)?[ ]?(?:either|both|entweder|sowohl|soit|tanto|sia|zowel|ofwel"
    r"|antingen|både|albo)?",
    re.IGNORECASE,
)
"""What opens a list of texts that a clause after it names: `We accept either “…” or “…” as ground truth`."""
_WHO = re.compile(
    r"(?P<who>[^\n]{1,60}?) (?:was|were|got|wurde|a été|fue|è stato|foi|werd|blev|został)\b", re.IGNORECASE
)
_SAYS = re.compile(
    r"(?:and|und|et|y|e|en|och|i) (?:(?:then|dann|puis|luego|poi|toen|sedan) )?(?P<verb>[^\W\d_]{2,14})", re.IGNORECASE
)
"""A clause without the one who says it: `our bot was asked “…” and said “…”`."""
_SAID_AFTER = re.compile(
    r"[,.]?[ \t]{1,4}(?P<clause>[^.,;:!?\n\"“”„«»()]{3,80}?)"
    r"(?=[ \t]{0,4}(?:[.,;!?\n]|\Z|\b(?:and|und|et|y|e|en|och|i)\b))"
)
"""A clause that ends before the next text."""
_RELEVANT = re.compile(
    r"(?:\A\s{0,4}|[.!?]\s{1,4})relevant (?:(?:context|document|doc|chunk|passage)s? )?ids: "
    r"(?P<ids>[\w#.,/ -]{1,200}?)\.?\s{0,4}\Z",
    re.IGNORECASE,
)
"""The ids after a label at the end."""
_PLACED = re.compile(r"\W{0,4}(?:and |und |et |y )?(?P<label>[^\W\d_]{3,14})[ ]?#?(?P<place>\d{1,2})", re.IGNORECASE)
"""A label that counts the texts: `chunk 1`."""
_FIELDS = ("question", "answer", "contexts", "ground_truth")
_LONGEST = 20_000
_MOST = 200
_SHORT, _FEW_WORDS = 2, 4
_MANY = ("contexts", "ground_truth")


class Part(NamedTuple):
    """A text, where it begins and ends, and how it is set off: `quoted`, a `block`, or the rest of a `line`."""

    start: int
    end: int
    text: str
    kind: str


class Told(NamedTuple):
    """A part with its role, and the words before it, without and with the clause that leads to it."""

    role: str
    text: str
    clause: str
    before: str
    gap: str
    kind: str


class After(NamedTuple):
    """What a clause after one or several quotations says of them, where it ends, and how many they are."""

    role: str
    clause: str
    end: int
    texts: int


def _joined(gap: str) -> bool:
    return bool(gap.strip()) and joins(gap)


def in_chat(text: str) -> bool:
    """Whether at least two lines begin with a time and a name, the first among them."""
    return _CHAT.match(text) is not None and len(_CHAT.findall(text)) >= _SHORT


def read_narrated(text: str, fewest: int = 2) -> dict[str, Any]:
    """The canonical JSON. Raises `QueryError` where a text has no role, a role two texts, or fewer have a role."""
    if len(text) > _LONGEST:
        raise QueryError("The query is too long for a story.", "Send JSON.")
    text = _CHAT.sub("", text) if in_chat(text) else text
    parts = _parts(text)
    rest = text[parts[-1].end :] if parts else text
    told = list(_told(text, parts))
    if parts and parts[-1].kind == "line":
        _hold_after(rest)
    if fewest > 1 and all(field_named(one.clause.strip()) for one in told):
        raise QueryError("The query has labels and tells nothing else.", "Put a label before each part.")
    wishes = [f"{one.clause}: {one.text}" for one in told if one.role == "prose"]
    prose, relevant = _without_relevance([*(one.before for one in told), *wishes, rest])
    return _fields(told, fewest) | relevant | {"tests": _tests(prose, [*(one.gap for one in told), *wishes, rest])}


def _without_relevance(prose: Sequence[str]) -> tuple[list[str], dict[str, Any]]:
    """The prose beside the texts without the one clause that tells which of them are relevant, and what it tells."""
    told = [told_in_prose(one) for one in prose]
    ids = [names for _, names in told if names]
    if not ids and (labeled := _RELEVANT.search(prose[-1])):
        return [*prose[:-1], prose[-1][: labeled.start()]], {"relevant_context_ids": labeled["ids"]}
    if len(ids) != 1:
        return list(prose), {}
    return [left for left, _ in told], {"relevant_context_ids": ", ".join(ids[0])}


def _told(text: str, parts: Sequence[Part]) -> Iterator[Told]:
    place, joined = 0, 0
    found, led = [""], ""
    for number, part in enumerate(parts):
        gap = text[place : part.start]
        clause, before = split_lead(gap)
        if part.kind == "line" and found[-1] != "prose":
            _hold_after(before)
        place = part.end
        if number < joined:
            role = found[-1]
        elif after := _after(text, parts[number:], gap, clause):
            role, clause, joined = after.role, after.clause, number + after.texts
            place = after.end if after.texts == 1 else place
        else:
            final = FINAL.match(text, part.end) if part.kind == "quoted" else None
            clause = f"{clause} {final['verbs']}" if final else clause
            place = final.end() if final else place
            role = _role(gap, _with_subject(clause, led), part, found)
            if role != "prose" and part.kind == "quoted" and not (final or ends(text, part.end, part.text)):
                raise unclear(part.text)
        if role != "prose" and says_none(part.text):
            raise unclear(part.text)
        said = part.text.removesuffix(",") if place > part.end else part.text  # `“Yes,” replied the bot`
        yield Told(role, said, clause, before, gap, part.kind)
        found.append(role)
        led = led if joins(clause) else clause


def _with_subject(clause: str, before: str) -> str:
    """The clause with the one whom the clause before it is about, where it has none of its own."""
    says, who = _SAYS.fullmatch(clause.strip()), _WHO.match(before.strip())
    did = told_by(before) in ("contexts", "answer")  # in `a guest asked our bot` it is no subject
    subject = who["who"] if who else next(filter(is_machine, words_of(before)), "") if did else ""
    return f"{subject} {says['verb']}" if says and subject else clause


def _after(text: str, parts: Sequence[Part], gap: str, clause: str) -> After | None:
    """What the words after a quotation say that it is, where it begins a sentence: `“…?” asked the guest.`"""
    begins = joins(clause) or _EITHER.fullmatch(clause.strip())
    if parts[0].kind != "quoted" or not begins:
        return None
    count = 1
    while (
        count < len(parts) and joins(text[parts[count - 1].end : parts[count].start]) and parts[count].kind == "quoted"
    ):
        count += 1
    said = _SAID_AFTER.match(text, parts[count - 1].end)
    role = told_after(said["clause"], parts[0].text) if said else None
    if said is None or role not in _FIELDS or (count > 1 and role not in _MANY):
        return None
    return After(role, said["clause"], said.end(), count)


def _hold_after(prose: str) -> None:
    """Raise for a paragraph after a text that nothing closes: it may be the rest of the text, unless it is a wish."""
    for paragraph in prose.split("\n\n"):
        few = len(paragraph.split()) <= _FEW_WORDS
        if not (few or names_before(paragraph) or described(paragraph)):
            raise unclear(paragraph.strip())


def split_lead(gap: str) -> tuple[str, str]:
    """The clause that leads to the text, and what stands before it."""
    clause = last_clause(gap)
    return clause, gap[: gap.rfind(clause)] if clause else gap


def _role(gap: str, clause: str, part: Part, found: Sequence[str]) -> str:
    """The role of a part, told by the clause before it, or the same as that of the part before."""
    again = found[-1] if found[-1] in _MANY and joins(gap) and part.kind == "quoted" else ""
    if again == "contexts" or (again and OR.search(gap)):
        return again
    placed = _PLACED.fullmatch(clause.strip()) if part.kind == "quoted" else None
    if placed and field_named(placed["label"]) == "contexts" and int(placed["place"]) == found.count("contexts") + 1:
        return "contexts"
    role = told_by(clause, part.text) if whole(gap, clause) else None
    if role in _MANY and role in found and not ANOTHER.search(clause):
        raise unclear(part.text)  # what a source is called, or another part
    if role is None and found == [""] and opens(clause):
        return "question"
    if role in _FIELDS:
        return role
    block = part.kind != "quoted"
    asks = block and (without_names(f"{clause} {part.text}") != f"{clause} {part.text}" or described(part.text))
    wish = asks and (_WISHES.search(clause) or NOTE.fullmatch(clause.strip()))
    if role == "tests" or wish or (block and _ABOUT.fullmatch(clause.strip())):
        return "prose"
    raise unclear(part.text)


def whole(gap: str, clause: str) -> bool:
    """Whether the clause begins a text of its own: in `it replied: the note said “…”` the quotation is within one."""
    line = gap.rstrip(" \t\n:").rpartition("\n")[2]
    head, colon, tail = line.rpartition(":")
    return not (colon and tail.strip() and told_by(last_clause(head)) not in (None, "tests"))


def _fields(told: Sequence[Told], fewest: int) -> dict[str, Any]:
    found: dict[str, list[Told]] = {}
    for one in told:
        if one.role != "prose":
            found.setdefault(one.role, []).append(one)
    if len(found) < fewest:
        raise QueryError("The query tells too little.", "Put labels before its parts: Question: Contexts: Answer:")
    twice = next((role for role, texts in found.items() if len(texts) > 1 and role not in _MANY), None)
    if twice:
        raise QueryError(f"The {twice} stands twice, so it is unclear which is meant.", "Send JSON instead.")
    given: dict[str, Any] = {}
    for role, parts in found.items():
        texts = [_single(part) for part in parts] if role != "contexts" else _contexts(parts)
        given[role] = texts if role == "contexts" or len(texts) > 1 else texts[0]
    return given


def _contexts(parts: Sequence[Told]) -> list[Any]:
    """A list in one block, or one text a part."""
    if len(parts) == 1 and parts[0].kind != "quoted":
        return read_contexts([("contexts", "", parts[0].text)], set())
    return [_single(part) for part in parts]


def _single(part: Told) -> str:
    """A text of one block; a list is none."""
    lines = [] if part.kind == "quoted" else [line for line in part.text.split("\n") if _ITEM.match(line)]
    if len(lines) > 1:
        raise unclear(part.text)
    return part.text if part.kind == "quoted" else _BULLET.sub("", part.text)


def _tests(prose: Sequence[str], outer: Sequence[str]) -> list[str]:
    """The tests that are named anywhere outside of the texts, or wished for beside the clauses that lead to them."""
    if corrected := next(filter(None, map(corrects, prose[1:])), ""):
        raise unclear(corrected)
    for one in prose:
        held_beside(one)
        if fields_of(one) - {"tests"}:
            raise QueryError("A label stands beside the story.", "Put a label before each part.")
        if (edited := EDITED.search(one)) or _tells_more(one):
            raise unclear(edited[0] if edited else one.strip())
    tests = names_before("\n".join(outer), short=True)
    tests = tests or unknown_wished("\n".join(prose)) or described(" \n".join(prose))
    hold_names("\n".join(outer))
    if not tests:
        raise QueryError("The query names no tests.", "Begin with, for example: Evaluate: answer_accuracy")
    return list(dict.fromkeys(tests))


def _tells_more(prose: str) -> bool:
    """Whether a sentence beside the texts tells which contexts are relevant."""
    return any(tells_relevance(said[0]) for said in _SENTENCE.finditer(prose) if not said[0].endswith("?"))


def _parts(text: str) -> list[Part]:
    """The quoted texts, the blocks of lines, and what stands after a colon on its line, in order."""
    quoted = [Part(a, b + 1, text[a + 1 : b].strip(), "quoted") for a, b in spans_of(text) if _says(text[a + 1 : b])]
    blocks: list[Part] = []
    others = [*_blocks(text), *_after_colons(text)]
    if max(len(quoted), len(others)) > _MOST:
        raise QueryError("The query has too many parts for a story.", "Send JSON.")
    for block in others:
        if any(one.start < block.start < one.end for one in quoted):
            continue  # lines of a quoted text
        quoted = [one for one in quoted if not block.start <= one.start < block.end]
        if any(one.start < block.end and block.start < one.end for one in blocks):
            continue
        blocks.append(block)
    return sorted([*quoted, *blocks])


def _says(text: str) -> bool:
    return re.search(r"\w", without_names(text)) is not None


def _blocks(text: str) -> Iterator[Part]:
    """Lists, and indented lines below a line that is not."""
    place, start, end = 0, -1, 0
    for line in text.splitlines(keepends=True):
        belongs = bool(_ITEM.match(line) or _INDENTED.match(line)) and bool(line.strip())
        if belongs and place:
            start = place if start < 0 else start
            end = place + len(line.rstrip())
        elif line.strip() and start >= 0:
            yield _block(text, start, end)
            start = -1
        place += len(line)
    if start >= 0:
        yield _block(text, start, end)


def _block(text: str, start: int, end: int) -> Part:
    lines = dedent(re.sub(r"^[ ]?>[ ]", "", text[start:end], flags=re.MULTILINE))
    return Part(start, end, lines.strip(), "block")


def _after_colons(text: str) -> Iterator[Part]:
    """What stands on one line after a colon. Raises `QueryError` where it may go on in the next line."""
    for line in _COLON_LINE.finditer(text):
        yield Part(line.start("text"), line.end("text"), line["text"].strip(), "line")
        following = text[line.end() + 1 :].partition("\n")[0]
        wish = following.endswith(("?", "？")) and described(following)
        if following.strip() and ":" not in following and not wish and told_by(last_clause(line["lead"])):
            raise unclear(following)
