"""The dashboard, from a checkout or from an installed package."""

import os
import sys
from importlib.metadata import PackageNotFoundError, files
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from trace_core.errors import InputError

Port = Annotated[int | None, typer.Option("--port", min=1, max=65535, help="The port to serve on; 8501 by default.")]
Host = Annotated[str | None, typer.Option("--host", help="The address to serve on; 0.0.0.0 for any.")]


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
    try:
        package = files("trace-rag") or []
    except PackageNotFoundError:
        package = []
    for file in package:
        if file.parts[-2:] == ("trace-rag", "app.py"):
            return Path(str(file.locate())).resolve()
    raise InputError("The dashboard's files are not installed.", "Reinstall trace-rag from its wheel.")
