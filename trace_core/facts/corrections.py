"""People's corrections of labels: append-only events, and the labels that follow from them.

A record carries its events in `record.overrides`, oldest first, and through every export. Code that reads a record
calls `corrected` once: from then on `record.labels` are the effective labels, and the labeler's own are kept too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import ConfigDict, ValidationError

from trace_core.errors import InputError
from trace_core.facts.labels import SPECIAL_KEYS, Labels, Status, Support
from trace_core.facts.records import Record, Sentences
from trace_core.facts.strict import Strict

Field = Literal["relevant", "utilized", "supported", "supporting", "reviewed", "undo"]
WHOLE = ""
"""The sentence key of an event that concerns the whole record."""
_LISTS = {"relevant": "all_relevant_sentence_keys", "utilized": "all_utilized_sentence_keys"}


class Correction(Strict):
    """One correction event: who changed what, when and why.

    | field | sentence_key | value |
    | --- | --- | --- |
    | relevant, utilized | a document sentence | true or false |
    | relevant, utilized | "" | the whole list of keys, if the judge gave none |
    | supported | a response sentence | fully, partially or unsupported |
    | supporting | a response sentence | the keys that support it |
    | reviewed | "" | true: the author has checked every sentence and agrees unless an event says otherwise |
    | undo | "" | the id of the event to take back |
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    author: str
    created_at: str
    sentence_key: str = WHOLE
    field: Field
    value: bool | str | list[str]
    reason: str = ""


def read(record: Record) -> list[Correction]:
    """The record's events, oldest first.

    Raises `InputError`, naming the record and the event, if an event cannot be read or does not fit the sentences.
    """
    found = _parsed(record)
    effective(record.labeler_labels, record.sentences(), found)  # raises if an event does not fit
    return found


def _parsed(record: Record) -> list[Correction]:
    found = []
    for n, event in enumerate(record.overrides, start=1):
        try:
            found.append(Correction.model_validate(event))
        except ValidationError as error:
            raise InputError(
                f"Record {record.id}: correction {n} cannot be read ({error.errors()[0]['msg']}).",
                "Mend it, or take it out of the list.",
                field=f"overrides[{n - 1}]",
            ) from None
    return found


def is_checked(record: Record) -> bool:
    """Whether a person has corrected or reviewed the record, and has not taken that back."""
    return bool(active(_parsed(record)))


def check(record: Record) -> None:
    """Raises `InputError` if the record's events do not fit, all of them together or one person's alone."""
    found = read(record)
    for author in dict.fromkeys(event.author for event in found):
        effective(record.labeler_labels, record.sentences(), found, author)


def active(events: Sequence[Correction], author: str | None = None) -> list[Correction]:
    """The events of one author, or of all authors, that were not undone."""
    undone = {event.value for event in events if event.field == "undo" and isinstance(event.value, str)}
    mine = (event for event in events if author is None or event.author == author)
    return [event for event in mine if event.field != "undo" and event.id not in undone]


def effective(
    labels: Labels | None, sentences: Sentences, events: Sequence[Correction], author: str | None = None
) -> Labels | None:
    """The labels with the events applied in order: if two concern the same sentence, the later one counts.

    With `author`, only that person's events are applied. The result is marked `human`, and its version says who
    corrected whose labels. If no event changes labels, `labels` itself is returned.

    Raises `InputError` if an event names a sentence that does not exist or a value that its field cannot have.
    """
    changing = [event for event in active(events, author) if event.field != "reviewed"]
    if not changing:
        return labels
    changed = labels or Labels(labeler="human")
    for event in changing:
        changed = _applied(changed, sentences, event)
    people = ", ".join(dict.fromkeys(event.author for event in changing))
    before = f"{labels.labeler} {labels.labeler_version or ''}".strip() if labels else "nothing"
    unsure = {"probabilities": None, "expected": None}  # the labeler's estimates, not the person's
    made: dict[str, Any] = {"labeler": "human", "labeler_version": f"{people} over {before}"} | unsure
    if any(event.field in ("supported", "supporting") for event in changing):
        made["overall_supported"] = _overall(changed, sentences)
    return changed.model_copy(update=made)


def _overall(labels: Labels, sentences: Sentences) -> bool | None:
    """Whether every response sentence is fully supported; `None` if one is unlabeled."""
    statuses = set(labels.statuses(sentences.response_keys()).values())
    return None if not statuses or Status.UNLABELED in statuses else statuses == {Status.FULLY}


def corrected(record: Record) -> Record:
    """The record with its events applied to its labels, and the labeler's own in `uncorrected` where they differ.

    Idempotent. Leaves scores and findings as they are. Raises `InputError` as `read` does.
    """
    own = record.labeler_labels
    labels = effective(own, record.sentences(), _parsed(record)) if record.overrides else own
    if labels is own:
        return record if record.uncorrected is None else record.model_copy(update={"labels": own, "uncorrected": None})
    return record.model_copy(update={"labels": labels, "uncorrected": own or Labels(labeler="nothing")})


