"""A judge's word for true or false. A word that is not one of these is neither: a guess would pass for a judgment."""

from __future__ import annotations

import re

_TRUE = frozenset(("yes", "true", "full", "supported", "1", "1.0"))
_FALSE = frozenset(("no", "false", "0", "0.0"))
_DENIES = ("un", "partial", "partly", "not ", "notsupp")
_UNDECIDED = ("applicable", "available", "certain", "clear", "decided", "determined", "known", "labeled", "sure")
"""After "not" or "un": the judge could not tell."""


def read_truth(value: object) -> bool | None:
    """True or false; `None` where the value is not understood, or is null, which is decided elsewhere.

    >>> read_truth("fully_supported"), read_truth("Partially supported"), read_truth("maybe")
    (True, False, None)
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return {1.0: True, 0.0: False}.get(value)
    if not isinstance(value, str):
        return None
    text = " ".join(re.findall(r"[\w.]+", value[:200].casefold().replace("_", " "))).rstrip(".")
    rest = text.removeprefix("fully").strip()
    if text in _TRUE or (text != rest and rest.startswith(("support", "ground"))) or text == "fully":
        return True
    if text in _FALSE or rest == "not":
        return False
    if not rest.startswith(_DENIES):
        return None
    return None if rest.removeprefix("not").removeprefix("un").strip().startswith(_UNDECIDED) else False
