"""Commands over runs: start or resume one, list all."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from socket import create_connection
from typing import Annotated, Any
from urllib.parse import urlsplit

import numpy as np
import typer

from trace_core.commands import options
from trace_core.commands.documents import open_collections, texts_in
from trace_core.commands.mapping import mapping_for
from trace_core.commands.output import plain, print_json, report_left_out, say
from trace_core.commands.reports import Reports, read_reports
from trace_core.commands.stopping import Stopped, noting
from trace_core.datasets import DataSet, Item, read_dataset
from trace_core.diagnosis.rescoring import relevance_divisor
from trace_core.errors import InputError, SettingsError
from trace_core.golden.dataset import results_of
from trace_core.golden.results import by_category, described
from trace_core.metrics import check_convention
from trace_core.runs.execute.engine import Engine
from trace_core.runs.files.dataset import digest_of, plain_row, save_rows
from trace_core.runs.files.exported import from_store, under
from trace_core.settings import load
from trace_core.store.query_log import QueryLog
from trace_core.store.runs import Run
from trace_core.store.store import Store, open_store
from trace_core.summary.aggregation import count_columns, summarize

EVERY_SECONDS = 1.0
"""Seconds between progress reports."""
NOTED_SECONDS = 0.1
JOIN_SECONDS = 10.0
"""How long a Dask scheduler may take to answer before a run is made."""
_WITHOUT_DOCUMENTS = "The row has no documents, and no collection was named.", "Use --collection."
_UNANSWERED = "Say which column holds it (--map response=COLUMN), or have it answered (--answer)."


def run(
    file: Annotated[Path | None, typer.Argument(help="Rows: JSONL, JSON, CSV, Excel…; none to resume.")] = None,
    collection: Annotated[str | None, typer.Option("--collection", help="Where rows without documents look.")] = None,
    labeler: options.Labeler = None,
    name: Annotated[str | None, typer.Option("--name", help="The run's name; the file's by default.")] = None,
    resume: Annotated[str | None, typer.Option("--resume", metavar="ID", help="Go on with this run.")] = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="With --resume: the failed ones alone.")] = False,
    convention: options.Convention = None,
    top_k: options.TopK = None,
    budget: options.Budget = None,
    fail_under: options.FailUnder = None,
    junit: options.Junit = None,
    summary: options.Summary = None,
    baseline: options.Baseline = None,
    answer: Annotated[bool, typer.Option("--answer", help="Have rows without an answer answered.")] = False,
    mapped: options.Map = None,
    strict: options.Strict = False,
) -> None:
    """Retrieve missing documents, answer where there is no response, label, score. Prints the run's id first."""
    settings = load()
    if retry_failed and not resume:
        raise InputError("--retry-failed is for a run that there is.", "Name it: --resume ID.")
    check_convention(convention or settings.convention)
    _check_executor(settings.executor)
    store = open_store(settings.database)
    known = store.runs.load_run(resume) if resume else None
    chosen = convention or (known.config["convention"] if known else settings.convention)
    reports = read_reports(junit, summary, baseline, fail_under, chosen)
    if known:
        _check_agrees(known, {"labeler": labeler, "collection": collection, "top_k": top_k, "answer": answer or None,
                              "name": name})  # fmt: skip
        _check_rows(store, known, file, mapped)
    with closing(QueryLog(settings.query_log_path)) as log:
        engine = Engine(
            store, settings,
            collections=lambda: open_collections(settings), log=None if settings.demo else log,
        )  # fmt: skip
        engine.recover()
        found = None
        if known:
            run_id = known.id
        else:
            found = _rows(file, mapped, answer=answer, collection=collection)
            if not found.items or (strict and found.errors):
                report_left_out(found, strict)
            if collection and any(row.kind == "ask" for row in found.items):
                open_collections(settings).describe(collection)  # raises where there is none
            run_id = engine.create(
                save_rows(store.datasets, Path(found.name).name, found.items), name or Path(found.name).stem,
                labeler=labeler, collection=collection, top_k=top_k, convention=convention, budget=budget,
                answer=answer,
            )  # fmt: skip
        print(run_id, file=sys.stderr, flush=True)
        if found:
            report_left_out(found, strict=False)
        with noting() as noted:
            _work(engine, run_id, retry_failed, budget if resume else None, noted)
    _report(store, run_id, chosen, budget, reports)


def _check_executor(executor: str) -> None:
    """Raises `SettingsError` where nothing could process the rows: a run that cannot start is not made."""
    if executor == "local":
        return
    if find_spec("distributed") is None:
        raise SettingsError(
            "TRACE_EXECUTOR names Dask, which is not installed.",
            "Install it (pip install -r requirements-cluster.txt), or unset TRACE_EXECUTOR.",
        )
    address = urlsplit(executor if "://" in executor else f"tcp://{executor}")
    if executor == "dask" or address.scheme not in ("tcp", "tls", "ws", "wss"):
        return
    try:  # Dask itself waits longer, and reports more than a person can read
        create_connection((address.hostname, address.port), JOIN_SECONDS).close()
    except OSError as error:
        raise SettingsError(
            f"The Dask scheduler that TRACE_EXECUTOR names does not answer ({error.strerror or type(error).__name__}).",
            "Start it, or mend its address, as in tcp://host:8786.",
        ) from None


