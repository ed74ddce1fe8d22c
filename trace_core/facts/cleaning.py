"""Turn a judge's reply, however untidy, into clean labels, once; every change is noted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from trace_core.facts.keys import Keys
from trace_core.facts.labels import SPECIAL_KEYS, Expected, Labels, Probabilities, Status, Support
from trace_core.facts.truth_words import read_truth

_LISTS = ("all_relevant_sentence_keys", "all_utilized_sentence_keys", "unsupported_response_sentence_keys")
_SUPPORTS = "sentence_support_information"
ANOTHER = "#"
"""The suffix of the name that keeps the earlier of two values of one field."""
_ENTRY_FIELDS = (*Support.model_fields,)
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
    labels = first.labels.model_copy(update={_SUPPORTS: every})
    return Cleaned(labels, [*first.notes, f"{_SUPPORTS}: {_listed(added)} judged when asked again"])


def _known_entries(labels: Labels) -> dict[str, Support]:
    entries = labels.sentence_support_information or []
    return {s.response_sentence_key: s for s in entries if s.fully_supported is not None}


@dataclass(slots=True)
class _Judgment:
    """What all entries for one response sentence say of it; `unclear` where a null of theirs cannot be read."""

    explanations: list[str] = field(default_factory=list)
    supporting: dict[str, None] = field(default_factory=dict)
    contradicting: dict[str, None] = field(default_factory=dict)
    words: list[bool | None] = field(default_factory=list)
    entries: int = 0
    null: bool = False
    unclear: bool = False
    unread: bool = False


class _Cleaner:
    def __init__(self, document_keys: Sequence[str], response_keys: Sequence[str], whole: bool) -> None:
        self.document, self.response = Keys(document_keys), Keys(response_keys)
        self.support = Keys(document_keys, SPECIAL_KEYS)
        self.whole = whole
        self.unlabeled: list[str] = []
        self.notes: list[str] = []

    def note(self, field: str, words: str) -> None:
        self.notes.append(f"{field}: {words}")

    def clean(self, raw: object) -> Cleaned:
        if not isinstance(raw, Mapping):
            self.note("reply", f"{_short(raw)} is not an object: everything is missing")
            raw = {}
        for name in _LISTS:
            if raw.get(name + ANOTHER, raw.get(name)) != raw.get(name):
                self.note(name, "given twice, and the two differ: missing")
                raw, self.whole = {**raw, name: None}, False
        listed, complete = self.keys(raw, "unsupported_response_sentence_keys", self.response)
        self.whole = self.whole and complete  # what was dropped may name any sentence
        self.unlabeled = self.keys(raw, "unlabeled_response_sentence_keys", self.response)[0] or []
        labels = Labels(
            relevance_explanation=self.text(raw, "relevance_explanation"),
            all_relevant_sentence_keys=self.keys(raw, "all_relevant_sentence_keys", self.document)[0],
            overall_supported_explanation=self.text(raw, "overall_supported_explanation"),
            overall_supported=self.truth(raw, "overall_supported"),
            sentence_support_information=self.supports(raw, listed),
            all_utilized_sentence_keys=self.keys(raw, "all_utilized_sentence_keys", self.document)[0],
            unsupported_response_sentence_keys=listed,
            probabilities=self.probabilities(raw),
            expected=self.expected(raw),
        )
        self.compare_with_the_judges_word(labels)
        return Cleaned(labels, self.notes)

    def text(self, raw: Mapping[str, Any], field: str) -> str | None:
        value = raw.get(field)
        if value is None or isinstance(value, str):
            return value
        self.note(field, f"{_short(value)} is not text: missing")
        return None

    def truth(self, raw: Mapping[str, Any], field: str) -> bool | None:
        """A judge's true or false; `None` for null and for a word that is not understood."""
        value = raw.get(field)
        if value is None or isinstance(value, bool):
            return value
        read = read_truth(value)
        self.note(field, f"{_short(value)} {'is not understood' if read is None else f'read as {str(read).lower()}'}")
        return read

    def keys(self, raw: Mapping[str, Any], field: str, known: Keys) -> tuple[list[str] | None, bool]:
        """The known keys of one field in the judge's order, each once, and whether nothing in it was dropped.

        `None` where the field is absent, or names something and nothing of it can be read.
        """
        value = raw.get(field)
        if value is None:
            return None, True
        if not isinstance(value, str | Sequence):
            self.note(field, f"{_short(value)} is not a list: missing")
            return None, False
        found, complete = self.known([value] if isinstance(value, str) else value, field, known)
        if not found and not complete:
            self.note(field, "nothing in it can be read: missing")
            return None, False
        return found, complete

    def known(self, items: Sequence[object], field: str, known: Keys) -> tuple[list[str], bool]:
        """The known keys that the items name, each once, and whether nothing was dropped."""
        times, complete = Counter[str](), True
        for item in items:
            named = known.read(item)
            times.update(named.keys)
            complete = complete and not named.dropped
            if named.keys not in ([], [item]):
                self.note(field, f"{_short(item)} read as {_listed(named.keys)}")
            elif not named.keys and not named.dropped:
                self.note(field, f"{_short(item)} names no key: dropped")
            if named.dropped:
                self.note(field, f"{_listed(list(map(_short, named.dropped)))} is not a key here: dropped")
        if again := [key for key, n in times.items() if n > 1]:
            self.note(field, f"{_listed(again)} named twice: kept once")
        return list(times), complete

    def supports(self, raw: Mapping[str, Any], listed: list[str] | None) -> list[Support] | None:
        value = raw.get(_SUPPORTS)
        if value is None:
            return None
        if isinstance(value, str) or not isinstance(value, Sequence):
            self.note(_SUPPORTS, f"{_short(value)} is not a list: missing")
            return None
        judgments: dict[str, _Judgment] = {}
        for entry in value:
            self.read_entry(entry, judgments)
        for key, judgment in judgments.items():
            if judgment.entries > 1:
                self.note(_SUPPORTS, f"{judgment.entries} entries for {key}: joined")
        for key in self.response:
            if key not in judgments:
                self.note(_SUPPORTS, f"no entry for {key}: unlabeled")
        return [self.judged(key, judgments[key], listed) for key in self.response if key in judgments]

    def read_entry(self, entry: object, judgments: dict[str, _Judgment]) -> None:
        """Add what one of the judge's entries says of each response sentence that it names."""
        if not isinstance(entry, Mapping):
            self.note(_SUPPORTS, f"{_short(entry)} is not an entry: dropped")
            return
        names = entry.get("response_sentence_key")
        keys, _ = self.known(names if isinstance(names, list) else [names], "response_sentence_key", self.response)
        supporting, complete = self.keys(entry, "supporting_sentence_keys", self.support)
        contradicting, _ = self.keys(entry, "contradicting_sentence_keys", self.document)
        explanation, fully = self.text(entry, "explanation"), self.truth(entry, "fully_supported")
        damaged = not all(name.replace(" ", "_").replace("-", "_").isidentifier() for name in entry)
        null = entry.get("fully_supported") is None
        other_name = "fully_supported" not in entry and any(name not in _ENTRY_FIELDS for name in entry)
        if damaged and keys:
            self.note(_SUPPORTS, f"the entry for {_listed(keys)} is damaged: what it says cannot be known")
        for key in keys:
            judgment = judgments.setdefault(key, _Judgment())
            judgment.entries += 1
            judgment.explanations += [explanation] if explanation else []
            judgment.supporting |= dict.fromkeys(supporting or [])
            judgment.unread = judgment.unread or not complete
            judgment.contradicting |= {} if damaged else dict.fromkeys(contradicting or [])
            judgment.null = judgment.null or (null and not damaged)
            judgment.unclear = judgment.unclear or other_name
            if damaged or not null:
                judgment.words.append(None if damaged else fully)

    def judged(self, key: str, judgment: _Judgment, listed: list[str] | None) -> Support:
        """The sentence's label: supported only if all of its entries say so."""
        words = [*judgment.words, *([self.null(key, judgment, listed)] if judgment.null else [])]
        fully = False if False in words else None if None in words else True
        against = list(judgment.contradicting)
        if against and fully is not False:
            was = "unknown" if fully is None else "true"
            self.note("fully_supported", f"{was} for {key}, but {_listed(against)} contradicts it: read as false")
            fully = False
        explanation = " / ".join(judgment.explanations) or None
        if explanation and len(explanation) > LONGEST_EXPLANATION:
            self.note("explanation", f"cut after {LONGEST_EXPLANATION} characters")
            explanation = explanation[:LONGEST_EXPLANATION]
        return Support(
            response_sentence_key=key,
            explanation=explanation,
            supporting_sentence_keys=list(judgment.supporting),
            fully_supported=fully,
            contradicting_sentence_keys=against,
        )

    def null(self, key: str, judgment: _Judgment, listed: list[str] | None) -> bool | None:
        """What a null or a missing field means, once the supports of all entries are joined."""
        if key in self.unlabeled or not self.whole or judgment.unclear:
            self.note("fully_supported", f"null for {key}: what it means cannot be known")
            return None
        if listed is None and judgment.unread and not judgment.supporting:
            self.note("fully_supported", f"null for {key}, and its support cannot be read: unlabeled")
            return None
        fully = key not in listed if listed is not None else bool(judgment.supporting)
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
        self.note(field, f"{_short(value)} is not an object: missing")
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
