"""People's corrections of labels: append-only events, and the labels that follow from them. A record carries its events
in `record.overrides`, oldest first, and through every export. Code that reads a record calls `with_corrections` once:
from then on `record.labels` are the effective labels, and the labeler's own are kept too."""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import ValidationError

from trace_core.errors import InputError
from trace_core.facts.labels import SPECIAL_KEYS, Labels, Status, Support
from trace_core.facts.records import Record, Sentences
from trace_core.facts.strict import Strict, misfit_error

Field = Literal["relevant", "utilized", "supported", "supporting", "reviewed", "undo"]
WHOLE = ""
"""The sentence key of an event that concerns the whole record."""
_LISTS = {"relevant": "all_relevant_sentence_keys", "utilized": "all_utilized_sentence_keys"}


class Correction(Strict, frozen=True, extra="forbid"):
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

    id: str
    author: str
    created_at: str
    sentence_key: str = WHOLE
    field: Field
    value: bool | str | list[str]
    reason: str = ""


def read_corrections(record: Record) -> list[Correction]:
    """The events, oldest first. Raises `InputError` for one that cannot be read."""
    events = []
    for n, event in enumerate(record.overrides, start=1):
        try:
            events.append(Correction.model_validate(event))
        except ValidationError as error:
            message = f"Record {record.id}: correction {n} cannot be read. {misfit_error(error)}"
            raise InputError(message, "Correct it, or remove it from the list.", field=f"overrides[{n - 1}]") from None
    return events


def check(record: Record) -> None:
    """Raises `InputError` if the record's events do not fit, all of them together or one person's alone."""
    events = read_corrections(record)
    for author in (None, *dict.fromkeys(event.author for event in events)):
        effective(record.labeler_labels, record.sentences(), events, author)


def active(events: Sequence[Correction], author: str | None = None) -> list[Correction]:
    """The events of one author, or of all authors, that were not undone."""
    undone = {event.value for event in events if event.field == "undo" and isinstance(event.value, str)}
    mine = (event for event in events if author is None or event.author == author)
    return [event for event in mine if event.field != "undo" and event.id not in undone]


def effective(
    labels: Labels | None, sentences: Sentences, events: Sequence[Correction], author: str | None = None
) -> Labels | None:
    """The labels with the events, or only one author's, applied in order; `labels` itself if none changes anything. The
    result is marked `human`, and its version says who corrected whose labels. Raises `InputError` if an event names a
    sentence that does not exist or a value that its field cannot have."""
    changing = [event for event in active(events, author) if event.field != "reviewed"]
    if not changing:
        return labels
    result = labels or Labels(labeler="human")
    for event in changing:
        in_list = event.field in _LISTS
        keys = sentences.document_keys() if in_list else sentences.response_keys()
        if event.sentence_key not in keys and not (in_list and event.sentence_key == WHOLE):
            message = f"{event.sentence_key!r} is not a sentence that can be {event.field}."
            raise _misfit(event, "Use its keys.", message)
        result = _with_list(result, keys, event) if in_list else _with_support(result, sentences, event)
    people = ", ".join(dict.fromkeys(event.author for event in changing))
    before = f"{labels.labeler} {labels.labeler_version or ''}".strip() if labels else "nothing"
    update: dict[str, Any] = {"labeler": "human", "labeler_version": f"{people} over {before}"}
    update |= {"probabilities": None, "expected": None}  # the labeler's estimates, not the person's
    if any(event.field in ("supported", "supporting") for event in changing):
        statuses = set(result.statuses(sentences.response_keys()).values())
        complete = statuses and Status.UNLABELED not in statuses
        update["overall_supported"] = statuses == {Status.FULLY} if complete else None
    return result.model_copy(update=update)


def with_corrections(record: Record) -> Record:
    """The record with its events applied, and the labeler's own labels in `uncorrected` if they differ. Idempotent."""
    own = record.labeler_labels
    labels = effective(own, record.sentences(), read_corrections(record)) if record.overrides else own
    if labels is own:
        return record if record.uncorrected is None else record.model_copy(update={"labels": own, "uncorrected": None})
    return record.model_copy(update={"labels": labels, "uncorrected": own or Labels(labeler="nothing")})


def _with_list(labels: Labels, keys: Sequence[str], event: Correction) -> Labels:
    name = _LISTS[event.field]
    members = getattr(labels, name)
    if event.sentence_key == WHOLE:
        members = _keys(event, keys)
    elif not isinstance(event.value, bool):
        raise _misfit(event, "Expected: true or false.")
    elif members is None:
        message = f"The labels lack {name}: one sentence alone cannot be corrected."
        raise _misfit(event, 'Give the whole list first (sentence_key "").', message)
    else:
        members = {*members} - {event.sentence_key} | ({event.sentence_key} if event.value else set())
    return labels.model_copy(update={name: [key for key in keys if key in members]})


def _with_support(labels: Labels, sentences: Sentences, event: Correction) -> Labels:
    """The labels with the support of one response sentence, or its status, as the person says."""
    key, failing, keys = event.sentence_key, labels.unsupported_response_sentence_keys, sentences.response_keys()
    entries = labels.entries
    entry = entries.get(key)
    unsupported: bool | None = None
    if event.field == "supporting":
        support = _keys(event, [*sentences.document_keys(), *sorted(SPECIAL_KEYS)])
        if entry is None:  # nobody said whether it is supported: treat it like a judge's null
            fully = bool(support) if failing is None else key not in failing
            entry = Support(response_sentence_key=key, fully_supported=fully)
        against = [other for other in entry.contradicting_sentence_keys if other not in support]
        if support and entry.fully_supported is not None and not against:
            unsupported = False
        change: dict[str, Any] = {"supporting_sentence_keys": support, "contradicting_sentence_keys": against}
    else:
        if event.value not in (Status.FULLY, Status.PARTIALLY, Status.UNSUPPORTED):
            raise _misfit(event, "Expected: fully, partially or unsupported.")
        entry = entry or Support(response_sentence_key=key, fully_supported=False)
        about = entry.supporting_sentence_keys or entry.contradicting_sentence_keys
        if event.value == Status.PARTIALLY and failing is None and not about:
            message = f"Sentence {key} is supported by no named sentence, so it cannot be partially supported."
            raise _misfit(event, "Name what supports it first, or say unsupported.", message)
        unsupported = event.value == Status.UNSUPPORTED
        change = {"fully_supported": event.value == Status.FULLY, "contradicting_sentence_keys": []}
        # what was said to contradict it is about the same matter: it supports it, unless the person names others
        change["supporting_sentence_keys"] = [] if unsupported else about
    entries[key] = entry.model_copy(update=change)
    update: dict[str, Any] = {"sentence_support_information": [entries[one] for one in keys if one in entries]}
    if failing is not None and unsupported is not None:
        others = {*failing, key} if unsupported else {*failing} - {key}
        update["unsupported_response_sentence_keys"] = [one for one in keys if one in others]
    return labels.model_copy(update=update)


def _keys(event: Correction, keys: Sequence[str]) -> list[str]:
    if not isinstance(event.value, list):
        raise _misfit(event, "Expected: a list of keys.")
    if unknown := [key for key in event.value if key not in keys]:
        raise _misfit(event, "Use its keys.", f"{unknown[0]!r} is not a sentence of this record.")
    return list(dict.fromkeys(event.value))


def _misfit(event: Correction, hint: str, message: str = "") -> InputError:
    message = message or f"{event.field} of {event.sentence_key or 'the record'} is {event.value!r}."
    return InputError(message, hint, field=f"correction {event.id}")
