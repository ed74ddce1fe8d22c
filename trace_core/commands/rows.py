"""Commands over files of rows: score rows with labels, label rows without."""

from __future__ import annotations

import math
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from trace_core.commands.documents import texts_in
from trace_core.commands.mapping import mapping_for
from trace_core.commands.options import (
    FAILED,
    GATE,
    Baseline,
    Budget,
    Convention,
    FailUnder,
    File,
    Junit,
    Labeler,
    Map,
    Out,
    Strict,
    Summary,
)  # fmt: skip
from trace_core.commands.output import lines, progress, report_left_out, writing
from trace_core.commands.reports import read_reports
from trace_core.commands.stopping import said_when_stopped
from trace_core.datasets import Item, read_whole, to_record, to_row, unique_ids
from trace_core.diagnosis.faults import examine
from trace_core.diagnosis.rescoring import rescore
from trace_core.errors import InputError, SettingsError, counted
from trace_core.facts.records import Record
from trace_core.labeling import make_labeler, uses_llm
from trace_core.llm import llm_from
from trace_core.metrics import METRICS, check_convention, count_raw, lacks_labels, score_counts
from trace_core.pipeline import label_all
from trace_core.retrieval import embedder
from trace_core.runs import export, new_run
from trace_core.runs.files.dataset import expecting
from trace_core.settings import Settings, load

KEPT = "stopped: replies that came are kept, and none of them is asked for again by the same command"
"""The message for a stopped labeling that asks a model."""


def score(
    file: File,
    convention: Convention = None,
    raw: Annotated[bool, typer.Option("--raw", help="Count the lists as they came, uncleaned.")] = False,
    out: Out = None,
    fail_under: FailUnder = None,
    junit: Junit = None,
    summary: Summary = None,
    baseline: Baseline = None,
    mapped: Map = None,
    strict: Strict = False,
) -> None:
    """Score rows that have labels; prints a run file."""
    settings = load()
    chosen = check_convention(convention or settings.convention)
    gates = read_gates(fail_under or [])
    check_not_the_same(file, out)
    reports = read_reports(junit, summary, baseline, gates, chosen)
    rows = read_good_rows(file, strict, mapped, labels=True, raw=raw)
    records = []
    for row, record_id in zip(rows, unique_ids(rows), strict=True):
        record = expecting(to_record(row, record_id), row)
        records.append(
            _score_raw(row, record, chosen, settings) if raw else rescore(record, chosen, settings.relevance_divisor)
        )
    public = settings.public() | {"raw": raw}
    run = new_run(records, file.name, convention=chosen, labeler="recorded", settings=public)
    with writing(out) as stream:
        export(run, "json", stream)
    reports.write(run)
    found = run.summary()
    print(found["diagnosis"]["text"], file=sys.stderr)
    finish_run(run.counts, found, gates)


def label(
    file: File,
    labeler: Labeler = None,
    out: Out = None,
    budget: Budget = None,
    mapped: Map = None,
    strict: Strict = False,
) -> None:
    """Label rows; prints the same rows with that labeler's labels and released-style scores (JSONL)."""
    settings = load()
    name = labeler or settings.labeler
    settings = settings if budget is None else settings.model_copy(update={"budget": budget})
    llm = llm_from(settings) if uses_llm(name) else None
    made = make_labeler(name, embedder(settings.embedding_model), llm)
    check_not_the_same(file, out)
    rows = read_good_rows(file, strict, mapped)
    failed = incomplete = 0
    with said_when_stopped(KEPT if llm else "stopped"), lines(out) as write:
        records = (to_record(*named, with_labels=False) for named in zip(rows, unique_ids(rows), strict=True))
        labeled = label_all(records, made, llm.concurrency if llm else 1)
        for n, (row, record) in enumerate(zip(rows, labeled, strict=True), start=1):
            scored = rescore(record, "ragbench")
            assert scored.scores is not None  # noqa: S101  # rescore always sets them
            write(to_row(row, record, scored.scores))
            failed += record.error is not None
            incomplete += record.error is None and lacks_labels(scored.scores)
            parts = [f"{n:,} of {counted(len(rows), 'row')} labeled", *([f"{failed} failed"] if failed else [])]
            parts += [f"{incomplete} incomplete: see `undefined` and `cleaning` there"] if incomplete else []
            progress(", ".join(parts), n == len(rows))
    raise typer.Exit(FAILED if failed or incomplete else 0)


def check_not_the_same(file: Path, out: Path | None) -> None:
    """Raises `InputError` where the output would replace the input."""
    if out and out.exists() and file.exists() and out.samefile(file):
        raise InputError("--out names the file that is read.", "Write to another file.", file=str(out))


def read_good_rows(
    file: Path,
    strict: bool,
    mapped: Sequence[str] | None,
    *,
    labels: bool = False,
    raw: bool = False,
    peers: Collection[str] = (),
    own: Collection[str] = (),
) -> list[Item]:
    """The good rows of a file. Raises `InputError` where there are none, and with `strict` for any bad one.

    `peers` and `own` are columns that the caller reads itself, as in `DataSet.describe`.
    """
    found = read_whole(file, labels=labels, raw=raw, mapping=mapping_for(file, mapped), texts=texts_in(load()))
    report_left_out(found, strict, found.describe(peers, own))
    return found.items


def _score_raw(row: Item, record: Record, convention: str, settings: Settings) -> Record:
    counted = count_raw(row.model_extra or {}, record.sentences())
    scores = score_counts(counted, convention, settings.relevance_divisor)
    return record.model_copy(update={"scores": scores, "findings": examine(record, scores).findings})


def read_gates(texts: Sequence[str]) -> dict[str, float]:
    """`["adherence=0.9"]` → `{"adherence": 0.9}`. Raises `SettingsError`."""
    gates = {}
    for text in texts:
        name, _, value = text.partition("=")
        try:
            gates[name] = float(value)
        except ValueError:
            name = ""
        if name not in METRICS or not math.isfinite(gates[name]):
            raise SettingsError(
                f"--fail-under {text!r} is not understood.",
                f"Use one of {', '.join(METRICS)}, as in adherence=0.9.",
            )
    return gates


def finish_run(counted: dict[str, int], summary: dict[str, Any], gates: dict[str, float]) -> None:
    """Exit with the run's code: a gate missed, failed records, or 0."""
    missed = False
    for name, least in gates.items():
        mean = summary["metrics"][name]["mean"]
        if mean is None or mean < least:
            shown = "undefined" if mean is None else f"{mean:.4f}"
            print(f"gate: mean {name} is {shown}, below {least}", file=sys.stderr)
            missed = True
    raise typer.Exit(GATE if missed else FAILED if counted["failed"] else 0)
