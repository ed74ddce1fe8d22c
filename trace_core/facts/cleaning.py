"""Turn a judge's reply, however untidy, into clean labels, once; every change is noted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from trace_core.facts.key_words import Keys, names_keys, read_keys
from trace_core.facts.labels import SPECIAL_KEYS, Expected, Labels, Probabilities, Status, Support
from trace_core.facts.truth_words import read_truth

_LISTS = ("all_relevant_sentence_keys", "all_utilized_sentence_keys", "unsupported_response_sentence_keys")
ANOTHER = "#"
"""The suffix of the name that keeps the earlier of two values of one field."""
_ENTRY_FIELDS = frozenset(
    "response_sentence_key explanation supporting_sentence_keys fully_supported contradicting_sentence_keys".split()
)

_NAME = re.compile(r"[\w .%()?/-]*")
"""Names that a judge may give to extra fields. Any other name is damaged, or marks a field that occurs twice."""

LONGEST_EXPLANATION = 20_000
"""In characters; one entry may name a thousand sentences."""


class Cleaned(NamedTuple):
    """Cleaned labels, and one note for every change that cleaning made."""

    labels: Labels
    notes: list[str]


def clean(
    raw: Mapping[str, Any],
    document_keys: Sequence[str],
    response_keys: Sequence[str],
    *,
    labeler: str = "recorded",
    version: str | None = None,
    whole: bool = True,
) -> Cleaned:
    """Read a judge's reply, however untidy, into `Labels` made by `labeler`.

    `document_keys` and `response_keys` are the existing keys, in order. In a reply that is not `whole`, a null
    means nothing, because the part that would decide it may be missing. Never raises on any JSON: unreadable
    parts count as missing and are noted. Cleaning is idempotent.
    """
    cleaned = _Cleaner(document_keys, response_keys, whole).clean(raw)
    made_by = {"labeler": labeler, "labeler_version": version}
    return cleaned._replace(labels=cleaned.labels.model_copy(update=made_by))


def fill(first: Cleaned, again: Cleaned, response_keys: Sequence[str]) -> Cleaned:
    """The first labels, completed by a second reply for the sentences left unlabeled, and for no others."""
    known, more = _known_entries(first.labels), _known_entries(again.labels)
    added = [key for key in more if key not in known]
    if not added:
        return first
    entries = {s.response_sentence_key: s for s in first.labels.sentence_support_information or []}
    entries |= {key: more[key] for key in added}
    every = [entries[key] for key in response_keys if key in entries]
    labels = first.labels.model_copy(update={"sentence_support_information": every})
    return Cleaned(labels, [*first.notes, f"sentence_support_information: {_listed(added)} judged when asked again"])


def _known_entries(labels: Labels) -> dict[str, Support]:
    entries = labels.sentence_support_information or []
    return {s.response_sentence_key: s for s in entries if s.fully_supported is not None}


class _Cleaner:
    def __init__(self, document_keys: Sequence[str], response_keys: Sequence[str], whole: bool) -> None:
        self.whole, self.dropped = whole, False
        self.unlabeled: list[str] = []
        self.document, self.response = Keys(document_keys), Keys(response_keys)
        self.support = Keys((*document_keys, *SPECIAL_KEYS))
        self.notes: list[str] = []

    def note(self, field: str, words: str) -> None:
        self.notes.append(f"{field}: {words}")

    def clean(self, raw: object) -> Cleaned:
        if not isinstance(raw, Mapping):
            self.note("reply", f"{_short(raw)} is no object: everything is missing")
            raw = {}
        raw = self.without_doubles(raw)
        listed = self.keys(raw, "unsupported_response_sentence_keys", self.response)
        self.whole = self.whole and not self.dropped  # an unreadable key may belong to any sentence
        self.unlabeled = self.keys(raw, "unlabeled_response_sentence_keys", self.response) or []
        labels = Labels(
            relevance_explanation=self.text(raw, "relevance_explanation"),
            all_relevant_sentence_keys=self.keys(raw, "all_relevant_sentence_keys", self.document),
            overall_supported_explanation=self.text(raw, "overall_supported_explanation"),
            overall_supported=self.truth(raw, "overall_supported"),
            sentence_support_information=self.supports(raw, listed),
            all_utilized_sentence_keys=self.keys(raw, "all_utilized_sentence_keys", self.document),
            unsupported_response_sentence_keys=listed,
            probabilities=self.probabilities(raw),
            expected=self.expected(raw),
        )
        self.compare_with_the_judges_word(labels)
        return Cleaned(labels, self.notes)

    def without_doubles(self, raw: Mapping[str, Any]) -> Mapping[str, Any]:
        """The reply without lists that it gives twice and differently: either may be right."""
        twice = [name for name in _LISTS if raw.get(name + ANOTHER, raw.get(name)) != raw.get(name)]
        for name in twice:
            self.note(name, "given twice, and the two differ: missing")
        return {name: value for name, value in raw.items() if name not in twice}

    def text(self, raw: Mapping[str, Any], field: str) -> str | None:
        value = raw.get(field)
        if value is None or isinstance(value, str):
            return value
        self.note(field, f"{_short(value)} is not text: missing")
        return None

    def truth(self, raw: Mapping[str, Any], field: str) -> bool | None:
        """A judge's true or false; `None` for null and for anything not understood."""
        value = raw.get(field)
        if value is None or isinstance(value, bool):
            return value
        read = read_truth(value)
        self.note(field, f"{_short(value)} {'is not understood' if read is None else f'read as {str(read).lower()}'}")
        return read

    def keys(self, raw: Mapping[str, Any], field: str, known: Keys) -> list[str] | None:
        """The known keys of one field in the judge's order; `None` when the field is absent, or names something and
        nothing of it can be read.
        """
        value = raw.get(field)
        if value is None:
            return None
        if isinstance(value, str):
            self.note(field, "a string where a list was expected, read as keys")
            value = [value]
        if isinstance(value, Mapping):
            self.note(field, "an object where a list was expected: the keys that it says true of")
            unclear = [f"{_short(key)}: {_short(said)}" for key, said in value.items() if read_truth(said) is None]
            if unclear:
                self.note(field, f"{_listed(unclear)} is not understood: dropped")
            true = [key for key, said in value.items() if read_truth(said)]
            if unclear and not true:
                self.note(field, "nothing in it can be read: missing")
                return None
            value = true
        if not isinstance(value, Sequence):
            self.note(field, f"{_short(value)} is not a list: missing")
            return None
        found = self.known(value, field, known)
        if value and not found and not any(names_keys(item) for item in value):
            self.note(field, "nothing in it can be read: missing")
            return None
        return found

    def known(self, items: Sequence[object], field: str, known: Keys) -> list[str]:
        found: dict[str, None] = {}
        for item in items:
            read = Counter(read_keys(item, known))
            here = [key for key in read if key in known]
            if not read:
                self.note(field, f"{_short(item)} holds no key: dropped")
                self.dropped = True
            if here and list(read) != [item]:
                self.note(field, f"{_short(item)} read as {_listed(here)}")
            if unknown := [_short(key) for key in read if key not in known]:
                self.note(field, f"{_listed(unknown)} is no key here: dropped")
                self.dropped = True
            if again := [key for key in here if key in found or read[key] > 1]:
                self.note(field, f"{_listed(again)} named twice: kept once")
            found |= dict.fromkeys(here)
        return list(found)

    def supports(self, raw: Mapping[str, Any], listed: list[str] | None) -> list[Support] | None:
        field = "sentence_support_information"
        value = raw.get(field)
        if value is None:
            return None
        if isinstance(value, Mapping):
            value = self.entries_of(value)
        if isinstance(value, str) or not isinstance(value, Sequence):
            self.note(field, f"{_short(value)} is not a list: missing")
            return None
        found: dict[str, _Said] = {}
        for entry in value:
            self.read_entry(entry, listed, found)
        for key, said in found.items():
            if said.entries > 1:
                self.note(field, f"{'two' if said.entries == 2 else said.entries} entries for {key}: joined")
        for key in self.response:
            if key not in found:
                self.note(field, f"no entry for {key}: unlabeled")
        return [found[key].support(key) for key in self.response if key in found]

    def entries_of(self, value: Mapping[str, Any]) -> list[Any]:
        """A list of entries, made from a single entry or from an object of entries by response key."""
        field = "sentence_support_information"
        if "response_sentence_key" in value or not all(isinstance(entry, Mapping) for entry in value.values()):
            self.note(field, "one entry where a list was expected")
            return [value]
        self.note(field, "an object where a list was expected: its names are the response keys")
        return [{"response_sentence_key": key} | dict(entry) for key, entry in value.items()]

    def read_entry(self, entry: object, listed: list[str] | None, found: dict[str, _Said]) -> None:
        """Add what one of the judge's entries says of each response sentence that it names to `found`."""
        if not isinstance(entry, Mapping):
            self.note("sentence_support_information", f"{_short(entry)} is no entry: dropped")
            return
        names = entry.get("response_sentence_key")
        names = names if isinstance(names, list) else [names]
        supporting = dict.fromkeys(self.keys(entry, "supporting_sentence_keys", self.support) or [])
        explanation = self.text(entry, "explanation")
        if explanation and len(explanation) > LONGEST_EXPLANATION:
            self.note("explanation", f"cut after {LONGEST_EXPLANATION} characters")
            explanation = explanation[:LONGEST_EXPLANATION]
        against = dict.fromkeys(self.keys(entry, "contradicting_sentence_keys", self.document) or [])
        stated = self.truth(entry, "fully_supported")
        damaged = any(not _NAME.fullmatch(name) for name in entry)
        for key in self.known(names, "response_sentence_key", self.response):
            null = entry.get("fully_supported") is None
            fully = self.null(key, entry, bool(supporting), listed) if null else stated
            if damaged:
                self.note(
                    "sentence_support_information", f"the entry for {key} is damaged: what it says cannot be known"
                )
                fully = None
            if against and fully is not False and not damaged:
                said = "unknown" if fully is None else "true"
                self.note("fully_supported", f"{said} for {key}, but {_listed(against)} contradicts it: read as false")
                fully = False
            found.setdefault(key, _Said(fully)).add(explanation, supporting, against, fully)

    def null(self, key: str, entry: Mapping[str, Any], supported: bool, listed: list[str] | None) -> bool | None:
        """What a null or a missing field means: see SPEC 3."""
        misspelt = "fully_supported" not in entry and not set(entry) <= _ENTRY_FIELDS
        if key in self.unlabeled or not self.whole or misspelt:
            self.note("fully_supported", f"null for {key}: what it means cannot be known")
            return None
        fully = key not in listed if listed is not None else supported
        self.note("fully_supported", f"null for {key}, read as {str(fully).lower()}")
        return fully

    def probabilities(self, raw: Mapping[str, Any]) -> Probabilities | None:
        given = self.mapping(raw, "probabilities")
        if given is None:
            return None
        known = {"relevant": self.document, "utilized": self.document, "unsupported": self.response}
        return Probabilities(
            **{name: self.shares(self.mapping(given, name) or {}, name, keys) for name, keys in known.items()}
        )

    def expected(self, raw: Mapping[str, Any]) -> Expected | None:
        given = self.mapping(raw, "expected")
        return None if given is None else Expected(**self.shares(given, "expected", Expected.model_fields))

    def shares(self, given: Mapping[str, Any], field: str, known: Collection[str]) -> dict[str, float]:
        """The values in [0, 1] under known names."""
        kept = {name: float(p) for name, p in given.items() if name in known and _is_share(p)}
        if dropped := [_short(name) for name, p in given.items() if name not in kept and p is not None]:
            self.note(field, f"{_listed(dropped)} without a known key or a number in [0, 1]: dropped")
        return kept

    def mapping(self, raw: Mapping[str, Any], field: str) -> Mapping[str, Any] | None:
        value = raw.get(field)
        if value is None or isinstance(value, Mapping):
            return value
        self.note(field, f"{_short(value)} is no object: missing")
        return None

    def compare_with_the_judges_word(self, labels: Labels) -> None:
        """Add a note if the sentences contradict `overall_supported`, which is kept as given."""
        found = set(labels.statuses(self.response).values())
        adherent = found <= {Status.FULLY}
        known = adherent or bool(found & {Status.PARTIALLY, Status.UNSUPPORTED})
        if known and labels.overall_supported == (not adherent):
            word = str(labels.overall_supported).lower()
            self.note("overall_supported", f"{word}, but the sentences say otherwise")