def _rows(file: Path | None, mapped: Sequence[str] | None, *, answer: bool, collection: str | None) -> DataSet:
    """The rows that a run can use, and an error for every other row.

    A row without an answer is an error unless `answer` is set, one without documents unless a collection is named.
    """
    if file is None:
        raise InputError("A file of rows was expected.", "Name one, or resume a run with --resume ID.")

    def unfit(row: Item) -> InputError | None:
        if row.unanswered and not answer:
            return InputError("The row has no answer.", _UNANSWERED)
        return InputError(*_WITHOUT_DOCUMENTS, field="documents") if row.kind == "ask" and not collection else None

    return read_dataset(file, mapping=mapping_for(file, mapped), texts=texts_in(load()), unfit=unfit)


def _check_agrees(known: Run, asked: Mapping[str, Any]) -> None:
    """Raises `InputError` for the first option that the run was made without, or with another value."""
    config = {"answer": True} | known.config | {"name": known.name}
    for option, wanted in asked.items():
        if wanted is not None and wanted != config.get(option):
            flag, made = f"--{option.replace('_', '-')}", config.get(option)
            how = f"with {flag} {made}, not {wanted}" if made else f"without {flag}"
            raise InputError(f"Run {known.id} was made {how}.", "Leave the option out to resume it, or make a new run.")


def _check_rows(store: Store, known: Run, file: Path | None, mapped: Sequence[str] | None) -> None:
    """Raises `InputError` where a file has other rows than the run that is resumed."""
    if file is None and mapped:
        raise InputError("--map is for the columns of a file, and none is named.", "Leave it out, or name the file.")
    if file is None or not known.dataset_id:
        return
    config = known.config
    rows = _rows(file, mapped, answer=bool(config.get("answer", True)), collection=config.get("collection")).items
    if store.datasets.load_dataset(known.dataset_id).digest != digest_of([plain_row(row) for row in rows]):
        raise InputError(f"The file's rows are not those of run {known.id}.", "Resume it without a file.")


def _work(engine: Engine, run_id: str, failed: bool, budget: float | None, noted: list[int]) -> None:
    """Work until the run ends or a signal is noted; then raises `Stopped` once calls in flight are stored."""
    try:
        engine.start(run_id, failed=failed, budget=budget)
        shown = time.monotonic()
        while not (noted or engine.wait(run_id, NOTED_SECONDS)):
            if time.monotonic() > shown + EVERY_SECONDS and (now := engine.progress(run_id)):
                say(now)
                shown = time.monotonic()
        if noted:
            print("\nstopping: what is in flight is finished first", file=sys.stderr)
            engine.stop(run_id)
            engine.wait(run_id)
    finally:
        if now := engine.progress(run_id):
            say(now, last=True)
        engine.close()
    if noted:
        raise Stopped(noted[0], f"stopped; go on with: run --resume {run_id}")


def _report(store: Store, run_id: str, convention: str, budget: float | None, reports: Reports) -> None:
    """Print the run under the convention; what it prints as the configuration is what its figures stand under."""
    found = store.runs.load_run(run_id)
    columns, divisor = store.runs.columns(run_id), relevance_divisor(found.config)
    counts = count_columns(columns.score(convention, divisor))
    counts["pending"] += found.counts["total"] - counts["total"]
    counts["total"] = found.counts["total"]
    summary = summarize(columns, convention, divisor)
    config = found.config | {"convention": convention} | ({} if budget is None else {"budget": budget})
    head = _listed(found, "id", "name", "created_at", "status", "reason", "usage") | {"config": config}
    shown: dict[str, Any] = {"run": head, "counts": counts, "summary": summary}
    if np.isfinite(columns.facts["unanswerable"]).any():  # known of golden questions alone
        results = list(results_of(store.runs.records(run_id), convention, divisor))
        shown |= {"golden": described(results), "golden_by_category": by_category(results)}
    print_json(shown)
    if convention != found.config["convention"]:
        print(f"Scored under {convention} here; the run itself keeps {found.config['convention']}.", file=sys.stderr)
    if counts["pending"]:
        print(f"{counts['pending']} records are pending; go on with: run --resume {run_id}", file=sys.stderr)
    failed = counts["failed"] + counts["pending"]
    reports.finish(under(from_store(store.runs, run_id), convention), counts | {"failed": failed}, summary)


def _listed(run: Run, *names: str) -> dict[str, Any]:
    return {name: getattr(run, name) for name in names}


def runs(as_json: options.Json = False) -> None:
    """List the runs, newest first."""
    settings = load()
    store = open_store(settings.database)
    Engine(store, settings).recover()
    found = store.runs.list_runs()
    if as_json:
        names = ("id", "name", "note", "created_at", "status", "reason", "counts", "means", "usage", "config")
        print_json([_listed(one, *names, "dataset_id") for one in found])
        return
    for one in found:
        counts = one.counts
        done = f"{counts['total'] - counts['pending']}/{counts['total']}"
        done += f" ({counts['failed']} failed)" if counts["failed"] else ""
        means = " ".join(f"{k}={v:.2f}" for k, v in one.means.items() if v is not None and k != "average")
        print(plain(f"{one.id}  {one.created_at[:16]}  {one.status}  {done}  {one.name}  {means}"))
    if not found:
        print("There is no run yet. Make one with: python -m trace_core run FILE")
