"""Many records as columns of numbers: all scores, statuses and findings of a run are arithmetic on these."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trace_core.diagnosis.faults import Mask as Mask
from trace_core.diagnosis.faults import Thresholds, fired, statuses, unsure
from trace_core.diagnosis.signs import SIGNS, Quantities, quantities, signs_of
from trace_core.facts.failed_generation import FAILED_GENERATION as FAILED
from trace_core.facts.labels import Labels
from trace_core.facts.records import Record, Sentences
from trace_core.metrics import METRICS, Columns, Counts, Scoring, combine, count, score_columns
from trace_core.metrics.base import Values
from trace_core.summary.calibration import KIND_FIELDS, KINDS, sentence_counts

COUNTS: tuple[str, ...] = Counts._fields
SCORES = (*METRICS, "average", "rmse_aggregation", "consistency_score")
FACTS = ("overall_supported", *SIGNS, "confidence", "seconds")
NUMBERS = (*COUNTS, *SCORES, *FACTS)
"""One record's numbers. Scores use the run's own convention; the counts give those under every other."""
TRUTH_NUMBERS = (
    *(f"score_{name}" for name in METRICS),
    *COUNTS,
    *(f"sentence_{kind}_{field}" for kind in KINDS for field in KIND_FIELDS),
)
"""One record's ground truth: scores as given, counts of its labels, and agreement over sentences."""
FAILED_GENERATION = "failed_generation"
STATUSES = ("scored", "undefined", "failed", FAILED_GENERATION, "pending")
READ = (*COUNTS, *METRICS, *FACTS)
"""The numbers that `run_columns` needs of a record."""
Numbers = tuple[float | None, ...]
TruthNumbers = tuple[str, Numbers]
"""The convention and the `TRUTH_NUMBERS` of one record's ground truth."""
Texts = NDArray[np.object_]


def status_of(record: Record) -> str:
    """`scored` (all metrics), `undefined`, `failed` (error, no labels), `failed_generation`, `pending` (no scores)."""
    if record.failed_generation:
        return FAILED_GENERATION
    if record.error is not None and record.labels is None:
        return "failed"
    if record.scores is None:
        return "pending"
    return "undefined" if record.scores.average is None else "scored"


def counts_by_status(numbers: Mapping[str, int]) -> dict[str, int]:
    """`total, scored, undefined, failed, failed_generations, pending`, from the number of records of each status."""
    names = {status: f"{status}s" if status == FAILED_GENERATION else status for status in STATUSES}
    return {"total": sum(numbers.values())} | {name: numbers.get(status, 0) for status, name in names.items()}


def numbers_of(record: Record) -> tuple[Numbers, TruthNumbers | None]:
    """The record's `NUMBERS`, in that order; `None` means absent. And its ground truth, if it has one."""
    sentences, truth = record.sentences(), record.ground_truth
    scores = [getattr(record.scores, name) if record.scores else None for name in SCORES]
    word = record.labels.overall_supported if record.labels else None
    confidence = record.retrieval.confidence if record.retrieval else None
    seconds = sum(record.seconds.values()) if record.seconds else None
    facts = (None if word is None else float(word), *signs_of(record), confidence, seconds)
    numbers = (*_counts(record.labels, sentences), *scores, *facts)
    if truth is None:
        return numbers, None
    true = (truth.scores.get(name) for name in METRICS)
    return numbers, (truth.convention, (*true, *_counts(truth.labels, sentences), *sentence_counts(record)))


def _counts(labels: Labels | None, sentences: Sentences) -> Numbers:
    if labels is None:
        return (None,) * len(COUNTS)
    return tuple(None if math.isnan(value) else value for value in count(labels, sentences))


class TruthColumns(NamedTuple):
    """Ground truth, one value (of `agreement` a row) per record; NaN, and `convention` "", where a record has none."""

    convention: Texts
    scores: Mapping[str, Values]
    counts: Columns
    agreement: Values


class RunScores(NamedTuple):
    """A run under one convention: each array has one value per record, NaN where undefined."""

    scoring: Scoring
    values: Mapping[str, Values]
    reasons: Mapping[str, Texts]
    status: Texts

    @property
    def convention(self) -> str:
        """The name of the convention."""
        return self.scoring.convention


