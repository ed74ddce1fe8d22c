"""Commands over runs: start or resume one, list all, import and export."""

import sys
import time
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from trace_core.commands.documents import open_collections, texts_in
from trace_core.commands.options import Budget, ConventionName, Json, LabelerName, Out, RunId, TopK, Vector
from trace_core.commands.output import EVERY_SECONDS, counting, print_json, report_bad, say, writing
from trace_core.commands.reading import Reading, check_long, report_left_out
from trace_core.commands.reports import Finish, Reporting
from trace_core.commands.stopping import Stop, on_first_signal
from trace_core.datasets import DataSet, Item, read_dataset
from trace_core.errors import InputError, counted
from trace_core.facts.strict import visible
from trace_core.golden.results import by_category, group_summary, results_of
from trace_core.metrics import check_convention
from trace_core.runs.execute.engine import Engine
from trace_core.runs.files.export import FORMATS, export, format_of
from trace_core.runs.files.exported import from_store, under
from trace_core.runs.files.importing import import_run
from trace_core.runs.files.reader import looks_like_a_run, record_lines
from trace_core.runs.files.row_records import digest_of, plain_row, save_rows
from trace_core.runs.files.scored_rows import import_records, import_rows, read_scored_rows
from trace_core.settings import load
from trace_core.store.query_log import QueryLog
from trace_core.store.runs import Run
from trace_core.store.store import Store, open_store
from trace_core.summary.aggregation import count_columns

POLL_SECONDS = 0.1
_WITHOUT_DOCUMENTS = "The row has no documents, and no collection was named.", "Use --collection."
_WITHOUT_ANSWER = "Say which column holds it (--map response=COLUMN), or have it answered (--answer)."


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRun:
    """How a new run is made: its name, and the `RunChoices`."""

    labeler: LabelerName = None
    collection: Annotated[str | None, typer.Option(help="Where rows without documents find theirs.")] = None
    vector: Vector = None
    top_k: TopK = None
    name: Annotated[str | None, typer.Option(help="The run's name; the file's by default.")] = None
    answer: Annotated[bool, typer.Option("--answer", help="Have rows without an answer answered.")] = False
    convention: ConventionName = None
    budget: Budget = None


def run(
    file: Annotated[Path | None, typer.Argument(help="Rows: JSONL, JSON, CSV, Excel…; none to resume.")] = None,
    *,
    new: NewRun,
    resume: Annotated[str | None, typer.Option(metavar="ID", help="Continue this run.")] = None,
    retry: Annotated[bool, typer.Option("--retry-failed", help="With --resume: only the failed records.")] = False,
    reporting: Reporting,
    reading: Reading,
) -> None:
    """Retrieve missing documents, answer on request (--answer), label, score. Prints the run's id first."""
    settings = load()
    if retry and not resume:
        raise InputError("--retry-failed needs an existing run.", "Name it: --resume ID.")
    check_convention(new.convention or settings.convention)
    store = open_store(settings.database)
    former = store.runs.load_run(resume) if resume else None
    convention = new.convention or (former.config["convention"] if former else settings.convention)
    finish = reporting.open(convention)
    if former:
        _check_same(store, former, new, file, reading)
    with closing(QueryLog(settings.query_log_path)) as log:
        on_demand = partial(open_collections, settings)
        engine = Engine(store, settings, collections=on_demand, log=None if settings.demo else log)
        engine.recover()
        run_id, dataset = resume or "", None
        if not former:
            dataset = _rows(file, reading, answer=new.answer, collection=new.collection)
            if not dataset.items or (reading.strict and dataset.errors):
                report_left_out(dataset, reading.strict)
            if new.collection and any(row.kind == "ask" and not row.by_id for row in dataset.items):
                on_demand().check(new.collection, new.vector)
            path = Path(dataset.name)
            choices = asdict(new) | {"name": new.name or path.stem, "left_out": len(dataset.errors)}
            run_id = engine.create(save_rows(store.datasets, path.name, dataset.items), **choices)
        print(run_id, file=sys.stderr, flush=True)
        if dataset:
            report_left_out(dataset, strict=False)
        signals: list[int] = []
        with on_first_signal(signals.append):  # work that must not be interrupted halfway
            _work(engine, run_id, retry, new.budget if former else None, signals)
    _report(store, run_id, convention, new.budget, finish)


def _rows(file: Path | None, reading: Reading, *, answer: bool, collection: str | None) -> DataSet:
    """The rows that a run can use, and an error for every other row. A row without an answer is an error unless
    `answer` is set, one without documents unless a collection is named."""
    if file is None:
        raise InputError("A file of rows was expected.", "Name one, or resume a run with --resume ID.")

    def unfit(row: Item) -> InputError | None:
        if row.unanswered and not answer:
            return InputError("The row has no answer.", _WITHOUT_ANSWER)
        return InputError(*_WITHOUT_DOCUMENTS, field="documents") if row.kind == "ask" and not collection else None

    dataset = read_dataset(file, mapping=reading.mapping(file), texts=texts_in(load()), unfit=unfit)
    check_long(dataset)
    return dataset


