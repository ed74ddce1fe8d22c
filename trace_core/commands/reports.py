"""What `run` and `score` end with: gates, test results and a summary for a pipeline, against a baseline if given."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import typer

from trace_core.commands.compare import read_run
from trace_core.commands.options import FAILED, GATE
from trace_core.commands.output import writing
from trace_core.errors import SettingsError
from trace_core.metrics import METRICS
from trace_core.runs import Exported
from trace_core.runs.analyse.compare import compare
from trace_core.runs.files.exported import comparable
from trace_core.runs.files.pipeline import write_junit, write_summary


@dataclass(frozen=True, slots=True)
class Reports:
    """The output files and the gates. `against` is the baseline, read before any work: a wrong name wastes none."""

    junit: Path | None
    summary: Path | None
    gates: dict[str, float]
    against: dict[str, Any] | None

    def finish(self, run: Exported, counts: Mapping[str, int], summary: Mapping[str, Any]) -> NoReturn:
        """Write the requested reports, and exit with the run's code: a gate missed, failed records, or 0."""
        if self.junit:
            with writing(self.junit) as out:
                write_junit(run, out, self.gates)
        if self.summary:
            found = compare(self.against, comparable(run)) if self.against else None
            with writing(self.summary) as out:
                write_summary(run, out, self.gates, found)
        print(summary["diagnosis"]["text"], file=sys.stderr)
        code = FAILED if counts["failed"] else 0
        for name, least in self.gates.items():
            mean = summary["metrics"][name]["mean"]
            if mean is None or mean < least:
                shown = "undefined" if mean is None else f"{mean:.4f}"
                print(f"gate: mean {name} is {shown}, below {least}", file=sys.stderr)
                code = GATE
        raise typer.Exit(code)


def read_reports(
    junit: Path | None, summary: Path | None, baseline: str | None, gates: Sequence[str] | None, convention: str
) -> Reports:
    """Raises `SettingsError` for a gate, and `InputError` or `UnknownRun` for a baseline, that cannot be read."""
    read = read_gates(gates or [])
    return Reports(junit, summary, read, read_run(baseline, convention) if baseline else None)


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