def _applied(labels: Labels, sentences: Sentences, event: Correction) -> Labels:
    if event.field in _LISTS:
        return _with_list(labels, sentences.document_keys(), event, _LISTS[event.field])
    return _with_support(labels, sentences, event)


def _with_list(labels: Labels, known: Sequence[str], event: Correction, field: str) -> Labels:
    if event.sentence_key == WHOLE:
        return labels.model_copy(update={field: _ordered(_keys(event, known), known)})
    _check_key(event, known)
    if not isinstance(event.value, bool):
        raise _misfit(event, "true or false")
    listed = getattr(labels, field)
    if listed is None:
        raise InputError(
            f"The labels lack {field}: one sentence alone cannot be corrected.",
            'Give the whole list first (sentence_key "").',
            field=f"correction {event.id}",
        )
    kept = [key for key in listed if key != event.sentence_key] + ([event.sentence_key] if event.value else [])
    return labels.model_copy(update={field: _ordered(kept, known)})


def _with_support(labels: Labels, sentences: Sentences, event: Correction) -> Labels:
    keys = sentences.response_keys()
    _check_key(event, keys)
    entries = {entry.response_sentence_key: entry for entry in labels.sentence_support_information or []}
    entry = entries.get(event.sentence_key)
    change: dict[str, Any]
    if event.field == "supporting":
        named = _keys(event, [*sentences.document_keys(), *sorted(SPECIAL_KEYS)])
        if entry is None:  # nobody said whether it is supported: treat it like a judge's null
            listed = labels.unsupported_response_sentence_keys
            fully = bool(named) if listed is None else event.sentence_key not in listed
            entry = Support(response_sentence_key=event.sentence_key, fully_supported=fully)
        against = [key for key in entry.contradicting_sentence_keys if key not in named]
        if named and entry.fully_supported is not None and not against:
            labels = _relisted(labels, keys, event.sentence_key, unsupported=False)
        change = {"supporting_sentence_keys": named, "contradicting_sentence_keys": against}
        entries[event.sentence_key] = entry.model_copy(update=change)
        return _with_entries(labels, keys, entries)
    status = _status(event)
    entry = entry or Support(response_sentence_key=event.sentence_key, fully_supported=False)
    change = {"fully_supported": status is Status.FULLY, "contradicting_sentence_keys": []}
    if status is Status.UNSUPPORTED:
        change["supporting_sentence_keys"] = []
    entries[event.sentence_key] = entry.model_copy(update=change)
    unlisted = labels.unsupported_response_sentence_keys is None
    if status is Status.PARTIALLY and unlisted and not entry.supporting_sentence_keys:
        raise InputError(
            f"Sentence {event.sentence_key} is supported by no named sentence, so it cannot be partially supported.",
            "Name what supports it first, or say unsupported.",
            field=f"correction {event.id}",
        )
    labels = _relisted(labels, keys, event.sentence_key, unsupported=status is Status.UNSUPPORTED)
    return _with_entries(labels, keys, entries)


def _relisted(labels: Labels, keys: Sequence[str], key: str, *, unsupported: bool) -> Labels:
    """The labels with their list of unsupported sentences, if they have one, brought into line with the person."""
    listed = labels.unsupported_response_sentence_keys
    if listed is None:
        return labels
    kept = {*listed, key} if unsupported else {*listed} - {key}
    return labels.model_copy(update={"unsupported_response_sentence_keys": _ordered(kept, keys)})


def _with_entries(labels: Labels, keys: Sequence[str], entries: Mapping[str, Support]) -> Labels:
    return labels.model_copy(update={"sentence_support_information": [entries[k] for k in keys if k in entries]})


def _status(event: Correction) -> Status:
    allowed = (Status.FULLY, Status.PARTIALLY, Status.UNSUPPORTED)
    if event.value not in list(allowed):
        raise _misfit(event, "fully, partially or unsupported")
    return Status(str(event.value))


def _keys(event: Correction, known: Sequence[str]) -> list[str]:
    if not isinstance(event.value, list):
        raise _misfit(event, "a list of keys")
    if unknown := [key for key in event.value if key not in known]:
        raise InputError(
            f"{unknown[0]!r} is no sentence of this record.", "Use its keys.", field=f"correction {event.id}"
        )
    return list(dict.fromkeys(event.value))


def _check_key(event: Correction, known: Sequence[str]) -> None:
    if event.sentence_key not in known:
        raise InputError(
            f"{event.sentence_key!r} is no sentence that can be {event.field}.",
            "Relevant and utilized are document sentences, supported and supporting response sentences.",
            field=f"correction {event.id}",
        )


def _misfit(event: Correction, expected: str) -> InputError:
    return InputError(
        f"{event.field} of {event.sentence_key or 'the record'} is {event.value!r}.",
        f"Expected: {expected}.",
        field=f"correction {event.id}",
    )


def _ordered(keys: Sequence[str] | set[str], known: Sequence[str]) -> list[str]:
    """Those of the keys that are known, in the record's order."""
    return [key for key in known if key in keys]
