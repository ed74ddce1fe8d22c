"""Many records as columns of numbers: all scores, statuses and findings of a run are arithmetic on these."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trace_core.diagnosis.faults import Mask as Mask
from trace_core.diagnosis.faults import matches, statuses, unsure
from trace_core.diagnosis.over_run import RunDiagnosis, run_diagnosis
from trace_core.diagnosis.signs import SIGNS, Quantities, quantities, signs_of
from trace_core.facts.corrections import active, read_corrections
from trace_core.facts.failed_generation import FAILED_GENERATION as FAILED
from trace_core.facts.labels import Labels
from trace_core.facts.records import Record, Sentences
from trace_core.metrics import DERIVED, LABELS, METRICS, Columns, Counts, Scoring, combine, count, score_columns
from trace_core.metrics.base import Values
from trace_core.summary.calibration import KIND_FIELDS, KINDS, sentence_counts

COUNTS: tuple[str, ...] = Counts._fields
FACTS = ("overall_supported", *SIGNS, "confidence", "seconds", "total_tokens", "cost", "checked")
NUMBERS = (*COUNTS, *LABELS, *FACTS)
"""One record's numbers. Scores use the run's own convention; the counts give those under every other."""
TRUTH_NUMBERS = (
    *(f"score_{name}" for name in METRICS),
    *COUNTS,
    *(f"sentence_{kind}_{field}" for kind in KINDS for field in KIND_FIELDS),
)
"""One record's ground truth: scores as given, counts of its labels, and agreement over sentences."""
FAILED_GENERATION = "failed_generation"
STATUSES = ("scored", "undefined", "failed", FAILED_GENERATION, "pending")
WORDS = ("status", "generation_model_name", "labeler", "labeler_version", "collection", "error", "convention")
"""The texts that many records share; `convention` is that of a record's scores."""
TEXTS = ("id", "source_id", "created_at", *WORDS)
"""The texts of a record that the store keeps in columns."""
READ = ("position", "id", *WORDS, *COUNTS, *METRICS, *FACTS)
"""What `run_columns` takes of a record, in this order."""
TRUTH = ("convention", *TRUTH_NUMBERS)
"""What it takes besides of a run in which a record has a ground truth."""
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


def texts_of(record: Record) -> dict[str, str | None]:
    """The record's `TEXTS`; `None` means absent."""
    own, status = record.labeler_labels, status_of(record)
    error = record.error.message if record.error else None
    return {
        "id": record.id,
        "source_id": record.source_id,
        "created_at": record.created_at,
        "status": status,
        "generation_model_name": record.generation_model_name,
        "labeler": (own.labeler or "unknown") if own else None,
        "labeler_version": own.labeler_version if own else None,
        "collection": record.retrieval.collection if record.retrieval else None,
        "error": f"{FAILED}: {record.failed_generation}" if status == FAILED_GENERATION else error,
        "convention": record.scores.convention if record.scores else None,
    }


def numbers_of(record: Record) -> dict[str, float | None]:
    """The record's `NUMBERS`; `None` means absent."""
    scores, word = record.scores, record.labels.overall_supported if record.labels else None
    facts = (
        None if word is None else float(word),
        *signs_of(record),
        record.retrieval.confidence if record.retrieval else None,
        sum(record.seconds.values()) if record.seconds else None,
        record.usage.get("total_tokens"),
        record.usage.get("cost"),
        float(bool(active(read_corrections(record)))),
    )
    values = (getattr(scores, name) if scores else None for name in LABELS)
    return dict(zip(NUMBERS, (*_counts(record.labels, record.sentences()), *values, *facts), strict=True))


def truth_of(record: Record) -> dict[str, Any]:
    """The `TRUTH` of the record; nothing if it has none."""
    truth = record.ground_truth
    if truth is None:
        return {}
    counts = _counts(truth.labels, record.sentences())
    values = (truth.convention, *(truth.scores.get(name) for name in METRICS), *counts, *sentence_counts(record))
    return dict(zip(TRUTH, values, strict=True))