@dataclass(frozen=True, slots=True)
class RunColumns:
    """A run's records in order of position, as arrays of equal length.

    `counts` and `facts` are floats (NaN: absent; all counts are absent without labels). `error` is "" if none, and for
    a failed generation its reason. `labeler` is that of the labeler's own labels, "" without any. `own_scores` are the
    stored ones, under `convention`; a record without labels has no others.
    """

    position: NDArray[np.int64]
    id: Texts
    source_id: Texts
    generation_model_name: Texts
    created_at: Texts
    pending: Mask
    labeler: Texts
    error: Texts
    failed: Mask
    failed_generation: Mask
    convention: Texts
    counts: Columns
    own_scores: Mapping[str, Values]
    facts: Mapping[str, Values]
    truth: TruthColumns | None

    def __len__(self) -> int:
        return len(self.id)

    def score(self, scoring: str | Scoring = "trace", *, as_stored: bool = False) -> RunScores:
        """All scores under one convention. Raises `SettingsError` for an unknown one.

        With `as_stored`, scores stored under the convention are used unchanged instead of being recomputed.
        """
        scoring = Scoring.of(scoring)
        of_metrics = score_columns(self.counts, scoring)
        values = {name: column.values for name, column in of_metrics.items()}
        reasons = {name: column.reasons for name, column in of_metrics.items()}
        self._put_own_scores(values, reasons, scoring.convention, as_stored)
        together = combine(np.array(list(values.values())))
        values |= dict(zip(SCORES[len(METRICS) :], together, strict=True))
        masks = [self.failed_generation, self.failed, self.pending, np.isnan(together[0])]
        status = np.select(masks, [FAILED_GENERATION, "failed", "pending", "undefined"], "scored").astype(object)
        return RunScores(scoring, values, reasons, status)

    def _put_own_scores(
        self, values: Mapping[str, Values], reasons: Mapping[str, Texts], convention: str, as_stored: bool
    ) -> None:
        """Use the stored scores for records without labels, if under the convention; a failed generation has none."""
        # A person may have labeled a record that has no labeler's labels: what counts is whether there are any.
        bare = np.isnan(self.counts.sentences) | self.failed_generation
        same = (self.convention == convention) & ~self.failed_generation
        places = np.flatnonzero(bare | (same & as_stored))
        same, bare, error = same[places], bare[places], self.error[places]
        why = np.where(error == "", "not labeled", np.where(self.failed_generation[places], error, "failed: " + error))
        for name in METRICS:
            of_labels = reasons[name][places]
            reason = np.where(bare, why, np.where(of_labels == "", "undefined", of_labels))
            values[name][places] = np.where(same, self.own_scores[name][places], np.nan)
            reasons[name][places] = np.where(np.isnan(values[name][places]), reason, "")

    def quantities(self, scores: RunScores) -> Quantities:
        """Everything that the conditions of faults name."""
        signs = {name: self.facts[name] for name in SIGNS}
        return quantities(self.counts, scores.values, signs, scores.convention, self.failed_generation)

    def verdicts(self, scores: RunScores, thresholds: Thresholds | None = None) -> Texts:
        """Each record's status by name; "" for pending and failed records. `thresholds` replace the defaults."""
        names = statuses(self.quantities(scores), thresholds)
        names[self.pending | self.failed] = ""
        return names

    def unsure(self, scores: RunScores, names: Texts) -> Mask:
        """Where the labels that decide the records' verdicts are doubtful."""
        return unsure(self.quantities(scores), names)

    def findings(
        self, scores: RunScores, thresholds: Thresholds | None = None, measured: Mapping[str, Values] | None = None
    ) -> dict[str, Mask]:
        """Fault → which records have it; `measured`: quantities from second measurements, one value per record."""
        names = self.verdicts(scores, thresholds)
        return fired({**self.quantities(scores), **(measured or {})}, names, thresholds)


