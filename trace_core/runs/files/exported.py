"""A run with its records from any source: the store, a file, or memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from trace_core.contribution import DOWNSTREAM
from trace_core.datasets import Item
from trace_core.datasets.rows import OWN_FIELDS
from trace_core.diagnosis.faults import find
from trace_core.diagnosis.rescoring import relevance_divisor, rescore, settled
from trace_core.errors import RunTaken
from trace_core.facts.records import EXPECTED, Document, Golden, Record
from trace_core.metrics.found_documents import document_scores
from trace_core.runs.files.reader import RunSource
from trace_core.summary.aggregation import count_columns, mean_of_known, summary_of
from trace_core.summary.columns import RunColumns, RunScores, columns_of

if TYPE_CHECKING:
    from trace_core.store.datasets import DatasetRow
    from trace_core.store.measurements import Measurement
    from trace_core.store.runs import RunStore

Fields = Mapping[str, Any]
"""A row's fields by name, as in JSON."""
DOCUMENT_SCORES = {"document_recall": "Document recall", "document_precision": "Document precision"}
"""Measures of golden questions' documents, under the names used in pages and files."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A run to be written or compared, from any source: `run` is the file's block of that name.

    Each call of `read` reads the records again; `numbers` returns the columns. `measured` returns the stored
    contributions of its documents, by record id; a file has none. `golden` returns what golden questions expect, by
    record id; imported records contain it themselves. `fields` returns `other_fields` of its data set's rows, by record
    id; those that a record was stored with count.
    """

    run: dict[str, Any]
    counts: dict[str, int]
    read: Callable[[], Iterable[Record]]
    numbers: Callable[[], RunColumns]
    measured: Callable[[], Mapping[str, Measurement]] = dict
    golden: Callable[[], Mapping[str, Golden]] = dict
    fields: Callable[[], Mapping[str, Fields]] = dict

    @property
    def convention(self) -> str:
        """The convention of its scores."""
        return str(self.run["config"]["convention"])

    @property
    def divisor(self) -> float:
        """The divisor of relevance under convention `trace`."""
        return relevance_divisor(self.run["config"])

    def scores(self) -> RunScores:
        """Its scores as columns."""
        return self.numbers().score(self.convention, self.divisor, as_stored=True)

    def summary(self) -> dict[str, Any]:
        """The summary of its records."""
        found = summary_of(self.numbers(), self.scores(), self.divisor)
        return found | ({"golden": self._golden_summary()} if self.run["config"].get("golden") else {})

    def _golden_summary(self) -> dict[str, Any]:
        """For records with a golden question: their number, and the means of document recall and precision."""
        known = self.golden()
        kept = [found for record in self.read() if (found := _golden(record, known))]
        columns = {name: [getattr(one, name) for one in kept] for name in DOCUMENT_SCORES}
        return {"n": len(kept)} | {name: mean_of_known(values) for name, values in columns.items()}

    def records(self) -> Iterator[Record]:
        """Its records under its convention, with their findings."""
        known, others = self.golden(), self.fields()
        for record in self.read():
            scored = _under(record, self.convention, self.divisor)
            found = find(scored, scored.scores) if scored.scores else []
            more = {"golden": _golden(record, known), "fields": {**others.get(record.id, {}), **record.fields}}
            yield scored.model_copy(update={"findings": found, **more})


def from_store(store: RunStore, run_id: str) -> Exported:
    """A stored run with people's corrections. Raises `UnknownRun`, and `RunTaken` while its import is unfinished."""
    found = store.load_run(run_id)
    if found.importing:
        raise RunTaken(f"Run {run_id!r} is being imported.", "Wait until all of it is in.")
    block = {"id": found.id, "name": found.name, "created_at": found.created_at}
    block |= {name: value for name in ("note", "reason") if (value := getattr(found, name))}
    golden = cache(lambda: _expected(store, found.dataset_id))
    config = found.config | ({"golden": len(golden())} if golden() else {})
    return Exported(
        {**block, "config": config}, found.counts, lambda: store.records(run_id),
        lambda: store.columns(run_id), lambda: _measured(store, run_id), golden,
        lambda: _other_fields(store, found.dataset_id),
    )  # fmt: skip


def only(run: Exported, ids: Collection[str], words: str) -> Exported:
    """The run with those of its records alone. Its name and note say so; `words` are the filter that chose them."""
    wanted = set(ids)

    def read() -> Iterator[Record]:
        return (record for record in run.read() if record.id in wanted)

    numbers = cache(lambda: columns_of(read()))
    counts = count_columns(numbers().score(run.convention, run.divisor, as_stored=True))
    part = f"{len(wanted):,} of {run.counts['total']:,} records"
    note = "\n".join(filter(None, [run.run.get("note"), f"{part}: {words}"]))
    block = run.run | {"name": f"{run.run['name']} ({part})", "note": note}
    return replace(run, run=block, counts=counts, read=read, numbers=numbers)


