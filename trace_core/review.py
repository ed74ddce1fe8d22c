"""Review: people correct labels, the scores follow at once, and no correction is lost: each is an event in
`record.overrides` (see `trace_core.facts.corrections`), and every export has them beside the labeler's own labels."""

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import combinations
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from trace_core.diagnosis.rescoring import rescore
from trace_core.errors import InputError
from trace_core.facts.corrections import WHOLE, active, check, effective, read_corrections, with_corrections
from trace_core.facts.labels import Labels
from trace_core.facts.records import Record, Scores
from trace_core.metrics import METRICS, Scoring
from trace_core.summary.calibration import Agreement, agreement_by_kind
from trace_core.summary.columns import RunScores
from trace_core.summary.corrected_mean import CorrectedMean, corrected_mean, is_fair

MOST_DOUBTFUL = 5  # a record's labels that are named, most doubtful first

_EDITABLE = set(
    "all_relevant_sentence_keys all_utilized_sentence_keys sentence_support_information"
    " unsupported_response_sentence_keys".split()
)
"""The parts of the labels that people can change."""
Change = tuple[str, str, Any]  # field, sentence key and value, as in `Correction`


def correct(record: Record, change: Change, author: str, *, reason: str = "", scoring: Scoring | None = None) -> Record:
    """The record with the change as one more event, and the scores and findings that follow from it. Raises
    `InputError` for a record without labels, an author without a name, or an event that does not fit."""
    if record.labels is None:
        raise InputError("The record has no labels to correct.", "Label it first.", field="labels")
    if not author.strip():
        raise InputError("The reviewer has no name.", "Say who you are.", field="author")
    event = dict(zip(("field", "sentence_key", "value"), change, strict=True)) | {
        "id": uuid.uuid4().hex[:12],
        "author": author.strip(),
        "created_at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "reason": reason,
    }
    after = with_corrections(record.model_copy(update={"overrides": [*record.overrides, event]}))
    check(after)
    return _rescore(after, scoring)


def undo(record: Record, event_id: str, *, author: str, scoring: Scoring | None = None) -> Record:
    """The record with that event undone by one more event. Raises `InputError` if it is not the author's."""
    if event_id not in {event.id for event in active(read_corrections(record), author.strip())}:
        hint = "People take back only their own corrections; to disagree, add one of yours."
        raise InputError(f"There is no correction {event_id} of {author} to take back.", hint)
    return correct(record, ("undo", WHOLE, event_id), author, scoring=scoring)


def as_seen_by(record: Record, author: str, scoring: Scoring | None = None) -> Record:
    """The record by that person's corrections alone: a view, without the labeler's labels and the events. Pure."""
    labels = effective(record.labeler_labels, record.sentences(), read_corrections(record), author)
    return _rescore(record.model_copy(update={"labels": labels, "uncorrected": None, "overrides": []}), scoring)


class Preview(NamedTuple):
    """A record with unsaved changes: how it would look, the changes to save, and the errors of those that are wrong."""

    record: Record
    changes: list[Change]
    errors: list[InputError]


def draft(
    record: Record, changes: Iterable[Change], author: str, *, alone: bool = False, scoring: Scoring | None = None
) -> Preview:
    """The record, scored, with the changes applied in order that change anything; `alone`: without other people's
    corrections. Pure. A change that does not fit is left out, and its error is added to `errors`."""
    author, steps, errors = author.strip() or "your draft", list[Change](), list[InputError]()

    def facts(one: Record) -> dict[str, Any]:
        labels = effective(one.labeler_labels, one.sentences(), read_corrections(one), author if alone else None)
        return labels.model_dump(include=_EDITABLE) if labels else {}

    for change in changes:
        try:
            after = correct(record, change, author)
        except InputError as error:
            errors.append(error)
            continue
        if facts(after) != facts(record):
            record = after
            steps.append(change)
    return Preview(as_seen_by(record, author, scoring) if alone else _rescore(record, scoring), steps, errors)


def _rescore(record: Record, scoring: Scoring | None) -> Record:
    return rescore(record, scoring or (record.scores.convention if record.scores else "trace"))


def reviewers(record: Record) -> list[str]:
    """The people who have reviewed every sentence of the record."""
    return list(dict.fromkeys(e.author for e in active(read_corrections(record)) if e.field == "reviewed"))


class PeopleAgreement(NamedTuple):
    """How far the labeler agrees with people, and people with one another, by kind of label. Only records marked as
    reviewed count (corrections alone make any labeler look bad); `left_out` counts the others, by person."""

    labeler: Mapping[str, Mapping[str, Agreement]]
    people: Mapping[tuple[str, str], Mapping[str, Agreement]]
    left_out: Mapping[str, int]


