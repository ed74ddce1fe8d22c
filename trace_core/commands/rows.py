"""Commands over files of rows: score rows with labels, label rows without, measure a labeler by released scores."""

import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from trace_core.commands.options import FAILURES, Budget, ConventionName, Json, LabelerName, Out, RowsFile
from trace_core.commands.output import counting, print_json, writing
from trace_core.commands.reading import Reading
from trace_core.commands.reports import Reporting
from trace_core.commands.stopping import stopped_with
from trace_core.datasets import Item
from trace_core.datasets.rows import ESTIMATES
from trace_core.diagnosis.rescoring import rescore, with_verdict
from trace_core.errors import InputError, counted
from trace_core.facts.labels import Expected
from trace_core.facts.records import Record, Truth
from trace_core.facts.strict import visible
from trace_core.labeling import make_labeler, uses_llm
from trace_core.llm import llm_from
from trace_core.metrics import Scoring, count_raw, lacks_labels, score_counts
from trace_core.pipeline import label_all
from trace_core.retrieval import embedder
from trace_core.runs.files.export import export
from trace_core.runs.files.exported import new_run
from trace_core.runs.files.row_records import expecting, to_record, to_row, unique_ids
from trace_core.settings import load
from trace_core.summary.intervals import few_words, too_few
from trace_core.summary.peers import FIGURES, PEERS, benchmark
from trace_core.summary.words import words_alone

STOP_MESSAGE = "stopped: replies that came are kept; the same command does not ask for them again"
"""The message for a stopped labeling that asks a model."""
_PEERS = frozenset(column for fields in PEERS.values() for column in fields.values())


def score(
    file: RowsFile,
    *,
    convention: ConventionName = None,
    raw: Annotated[bool, typer.Option("--raw", help="Count the lists as they came, uncleaned.")] = False,
    out: Out = None,
    reporting: Reporting,
    reading: Reading,
) -> None:
    """Score rows that have labels; prints a run file."""
    settings = load()
    scoring = Scoring(convention or settings.convention, settings.relevance_divisor)
    check_not_the_same(file, out)
    finish = reporting.open(scoring.convention)
    dataset = reading.whole_rows(file, labels=True, raw=raw)
    records = []
    for row, record_id in zip(dataset.items, unique_ids(dataset.items), strict=True):
        record = expecting(to_record(row, record_id), row)
        if raw:
            scores = score_counts(count_raw(row.model_extra or {}, record.sentences()), scoring)
            records.append(with_verdict(record.model_copy(update={"scores": scores})))
        else:
            records.append(rescore(record, scoring))
    public = settings.public() | {"raw": raw}
    bad, own = len(dataset.errors), scoring.convention
    run = new_run(records, file.name, convention=own, labeler="recorded", settings=public, left_out=bad)
    with writing(out) as stream:
        export(run, "json", stream)
    finish(run, run.counts["failed"], run.summary())


def label(
    file: RowsFile, *, labeler: LabelerName = None, out: Out = None, budget: Budget = None, reading: Reading
) -> None:
    """Label rows; prints the same rows with that labeler's labels and released-style scores (JSONL)."""
    settings = load(budget)
    name = labeler or settings.labeler
    llm = llm_from(settings) if uses_llm(name) else None
    judge = make_labeler(name, embedder(settings.embedding_model), llm)
    check_not_the_same(file, out)
    rows = reading.whole_rows(file).items
    failures = incomplete = 0
    with stopped_with(STOP_MESSAGE if llm else "stopped"), writing(out) as stream:
        records = label_all(_without_labels(rows), judge, llm.concurrency if llm else 1)
        records = counting(records, len(rows), "rows labeled", is_failure=lambda record: record.error is not None)
        for row, record in zip(rows, records, strict=True):
            scores = rescore(record, "ragbench").scores
            assert scores is not None  # noqa: S101  # rescore always sets them
            stream.write(json.dumps(to_row(row, record, scores), allow_nan=False) + "\n")
            if out is None:
                stream.flush()
            failures += record.error is not None
            incomplete += record.error is None and lacks_labels(scores)
    if incomplete:
        print(f"{counted(incomplete, 'row')} incomplete: see `undefined` and `cleaning` there", file=sys.stderr)
    raise typer.Exit(FAILURES if failures or incomplete else 0)


