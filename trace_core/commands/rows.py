"""Commands over files of rows: score rows with labels, label rows without."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from trace_core.commands.options import FAILED, Budget, Convention, File, Labeler, Out
from trace_core.commands.output import counting, lines, writing
from trace_core.commands.reading import Reading
from trace_core.commands.reports import Reporting
from trace_core.commands.stopping import stopped_with
from trace_core.datasets import to_record, to_row, unique_ids
from trace_core.diagnosis.faults import examine
from trace_core.diagnosis.rescoring import rescore
from trace_core.errors import InputError, counted
from trace_core.labeling import make_labeler, uses_llm
from trace_core.llm import llm_from
from trace_core.metrics import check_convention, count_raw, lacks_labels, score_counts
from trace_core.pipeline import label_all
from trace_core.retrieval import embedder
from trace_core.runs.files.dataset import expecting
from trace_core.runs.files.export import export
from trace_core.runs.files.exported import new_run
from trace_core.settings import load

KEPT = "stopped: replies that came are kept, and none of them is asked for again by the same command"
"""The message for a stopped labeling that asks a model."""


def score(
    file: File,
    *,
    convention: Convention = None,
    raw: Annotated[bool, typer.Option("--raw", help="Count the lists as they came, uncleaned.")] = False,
    out: Out = None,
    reporting: Reporting,
    reading: Reading,
) -> None:
    """Score rows that have labels; prints a run file."""
    settings = load()
    chosen = check_convention(convention or settings.convention)
    divisor = settings.relevance_divisor
    check_not_the_same(file, out)
    reports = reporting.opened(chosen)
    rows = reading.whole_rows(file, labels=True, raw=raw)
    records = []
    for row, record_id in zip(rows, unique_ids(rows), strict=True):
        record = expecting(to_record(row, record_id), row)
        if raw:
            scores = score_counts(count_raw(row.model_extra or {}, record.sentences()), chosen, divisor)
            records.append(record.model_copy(update={"scores": scores, "findings": examine(record, scores).findings}))
        else:
            records.append(rescore(record, chosen, divisor))
    public = settings.public() | {"raw": raw}
    run = new_run(records, file.name, convention=chosen, labeler="recorded", settings=public)
    with writing(out) as stream:
        export(run, "json", stream)
    reports.finish(run, run.counts["failed"], run.summary())


def label(file: File, *, labeler: Labeler = None, out: Out = None, budget: Budget = None, reading: Reading) -> None:
    """Label rows; prints the same rows with that labeler's labels and released-style scores (JSONL)."""
    settings = load(budget)
    name = labeler or settings.labeler
    llm = llm_from(settings) if uses_llm(name) else None
    made = make_labeler(name, embedder(settings.embedding_model), llm)
    check_not_the_same(file, out)
    rows = reading.whole_rows(file)
    failed = incomplete = 0
    with stopped_with(KEPT if llm else "stopped"), lines(out) as write:
        records = (to_record(*named, with_labels=False) for named in zip(rows, unique_ids(rows), strict=True))
        labeled = label_all(records, made, llm.concurrency if llm else 1)
        labeled = counting(labeled, len(rows), "rows labeled", failed=lambda record: record.error is not None)
        for row, record in zip(rows, labeled, strict=True):
            scored = rescore(record, "ragbench")
            assert scored.scores is not None  # noqa: S101  # rescore always sets them
            write(to_row(row, record, scored.scores))
            failed += record.error is not None
            incomplete += record.error is None and lacks_labels(scored.scores)
    if incomplete:
        print(f"{counted(incomplete, 'row')} incomplete: see `undefined` and `cleaning` there", file=sys.stderr)
    raise typer.Exit(FAILED if failed or incomplete else 0)


def check_not_the_same(file: Path, out: Path | None) -> None:
    """Raises `InputError` where the output would replace the input."""
    if out and out.exists() and file.exists() and out.samefile(file):
        raise InputError("--out names the file that is read.", "Write to another file.", file=str(out))
