"""A wish that leaves open which of several tests is meant: `either faithfulness or recall`, `just one of them`."""

from __future__ import annotations

import re
from itertools import islice

from trace_core.endpoint.reading.language.names import is_name, known_in, without_names
from trace_core.endpoint.reading.language.requests import core

_OR = re.compile(
    r"(?<!\w)(?:or|oder|bzw\.?|beziehungsweise|ou(?: bien| alors)?|o(?: bien)?|oppure|u|of|eller|lub|albo|soit)(?!\w)"
    r"[ \t,]{1,4}"
    r"(?:(?:at least|maybe|perhaps|else|possibly|if not|failing that|wenigstens|zumindest|vielleicht|notfalls|au moins"
    r"|peut-être|sinon|al menos|quizás?|si no|almeno|forse|pelo menos|talvez|ten minste|misschien)\b[ \t,]{1,4})?",
    re.IGNORECASE,
)
_ONE_OF = re.compile(
    r"\b(?:(?:just|only|any|either) one of (?:them|these|those|the)|one of the two|one or the other"
    r"|(?:pick|choose|take) (?:just |only )?one"
    r"|whichever (?:is|you|one|of)|nur ein(?:en|e|er|es|s)? (?:von|der) (?:beiden|ihnen|zwei|diesen)"
    r"|ein(?:e|s|en)? von beiden"
    r"|l['’]une? ou l['’]autre|l['’]une? des deux|une? seule? des deux|(?:solo |sólo )?un[oa] de l[ao]s dos"
    r"|(?:solo )?un[oa] (?:dei|delle) due|(?:apenas |só )?um[a]? d[ao]s du?as|um dos dois|een van (?:de twee|beide)"
    r"|(?:bara )?en av dem|jed(?:en|ną|no) z (?:nich|dwóch))\b",
    re.IGNORECASE,
)
_ON_CONDITION = re.compile(
    r"\b(?:otherwise|unless|if (?:that|it|this|not)|ansonsten|sonst|sinon|si no|altrimenti|caso contrário|anders"
    r"|annars|inaczej)\b",
    re.IGNORECASE,
)
_RELEVANCE = re.compile(r"relevan|pertinen|rilevan|istotn|help|useful|context|passage|document", re.IGNORECASE)
"""What else one of several may be."""
_SENTENCE = re.compile(r"[.!?\n](?:\s|\Z)|\n")
_ITEM = re.compile(r"[,;:.!?()\n]")
_NEAR, _MOST = 80, 100


def choice_left(wanted: str) -> str:
    """The words that leave open which of the `wanted` tests is meant; empty where there are none."""
    for said in islice(_OR.finditer(wanted), _MOST):
        before, after = wanted[max(0, said.start() - _NEAR) : said.start()], wanted[said.end() : said.end() + _NEAR]
        if _ends_with_a_name(before) and _begins_with_a_name(after):
            return f"{said[0]}{_ITEM.split(after)[0]}".strip()
    several = len(set(known_in(wanted))) > 1
    for sentence in _SENTENCE.split(wanted) if several else []:
        one = _ONE_OF.search(sentence)
        if one and not _RELEVANCE.search(without_names(sentence)):
            return one[0]
        if (condition := _ON_CONDITION.search(sentence)) and len(set(known_in(sentence))) > 1:
            return condition[0]
    return ""


def _ends_with_a_name(before: str) -> bool:
    before = before.rstrip(" \t,;(?")
    left = without_names(before)
    return (left != before and left.endswith(" ")) or is_name(core(_ITEM.split(before)[-1]))


def _begins_with_a_name(after: str) -> bool:
    first = _ITEM.split(after)[0]
    told = core(first)
    left = without_names(told)
    return (left != told and left.startswith(" ")) or is_name(told)