def _counts(labels: Labels | None, sentences: Sentences) -> tuple[float | None, ...]:
    if labels is None:
        return (None,) * len(COUNTS)
    return tuple(None if math.isnan(value) else value for value in count(labels, sentences))


class Table(Mapping[str, Values]):
    """Columns of numbers by name, each in the fewest bytes that give the same numbers back."""

    def __init__(self, columns: Mapping[str, NDArray[Any]]) -> None:
        self._columns = columns

    def __getitem__(self, name: str) -> Values:
        return np.asarray(self._columns[name], dtype=np.float64)

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def counts(self) -> Columns:
        """Those behind the scores."""
        return Columns(*(self[name] for name in COUNTS))


class TruthColumns(NamedTuple):
    """Ground truth: `TRUTH_NUMBERS`, one value per record; NaN, and `convention` "", where a record has none."""

    convention: Texts
    numbers: Table

    @property
    def agreement(self) -> Values:
        """Over sentences, a row per record."""
        return np.column_stack([self.numbers[name] for name in TRUTH_NUMBERS if name.startswith("sentence_")])


@dataclass(frozen=True, slots=True)
class RunColumns:
    """A run's records in order of position, as arrays of equal length; absent numbers are NaN, absent texts "".
    `numbers` holds `COUNTS`, all absent without labels, `FACTS`, and the stored scores under `convention`; a record
    without labels has no others. `error` is for a failed generation its reason, `labeler` the labeler's own labels'."""

    position: NDArray[np.int64]
    id: Texts
    generation_model_name: Texts
    labeler: Texts
    labeler_version: Texts
    collection: Texts
    error: Texts
    convention: Texts
    pending: Mask
    failed: Mask
    failed_generation: Mask
    numbers: Table
    truth: TruthColumns | None

    def __len__(self) -> int:
        return len(self.id)

    def score(self, scoring: str | Scoring = "trace", *, stored_scores: bool = False) -> "RunScores":
        """All scores under one convention. Raises `SettingsError` for an unknown one. With `stored_scores`, scores
        stored under the convention are used unchanged instead of being recomputed."""
        scoring = Scoring.of(scoring)
        of_metrics = score_columns(self.numbers.counts, scoring)
        values = {name: column.values for name, column in of_metrics.items()}
        reasons = {name: column.reasons for name, column in of_metrics.items()}
        self._put_own_scores(values, reasons, scoring.convention, stored_scores)
        together = combine(np.array(list(values.values())))
        values |= dict(zip(DERIVED, together, strict=True))
        masks = [self.failed_generation, self.failed, self.pending, np.isnan(together[0])]
        status = np.select(masks, [FAILED_GENERATION, "failed", "pending", "undefined"], "scored").astype(object)
        return RunScores(self, scoring, values, reasons, status)

    def _put_own_scores(
        self, values: Mapping[str, Values], reasons: Mapping[str, Texts], convention: str, stored_scores: bool
    ) -> None:
        """Use the stored scores for records without labels, if under the convention; a failed generation has none."""
        # A person may have labeled a record that has no labeler's labels: what counts is whether there are any.
        bare = np.isnan(self.numbers["sentences"]) | self.failed_generation
        same = (self.convention == convention) & ~self.failed_generation
        places = np.flatnonzero(bare | (same & stored_scores))
        same, bare, error = same[places], bare[places], self.error[places]
        why = np.where(error == "", "not labeled", np.where(self.failed_generation[places], error, "failed: " + error))
        for name in METRICS:
            of_labels = reasons[name][places]
            reason = np.where(bare, why, np.where(of_labels == "", "undefined", of_labels))
            values[name][places] = np.where(same, self.numbers[name][places], np.nan)
            reasons[name][places] = np.where(np.isnan(values[name][places]), reason, "")