def _rows(store: RunStore, dataset_id: str | None) -> Iterator[DatasetRow]:
    """The rows of the run's data set, if it has one that was not deleted."""
    from trace_core.store.datasets import DatasetStore

    if dataset_id:
        yield from DatasetStore(store.database).rows(dataset_id)


def _expected(store: RunStore, dataset_id: str | None) -> dict[str, Golden]:
    """Record id → what its golden question expects, for rows that name expected documents."""
    rows = _rows(store, dataset_id)
    return {row.record_id: expected(row.row) for row in rows if row.row.get("expected_documents") is not None}


def _other_fields(store: RunStore, dataset_id: str | None) -> dict[str, Fields]:
    """Record id → the row's fields that are not ours, for rows that have any."""
    rows = ((row.record_id, row.row) for row in _rows(store, dataset_id))
    return {record_id: other for record_id, row in rows if (other := other_fields(row))}


def other_fields(row: Fields) -> dict[str, Any]:
    """The fields of a row that nothing is read from, and `beyond_golden`."""
    known = {*Item.model_fields, *OWN_FIELDS}
    return {name: value for name, value in row.items() if name not in known} | beyond_golden(row)


def beyond_golden(row: Fields) -> dict[str, Any]:
    """What a row expects that `Golden` cannot hold, under the names of `EXPECTED`.

    That is all of several reference answers; and a reference answer and a category of a row that names no expected
    documents, which is no golden question.
    """
    given = row.get("reference_answer")
    if row.get("expected_documents") is None:
        return {name: row[name] for name in EXPECTED if row.get(name)}
    return {"reference_answer": given} if isinstance(given, list) and len(given) > 1 else {}


def expected(row: Mapping[str, Any]) -> Golden:
    """What a row's golden question expects; what was found is still unknown."""
    reference = first_reference(row.get("reference_answer"))
    names = list(dict.fromkeys(name.strip() for name in row["expected_documents"] if name.strip()))
    return Golden(expected_documents=names, reference_answer=reference, category=row.get("category"))


def expecting(record: Record, row: Item) -> Record:
    """The record with everything that its row expects: its golden question, and `beyond_golden` among its fields.

    How far its documents match that is unknown for scores that came without documents.
    """
    unknown = row.kind == "scores" and row.documents is None and row.documents_sentences is None
    said = row.model_dump(include={*EXPECTED})
    wanted = None if row.expected_documents is None else expected(said)
    golden = found_of(wanted, record.documents) if wanted and not unknown else wanted
    return record.model_copy(update={"golden": golden, "fields": record.fields | beyond_golden(said)})


def first_reference(given: Any) -> str | None:
    """A reference answer, or the first of several."""
    answers = given if isinstance(given, list) else [given]
    return next((a for a in answers if isinstance(a, str) and a.strip()), None)


def _golden(record: Record, known: Mapping[str, Golden]) -> Golden | None:
    """What the record's golden question expects, and what of it was found; unchanged for an imported record."""
    wanted = known.get(record.id)
    return record.golden if wanted is None else found_of(wanted, record.documents)


def found_of(wanted: Golden, documents: Sequence[Document]) -> Golden:
    """`wanted`, with how far these documents match it."""
    recall, precision = document_scores(wanted.expected_documents, documents)
    return wanted.model_copy(update={"document_recall": recall, "document_precision": precision})


def _measured(store: RunStore, run_id: str) -> dict[str, Measurement]:
    from trace_core.store.measurements import MeasurementStore  # a run file needs no database

    return {one.record_id: one for one in MeasurementStore(store.database).of_run(run_id, DOWNSTREAM)}


def under(run: Exported, convention: str) -> Exported:
    """The same run with its scores under another convention."""
    return replace(run, run=run.run | {"config": run.run["config"] | {"convention": convention}})


def from_file(source: RunSource) -> Exported:
    """The run in a file."""
    return Exported(
        source.block, source.head.counts.model_dump(), source.records, cache(lambda: columns_of(source.records()))
    )


def from_records(records: list[Record], run: dict[str, Any]) -> Exported:
    """A run in memory."""
    columns = columns_of(records)
    counts = count_columns(columns.score(str(run["config"]["convention"]), as_stored=True))
    return Exported(run, counts, lambda: records, lambda: columns)


def _under(record: Record, convention: str, divisor: float) -> Record:
    """The record, `settled`, with scores under the run's convention: its own, or new ones from its labels."""
    if record.scores is None or record.scores.convention == convention:
        return settled(record)
    return rescore(record, convention, divisor)
