"""Which tests a person names in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trace_core.endpoint.registry import TESTS

_KNOWN = re.compile(
    r"(?<![A-Za-z])(?:(?P<answer_accuracy>answer[ _-]?accuracy)|(?P<context_recall>contexts?[ _-]?recall)"
    r"|(?P<context_precision>contexts?[ _-]?precision)|(?P<faithfulness>faithful(?:ness)?)"
    r"|(?P<answer_relevancy>answer[ _-]?relevanc[ey])|(?P<context_utilisation>contexts?[ _-]?utili[sz]ation))",
    re.IGNORECASE,
)
_SHORT = {
    "accuracy": "answer_accuracy",
    "recall": "context_recall",
    "precision": "context_precision",
    "relevancy": "answer_relevancy",
    "utilisation": "context_utilisation",
    "utilization": "context_utilisation",
}
_ALL = re.compile(r"(?:all|everything|every)(?: (?:the|of|them|six|six of them|tests?|metrics?|available)){0,4}", re.I)
_ALL_TESTS = re.compile(r"\ball (?:the )?(?:six )?(?:available )?(?:tests|metrics)\b", re.IGNORECASE)
_BETWEEN = re.compile(r"[,;\n/&|+]|\band\b|\.(?=\s|$)")
_NO_NAME = {"this", "it", "these", "that", "them", "please", "the", "following", "my", "answer", "for", "me"}


def names_in(section: str, listed: bool) -> list[str]:
    """The names in a list of tests (`listed`), or in what follows "Evaluate" in a sentence.

    A name that is not known is kept: the reply says so, rather than leaving it out unseen.
    """
    names: list[str] = []
    for item in _BETWEEN.split(section):
        names += _names_of(item, listed)
    return names


def names_before(preamble: str) -> list[str]:
    """The known tests named in the words before the first label."""
    return list(TESTS) if _ALL_TESTS.search(preamble) else list(_known(preamble))


def _names_of(item: str, listed: bool) -> list[str]:
    known = list(_known(item))
    word = re.sub(r"^\d{1,2}[.)]\s{0,4}", "", item.strip(" \t*•-\"'`[](){}:_"))
    if known:
        return known
    if word.lower() in _SHORT:
        return [_SHORT[word.lower()]]
    if _ALL.fullmatch(word):
        return list(TESTS)
    if not re.fullmatch(r"[\w -]{1,60}", word) or not re.search(r"[^\W\d_]", word):
        return []
    words = word.lower().split()
    most = 3 if listed else 1
    return ["_".join(words)] if len(words) <= most and not _NO_NAME & set(words) else []


def _known(text: str) -> Iterator[str]:
    for match in _KNOWN.finditer(text):
        if match.lastgroup:
            yield match.lastgroup
