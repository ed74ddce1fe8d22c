"""Texts of labeled lines as rows: `Question: …`, `Context: …`, `Answer: …`, one question after the other.

The labels may be bold or headings, as in Markdown. A text below a label belongs to it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice, pairwise
from typing import Any, NamedTuple

from trace_core.datasets.cells import ends_a_sentence, parts_of
from trace_core.datasets.labeled.headed import headed
from trace_core.datasets.names import ALIASES, PREDICTED, plain_name
from trace_core.datasets.text.encodings import is_text
from trace_core.datasets.words import asks, holds_documents, role_of
from trace_core.errors import InputError

MOST_LINES = 400
"""The lines in which at least two questions must be."""
_LONGEST, _MOST_WORDS = 60, 6
"""The most characters and words of a label."""
_MARKUP = "#>-*+_ \t"
_COLONS = ":："
_BOLD = ("**", "__")
_RULES = frozenset("-=*_#~ ")
_BOX = re.compile(
    r"\s{0,8}(?:[-*+]\s{1,4})?(?:(?:\[[ xX✓✔✗✘]?\]|[☐☑☒])\s{1,8}(?=\S)(.{1,60})"
    r"|[✅❌✔✘✓✗]\ufe0f?\s{0,8}(?:\w{1,20}(?:\s{1,4}\w{1,20}){0,2})?)$"
)
"""A box to check and its text, or the mark of a check and a few words."""
_COUNT = re.compile(r"\d{1,4}")
_QUOTED = re.compile(r"[ \t]{0,4}> ?")
"""Markdown's mark of a quote at the beginning of a line."""
_QUESTION = "Question"
"""The label of a question that has none."""
_ANSWERS = frozenset((*PREDICTED, "response", "reference_answer", *ALIASES["response"], *ALIASES["reference_answer"]))


class Line(NamedTuple):
    """A line of a text, and its label where it may have one; `key` is the same in all rows."""

    whole: str
    label: str = ""
    text: str = ""

    @property
    def key(self) -> str:
        """The label as it is compared."""
        return plain_name(self.label) if self.label else ""

    @property
    def is_aside(self) -> bool:
        """Whether the line only divides: blank, a line of dashes, or a heading."""
        said = self.whole.strip()
        return _RULES.issuperset(said) or said.startswith("#")


class _Form(NamedTuple):
    """The labels of the file: each row begins with `lead`, which may be a heading of one line."""

    lead: str
    fields: frozenset[str]
    headed: bool = False


Entry = tuple[str, list[str]]
"""A label, and the lines of its text."""


def is_labeled(lines: Iterable[str]) -> bool:
    """Whether the first lines label at least two questions, and something else of them."""
    return _read(islice(lines, MOST_LINES))[1] is not None


def labeled_rows(lines: Iterable[str], name: str) -> Iterator[tuple[int, Any]]:
    """A row for each question, numbered from 1, under the labels as columns; nothing where the lines are not labeled.

    A row whose text cannot be told apart is an `InputError`.
    """
    read, form = _read(lines)
    if form is None:
        return
    blocks = [block for block in _blocks(read, form) if _says_something(block, form.fields)]
    blocks = _without_verdicts(blocks, form.fields)
    tails = [_tail(block, form.fields) for block in blocks]
    for number, (block, tail) in enumerate(zip(blocks, tails, strict=True), start=1):
        entries = _entries(block, form.fields)
        usual = holds_documents(entries[-1][0]) and (number < len(blocks) or sum(map(bool, tails)) > 1)
        below = "\n".join(entries[0][1][1:]).strip() if form.headed else ""
        yield number, _row(entries, below or ("" if usual else tail), name, number)


def read_line(line: str) -> Line:
    """The line, with its label told from the text behind it."""
    bare = line.strip().lstrip(_MARKUP)
    at = min((found for colon in _COLONS if (found := bare.find(colon, 0, _LONGEST)) >= 0), default=-1)
    if at < 0:
        alone = line.lstrip().startswith("#") or (line.strip().startswith(_BOLD) and line.strip().endswith(_BOLD))
        label, rest = (bare, "") if alone and len(bare) <= _LONGEST else ("", "")
    else:
        label, rest = bare[:at], bare[at + 1 :]
        if rest.startswith(_BOLD) and not label.rstrip().endswith(_BOLD):
            rest = rest[2:]
        elif bare[at] == ":" and rest and not rest[0].isspace():
            return Line(line)
    label = _unnumbered(label.strip(" \t*_`"))
    known = label and label[0].isalpha() and len(label.split()) <= _MOST_WORDS
    return Line(line, label, rest.strip()) if known else Line(line)


