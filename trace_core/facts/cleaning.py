"""Turn a judge's reply, however untidy, into clean labels, once; every change is noted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from trace_core.facts.entries import LONGEST_EXPLANATION, Entry, Statements, all_of, is_damaged, states_otherwise
from trace_core.facts.key_words import Said, read_keys
from trace_core.facts.keys import Keys
from trace_core.facts.labels import SPECIAL_KEYS, Expected, Labels, Probabilities, Status, Support
from trace_core.facts.truth_words import read_truth

_LISTS = ("all_relevant_sentence_keys", "all_utilized_sentence_keys", "unsupported_response_sentence_keys")
ANOTHER = "#"
"""The suffix of the name that keeps the earlier of two values of one field."""


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
        self.document, self.response = Keys(document_keys, others=response_keys), Keys(response_keys)
        self.support = Keys(document_keys, special=SPECIAL_KEYS, others=response_keys)
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
            self.dropped = True
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
        items = self.items(value, field)
        found, unread = (None, True) if items is None else self.known(items, field, known)
        if items is not None and not found and unread:
            self.note(field, "nothing in it can be read: missing")
            found = None
        self.dropped = self.dropped or found is None
        return found

    def items(self, value: object, field: str) -> Sequence[object] | None:
        """The items of a list, also of one in another form; `None` if there is no telling what they are."""
        if isinstance(value, str):
            self.note(field, "a string where a list was expected, read as keys")
            return [value]
        if isinstance(value, Mapping):
            self.note(field, "an object where a list was expected: the keys that it says true of")
            unclear = [f"{_short(key)}: {_short(said)}" for key, said in value.items() if read_truth(said) is None]
            if unclear:
                self.note(field, f"{_listed(unclear)} is not understood: dropped")
            true = [key for key, said in value.items() if read_truth(said)]
            if unclear and not true:
                self.note(field, "nothing in it can be read: missing")
                return None
            return true
        if not isinstance(value, Sequence):
            self.note(field, f"{_short(value)} is not a list: missing")
            return None
        return value

    def known(self, items: Sequence[object], field: str, known: Keys) -> tuple[list[str], bool]:
        """The known keys that the items name, each once, and whether anything could not be read.

        Response keys alone are no list of document sentences that do not exist: the judge means some that do.
        """
        found: dict[str, None] = {}
        unread, unknown = False, set[str]()
        for item in items:
            said = read_keys(item, known)
            here = Counter(said.keys)
            self.note_item(field, item, said)
            if again := [key for key, times in here.items() if key in found or times > 1]:
                self.note(field, f"{_listed(again)} named twice: kept once")
            found |= dict.fromkeys(here)
            unread = unread or bool(said.unread)
            unknown.update(said.unknown)
            self.dropped = self.dropped or bool(said.unknown or said.unread)
        mixed_up = known is self.document and bool(unknown) and unknown <= self.response.keys()
        return list(found), unread or mixed_up

    def note_item(self, field: str, item: object, said: Said) -> None:
        """Note what was made of an item of a list of keys."""
        here, lost = list(dict.fromkeys(said.keys)), [_short(words) for words in (*said.unknown, *said.unread)]
        if here and [*said.keys, *lost] != [item]:
            self.note(field, f"{_short(item)} read as {_listed(here)}")
        if not here and not isinstance(item, str):
            self.note(field, f"{_short(item)} holds no key: dropped")
        elif lost:
            self.note(field, f"{_listed(lost)} is no key here: dropped")
        elif not here:
            words = isinstance(item, str) and any(map(str.isalnum, item))
            self.note(field, f"{_short(item)} {'read as no key' if words else 'holds no key: dropped'}")

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
        found: dict[str, Statements] = {}
        for entry in value:
            self.read_entry(entry, found)
        for key, said in found.items():
            if said.entries > 1:
                self.note(field, f"{'two' if said.entries == 2 else said.entries} entries for {key}: joined")
        for key in self.response:
            if key not in found:
                self.note(field, f"no entry for {key}: unlabeled")
        return [found[key].support(key, self.judged(key, found[key], listed)) for key in self.response if key in found]

    def entries_of(self, value: Mapping[str, Any]) -> list[Any]:
        """A list of entries, made from a single entry or from an object of entries by response key."""
        field = "sentence_support_information"
        if "response_sentence_key" in value or not all(isinstance(entry, Mapping) for entry in value.values()):
            self.note(field, "one entry where a list was expected")
            return [value]
        self.note(field, "an object where a list was expected: its names are the response keys")
        return [{"response_sentence_key": key} | dict(entry) for key, entry in value.items()]

    def read_entry(self, entry: object, found: dict[str, Statements]) -> None:
        """Add what one of the judge's entries says of each response sentence that it names to `found`."""
        if not isinstance(entry, Mapping):
            self.note("sentence_support_information", f"{_short(entry)} is no entry: dropped")
            return
        names = entry.get("response_sentence_key")
        names = names if isinstance(names, list) else [names]
        supporting = self.keys(entry, "supporting_sentence_keys", self.support)
        explanation = self.text(entry, "explanation")
        if explanation and len(explanation) > LONGEST_EXPLANATION:
            self.note("explanation", f"cut after {LONGEST_EXPLANATION} characters")
            explanation = explanation[:LONGEST_EXPLANATION]
        said = Entry(
            explanation=explanation,
            supporting=dict.fromkeys(supporting or []),
            unread=supporting is None and entry.get("supporting_sentence_keys") is not None,
            contradicting=dict.fromkeys(self.keys(entry, "contradicting_sentence_keys", self.document) or []),
            fully=self.truth(entry, "fully_supported"),
            null=entry.get("fully_supported") is None,
            misspelt=states_otherwise(entry),
        )
        damaged = is_damaged(entry)
        for key in self.known(names, "response_sentence_key", self.response)[0]:
            if damaged:
                words = f"the entry for {key} is damaged: what it says cannot be known"
                self.note("sentence_support_information", words)
            found.setdefault(key, Statements()).add(said.damaged() if damaged else said)

    def judged(self, key: str, said: Statements, listed: list[str] | None) -> bool | None:
        """Whether a response sentence is supported, by all of its entries."""
        words = said.words | {self.null(key, said, listed)} if said.null else said.words
        fully = all_of(words)
        if said.contradicting and fully is not False:
            against = f"but {_listed(said.contradicting)} contradicts it: read as false"
            self.note("fully_supported", f"{'unknown' if fully is None else 'true'} for {key}, {against}")
            return False
        return fully

    def null(self, key: str, said: Statements, listed: list[str] | None) -> bool | None:
        """What a null or a missing field means, once the supports of all entries are joined: see SPEC 3."""
        if key in self.unlabeled or not self.whole or said.misspelt:
            self.note("fully_supported", f"null for {key}: what it means cannot be known")
            return None
        if listed is None and said.unread and not said.supporting:
            words = f"null for {key}, and what is named as its support cannot be read: unlabeled"
            self.note("fully_supported", words)
            return None
        fully = key not in listed if listed is not None else bool(said.supporting)
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
