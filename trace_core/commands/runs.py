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

import typer

from trace_core.commands.documents import open_collections, texts_in
from trace_core.commands.mapping import mapping_for
from trace_core.commands.options import (
    Baseline,
    Budget,
    Convention,
    FailUnder,
    Json,
    Junit,
    Labeler,
    Map,
    Strict,
    Summary,
)
from trace_core.commands.output import plain, print_json, report_left_out, say
from trace_core.commands.reports import Reports, read_reports
from trace_core.commands.rows import finish_run, read_gates
from trace_core.commands.stopping import Stopped, noting
from trace_core.datasets import DataSet, Item, read_dataset
from trace_core.datasets.traces import Texts
from trace_core.diagnosis.rescoring import relevance_divisor
from trace_core.errors import InputError, SettingsError
from trace_core.golden.dataset import golden_of, results_of
from trace_core.golden.results import by_category, described
from trace_core.metrics import check_convention
from trace_core.runs.execute.engine import Engine
from trace_core.runs.files.dataset import digest_of, plain_row, save_rows
from trace_core.runs.files.exported import from_store, under
from trace_core.settings import Settings, load
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
    labeler: Labeler = None,
    name: Annotated[str | None, typer.Option("--name", help="The run's name; the file's by default.")] = None,
    resume: Annotated[str | None, typer.Option("--resume", metavar="ID", help="Go on with this run.")] = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="With --resume: the failed ones alone.")] = False,
    convention: Convention = None,
    top_k: Annotated[int | None, typer.Option("--top-k", min=1, max=100)] = None,
    budget: Budget = None,
    fail_under: FailUnder = None,
    junit: Junit = None,
    summary: Summary = None,
    baseline: Baseline = None,
    answer: Annotated[bool, typer.Option("--answer", help="Have rows without an answer answered.")] = False,
    mapped: Map = None,
    strict: Strict = False,
) -> None:
    """Retrieve missing documents, answer where there is no response, label, score. Prints the run's id first."""
    settings = load()
    gates = read_gates(fail_under or [])
    if convention:
        check_convention(convention)
    if retry_failed and not resume:
        raise InputError("--retry-failed is for a run that there is.", "Name it: --resume ID.")
    _check_executor(settings.executor)
    store = open_store(settings.database)
    asked = {"labeler": labeler, "collection": collection, "top_k": top_k, "answer": answer or None, "name": name}
    known = _known(store, resume, asked, file, mapped) if resume else None
    chosen = convention or (known.config["convention"] if known else settings.convention)
    reports = read_reports(junit, summary, baseline, gates, chosen)
    with closing(QueryLog(settings.query_log_path)) as log:
        engine = Engine(
            store, settings,
            collections=lambda: open_collections(settings), log=None if settings.demo else log,
        )  # fmt: skip
        engine.recover()
        if known:
            run_id = known.id
            print(run_id, file=sys.stderr, flush=True)
        else:
            found = _rows(file, mapped, texts_in(settings), answer=answer, collection=collection)
            if not found.items or (strict and found.errors):
                report_left_out(found, strict)
            _check_collection(found.items, collection, settings)
            dataset = save_rows(store.datasets, file.name if file else "rows", found.items)
            run_id = engine.create(
                dataset, name or (file.stem if file else "run"),
                labeler=labeler, collection=collection, top_k=top_k, convention=convention, budget=budget,
                answer=answer,
            )  # fmt: skip
            print(run_id, file=sys.stderr, flush=True)
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


def _rows(
    file: Path | None, mapped: Sequence[str] | None, texts: Texts, *, answer: bool, collection: str | None
) -> DataSet:
    """The rows that a run can use, and an error for every other row.

    A row without an answer is an error unless `answer` is set, one without documents unless a collection is named.
    """
    if file is None:
        raise InputError("A file of rows was expected.", "Name one, or resume a run with --resume ID.")

    def unfit(row: Item) -> InputError | None:
        if row.unanswered and not answer:
            return InputError("The row has no answer.", _UNANSWERED)
        return InputError(*_WITHOUT_DOCUMENTS, field="documents") if row.kind == "ask" and not collection else None

    return read_dataset(file, mapping=mapping_for(file, mapped), texts=texts, unfit=unfit)


def _check_collection(rows: list[Item], collection: str | None, settings: Settings) -> None:
    """Raises an error where rows need retrieval and the collection does not exist."""
    if collection and any(row.kind == "ask" for row in rows):
        open_collections(settings).describe(collection)


