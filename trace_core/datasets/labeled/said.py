"""What the texts in a log may be: a person's question, an answer, a document."""

from __future__ import annotations

import re

from trace_core.datasets.cells import has_a_sentence

_CODE = re.compile(
    r"\s{0,9}(?:(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|SELECT|INSERT|UPDATE|CREATE|MATCH|WITH)\b|[/{<\[]|https?:)"
)
"""What a program asks of another one."""
_LEAST_WORDS = 3
"""The words of a question without its mark."""
_SHORT = 6
"""The words of a document without a sentence."""


def may_be_asked(text: str) -> bool:
    """Whether a text may be a person's question."""
    return not _CODE.match(text) and (text.endswith(("?", "？", "؟")) or len(text.split()) >= _LEAST_WORDS)


def may_be_said(text: str) -> bool:
    """Whether a text may be an answer, and not a count or a status."""
    return not _CODE.match(text) and has_a_sentence(text)


def may_be_document(text: str) -> bool:
    """Whether a text may be a document, and not a name or a count of some."""
    return may_be_said(text) or len(text.split()) > _SHORT
