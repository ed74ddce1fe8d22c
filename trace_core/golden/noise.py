"""Noise sensitivity against a reference answer, as in RAGChecker (arXiv:2408.08067): wrong, yet supported. A response
sentence is correct if the reference, read as the only document after its question, fully supports it, or if it has all
of a short reference ("At dusk."); the labeler judges that once, and the shares follow from it and from the record's
labels, with people's corrections."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trace_core.errors import BudgetSpent, LabelingError, TraceError
from trace_core.evidence.reference import reference_of, states
from trace_core.facts.labels import Labels, Status
from trace_core.facts.records import Document, Record
from trace_core.labeling import Labeler
from trace_core.summary.aggregation import mean_summary

MEASURE = "noise"
"""The name of the measure in the store."""
SHARES = {
    "correct": "Correct",
    "relevant": "Led astray by a relevant document",
    "irrelevant": "Led astray by noise",
    "hallucinated": "Hallucinated",
}
"""Part of a response → its label for people."""


@dataclass(frozen=True, slots=True)
class Noise:
    """Shares of the response's sentences, each in [0, 1], which sum to 1. `relevant`: incorrect and supported by a
    document that contains a relevant sentence; `irrelevant`: incorrect and supported only by documents without one;
    `hallucinated`: incorrect and supported by no document."""

    sentences: int
    correct: float
    relevant: float
    irrelevant: float
    hallucinated: float


def unmeasurable(record: Record) -> str | None:
    """Why the record cannot be measured, known before asking a labeler; `None` if it can be."""
    labels = record.labels or Labels()
    reasons = {
        "there is no answer": not record.sentences().response_keys(),
        "there is no reference answer": not reference_of(record),
        "the record has no labels": record.labels is None,
        "its labels do not say what is relevant": labels.all_relevant_sentence_keys is None,
        "its labels do not say what supports": labels.sentence_support_information is None,
    }
    return next((reason for reason, applies in reasons.items() if applies), None)


def against_reference(record: Record, labeler: Labeler) -> list[str]:
    """The keys that the reference supports, by one labeling; raises `LabelingError` if it left a sentence out."""
    reference = reference_of(record) or ""
    only = [Document(id="reference", rank=1, text=f"{record.question} {reference}")]
    claim = Record(id=record.id, question=record.question, documents=only, response=record.response)
    sentences = claim.sentences()
    keys = sentences.response_keys()
    reply = labeler.label(record.question, sentences)
    statuses = reply.clean(sentences).labels.statuses(keys)
    if Status.UNLABELED in statuses.values():
        raise LabelingError("The labeler did not judge every sentence of the answer.", "Measure again.")
    return [s.key for s in sentences.response if statuses[s.key] is Status.FULLY or states(s.text, reference)]


def judgments(records: Iterable[Record], labeler: Labeler) -> Iterator[tuple[Record, dict[str, Any]]]:
    """Each record with the result to keep: its `correct` sentences, or why it `failed`. Raises `BudgetSpent`."""
    for record in records:
        try:
            yield record, {"correct": against_reference(record, labeler)}
        except BudgetSpent:
            raise
        except TraceError as error:
            yield record, {"failed": str(error)}


def of_body(record: Record, body: Mapping[str, Any]) -> Noise | str:
    """The shares by a result of `judgments` and the record's present labels, or why there are none."""
    return str(body["failed"]) if "failed" in body else sensitivity(record, body["correct"]) or "not measurable now"


def sensitivity(record: Record, correct: Collection[str]) -> Noise | None:
    """The shares by what incorrect sentences rest on, from the record's labels; `None` if it is `unmeasurable`."""
    labels, keys = record.labels, record.sentences().response_keys()
    if unmeasurable(record) or labels is None:
        return None
    place = {s.key: i for i, document in enumerate(record.documents) for s in document.sentences}
    relevant = {place[key] for key in labels.all_relevant_sentence_keys or [] if key in place}
    support = {key: entry.supporting_sentence_keys for key, entry in labels.entries.items()}
    shares = Counter[str]()
    for key in keys:
        rests_on = {place[one] for one in support.get(key, []) if one in place}
        led_astray = "relevant" if rests_on & relevant else "irrelevant" if rests_on else "hallucinated"
        shares["correct" if key in correct else led_astray] += 1
    return Noise(len(keys), *(shares[name] / len(keys) for name in SHARES))


def noise_summary(results: Sequence[Noise | str]) -> dict[str, Any]:
    """`records`, `measured`, the `shares`' means with intervals (none without a record), and `undefined` by reason."""
    rows = [one for one in results if isinstance(one, Noise)]
    return {
        "records": len(results),
        "measured": len(rows),
        "shares": {name: mean_summary([getattr(one, name) for one in rows]) for name in SHARES} if rows else {},
        "undefined": dict(Counter(one for one in results if isinstance(one, str))),
    }