class Details(NamedTuple):
    """What tells records apart beside their numbers, an array each, in order of position.

    `version` is the labeler's and `collection` where the documents came from, `None` where unknown; `usage` has
    `USAGE`, NaN where unknown; `checked` is true where people corrected or reviewed the labels.
    """

    question: Texts
    version: Texts
    collection: Texts
    usage: Mapping[str, Values]
    checked: Mask


USAGE = ("total_tokens", "cost")
DetailLine = tuple[str, str | None, str | None, float | None, float | None]
"""One record's question, labeler version and collection, and its `USAGE`."""


def details(lines: Sequence[DetailLine], checked: Mask) -> Details:
    """The lines as columns."""
    table = np.array(lines, dtype=object).reshape(-1, 3 + len(USAGE)).T
    question, version, collection, *numbers = table
    usage = {name: column.astype(np.float64) for name, column in zip(USAGE, numbers, strict=True)}
    return Details(question, version, collection, usage, checked)


TEXTS = (
    "id",
    "source_id",
    "generation_model_name",
    "created_at",
    "status",
    "labeler",
    "error",
    "convention",
)
LINE = ("position", *TEXTS)
"""One record's position and texts, which the store keeps in columns; `convention` is that of its scores."""
Line = Sequence[int | str | None]


def line_of(position: int, record: Record) -> Line:
    """The record's `LINE`, in that order; `None` means absent."""
    own, status = record.labeler_labels, status_of(record)
    error = record.error.message if record.error else None
    if status == FAILED_GENERATION:
        error = f"{FAILED}: {record.failed_generation}"
    return (
        position,
        record.id,
        record.source_id,
        record.generation_model_name,
        record.created_at,
        status,
        (own.labeler or "unknown") if own else None,
        error,
        record.scores.convention if record.scores else None,
    )


def run_columns(
    lines: Sequence[Line],
    numbers: Sequence[Sequence[float | None]],
    truths: Mapping[str, tuple[str, Sequence[float | None]]],
) -> RunColumns:
    """Columns from stored rows. `lines` contain `LINE`, `numbers` contain `READ`; `truths` are by record id."""
    texts = np.array(lines, dtype=object).reshape(-1, len(LINE))
    texts[:, 1:][texts[:, 1:] == None] = ""  # noqa: E711  # elementwise
    line: dict[str, Texts] = dict(zip(LINE, texts.T, strict=True))
    table = np.array(numbers, dtype=np.float64).reshape(-1, len(READ))
    counts, scores, facts = np.split(table.T, [len(COUNTS), len(COUNTS) + len(METRICS)])
    status = line.pop("status")
    return RunColumns(
        position=line.pop("position").astype(np.int64),
        **line,
        pending=status == "pending",
        failed_generation=status == FAILED_GENERATION,
        failed=(status == "failed") & np.isnan(counts[0]),  # as for records stored before `settled`
        counts=Columns(*counts),
        own_scores=dict(zip(METRICS, scores, strict=True)),
        facts=dict(zip(FACTS, facts, strict=True)),
        truth=_truth_columns(line["id"], truths) if truths else None,
    )


def _truth_columns(ids: Texts, truths: Mapping[str, tuple[str, Sequence[float | None]]]) -> TruthColumns:
    nothing = ("", (None,) * len(TRUTH_NUMBERS))
    rows = [truths.get(record_id, nothing) for record_id in ids]
    table = np.array([numbers for _, numbers in rows], dtype=np.float64)
    scores, counts, agreement = np.split(table, [len(METRICS), len(METRICS) + len(COUNTS)], axis=1)
    convention = np.array([convention for convention, _ in rows], dtype=object)
    return TruthColumns(convention, dict(zip(METRICS, scores.T, strict=True)), Columns(*counts.T), agreement)


def columns_of(records: Iterable[Record]) -> RunColumns:
    """Columns from records in memory, with positions from 1."""
    lines, numbers, truths = [], [], {}
    places = [NUMBERS.index(name) for name in READ]
    for position, record in enumerate(records, start=1):
        lines.append(line_of(position, record))
        every, truth = numbers_of(record)
        numbers.append([every[place] for place in places])
        if truth:
            truths[record.id] = truth
    return run_columns(lines, numbers, truths)