def _check_same(store: Store, former: Run, new: NewRun, file: Path | None, reading: Reading) -> None:
    """A run goes on as it was made: raises `InputError` for other rows, and for whatever only a new run is given."""
    for_new_runs = asdict(replace(new, convention=None, budget=None))
    if not file:
        for_new_runs |= {"map": reading.map_options, "group": reading.group is not None}
    flags = [f"--{name.replace('_', '-')}" for name, value in for_new_runs.items() if value]
    if flags:
        raise InputError(f"Run {former.id} continues with its own settings.", f"Leave out {', '.join(flags)}.")
    if file and former.dataset_id:
        config = former.config
        rows = _rows(file, reading, answer=bool(config.get("answer", True)), collection=config.get("collection")).items
        if store.datasets.load_dataset(former.dataset_id).digest != digest_of([plain_row(row) for row in rows]):
            raise InputError(f"The file's rows are not those of run {former.id}.", "Resume it without a file.")


def _work(engine: Engine, run_id: str, failures: bool, budget: float | None, signals: list[int]) -> None:
    """Work until the run ends or a signal comes; then raises `Stop` once calls in flight are stored."""
    try:
        engine.start(run_id, failed=failures, budget=budget)
        last = time.monotonic()
        while not (signals or engine.wait(run_id, POLL_SECONDS)):
            if time.monotonic() > last + EVERY_SECONDS and (now := engine.progress(run_id)):
                say(now)
                last = time.monotonic()
        if signals:
            print("\nstopping: finishing what is in flight first", file=sys.stderr)
            engine.stop(run_id)
            engine.wait(run_id)
    finally:
        if now := engine.progress(run_id):
            say(now, last=True)
        engine.close()
    if signals:
        raise Stop(signals[0], f"stopped; continue with: run --resume {run_id}")


def _report(store: Store, run_id: str, convention: str, budget: float | None, finish: Finish) -> None:
    """Print the run under the convention; what it prints as the configuration is what its figures stand under."""
    stored_run = store.runs.load_run(run_id)
    result = under(from_store(store.runs, run_id), convention)
    counts, summary = count_columns(result.scores()), result.summary()
    counts["pending"] += stored_run.counts["total"] - counts["total"]
    counts["total"] = stored_run.counts["total"]
    config = stored_run.config | {"convention": convention} | ({} if budget is None else {"budget": budget})
    head = _fields(stored_run, "id", "name", "created_at", "status", "reason", "usage") | {"config": config}
    report: dict[str, Any] = {"run": head, "counts": counts, "summary": summary}
    if "golden" in summary:
        results = list(results_of(result.read(), result.scoring))
        report |= {"golden": group_summary(results), "golden_by_category": by_category(results)}
    print_json(report)
    if convention != (own := stored_run.config["convention"]):
        print(f"Scored under {convention} here; the run itself keeps {own}.", file=sys.stderr)
    if counts["pending"]:
        print(f"{counts['pending']} records are pending; continue with: run --resume {run_id}", file=sys.stderr)
    finish(result, counts["failed"] + counts["pending"], summary)


def _fields(run: Run, *names: str) -> dict[str, Any]:
    return {name: getattr(run, name) for name in names}


def runs(as_json: Json = False) -> None:
    """List the runs, newest first."""
    settings = load()
    store = open_store(settings.database)
    Engine(store, settings).recover()
    every = store.runs.list_runs()
    if as_json:
        names = ("id", "name", "note", "created_at", "status", "reason", "counts", "means", "usage", "config")
        print_json([_fields(one, *names, "dataset_id") for one in every])
        return
    for one in every:
        counts = one.counts
        progress = f"{counts['total'] - counts['pending']}/{counts['total']}"
        progress += f" ({counts['failed']} failed)" if counts["failed"] else ""
        means = " ".join(f"{k}={v:.2f}" for k, v in one.means.items() if v is not None and k != "average")
        print(visible(f"{one.id}  {one.created_at[:16]}  {one.status}  {progress}  {one.name}  {means}"))
    if not every:
        print("There is no run yet. Make one with: python -m trace_core run FILE")


def import_command(
    file: Annotated[Path, typer.Argument(help="A run file, or rows that have labels or scores.")],
    *,
    convention: ConventionName = None,
    reading: Reading,
) -> None:
    """Import a run file, an export of records (JSONL), or scored rows into the store; importing again does nothing."""
    settings = load()
    changes = reading.mapping(file)
    convention = check_convention(convention or settings.convention)
    store = open_store(settings.database).runs
    if looks_like_a_run(file):
        run_id, new = import_run(store, file, watch=lambda records, total: counting(records, total, "records"))
    elif not changes and (lines := record_lines(file)):
        outcomes = [line if isinstance(line, InputError) else None for line in lines]  # no record is held
        errors = [one for one in outcomes if one]
        good = len(outcomes) - len(errors)
        report_bad(errors, good > 0 and not reading.strict)
        if errors:
            print(f"Records read: {good}. Left out: {counted(len(errors), 'row')}.", file=sys.stderr)
        run_id, new = import_records(store, file, lines, convention, settings.public())
    else:
        rows = read_scored_rows(file, mapping=changes)
        report_left_out(rows, reading.strict)
        run_id, new = import_rows(store, file, rows.items, convention, settings.public(), changes)
    run = store.load_run(run_id)
    print_json({"run": run_id, "name": run.name, "imported": new, "counts": run.counts})


def export_command(
    run_id: RunId, form: Annotated[str, typer.Option("--format", help=f"One of {', '.join(FORMATS)}.")], out: Out = None
) -> None:
    """Write a stored run to a file."""
    format_of(form)
    run = from_store(open_store(load().database).runs, run_id)
    with writing(out) as stream:
        export(run, form, stream)
