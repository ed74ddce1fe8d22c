"""Assembles the commands, and turns known errors into messages."""

from __future__ import annotations

import sys

import typer

from trace_core.commands import benchmark, compare, dashboard, documents, exchange, golden, mapping, rows, runs
from trace_core.commands.options import BAD_INPUT
from trace_core.errors import TraceError
from trace_core.retrieval import close_all

app = typer.Typer(
    add_completion=False,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
)


@app.callback()
def without_a_command(context: typer.Context) -> None:
    """Why a RAG answer scored what it scored. Without a command the dashboard opens."""
    if context.invoked_subcommand is None:
        dashboard.dashboard()


app.command()(dashboard.dashboard)
app.command()(dashboard.demo)
app.command()(rows.score)
app.command()(rows.label)
app.command()(mapping.formats)
app.command(name="import")(exchange.import_command)
app.command(name="export")(exchange.export_command)
app.command(name="ingest")(documents.ingest_command)
app.command(name="collections")(documents.collections_command)
app.command()(documents.ask)
app.command()(documents.doctor)
app.command()(compare.compare)
app.command(name="benchmark")(benchmark.benchmark_command)
app.command(name="golden")(golden.golden_command)
app.command()(runs.run)
app.command()(runs.runs)


def run() -> None:
    """Run a command; a known error becomes one message and exit code 2."""
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # any text, any terminal
    try:
        app(standalone_mode=True)
    except TraceError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(BAD_INPUT)
    except OSError as error:  # a file given with --out, or a full disk
        print(f"error: {error.filename or 'output'} cannot be written ({error.strerror}).", file=sys.stderr)
        sys.exit(BAD_INPUT)
    finally:
        close_all()