@dataclass(frozen=True, eq=False)
class RunScores:
    """A run under one convention: each array has one value per record, NaN where undefined. What it says of the records
    is computed once, when it is asked for."""

    columns: RunColumns
    scoring: Scoring
    values: Mapping[str, Values]
    reasons: Mapping[str, Texts]
    status: Texts

    @property
    def convention(self) -> str:
        """The name of the convention."""
        return self.scoring.convention

    @property
    def quantities(self) -> Quantities:
        """Everything that the conditions of faults name."""
        numbers = self.columns.numbers
        signs = {name: numbers[name] for name in SIGNS}
        return quantities(numbers.counts, self.values, signs, self.convention, self.columns.failed_generation)

    @property
    def verdicts(self) -> Texts:
        """Each record's status by name; "" for pending and failed records."""
        return self._judgment[0]

    @property
    def unsure(self) -> Mask:
        """Where the labels that decide the records' verdicts are doubtful."""
        return self._judgment[1]

    @property
    def findings(self) -> Mapping[str, Mask]:
        """Fault → which records have it, except those that a second measurement tells."""
        return self._judgment[2]

    @cached_property
    def _judgment(self) -> tuple[Texts, Mask, Mapping[str, Mask]]:
        values = self.quantities
        names = statuses(values)
        names[self.columns.pending | self.columns.failed] = ""
        return names, unsure(values, names), matches(values, names)

    def diagnosis(self, mask: Mask | slice = slice(None)) -> RunDiagnosis:
        """That of its records, or of those in the mask, in a sentence."""
        n = int(self.columns.failed[mask].sum())
        return run_diagnosis(self.verdicts[mask], self.unsure[mask], self.values["adherence"][mask], n)


def run_columns(chunks: Iterable[Sequence[Sequence[Any]]], total: int, *, with_truth: bool = False) -> RunColumns:
    """Columns from chunks of at most `total` rows, which hold `READ` and `with_truth` also `TRUTH`."""
    names = (*READ, *(f"true_{name}" for name in (TRUTH if with_truth else ())))
    words = {*WORDS, "true_convention"}
    table = {name: np.empty(total, object if name in words or name == "id" else np.float64) for name in names}
    pool: dict[str | None, str] = {None: ""}  # a word is kept once, however many records have it
    end = 0
    for chunk in chunks:
        start, end = end, end + len(chunk)
        for name, column in zip(names, zip(*chunk, strict=True), strict=True):
            texts = [pool.setdefault(word, word) for word in column] if name in words else column
            table[name][start:end] = texts
    table = {name: _compact(table.pop(name)[:end]) for name in names}
    status, numbers = table["status"], Table({name: table[name] for name in (*COUNTS, *METRICS, *FACTS)})
    return RunColumns(
        position=table["position"].astype(np.int64),
        id=table["id"],
        **{name: table[name] for name in WORDS if name != "status"},
        pending=status == "pending",
        failed=(status == "failed") & np.isnan(numbers["sentences"]),  # as for records stored before `without_error`
        failed_generation=status == FAILED_GENERATION,
        numbers=numbers,
        truth=TruthColumns(table["true_convention"], Table({name: table[f"true_{name}"] for name in TRUTH_NUMBERS}))
        if with_truth
        else None,
    )


def _compact(values: NDArray[Any]) -> NDArray[Any]:
    """The same values: one for all where all are alike, half as wide where that holds them exactly."""
    texts = values.dtype == object
    if len(values) and (np.all(values == values[0]) or (not texts and np.isnan(values).all())):
        return np.broadcast_to(values[:1].copy(), values.shape)  # no view, which would keep all of them
    with np.errstate(over="ignore"):
        half = values if texts else values.astype(np.float32)
    return half if texts or np.array_equal(half, values, equal_nan=True) else values


def columns_of(records: Iterable[Record]) -> RunColumns:
    """Columns from records in memory, with positions from 1."""
    rows, absent = [], dict.fromkeys(TRUTH)
    for position, record in enumerate(records, start=1):
        row, truth = {"position": position} | texts_of(record) | numbers_of(record), truth_of(record)
        rows.append([*(row[name] for name in READ), *(truth or absent).values()])
    columns = run_columns([rows] if rows else [], len(rows), with_truth=True)
    return columns if columns.truth is not None and columns.truth.convention.any() else replace(columns, truth=None)
