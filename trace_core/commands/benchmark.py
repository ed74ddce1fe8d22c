"""The command `benchmark`: a labeler against the released columns of files, next to the published judges."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from trace_core.commands.options import FAILED, Json
from trace_core.commands.output import counting, plain, print_json
from trace_core.commands.reading import Reading
from trace_core.commands.rows import KEPT
from trace_core.commands.stopping import stopped_with
from trace_core.datasets import Item, to_record, unique_ids
from trace_core.errors import InputError
from trace_core.facts.labels import Expected
from trace_core.facts.records import Record, Truth
from trace_core.labeling import Labeler as Labels
from trace_core.labeling import make_labeler, uses_llm
from trace_core.llm import llm_from
from trace_core.metrics import METRICS
from trace_core.pipeline import label_all
from trace_core.retrieval import embedder
from trace_core.settings import load
from trace_core.summary.intervals import few_words, too_few
from trace_core.summary.peers import FIGURES, PEERS, benchmark

_ESTIMATES = {name: f"expected_{name}" for name in METRICS}
"""Our metric → the column with a labeler's estimate of it, as `label` writes it."""
_PEERS = frozenset(column for fields in PEERS.values() for column in fields.values())


def benchmark_command(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Rows with released scores.")],
    labeler: Annotated[str, typer.Option("--labeler", help="local, gpt, or recorded: the labels in the files.")],
    *,
    as_json: Json = False,
    reading: Reading,
) -> None:
    """Measure a labeler against files' released scores, next to the peers' columns."""
    settings = load()
    llm = llm_from(settings) if uses_llm(labeler) else None
    recorded = labeler == "recorded"
    made = None if recorded else make_labeler(labeler, embedder(settings.embedding_model), llm)
    columns = (_PEERS, _ESTIMATES.values() if recorded else ())
    read = {file: reading.whole_rows(file, columns, labels=recorded) for file in files}
    for file, rows in read.items():
        _check_truth(file, rows)
    found: dict[str, Any] = {}
    every: list[Record] = []
    for file, rows in read.items():
        start = time.perf_counter()
        with stopped_with(KEPT if llm else "stopped"):
            records = _records(rows, made, llm.concurrency if llm else 1, file.name)
        name = str(file) if file.stem in found else file.stem
        found[name] = benchmark(records, _others(rows)) | {"seconds": round(time.perf_counter() - start, 3)}
        every += records
    others = [other for rows in read.values() for other in _others(rows)]
    pooled = {"pooled": benchmark(every, others)} if len(files) > 1 else {}
    if as_json:
        print_json({"labeler": labeler, "version": made.version if made else None, "files": found} | pooled)
    else:
        print(_table(found | pooled))
    raise typer.Exit(FAILED if any(record.error for record in every) else 0)


def _others(rows: Sequence[Item]) -> list[dict[str, Any]]:
    return [row.model_extra or {} for row in rows]


def _check_truth(file: Path, rows: Sequence[Item]) -> None:
    if not any(row.adherence_score is not None or row.relevance_score is not None for row in rows):
        raise InputError(
            "The file holds no released scores to measure against.",
            "Give rows with relevance_score, utilization_score, completeness_score and adherence_score.",
            file=str(file),
        )


def _records(rows: Sequence[Item], labeler: Labels | None, workers: int, name: str) -> list[Record]:
    """The rows as records labeled by `labeler`, or as recorded; ground truth is the released scores."""
    named = list(zip(rows, unique_ids(rows), strict=True))
    if labeler is None:
        return [_recorded(row, record_id) for row, record_id in named]
    records = (to_record(row, record_id, with_labels=False) for row, record_id in named)
    return list(counting(label_all(records, labeler, workers), len(rows), f"rows of {name} labeled"))


def _recorded(row: Item, record_id: str) -> Record:
    record = to_record(row, record_id)
    record.ground_truth = record.ground_truth or Truth()
    values = {name: (row.model_extra or {}).get(column) for name, column in _ESTIMATES.items()}
    expected = {name: v for name, v in values.items() if isinstance(v, int | float) and 0 <= v <= 1}
    if record.labels and expected:
        record.labels = record.labels.model_copy(update={"expected": Expected(**expected)})
    return record


def _table(found: dict[str, Any]) -> str:
    """One line per file and judge, figures with their 95 % intervals; too few of a class: not adherent : adherent."""
    import pandas as pd

    rows = [
        {"file": plain(name), "judge": judge, "n": figures["n"]} | {one: _cell(figures, one) for one in FIGURES}
        for name, file in found.items()
        for judge, figures in ({"this": file} | file["peers"]).items()
    ]
    return pd.DataFrame(rows).to_string(index=False)


def _cell(figures: dict[str, Any], name: str) -> str:
    value, interval = figures.get(name), figures["intervals"].get(name)
    if value is None:
        return "-"
    if name == "adherence_auroc" and few_words(*figures["classes"]):
        return "too few ({} : {})".format(*figures["classes"])
    return f"{value:.3f} " + (f"({interval[0]:.3f}, {interval[1]:.3f})" if interval else too_few(figures["n"]))
