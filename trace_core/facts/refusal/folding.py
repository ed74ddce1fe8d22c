"""A text as the patterns read it: lower case, one kind of apostrophe, no contractions, no quotations, no marks."""

from __future__ import annotations

import re

LONGEST = 2_000
"""The number of leading characters that are read."""
_ALIKE = str.maketrans("’ʼ`", "'''", "*#>_")
"""One kind of apostrophe, and no marks of Markdown."""
_QUOTED = re.compile(r"(?<=\S\s)[\"“][^\"“”]{1,400}[\"”]")
"""What somebody else said, or a title; not an answer that stands in quotation marks itself."""
_CONTRACTIONS = (
    ("won't", "will not"), ("can't", "can not"), ("cannot", "can not"), ("n't", " not"), ("i'm", "i am"),
    ("'re ", " are "), ("'ve ", " have "), ("it's", "it is"), ("that's", "that is"), ("there's", "there is"),
    ("here's", "here is"), ("answer's", "answer is"), ("information's", "information is"), ("i'd", "i would"),
    ("i'll", "i will"),
)  # fmt: skip


def folded(text: str) -> str:
    """The opening of the text, folded."""
    opening = _QUOTED.sub('""', " ".join(text[:LONGEST].translate(_ALIKE).casefold().split()))
    if "'" in opening or "cannot" in opening:
        for short, long in _CONTRACTIONS:
            opening = opening.replace(short, long)
    return opening
