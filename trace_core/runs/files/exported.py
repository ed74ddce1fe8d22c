"""A run with its records from any source: the store, a file, or memory."""

import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

import numpy as np

from trace_core.contribution import DOWNSTREAM, Contribution
from trace_core.diagnosis.rescoring import rescore, with_verdict, without_error
from trace_core.errors import RunTaken
from trace_core.evidence.reference import compare_to_reference
from trace_core.facts.records import Record
from trace_core.metrics import Scoring
from trace_core.runs.analyse.compare import Comparable
from trace_core.runs.files.reader import RunSource
from trace_core.store.measurements import MeasurementStore
from trace_core.store.record_reader import Key
from trace_core.store.runs import RunStore
from trace_core.summary.aggregation import count_columns, mean_summary, summary_of
from trace_core.summary.columns import RunColumns, RunScores, columns_of
from trace_core.summary.statistics import SEED

DOCUMENT_SCORES = {"document_recall": "Document recall", "document_precision": "Document precision"}
"""Measures of golden questions' documents, under the names used in pages and files."""


@dataclass(frozen=True, slots=True)
class RunExport:
    """A run to be written or compared, from any source: `run` is the file's block of that name. `read` reads the
    records again at each call, `keys` returns what pairs them, `contributions` those of its documents that were
    measured, by record id and document id."""

    run: dict[str, Any]
    counts: dict[str, int]
    read: Callable[[], Iterable[Record]]
    numbers: Callable[[], RunColumns]
    keys: Callable[[], Sequence[Key]]
    contributions: Callable[[], Mapping[str, Mapping[str, float]]] = dict

    @property
    def rows(self) -> int:
        """The rows that it was made of, those that were left out too."""
        return self.counts["total"] + int(self.run["config"].get("left_out", 0))

    @property
    def scoring(self) -> Scoring:
        """How its labels become scores."""
        return Scoring.of_run(self.run["config"])

    def scores(self) -> RunScores:
        """Its scores as columns."""
        return self.numbers().score(self.scoring, stored_scores=True)

    def summary(self) -> dict[str, Any]:
        """The summary of its records; of golden questions also their number, and how far their documents were found."""
        summary = summary_of(self.scores())
        if np.isnan(self.numbers().numbers["unanswerable"]).all():  # known of golden questions alone
            return summary
        golden = [record.golden for record in self.read() if record.golden]
        shares = {name: mean_summary([getattr(one, name) for one in golden]) for name in DOCUMENT_SCORES}
        return summary | {"golden": {"n": len(golden)} | shares}

    def records(self) -> Iterator[Record]:
        """Its records under its convention, with verdicts and findings, and their answers beside reference answers."""
        for record in (one.model_copy(update={"reference": compare_to_reference(one)}) for one in self.read()):
            if record.scores is None or record.scores.convention == self.scoring.convention:
                yield with_verdict(without_error(record))
            else:
                yield rescore(record, self.scoring)


def from_store(store: RunStore, run_id: str) -> RunExport:
    """A stored run with people's corrections. Raises `UnknownRun`, and `RunTaken` while its import is unfinished."""
    run = store.load_run(run_id)
    if run.importing:
        raise RunTaken(f"Run {run_id!r} is being imported.", "Wait until the import is finished.")
    block = {"id": run.id, "name": run.name, "created_at": run.created_at}
    block |= {name: value for name in ("note", "reason") if (value := getattr(run, name))}

    def contributions() -> Mapping[str, Mapping[str, float]]:
        measurements = MeasurementStore(store.database).current(run_id, DOWNSTREAM)
        return {record.id: Contribution.from_dict(one.body).labels for record, one in measurements}

    return RunExport(
        block | {"config": run.config},
        run.counts,
        lambda: store.records(run_id),
        lambda: store.columns(run_id),
        lambda: store.keys(run_id),
        contributions,
    )


def from_file(source: RunSource) -> RunExport:
    """The run in a file."""
    return _read_by(source.records, source.block, source.head.counts.model_dump())


def from_records(records: Sequence[Record], run: dict[str, Any]) -> RunExport:
    """A run in memory; `run` is the block of its file."""
    return _read_by(lambda: records, run)


def _read_by(
    read: Callable[[], Iterable[Record]], run: dict[str, Any], counts: dict[str, int] | None = None
) -> RunExport:
    """The run whose records `read` returns; its columns are made once, when they are asked for."""
    numbers = cache(lambda: columns_of(read()))
    counts = counts or count_columns(numbers().score(Scoring.of_run(run["config"]), stored_scores=True))
    return RunExport(
        run, counts, read, numbers, lambda: [(one.source_id, one.generation_model_name, one.question) for one in read()]
    )


def new_run(
    records: Sequence[Record],
    name: str,
    *,
    convention: str,
    labeler: str,
    settings: dict[str, Any],
    left_out: int = 0,
) -> RunExport:
    """Records scored under one convention as a new run; `left_out` rows of its file gave none."""
    versions = {labels.labeler_version for record in records if (labels := record.labeler_labels)}
    config = {"settings": settings, "labeler": labeler, "convention": convention, "left_out": left_out}
    return from_records(records, new_block(name, versions, config))


def new_block(name: str, versions: Iterable[str | None], config: Mapping[str, Any]) -> dict[str, Any]:
    """The block of a new run whose labels are of these versions of their labelers."""
    config = {**config, "model": sorted(filter(None, versions)), "prompt": None, "seed": SEED}
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return {"id": uuid.uuid4().hex[:12], "name": name, "created_at": now, "config": config}


def only(run: RunExport, ids: Collection[str], words: str) -> RunExport:
    """The run with those of its records alone. Its name and note say so; `words` are the filter that chose them."""
    members = set(ids)
    part = f"{len(members):,} of {run.counts['total']:,} records"
    note = "\n".join(filter(None, [run.run.get("note"), f"{part}: {words}"]))
    block = run.run | {"name": f"{run.run['name']} ({part})", "note": note}
    subset = _read_by(lambda: (record for record in run.read() if record.id in members), block)
    return replace(subset, contributions=run.contributions)


def under(run: RunExport, convention: str) -> RunExport:
    """The same run with its scores under another convention."""
    return replace(run, run=run.run | {"config": run.run["config"] | {"convention": convention}})


def comparable(run: RunExport, convention: str | None = None) -> Comparable:
    """The run as `compare` needs it; under another convention if given."""
    other = under(run, convention) if convention else run
    return Comparable(other.run, run.numbers().score(other.scoring, stored_scores=not convention), run.keys())