def check_not_the_same(file: Path, out: Path | None) -> None:
    """Raises `InputError` where the output would replace the input."""
    if out and out.exists() and file.exists() and out.samefile(file):
        raise InputError("--out names the input file.", "Write to another file.", file=str(out))


def benchmark_command(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Rows with released scores.")],
    labeler: Annotated[
        str,
        typer.Option("--labeler", help="local, gpt, decisions (public beta), or recorded: the labels in the files."),
    ],
    *,
    as_json: Json = False,
    reading: Reading,
) -> None:
    """Measure a labeler against files' released scores, next to the peers' columns."""
    settings = load()
    llm = llm_from(settings) if uses_llm(labeler) else None
    judge = None if labeler == "recorded" else make_labeler(labeler, embedder(settings.embedding_model), llm)
    columns = (_PEERS, () if judge else ESTIMATES.values())
    contents = {file: reading.whole_rows(file, columns, labels=judge is None).items for file in files}
    for file, rows in contents.items():
        if not any(row.adherence_score is not None or row.relevance_score is not None for row in rows):
            hint = "Give rows with relevance_score, utilization_score, completeness_score and adherence_score."
            raise InputError("The file has no released scores to measure against.", hint, file=str(file))
    results: dict[str, Any] = {}
    records, line, peers = list[Record](), list[Record](), list[dict[str, Any]]()
    for file, rows in contents.items():
        start = time.perf_counter()
        with stopped_with(STOP_MESSAGE if llm else "stopped"):
            if judge:
                each = label_all(_without_labels(rows), judge, llm.concurrency if llm else 1)
                own = list(counting(each, len(rows), f"rows of {file.name} labeled"))
            else:
                own = list(map(_with_labels, rows, unique_ids(rows)))
        seconds = round(time.perf_counter() - start, 3)
        words = list(label_all(_without_labels(rows), words_alone()))
        others = [row.model_extra or {} for row in rows]
        name = str(file) if file.stem in results else file.stem
        results[name] = benchmark(own, others, words) | {"seconds": seconds}
        records, line, peers = records + own, line + words, peers + others
    total = {"pooled": benchmark(records, peers, line)} if len(files) > 1 else {}
    if as_json:
        print_json({"labeler": labeler, "version": judge.version if judge else None, "files": results} | total)
    else:
        print(_table(results | total))
    raise typer.Exit(FAILURES if any(record.error for record in records) else 0)


def _without_labels(rows: Sequence[Item]) -> Iterator[Record]:
    return (to_record(row, name, with_labels=False) for row, name in zip(rows, unique_ids(rows), strict=True))


def _with_labels(row: Item, record_id: str) -> Record:
    record = to_record(row, record_id)
    record.ground_truth = record.ground_truth or Truth()
    values = {name: (row.model_extra or {}).get(column) for name, column in ESTIMATES.items()}
    values = {name: v for name, v in values.items() if isinstance(v, int | float) and 0 <= v <= 1}
    if record.labels and values:
        record.labels = record.labels.model_copy(update={"expected": Expected(**values)})
    return record


def _table(results: dict[str, Any]) -> str:
    """One line per file and judge, figures with their 95 % intervals; too few of a class: not adherent : adherent."""
    import pandas as pd

    rows = [
        {"file": visible(name), "judge": judge, "n": figures["n"]} | {one: _cell(figures, one) for one in FIGURES}
        for name, file in results.items()
        for judge, figures in ({"this": file, "words alone": file["words"]} | file["peers"]).items()
    ]
    return pd.DataFrame(rows).to_string(index=False)


def _cell(figures: dict[str, Any], name: str) -> str:
    value, interval = figures.get(name), figures["intervals"].get(name)
    if value is None:
        return "-"
    if name == "adherence_auroc" and few_words(*figures["classes"]):
        return "too few ({} : {})".format(*figures["classes"])
    return f"{value:.3f} " + (f"({interval[0]:.3f}, {interval[1]:.3f})" if interval else too_few(figures["n"]))
