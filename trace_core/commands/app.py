"""Assembles the commands, turns known errors into messages, and opens the dashboard."""

import os
import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, files
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from trace_core.commands import compare, documents, measures, reading, rows, runs
from trace_core.commands.options import BAD_INPUT, with_options
from trace_core.commands.stopping import AT_FIRST_SIGNAL
from trace_core.errors import InputError, TraceError
from trace_core.facts.strict import visible
from trace_core.llm.limiter import ENDING
from trace_core.retrieval import close_all

app = typer.Typer(add_completion=False, invoke_without_command=True, pretty_exceptions_enable=False)

Port = Annotated[int | None, typer.Option("--port", min=1, max=65535, help="The port to serve on; 8501 by default.")]
Host = Annotated[str | None, typer.Option("--host", help="The address to serve on; 0.0.0.0 for any.")]


@app.callback()
def without_a_command(context: typer.Context) -> None:
    """Why a RAG answer scored what it scored. Without a command the dashboard opens."""
    if context.invoked_subcommand is None:
        dashboard()


def demo(port: Port = None, host: Host = None) -> None:
    """Open the dashboard with the limits of a public demo (TRACE_DEMO=1)."""
    os.environ["TRACE_DEMO"] = "1"
    dashboard(port, host)


def dashboard(port: Port = None, host: Host = None) -> None:
    """Open the dashboard, which serves POST /trace too. This is what happens without a command."""
    if find_spec("streamlit") is None:
        raise InputError("The dashboard is not installed.", 'Run: pip install "trace-rag[dashboard]"')
    # Streamlit takes the place of this process; what is not chosen is in its configuration.
    options = [f"--server.port={port}"] if port else []
    options += [f"--server.address={host}"] if host else []
    sys.stderr.flush()
    os.execv(sys.executable, [sys.executable, "-m", "streamlit", "run", str(app_file()), *options])  # noqa: S606


def app_file() -> Path:
    """`app.py`, beside its pages: in the checkout, else in the package's shared files. Raises `InputError`."""
    checkout = Path(__file__).parents[2] / "app.py"
    if checkout.is_file():
        return checkout
    with suppress(PackageNotFoundError):
        for file in files("trace-rag") or ():
            if file.parts[-2:] == ("trace-rag", "app.py"):
                return Path(str(file.locate())).resolve()
    raise InputError("The dashboard's files are not installed.", "Reinstall trace-rag from its wheel.")


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
    documents.ask_command,
    documents.doctor,
    compare.compare_command,
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