def _unnumbered(label: str) -> str:
    """`Question 3` → `Question`; the number of a document stays, as it is one of several."""
    bare = label.rstrip("0123456789#. ")
    return label if holds_documents(bare) else bare


def _read(lines: Iterable[str]) -> tuple[list[Line], _Form | None]:
    """The lines and their labels; questions that are headings are labeled as such, where no others are."""
    read = [read_line(line) for line in lines]
    form = _form(read)
    if form:
        return _without_counts(read, form), form
    found = headed([line.whole for line in read], lambda at: _is_part(read[at].label))
    if found is None:
        return read, form
    for at, text in found.labels.items():
        read[at] = read[at] if read[at].label else Line(read[at].whole, text)
    for at, text in found.questions.items():
        read[at] = Line(read[at].whole, _QUESTION, text)
    form = _form([line for at, line in enumerate(read) if at not in found.aside])
    if form:
        form = _Form(form.lead, form.fields | {read[at].key for at in found.labels}, headed=True)
    return [line for at, line in enumerate(read) if at not in found.aside], form


def _without_counts(lines: list[Line], form: _Form) -> list[Line]:
    """The lines, with blank ones in place of those that count the questions, right above them: `Test no. 2`."""
    starts = [at for at, line in enumerate(lines) if line.key == form.lead]
    above = [next((at for at in range(start - 1, -1, -1) if lines[at].whole.strip()), start) for start in starts]
    said = [lines[at].whole.strip() for at in above]
    alike = len({*said}) == len(said) and len({_COUNT.sub("", text) for text in said}) == 1
    if not alike or len(said[0]) > _LONGEST or any(lines[at].label or ends_a_sentence(lines[at].whole) for at in above):
        return lines
    return [Line("") if at in {*above} else line for at, line in enumerate(lines)]


def _form(lines: Sequence[Line]) -> _Form | None:
    """The labels of the lines; `None` unless one of them is that of at least two questions."""
    times = Counter(line.key for line in lines if line.label)
    names = {line.key: line.label for line in reversed(lines) if line.label}
    asked = [key for key, label in names.items() if asks(label)]
    most = max((times[key] for key in asked), default=0)
    questions = [key for key in asked if times[key] == most]
    if most < 2 or len(questions) != 1:
        return None
    parts = {key for key, label in names.items() if _is_part(label)}
    fields = parts | {key for key in names if 2 * times[key] >= most and times[key] > 1} | {questions[0]}
    every = [line.key for line in lines if line.key in fields]
    lead = next(key for key in every if key == questions[0] or times[key] == most)
    return _Form(lead, frozenset(fields)) if len(parts) > 1 else None


def _is_part(label: str) -> bool:
    """Whether the label is that of a question, a document or an answer."""
    name = plain_name(label)
    return asks(label) or holds_documents(label) or role_of(label) is not None or name in _ANSWERS or name == "a"


def _blocks(lines: Sequence[Line], form: _Form) -> list[list[Line]]:
    """The lines of each row, without those that divide it from the next, and without notes below it."""
    starts = [at for at, line in enumerate(lines) if line.key == form.lead]
    rows = [lines[start:end] for start, end in pairwise([*starts, len(lines)])]
    told = [row is rows[-1] or row[0].whole.lstrip().startswith("#") for row in rows]  # a note is not the next row's
    kept = [_without_notes(row, form.fields) if alone else row for row, alone in zip(rows, told, strict=True)]
    return [_trimmed(row, form.fields) for row in kept]


def _trimmed(block: Sequence[Line], fields: frozenset[str]) -> list[Line]:
    """The lines of a row without those that divide it from the next."""
    end = len(block)
    while block[end - 1].is_aside and block[end - 1].key not in fields:
        end -= 1
    return list(block[:end])


def _without_notes(block: Sequence[Line], fields: frozenset[str]) -> Sequence[Line]:
    """The row without what stands below a line of dashes or a heading, if its last label, such as `Verdict`, is of no
    part: an answer may have such lines.
    """
    last = max(at for at, line in enumerate(block) if line.key in fields)
    if _is_part(block[last].label):
        return block
    below = (at for at in range(last + 1, len(block)) if block[at].is_aside and block[at].whole.strip())
    return block[: next(below, len(block))]