@dataclass(slots=True)
class _Said:
    """What all entries for one response sentence say of it together."""

    fully: bool | None
    explanation: str | None = None
    supporting: dict[str, None] = field(default_factory=dict)
    contradicting: dict[str, None] = field(default_factory=dict)
    entries: int = 0

    def add(self, explanation: str | None, by: dict[str, None], against: dict[str, None], fully: bool | None) -> None:
        self.entries += 1
        if self.entries == 1:
            self.explanation = explanation
        elif len(self.explanation or "") < LONGEST_EXPLANATION:
            self.explanation = " / ".join(e for e in (self.explanation, explanation) if e) or None
        self.supporting |= by
        self.contradicting |= against
        self.fully = _both(self.fully, fully)

    def support(self, key: str) -> Support:
        return Support(
            response_sentence_key=key,
            explanation=self.explanation,
            supporting_sentence_keys=list(self.supporting),
            fully_supported=self.fully,
            contradicting_sentence_keys=list(self.contradicting),
        )


def _both(first: bool | None, second: bool | None) -> bool | None:
    """True only if both are true, false if either is false, otherwise `None`."""
    if first is None or second is None:
        return False if first is False or second is False else None
    return first and second


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _short(value: object) -> str:
    """The judge's words, quoted and shortened for a note."""
    plain = value is None or isinstance(value, str | int | float)
    shown = repr(value) if plain else f"a {type(value).__name__}"
    return shown if len(shown) <= 60 else shown[:57] + "…"


def _listed(words: Collection[str]) -> str:
    """The words joined by commas, shortened for a note."""
    shown = ", ".join(list(words)[:20])
    return shown if len(words) <= 20 else f"{shown} … ({len(words)} in all)"
