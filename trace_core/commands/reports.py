"""What `run` and `score` end with: gates, test results and a summary for a pipeline, against a baseline if given."""

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from trace_core.commands.compare import read_run
from trace_core.commands.options import FAILURES, GATE
from trace_core.commands.output import writing
from trace_core.errors import SettingsError
from trace_core.metrics import METRICS
from trace_core.runs.analyse.compare import compare_runs
from trace_core.runs.files.exported import RunExport, comparable
from trace_core.runs.files.pipeline import Gates, unmet_gates, write_junit, write_summary

_LEAST_SHARE = "The least share of rows, failed and left-out ones included, that must have a metric with a gate."
Finish = Callable[[RunExport, int, Mapping[str, Any]], NoReturn]
_BASELINE = "In the summary: what got worse than in this run or file."


@dataclass(frozen=True, slots=True, kw_only=True)
class Reporting:
    """The options for what a pipeline gets of the scores, and asks of them."""

    fail_under: Annotated[list[str] | None, typer.Option(help="metric=value: exit 3 when the mean is below.")] = None
    least_share: Annotated[float, typer.Option("--min-judged", min=0, max=1, help=_LEAST_SHARE)] = Gates().share
    junit: Annotated[Path | None, typer.Option(help="Write test results here, one per record (JUnit XML).")] = None
    summary: Annotated[Path | None, typer.Option(help="Write a summary for a pipeline's page (Markdown).")] = None
    baseline: Annotated[str | None, typer.Option(metavar="RUN", help=_BASELINE)] = None

    def open(self, convention: str) -> Finish:
        """Read gates and baseline before any work: a wrong name wastes none. Returns a function of a run, the number of
        its failed records and its summary: it writes the requested reports, then exits with 3 where a gate is missed,
        else 1 where records failed, else 0. Raises `SettingsError` for a gate, and `InputError` or `UnknownRun` for a
        baseline, that cannot be read."""
        gates = Gates(read_gates(self.fail_under or []), self.least_share)
        baseline = read_run(self.baseline, convention) if self.baseline else None

        def finish(run: RunExport, failures: int, summary: Mapping[str, Any]) -> NoReturn:
            if self.junit:
                with writing(self.junit) as out:
                    write_junit(run, out, gates)
            if self.summary:
                with writing(self.summary) as out:
                    write_summary(run, out, gates, compare_runs(baseline, comparable(run)) if baseline else None)
            print(summary["diagnosis"]["text"], file=sys.stderr)
            below = unmet_gates(run, summary, gates)
            for text in below.values():
                print(f"gate: {text}", file=sys.stderr)
            raise typer.Exit(GATE if below else FAILURES if failures else 0)

        return finish


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
                f"--fail-under {text!r} is not understood.", f"Use one of {', '.join(METRICS)}, as in adherence=0.9."
            )
    return gates
