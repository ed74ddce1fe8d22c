"""The question and the documents in a whole prompt: `Context: … Question: … Answer:`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from trace_core.datasets.labeled.lines import Line, read_line
from trace_core.datasets.words import asks, holds_documents, role_of

MOST = 200_000
"""The most characters of a prompt that is looked at."""
_CONTEXT = re.compile(r"^\[CONTEXT \d{1,3}\]:?[ \t\r]{0,4}$", re.MULTILINE)
_END = "[END CONTEXT "


class Prompted(NamedTuple):
    """What a prompt asks, and the text that it gives."""

    question: str
    context: str


def prompted(prompt: Any) -> Prompted | None:
    """The parts of a prompt with one label for its documents, one for its question and none for an answer but at its
    end; else `None`: examples are asked and answered within a prompt, too.
    """
    if not isinstance(prompt, str) or "\n" not in prompt or len(prompt) > MOST:
        return None
    lines = [read_line(line) for line in prompt.splitlines()]
    marks = [at for at, line in enumerate(lines) if line.label and (_gives(line) or asks(line.label) or _answers(line))]
    parts = [(lines[at], _text(lines, at, end)) for at, end in pairwise([*marks, len(lines)])]
    if parts and _answers(parts[-1][0]) and not parts[-1][1]:
        parts.pop()
    given = [text for line, text in parts if _gives(line)]
    asked = [text for line, text in parts if asks(line.label)]
    whole = len(parts) == 2 and len(given) == len(asked) == 1 and given[0] and asked[0] and "\n" not in asked[0]
    return Prompted(asked[0], given[0]) if whole else None


def contexts_in(prompt: Any) -> list[str]:
    """The texts that AnythingLLM puts into a prompt, between `[CONTEXT 0]:` and `[END CONTEXT 0]`; none if one lacks
    its end.
    """
    if not isinstance(prompt, str) or len(prompt) > MOST:
        return []
    texts = [part.partition(_END) for part in _CONTEXT.split(prompt)[1:]]
    return [text.strip() for text, _, _ in texts] if all(end for _, end, _ in texts) else []


def _gives(line: Line) -> bool:
    return holds_documents(line.label)


def _answers(line: Line) -> bool:
    return role_of(line.label) in ("answer", "response", "reference_answer") or line.label.lower() == "a"


def _text(lines: Sequence[Line], start: int, end: int) -> str:
    return "\n".join([lines[start].text, *(line.whole for line in lines[start + 1 : end])]).strip()