def _known(store: Store, run_id: str, asked: Mapping[str, Any], file: Path | None, mapped: Sequence[str] | None) -> Run:
    """The run to resume.

    Raises `UnknownRun`, and `InputError` where an option says something else than the run's configuration, or the
    file has other rows than the run.
    """
    found = store.runs.load_run(run_id)
    _check_agrees(found, asked)
    if file is None and mapped:
        raise InputError("--map is for the columns of a file, and none is named.", "Leave it out, or name the file.")
    if file is not None and found.dataset_id:
        config = found.config
        rows = _rows(
            file, mapped, texts_in(load()),
            answer=bool(config.get("answer", True)), collection=config.get("collection"),
        ).items  # fmt: skip
        known = store.datasets.load_dataset(found.dataset_id)
        if known.digest != digest_of([plain_row(row) for row in rows]):
            raise InputError(f"The file's rows are not those of run {run_id}.", "Resume it without a file.")
    return found


def _check_agrees(found: Run, asked: Mapping[str, Any]) -> None:
    """Raises `InputError` for the first option that the run was made without, or with another value."""
    had = {"answer": True} | found.config | {"name": found.name}
    for option, wanted in asked.items():
        if wanted is not None and wanted != had.get(option):
            flag, made = f"--{option.replace('_', '-')}", had.get(option)
            how = f"with {flag} {made}, not {wanted}" if made else f"without {flag}"
            raise InputError(f"Run {found.id} was made {how}.", "Leave the option out to resume it, or make a new run.")


def _work(engine: Engine, run_id: str, failed: bool, budget: float | None, noted: list[int]) -> None:
    """Work until the run ends or a signal is noted; then raises `Stopped` once calls in flight are stored."""
    try:
        engine.start(run_id, failed=failed, budget=budget)
        while not _is_over(engine, run_id, noted):
            if now := engine.progress(run_id):
                say(now)
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


def _is_over(engine: Engine, run_id: str, noted: list[int]) -> bool:
    """Whether the run has ended, or is to be stopped, within `EVERY_SECONDS`; a signal is seen within 0.1 s."""
    until = time.monotonic() + EVERY_SECONDS
    while not (noted or engine.wait(run_id, NOTED_SECONDS)):
        if time.monotonic() > until:
            return False
    return True


def _report(store: Store, run_id: str, convention: str, budget: float | None, reports: Reports) -> None:
    """Print the run under the convention; what it prints as the configuration is what its figures stand under."""
    found = store.runs.load_run(run_id)
    columns, divisor = store.runs.columns(run_id), relevance_divisor(found.config)
    counts = count_columns(columns.score(convention, divisor))
    counts["pending"] += found.counts["total"] - counts["total"]
    counts["total"] = found.counts["total"]
    summary = summarize(columns, convention, divisor)
    config = found.config | {"convention": convention} | ({} if budget is None else {"budget": budget})
    head = {"id": found.id, "name": found.name, "created_at": found.created_at, "status": found.status,
            "reason": found.reason, "config": config, "usage": found.usage}  # fmt: skip
    golden = _golden(store, run_id, found.dataset_id, convention, divisor)
    print_json({"run": head, "counts": counts, "summary": summary, **golden})
    reports.write(under(from_store(store.runs, run_id), convention))
    if convention != found.config["convention"]:
        print(f"Scored under {convention} here; the run itself keeps {found.config['convention']}.", file=sys.stderr)
    print(plain(summary["diagnosis"]["text"]), file=sys.stderr)
    if counts["pending"]:
        print(f"{counts['pending']} records are pending; go on with: run --resume {run_id}", file=sys.stderr)
    finish_run(counts | {"failed": counts["failed"] + counts["pending"]}, summary, reports.gates)


def _golden(store: Store, run_id: str, dataset_id: str | None, convention: str, divisor: float) -> dict[str, Any]:
    """The result for golden questions: how many of the expected documents were found, overall and by category."""
    golden = golden_of(store.datasets, dataset_id) if dataset_id else {}
    results = list(results_of(golden, store.runs.records(run_id), convention, divisor)) if golden else []
    if not results:
        return {}
    return {"golden": described(results), "golden_by_category": by_category(results)}


def runs(as_json: Json = False) -> None:
    """List the runs, newest first."""
    settings = load()
    store = open_store(settings.database)
    Engine(store, settings).recover()
    found = store.runs.list_runs()
    if as_json:
        print_json([_line(one) for one in found])
        return
    for one in found:
        counts = one.counts
        done = f"{counts['total'] - counts['pending']}/{counts['total']}"
        done += f" ({counts['failed']} failed)" if counts["failed"] else ""
        means = " ".join(f"{k}={v:.2f}" for k, v in one.means.items() if v is not None and k != "average")
        print(plain(f"{one.id}  {one.created_at[:16]}  {one.status}  {done}  {one.name}  {means}"))
    if not found:
        print("There is no run yet. Make one with: python -m trace_core run FILE")


def _line(one: Any) -> dict[str, Any]:
    names = ("id", "name", "note", "created_at", "status", "reason", "counts", "means", "usage", "config", "dataset_id")
    return {name: getattr(one, name) for name in names}
