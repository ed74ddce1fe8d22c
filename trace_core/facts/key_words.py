"""Read the sentence keys in a judge's words: strip marks, split lists in a string, expand ranges.

What says which keys it means is read, however it is put. What does not is kept apart from what says that there are
none: the first makes a list unknown, the second makes it empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from trace_core.facts.keys import AROUND, Keys, is_special
from trace_core.facts.plain import plain

_NAMES = ("key", "sentence_key", "response_sentence_key", "document_sentence_key", "sentence_id", "id", "sentence")
"""The fields of an object in place of a key."""
_BLANK = re.compile(r"(?!.*\.\.)[\s.\"'()\[\]{}–—-]*")
_ADJECTIVES = "relevant|supporting|utilized|used|unsupported|document|response|context|given|provided|retrieved|such"
_NONE = re.compile(
    r"none|nothing|nil|null|empty|no|na|n/a|n\.a|not applicable"
    rf"|(?:no|none of(?: the| these)?)(?: (?:{_ADJECTIVES}))*"
    r" (?:sentences?|keys?|documents?|passages?|chunks?|support|one|them|these)"
)
_ALL = re.compile(
    rf"everything|all(?: the)?(?: (?:{_ADJECTIVES}))*(?: (?:sentences|keys|documents|passages|chunks))?"
    rf"|(?:every|each)(?: (?:{_ADJECTIVES}))* (?:sentence|key|document|passage|chunk)"
)
_TAKES_BACK = re.compile(
    r"(?<!\w)(?:except|excluding|other than|but not|(?:not|no|non|ir|un)[ -]?(?:directly |really )?"
    r"(?:relevant|related|used|utili[sz]ed|needed|included|supporting|cited))"
)
"""In a remark on a key, such as "not used": what the judge means by naming it cannot be known."""
_ASIDE = re.compile(r"\(([^()]*)\)")
_NO_WORD = re.compile(r"[^a-z0-9]+")
_LIKE_KEY = re.compile(r"(?<!\w)[0-9]{1,6}[a-z]{1,6}(?!\w)")
_BETWEEN = re.compile(r"(?<!\w)between ((?:[a-z]{1,12} ){0,2})([0-9]{0,6}[a-z]{1,6}) and ")
_AND_SO_ON = re.compile(r"[,;]? ?\.\.+ ?[,;]? ?")
_NOT_APPLICABLE = re.compile(r"(?<!\w)n/a(?!\w)")
_SPELLED = re.compile(r"doc(?:ument)? ?([0-9]{1,6}) ?[,:]? ?sentences? (?=[a-z]{1,6}(?!\w))")
"""`Document 0, sentence a`."""
_WITHIN = re.compile(r"(?:doc(?:ument)?|context|passage|chunk) ?[0-9]{1,6}(?![0-9a-z]) ?[:,-]? ?(?=[0-9])")
"""`Document 0: 0a`."""
_NUMBERED = re.compile(r"[0-9]{1,3}[.)] (?=[0-9]{1,6}[a-z])")
_BETWEEN_KEYS = re.compile(r"(?:^| ?[,;&+|] ?| )(?:and/or|and|or|plus|as well as) | ?[,;&/+|] ?")
_RANGE = re.compile(
    r"(\w{1,40}) ?(?:-{1,3}|\.\.|~| up to and including | up to | through | thru | until | till | to ) ?(\w{1,40})"
)
_BEFORE = re.compile(
    r"(?<!\w)(?:(?:the|both|only|from|see|in|by|of|relevant|supporting|supported|utilized|used|unsupported|response"
    r"|sentences?|documents?|docs?|keys?|contexts?|passages?|chunks?|ids?|range) ?[:=]? ?){1,5}"
    r"(?=[0-9]|(?<=[ :=])[a-z]{1,3}(?![a-z]))"
)
_AFTER = re.compile(
    r" (?:inclusive|only|each|(?:is|are)(?: all| both| directly)? (?:relevant|needed|used|utili[sz]ed|unsupported))\Z"
)
_PARTED = re.compile(r"([0-9]{1,6}) ?[ ._:-] ?([a-z]{1,6})(?![a-z])")
_LETTERS = re.compile(r"[a-z]{1,2}(?: ?(?:-| to | through ) ?[a-z]{1,2})?")
_HEAD = re.compile(r"(?<!\w)([0-9]{1,6}[a-z]{1,6}) ?:")


_SAYS_NOTHING = AROUND + ",-"
"""Before a line of a list, too."""


class Said(NamedTuple):
    """What an item of a list says: keys that exist, keys that do not, and what cannot be read.

    All three are empty if it says that there is no key.
    """

    keys: list[str]
    unknown: list[str]
    unread: list[object]


_NO_KEY = Said([], [], [])


def read_keys(item: object, known: Keys) -> Said:
    """Read one item of a list of keys, in whatever form it is written. Never raises on any JSON."""
    if isinstance(item, Mapping):
        item = next((item[name] for name in _NAMES if item.get(name) is not None), item)
    if isinstance(item, list) and item:
        return _joined(_read_text(each, known) if isinstance(each, str) else _unread(each) for each in item)
    return _read_text(item, known) if isinstance(item, str) else _unread(item)


def _read_text(item: str, known: Keys) -> Said:
    if item in known:
        return Said([item], [], [])
    lines = [line for line in (" ".join(line.split()) for line in plain(item).splitlines()) if line]
    whole = " ".join(lines)
    if not whole.strip(_SAYS_NOTHING):
        return _NO_KEY if _BLANK.fullmatch(item) else _unread(item)
    said = _joined(_read_remark(_begun(line), known) for line in lines)
    if said.unread and len(lines) > 1 and not any(line.startswith("-") for line in lines):
        together = _read_line(whole, known)
        return said if together.unread else together
    return said


def _begun(line: str) -> str:
    """A line without what numbers it in a list."""
    line = line.lstrip(_SAYS_NOTHING)
    numbered = _NUMBERED.match(line)
    return line[numbered.end() :] if numbered else line


def _read_remark(text: str, known: Keys) -> Said:
    """A line of keys, or keys with what is said of them: "0a: it names the tank"."""
    said = _read_line(text, known)
    if not said.unread:
        return said
    for sign in (": ", " - ", ":"):
        before, found, after = text.partition(sign)
        if not found or _TAKES_BACK.search(after):
            continue
        head = _read_line(before, known)
        if head.keys and not head.unread and _read_line(after, known).unread:
            later = [match[1] for match in _HEAD.finditer(after) if match[1] in known]
            return head._replace(keys=[*head.keys, *later])
    return said


def _read_line(text: str, known: Keys) -> Said:
    bare = text.strip(AROUND)
    if key := known.find(bare):
        return Said([key], [], [])
    if _NONE.fullmatch(bare):
        return _NO_KEY
    if _ALL.fullmatch(bare):
        keys = known.every()
        return _unread(text) if keys is None else Said(keys, [], [])
    asides = _ASIDE.findall(text)
    if any(_TAKES_BACK.search(aside) for aside in asides):
        return _unread(text)
    opened = _ASIDE.sub(lambda aside: _instead_of(aside[1], known), text) if asides else text
    parts = list(_parts(opened))
    return _joined(_opened(parts, known)) if parts else _unread(text)


def _instead_of(aside: str, known: Keys) -> str:
    """What stands in brackets, if it names keys; otherwise it is a remark."""
    words = [word for word in _NO_WORD.split(aside) if word and word not in ("and", "or", "to", "through")]
    keys = all(known.find(word) or known.lacks(word) for word in words)
    return f", {aside}, " if keys or _LIKE_KEY.search(aside) else " "


def _parts(text: str) -> Iterator[str]:
    """The keys and ranges of a list in a string."""
    text = _BETWEEN.sub(r"\1\2 to ", " ".join(text.split()))
    text = _WITHIN.sub("", _SPELLED.sub(r"\1", text))
    text = _NOT_APPLICABLE.sub("none", _AND_SO_ON.sub("..", text))
    for part in _BETWEEN_KEYS.split(text):
        if bare := _AFTER.sub("", part.strip(AROUND)):
            yield bare


def _opened(parts: Iterable[str], known: Keys) -> Iterator[Said]:
    document = ""
    for part in parts:
        spellings = _spellings(part, document)
        said = next((found for text in spellings if (found := _read_keys(text, known))), _unread(part))
        if said.keys:
            document = said.keys[-1].rstrip("abcdefghijklmnopqrstuvwxyz")
        yield said


def _spellings(part: str, document: str) -> Iterator[str]:
    """With its document; the part; without the words before its keys; without what parts the two halves of a key."""
    if document.isdecimal() and _LETTERS.fullmatch(part):
        yield document + part
    yield part
    alone = _BEFORE.sub("", part)
    if alone != part:
        yield alone
    if (closed := _PARTED.sub(r"\1\2", alone)) != alone:
        yield closed


def _read_keys(text: str, known: Keys) -> Said | None:
    """A key, a range or a sequence of keys."""
    if key := known.find(text):
        return Said([key], [], [])
    if _NONE.fullmatch(text):
        return _NO_KEY
    if is_special(text):
        return Said([], [text], [])
    if ends := _RANGE.fullmatch(text):
        keys = known.between(ends[1], ends[2])
        return None if keys is None else Said(keys, [] if keys else [text], [])
    words = [word.strip(AROUND) for word in text.split()]
    found = [known.find(word) for word in words]
    if not all(key or known.lacks(word) for key, word in zip(found, words, strict=True)):
        return None
    unknown = [word for key, word in zip(found, words, strict=True) if key is None]
    return Said([key for key in found if key], unknown, [])


def _joined(several: Iterable[Said]) -> Said:
    each = list(several)
    return Said(
        [key for said in each for key in said.keys],
        [key for said in each for key in said.unknown],
        [item for said in each for item in said.unread],
    )


def _unread(item: object) -> Said:
    return Said([], [], [item])
