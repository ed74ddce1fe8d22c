"""Reports of `run` and `score` for a pipeline: test results and a summary, against a baseline if given."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trace_core.commands.compare import read_run
from trace_core.commands.output import writing
from trace_core.runs import Exported
from trace_core.runs.analyse.compare import compare
from trace_core.runs.files.exported import comparable
from trace_core.runs.files.pipeline import write_junit, write_summary


@dataclass(frozen=True, slots=True)
class Reports:
    """The output files. `against` is the baseline, read before any work, so that a wrong name wastes none."""

    junit: Path | None
    summary: Path | None
    gates: dict[str, float]
    against: dict[str, Any] | None = field(default=None)

    def write(self, run: Exported) -> None:
        """Write the requested reports."""
        if self.junit:
            with writing(self.junit) as out:
                write_junit(run, out, self.gates)
        if self.summary:
            found = compare(self.against, comparable(run)) if self.against else None
            with writing(self.summary) as out:
                write_summary(run, out, self.gates, found)


def read_reports(
    junit: Path | None, summary: Path | None, baseline: str | None, gates: dict[str, float], convention: str | None
) -> Reports:
    """Raises `InputError` or `UnknownRun` where the baseline cannot be read."""
    return Reports(junit, summary, gates, read_run(baseline, convention) if baseline else None)