def _without_verdicts(blocks: Sequence[list[Line]], fields: frozenset[str]) -> list[list[Line]]:
    """The rows without the boxes below their last text that somebody checked, where at least half, and two, have them:
    `- [x] correct`.
    """
    ends = [_boxes(block, fields) for block in blocks]
    times = Counter(box for end in ends for box in {*end} if box)
    usual = {box for box, count in times.items() if count > 1 and 2 * count >= len(blocks)} | {""}
    cut = [next((n for n, box in enumerate(end) if box not in usual), len(end)) for end in ends]
    return [block[: len(block) - n] for block, n in zip(blocks, cut, strict=True)]


def _boxes(block: Sequence[Line], fields: frozenset[str]) -> list[str]:
    """The texts of the boxes that end a row, the last first, empty for blank lines; none that are all of a label."""
    found: list[str] = []
    for line in reversed(block):
        box = _BOX.match(line.whole.rstrip())
        if line.key in fields or not (box or not line.whole.strip()):
            return [] if line.key in fields and not line.text else found
        found.append(f"box {plain_name(box[1])}" if box else "")
    return []


def _says_something(block: Sequence[Line], fields: frozenset[str]) -> bool:
    return any(line.text or not (line.is_aside or line.key in fields) for line in block)


def _entries(block: Sequence[Line], fields: frozenset[str]) -> list[Entry]:
    found: list[Entry] = []
    quoted = False
    for line in block:
        if line.key in fields:
            quoted = _QUOTED.match(line.whole) is not None
            found.append((line.label, [line.text]))
        else:
            text = line.whole.rstrip("\r\n")
            found[-1][1].append(_QUOTED.sub("", text) if quoted else text)
    below = [*(label for label, _ in found[1:]), ""]
    return [entry for entry, label in zip(found, below, strict=True) if not _is_over(entry, label)]


def _is_over(entry: Entry, below: str) -> bool:
    """Whether the label has no text, and stands over those of single documents: `Passages:` over `Passage 1: …`."""
    label, lines = entry
    return holds_documents(label) and holds_documents(below) and not any(map(str.strip, lines))


def _tail(block: Sequence[Line], fields: frozenset[str]) -> str:
    """The text below the last label's own, after a line that divides: it may belong to no question at all."""
    last = max(at for at, line in enumerate(block) if line.key in fields)
    said = [block[last].text, *(line.whole for line in block[last + 1 :])]
    begun = next((at for at, text in enumerate(said) if text.strip()), len(said))
    divided = (at for at in range(max(begun, 1), len(said)) if block[last + at].is_aside)
    return "\n".join(said[next(divided, len(said)) :]).strip()


def _row(entries: Sequence[Entry], tail: str, name: str, number: int) -> dict[str, Any] | InputError:
    row: dict[str, Any] = {}
    several = Counter(plain_name(label) for label, _ in entries)
    spelled: dict[str, str] = {}
    for label, lines in entries:
        text, column = "\n".join(lines).strip() or None, spelled.setdefault(plain_name(label), label)
        if not is_text(text or ""):
            return InputError("This is not UTF-8 text.", "Save it as UTF-8.", file=name, row=number)
        if several[plain_name(label)] == 1:
            row[column] = _unquoted(text, holds_documents(label))
        elif holds_documents(label):
            row.setdefault(column, []).append(_unquoted(text))
        else:
            return InputError(f"{label!r} is there twice.", "Write it once a question.", file=name, row=number)
    if tail:
        wrong = f"The text {tail[:60]!r} has no label of its own."
        return InputError(wrong, "Give it one, or leave it out.", file=name, row=number)
    return row


def _unquoted(text: str | None, several: bool = False) -> str | list[str] | None:
    """The text without Markdown's marks of a quote, if every line has one; of several quotes, each is a document."""
    if text is None or not text.startswith(">"):
        return text
    lines = [line.strip() for line in text.splitlines()]
    if not all(line.startswith(">") for line in lines if line):
        return text
    groups = (
        "\n".join(line[1:].removeprefix(" ") for line in group) for quoted, group in groupby(lines, bool) if quoted
    )
    quotes = [quote.strip() for quote in groups if quote.strip()]
    whole = "\n\n".join(quotes)
    if not several or len(quotes) < 2:
        return whole or None
    listed = parts_of(whole, lined=False, listed=True)
    return listed if len(listed) == len(quotes) else quotes