def agreement(records: Sequence[Record]) -> PeopleAgreement:
    """Labeler (rows) against each person (columns), and each pair of people, over what both reviewed."""
    opinions: dict[str, dict[int, Labels]] = {}
    left_out = Counter[str]()
    for i, record in enumerate(records):
        events, whole = read_corrections(record), reviewers(record)
        for author in dict.fromkeys(event.author for event in active(events)):
            labels = effective(record.labeler_labels, record.sentences(), events, author)
            if author not in whole or labels is None:
                left_out[author] += 1
            else:
                opinions.setdefault(author, {})[i] = labels
    own = {i: labels for i, record in enumerate(records) if (labels := record.labeler_labels) is not None}

    def compare_labels(one: Mapping[int, Labels], other: Mapping[int, Labels]) -> Mapping[str, Agreement]:
        return agreement_by_kind((one[i], other[i], records[i].sentences()) for i in sorted(one.keys() & other.keys()))

    pairs = [(a, b) for a, b in combinations(opinions, 2) if opinions[a].keys() & opinions[b].keys()]
    return PeopleAgreement(
        labeler={author: compare_labels(own, labels) for author, labels in opinions.items()},
        people={(a, b): compare_labels(opinions[a], opinions[b]) for a, b in pairs},
        left_out=left_out,
    )


def read_scores(record: Record, scoring: str | Scoring) -> tuple[Scores | None, Scores | None]:
    """The labeler's scores of the record, and those by the labels of people who read all of it, if anybody did."""
    own = record.model_copy(update={"labels": record.labeler_labels, "uncorrected": None, "overrides": []})
    theirs = rescore(record, scoring).scores if reviewers(record) else None
    return rescore(own, scoring).scores, theirs


def corrected_means(
    records: Iterable[Record], scores: RunScores, order: Sequence[str]
) -> tuple[dict[str, CorrectedMean], bool]:
    """Each metric's mean as people correct it by the `records` they saw, and whether these sample the queue fairly."""
    ids = scores.columns.id.tolist()
    places = {record_id: place for place, record_id in enumerate(ids)}
    labeler = {name: np.array(scores.values[name], dtype=np.float64) for name in METRICS}
    people = {name: np.full(len(ids), np.nan) for name in METRICS}
    read = set()
    for record in records:
        own, theirs = read_scores(record, scores.scoring)
        read |= {record.id} if theirs else set()
        for name in METRICS:
            for values, of in ((labeler, own), (people, theirs)):
                value = getattr(of, name) if of else None
                values[name][places[record.id]] = np.nan if value is None else value
    places_read = [place for place, record_id in enumerate(order) if record_id in read]
    return {name: corrected_mean(labeler[name], people[name]) for name in METRICS}, is_fair(places_read, len(order))


class Doubt(NamedTuple):
    """Why one label of one sentence may be wrong: `doubt` in [0, 1], where 1 is a coin toss or a disagreement."""

    kind: str
    key: str
    doubt: float
    why: str


class QueueItem(NamedTuple):
    """One record of the queue, its `doubt` about support (`None`: unknown), its most doubtful labels, support first."""

    record: Record
    doubt: float | None
    doubts: list[Doubt]


def queue(records: Iterable[Record]) -> list[QueueItem]:
    """The records with labels, the one whose answer has the most doubtful sentence first. A label is doubtful if its
    labeler's probability is near ½, or if people differ; the larger counts. Of records that are alike in that, those
    whose documents are labeled with more doubt come first; where nothing is known, last."""
    items = []
    for record in records:
        if record.labels is not None:
            doubts = sorted([*_by_probability(record), *_by_people(record)], key=lambda one: one.doubt)
            of_labels = {(one.kind, one.key): one for one in doubts}  # the more doubtful of two
            first = sorted(of_labels.values(), key=lambda one: (one.kind != "supported", -one.doubt))[:MOST_DOUBTFUL]
            support = next((one.doubt for one in first if one.kind == "supported"), None)
            others = [one.doubt for one in first if one.kind != "supported"]
            place = support is None, -(support or 0.0), -sum(others) / max(1, len(others))
            items.append((place, QueueItem(record, support, first)))
    return [item for _, item in sorted(items, key=itemgetter(0))]


def _by_probability(record: Record) -> Iterable[Doubt]:
    own = record.labeler_labels
    if own is None or own.probabilities is None:
        return
    support = {key: 1 - p for key, p in own.probabilities.unsupported.items()}
    of_kinds = {"relevant": own.probabilities.relevant, "utilized": own.probabilities.utilized, "supported": support}
    for kind, shares in of_kinds.items():
        for key, p in shares.items():
            yield Doubt(kind, key, 1 - abs(2 * p - 1), f"{kind} with a probability of {p:.2f}")


def _by_people(record: Record) -> Iterable[Doubt]:
    last: dict[tuple[str, str], dict[str, str]] = {}
    for event in active(read_corrections(record)):
        last.setdefault((event.field, event.sentence_key), {})[event.author] = str(event.value)
    for (kind, key), values in last.items():
        if len(set(values.values())) > 1:
            yield Doubt(kind, key, 1.0, f"{' and '.join(values)} differ")
