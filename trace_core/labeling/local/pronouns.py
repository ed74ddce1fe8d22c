"""Resolve "it": put the subject of the premise in the place of a sentence's leading pronoun.

A response sentence is read without the sentences before it. By itself, "It is red." has no referent; with the
premise "The tank is red." it is about the tank, as a person would read it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_PRONOUN = re.compile(r"(?:It|They|This|These|He|She)(?:(['’]s|['’]re)|(?= ))")
_ENDINGS = {"s": " is", "re": " are"}
_DETERMINED = r"(?:The|A|An|This|That|These|Those|Our|Your|Each|Every)(?: (?!that\b|who\b|which\b)[\w'’-]+){1,5}?"
_NAMED = r"(?!It\b|They\b|He\b|She\b|There\b|You\b|We\b|I\b)[A-Z][\w'’.-]*(?: (?:[A-Z][\w'’.-]*|of|the|de|van)){0,4}"
_VERB = (
    r"(?:is|are|was|were|has|have|had|can|cannot|could|must|should|may|might|will|would|does|do|did"
    r"|[a-z]+(?:s|ed)|came|took|won|wrote|began|became|made|held|led|built|sold|bought|gave|ran)\b"
)
_SUBJECT = re.compile(rf"({_DETERMINED}|{_NAMED})(?: \([^()]{{0,80}}\))?,? {_VERB}")


def named(claim: str, texts: Iterable[str]) -> str:
    """The claim, its leading pronoun replaced by the subject of the first text that has one."""
    pronoun = _PRONOUN.match(claim)
    if pronoun is None:
        return claim
    for text in texts:
        if subject := _SUBJECT.match(text):
            verb = _ENDINGS[pronoun[1][1:]] if pronoun[1] else ""
            return f"{subject[1]}{verb}{claim[pronoun.end() :]}"
    return claim
