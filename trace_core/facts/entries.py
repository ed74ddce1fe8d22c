"""What one entry of a judge's reply says of a response sentence, and what all entries for it say together."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from trace_core.facts.labels import Support
from trace_core.facts.truth_words import read_truth

_ENTRY_FIELDS = frozenset(
    "response_sentence_key explanation supporting_sentence_keys fully_supported contradicting_sentence_keys".split()
)

_ON_SUPPORT = re.compile(
    r"fully|\Afull\Z|supp?ort(?!ing)|ground|verdict|status|label|judg|rating|entail|faithful|attribut|halluc|true|correct"
)
"""In the name of a field that may say how far a sentence is supported."""
_NAMES_OF_FIELDS = re.compile(r"[\w .%()?/-]*")
"""Names that a judge may give to extra fields. Any other name is damaged, or marks a field that occurs twice."""

LONGEST_EXPLANATION = 20_000
"""In characters; one entry may name a thousand sentences."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What one entry says; `unread` that it names a support that cannot be read, `misspelt` that its word on support
    may stand under another name.
    """

    explanation: str | None
    supporting: dict[str, None]
    unread: bool
    contradicting: dict[str, None]
    fully: bool | None
    null: bool
    misspelt: bool

    def damaged(self) -> Entry:
        """The entry without what it says on support."""
        return replace(self, contradicting={}, fully=None, null=False)


@dataclass(slots=True)
class Statements:
    """What all entries for one response sentence say of it together."""

    explanation: str | None = None
    supporting: dict[str, None] = field(default_factory=dict)
    contradicting: dict[str, None] = field(default_factory=dict)
    words: set[bool | None] = field(default_factory=set)
    entries: int = 0
    null: bool = False
    unread: bool = False
    misspelt: bool = False

    def add(self, entry: Entry) -> None:
        """Join what one more entry says: all supports, all explanations, all words."""
        self.entries += 1
        if self.entries == 1:
            self.explanation = entry.explanation
        elif len(self.explanation or "") < LONGEST_EXPLANATION:
            self.explanation = " / ".join(e for e in (self.explanation, entry.explanation) if e) or None
        self.supporting |= entry.supporting
        self.contradicting |= entry.contradicting
        self.unread |= entry.unread
        if entry.null:
            self.null = True
            self.misspelt |= entry.misspelt
        else:
            self.words.add(entry.fully)

    def support(self, key: str, fully: bool | None) -> Support:
        """The sentence's label, with what was decided of it."""
        return Support(
            response_sentence_key=key,
            explanation=self.explanation,
            supporting_sentence_keys=list(self.supporting),
            fully_supported=fully,
            contradicting_sentence_keys=list(self.contradicting),
        )


def all_of(words: Collection[bool | None]) -> bool | None:
    """False if any is false, `None` if any is not known, otherwise true."""
    return False if False in words else None if None in words else True


def states_otherwise(entry: Mapping[str, Any]) -> bool:
    """Whether an entry without `fully_supported` may say under another name how far the sentence is supported."""
    if "fully_supported" in entry:
        return False
    others = ((name, said) for name, said in entry.items() if name not in _ENTRY_FIELDS)
    return any(_ON_SUPPORT.search(name.lower()) or _is_word(said) for name, said in others)


def _is_word(value: object) -> bool:
    """Whether a value looks like a word for true or false; a number may be anything."""
    if isinstance(value, str):
        return len(value.split()) < 3 and read_truth(value) is not None
    return isinstance(value, bool)


def is_damaged(entry: Mapping[str, Any]) -> bool:
    """Whether a name in the entry is no field's, or marks one that occurs twice."""
    return any(not _NAMES_OF_FIELDS.fullmatch(name) for name in entry)
