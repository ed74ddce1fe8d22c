"""Assembles the commands, and turns known errors into messages."""

import sys

import typer

from trace_core.commands import compare, documents, measures, reading, rows, runs
from trace_core.commands.dashboard import dashboard, demo
from trace_core.commands.options import BAD_INPUT, with_options
from trace_core.commands.stopping import AT_FIRST_SIGNAL
from trace_core.errors import TraceError
from trace_core.facts.strict import visible
from trace_core.llm.limiter import ENDING
from trace_core.retrieval import close_all

app = typer.Typer(add_completion=False, invoke_without_command=True, pretty_exceptions_enable=False)


@app.callback()
def without_a_command(context: typer.Context) -> None:
    """Why a RAG answer scored what it scored. Without a command the dashboard opens."""
    if context.invoked_subcommand is None:
        dashboard()


for command in (
    dashboard,
    demo,
    rows.score,
    rows.label,
    reading.formats,
    runs.import_command,
    runs.export_command,
    documents.ingest_command,
    documents.collections_command,
    documents.ask,
    documents.doctor,
    compare.compare,
    rows.benchmark_command,
    runs.run,
    runs.runs,
    measures.contribution,
    measures.noise_command,
):
    app.command(command.__name__.removesuffix("_command"))(with_options(command))


def run_command() -> None:
    """Run a command; a known error becomes one message and exit code 2."""
    AT_FIRST_SIGNAL.append(ENDING.set)
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # any text, any terminal
    try:
        app(standalone_mode=True)
    except TraceError as error:
        print(visible(f"error: {error}"), file=sys.stderr)
        sys.exit(BAD_INPUT)
    except OSError as error:  # a file given with --out, or a full disk
        print(visible(f"error: {error.filename or 'output'} cannot be written ({error.strerror})."), file=sys.stderr)
        sys.exit(BAD_INPUT)
    finally:
        AT_FIRST_SIGNAL.clear()
        ENDING.clear()
        close_all()
