"""Turn a judge's reply, however untidy, into clean labels, once; every change is noted."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from trace_core.errors import cut
from trace_core.facts.labels import SPECIAL_KEYS, Expected, Labels, Probabilities, Status, Support

_SUPPORTS = "sentence_support_information"
LONGEST_EXPLANATION = 20_000  # in characters; one entry may name a thousand sentences
_UNDECIDED = "(?!applicable|available|certain|clear|decided|determined|known|labeled|sure)"
"""After "not" or "un": the judge could not tell."""
_TRUE = re.compile(r"yes|true|full|supported|1(\.0)?|fully( ?(support|ground).*)?")
_FALSE = re.compile(rf"no|false|0(\.0)?|(fully )?(not( {_UNDECIDED}.*|supp.*)?|un{_UNDECIDED}.*|partial.*|partly.*)")
_MARKS = " \t\n\r.\"'`“”‘’«»()[]{}"
_SEPARATOR = re.compile(r",|\band\b")
_RANGE = re.compile(r"(\w+)[\s.]*(?:[-–—]|\bthrough\b|\bto\b)[\s.]*(\w+)")
_PROSE = 10_000  # longer items are prose
MOST_IN_RANGES = 50_000  # the most keys that all ranges of a reply may name together; later ranges are not expanded


class CleanLabels(NamedTuple):
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
) -> CleanLabels:
    """Read a judge's reply into `Labels` made by `labeler`. `document_keys` and `response_keys` are the existing keys,
    in order. In a reply that is not `whole`, a null means nothing, because the part that would decide it may be
    missing. Never raises on any JSON: unreadable parts count as missing and are noted. Idempotent."""
    return _Cleaner(document_keys, response_keys, whole).clean(raw, labeler, version)


class Keys(dict[str, None]):
    """The existing keys, in order: those of `sentences`, and `special` ones, which belong to no range."""

    def __init__(self, sentences: Iterable[str], special: Iterable[str] = ()) -> None:
        self._sentences = list(dict.fromkeys(sentences))
        super().__init__(dict.fromkeys((*self._sentences, *special)))
        self._by_name = {key.casefold(): key for key in reversed(self)}
        self._places = {key: place for place, key in enumerate(self._sentences)}
        self._left = MOST_IN_RANGES

    def read(self, item: object) -> tuple[list[str], list[object]]:
        """The existing keys that an item names, as often as it does, and what was dropped. Never raises on any JSON."""
        if not isinstance(item, str) or len(item) > _PROSE:
            return [], [item]
        if item in self:
            return [item], []
        key, colon, _ = item.partition(":")
        if colon and (match := self._by_name.get(key.casefold().strip(_MARKS))):  # followed by the sentence's text
            return [match], []
        parts = [bare for part in _SEPARATOR.split(item.casefold()) if (bare := part.strip(_MARKS))]
        read = [(part, self._keys_of(part)) for part in parts]
        return [key for _, keys in read for key in keys], [part for part, keys in read if not keys]

    def _keys_of(self, text: str) -> list[str]:
        """The key, or the keys of the range, that a text names; empty where it names none."""
        if key := self._by_name.get(text):
            return [key]
        ends = _RANGE.fullmatch(text)
        limits = [self._by_name.get(end, "") for end in ends.groups()] if ends else []
        places = sorted(self._places[key] for key in limits if key in self._places)
        if len(places) < 2 or self._left <= 0:
            return []
        keys = self._sentences[places[0] : places[1] + 1]
        self._left -= len(keys)
        return keys


class _Entry(NamedTuple):
    """An entry on a response sentence. `unread`: a supporting key was dropped; `unclear`: its null says nothing."""

    explanation: str | None
    supporting: list[str]
    unread: bool
    contradicting: list[str]
    fully: bool | None
    null: bool
    unclear: bool


class _Cleaner:
    def __init__(self, document_keys: Sequence[str], response_keys: Sequence[str], whole: bool) -> None:
        self.document, self.response = Keys(document_keys), Keys(response_keys)
        self.support = Keys(document_keys, SPECIAL_KEYS)
        self.whole = whole
        self.unlabeled: list[str] = []
        self.notes: list[str] = []

    def note(self, field: str, words: str) -> None:
        self.notes.append(f"{field}: {words}")

    def clean(self, raw: object, labeler: str, version: str | None) -> CleanLabels:
        if not isinstance(raw, Mapping):
            self.note("reply", f"{_short(raw)} is not an object: everything is missing")
            raw = {}
        failing, complete = self.keys(raw, "unsupported_response_sentence_keys", self.response)
        self.whole = self.whole and complete  # what was dropped may name any sentence
        self.unlabeled = self.keys(raw, "unlabeled_response_sentence_keys", self.response)[0] or []
        labels = Labels(
            labeler=labeler,
            labeler_version=version,
            relevance_explanation=self.value_of(raw, "relevance_explanation", str, "text"),
            all_relevant_sentence_keys=self.keys(raw, "all_relevant_sentence_keys", self.document)[0],
            overall_supported_explanation=self.value_of(raw, "overall_supported_explanation", str, "text"),
            overall_supported=self.truth(raw, "overall_supported"),
            sentence_support_information=self.supports(raw, failing),
            all_utilized_sentence_keys=self.keys(raw, "all_utilized_sentence_keys", self.document)[0],
            unsupported_response_sentence_keys=failing,
            probabilities=self.estimate(raw, "probabilities", Probabilities),
            expected=self.estimate(raw, "expected", Expected),
        )
        statuses = set(labels.statuses(self.response).values())
        adherent = statuses <= {Status.FULLY}
        certain = adherent or statuses & {Status.PARTIALLY, Status.UNSUPPORTED}
        if certain and labels.overall_supported == (not adherent):  # it is kept as given
            self.note("overall_supported", f"{str(not adherent).lower()}, but the sentences say otherwise")
        return CleanLabels(labels, self.notes)

    def value_of(self, raw: Mapping[str, Any], field: str, kinds: Any, name: str) -> Any:
        """The field's value; `None` for one of another kind."""
        value = raw.get(field)
        if value is None or isinstance(value, kinds):
            return value
        self.note(field, f"{_short(value)} is not {name}: missing")
        return None

    def truth(self, raw: Mapping[str, Any], field: str) -> bool | None:
        """A judge's true or false; `None` for null and for a word that is not understood."""
        value = raw.get(field)
        if value is None or isinstance(value, bool):
            return value
        read = read_truth(value)
        self.note(field, f"{_short(value)} {'is not understood' if read is None else f'read as {str(read).lower()}'}")
        return read

    def keys(self, raw: Mapping[str, Any], field: str, existing: Keys) -> tuple[list[str] | None, bool]:
        """The existing keys of a field, each once (`None` if absent or unreadable), and whether none was dropped."""
        value = self.value_of(raw, field, (str, list, tuple), "a list")
        if value is None:
            return None, raw.get(field) is None
        keys, complete = self.read_keys([value] if isinstance(value, str) else value, field, existing)
        if not keys and not complete:
            self.note(field, "nothing in it can be read: missing")
            return None, False
        return keys, complete

    def read_keys(self, items: Sequence[object], field: str, existing: Keys) -> tuple[list[str], bool]:
        """The existing keys that the items name, each once, and whether nothing was dropped."""
        times, complete = Counter[str](), True
        for item in items:
            keys, rest = existing.read(item)
            times.update(keys)
            complete = complete and not rest
            if keys not in ([], [item]):
                self.note(field, f"{_short(item)} read as {_comma_list(keys)}")
            elif not keys and not rest:
                self.note(field, f"{_short(item)} names no key: dropped")
            if rest:
                self.note(field, f"{_comma_list(list(map(_short, rest)))} is not a key here: dropped")
        if again := [key for key, n in times.items() if n > 1]:
            self.note(field, f"{_comma_list(again)} named twice: kept once")
        return list(times), complete

    def supports(self, raw: Mapping[str, Any], failing: list[str] | None) -> list[Support] | None:
        value = self.value_of(raw, _SUPPORTS, (list, tuple), "a list")
        if value is None:
            return None
        entries: dict[str, list[_Entry]] = {key: [] for key in self.response}
        for entry in value:
            for key, read in self.read_entry(entry):
                entries[key].append(read)
        for key, own in entries.items():
            if len(own) != 1:
                self.note(
                    _SUPPORTS, f"{len(own)} entries for {key}: joined" if own else f"no entry for {key}: unlabeled"
                )
        return [self.merge(key, own, failing) for key, own in entries.items() if own]

    def read_entry(self, entry: object) -> Iterator[tuple[str, _Entry]]:
        """What one of the judge's entries says of each response sentence that it names."""
        if not isinstance(entry, Mapping):
            self.note(_SUPPORTS, f"{_short(entry)} is not an entry: dropped")
            return
        names = entry.get("response_sentence_key")
        keys, _ = self.read_keys(names if isinstance(names, list) else [names], "response_sentence_key", self.response)
        supporting, complete = self.keys(entry, "supporting_sentence_keys", self.support)
        contradicting, _ = self.keys(entry, "contradicting_sentence_keys", self.document)
        explanation, fully = self.value_of(entry, "explanation", str, "text"), self.truth(entry, "fully_supported")
        null = entry.get("fully_supported") is None
        if not all(name.replace(" ", "_").replace("-", "_").isidentifier() for name in entry):
            if keys:
                self.note(_SUPPORTS, f"the entry for {_comma_list(keys)} is damaged: what it says cannot be known")
            contradicting, fully, null = [], None, False
        unclear = "fully_supported" not in entry and any(name not in Support.model_fields for name in entry)
        read = _Entry(explanation, supporting or [], not complete, contradicting or [], fully, null, unclear)
        yield from ((key, read) for key in keys)

    def merge(self, key: str, entries: list[_Entry], failing: list[str] | None) -> Support:
        """The sentence's label: supported only if all of its entries say so."""
        supporting = list(dict.fromkeys(one for entry in entries for one in entry.supporting))
        against = list(dict.fromkeys(one for entry in entries for one in entry.contradicting))
        words = [entry.fully for entry in entries if not entry.null]
        if any(entry.null for entry in entries):
            words.append(self.null(key, entries, supporting, failing))
        fully = False if False in words else None if None in words else True
        if against and fully is not False:
            was = "unknown" if fully is None else "true"
            self.note("fully_supported", f"{was} for {key}, but {_comma_list(against)} contradicts it: read as false")
            fully = False
        explanation = " / ".join(entry.explanation for entry in entries if entry.explanation)
        if len(explanation) > LONGEST_EXPLANATION:
            self.note("explanation", f"cut after {LONGEST_EXPLANATION} characters")
        return Support(
            response_sentence_key=key,
            explanation=explanation[:LONGEST_EXPLANATION] or None,
            supporting_sentence_keys=supporting,
            fully_supported=fully,
            contradicting_sentence_keys=against,
        )

    def null(self, key: str, entries: list[_Entry], supporting: list[str], failing: list[str] | None) -> bool | None:
        """What a null or a missing field means, once the supports of all entries are joined."""
        if key in self.unlabeled:  # no change: it was not known before
            return None
        if not self.whole or any(entry.unclear for entry in entries):
            self.note("fully_supported", f"null for {key}: what it means cannot be known")
            return None
        if failing is None and not supporting and any(entry.unread for entry in entries):
            self.note("fully_supported", f"null for {key}, and its support cannot be read: unlabeled")
            return None
        fully = key not in failing if failing is not None else bool(supporting)
        self.note("fully_supported", f"null for {key}, read as {str(fully).lower()}")
        return fully

    def estimate(self, raw: Mapping[str, Any], field: str, model: type[Probabilities] | type[Expected]) -> Any:
        """A labeler's own numbers; `None` where one of them is not from 0 to 1."""
        try:
            return None if raw.get(field) is None else model.model_validate(raw[field], strict=True)
        except ValidationError:
            self.note(field, "not numbers from 0 to 1 by name: missing")
            return None


def read_truth(value: object) -> bool | None:
    """A judge's word for true or false; `None` for any other, as a guess would pass for a judgment.

    >>> read_truth("fully_supported"), read_truth("Partially supported"), read_truth("maybe")
    (True, False, None)
    """
    if isinstance(value, int | float):
        return {1.0: True, 0.0: False}.get(value)
    if not isinstance(value, str):
        return None
    text = " ".join(re.findall(r"[\w.]+", value[:200].casefold().replace("_", " "))).rstrip(".")
    return True if _TRUE.fullmatch(text) else False if _FALSE.fullmatch(text) else None


def _short(value: object) -> str:
    """The judge's words, quoted and shortened for a note."""
    words = repr(value) if value is None or isinstance(value, str | int | float) else f"a {type(value).__name__}"
    return cut(words, 60)


def _comma_list(words: Collection[str]) -> str:
    text = ", ".join(list(words)[:20])
    return text if len(words) <= 20 else f"{text} … ({len(words)} in all)"
