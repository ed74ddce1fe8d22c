"""Compare two runs: what changed, how certain that is, and which records got worse."""

from pathlib import Path
from typing import Annotated

import typer

from trace_core.commands.options import ConventionName, Json
from trace_core.commands.output import print_json
from trace_core.errors import amount, counted
from trace_core.facts.strict import visible
from trace_core.metrics import METRICS, check_convention
from trace_core.runs.analyse.compare import EXPENSES, Comparable, MetricChange, compare_runs
from trace_core.runs.files.exported import comparable, from_file, from_store
from trace_core.runs.files.reader import open_run
from trace_core.settings import load
from trace_core.store.store import open_store

MOST_LINES = 20


def compare_command(
    run_a: Annotated[str, typer.Argument(metavar="RUN_A", help="Before: a run's id, or a run file.")],
    run_b: Annotated[str, typer.Argument(metavar="RUN_B", help="After: a run's id, or a run file.")],
    as_json: Json = False,
    convention: ConventionName = None,
) -> None:
    """Compare two runs, pair by pair: B − A."""
    if convention:
        check_convention(convention)
    a, b = read_run(run_a, convention), read_run(run_b, convention)
    comparison = compare_runs(a, b)
    if as_json:
        print_json(comparison.to_dict())
        return
    print(f"A: {visible(a.scores.diagnosis().text)}\nB: {visible(b.scores.diagnosis().text)}")
    print(f"{comparison.pairs} pairs; without a partner: {comparison.only_a} in A, {comparison.only_b} in B")
    for warning in comparison.warnings:
        print(f"warning: {visible(warning)}")
    for name, change in comparison.metrics.items():
        print(f"{METRICS[name].label}: {_change(change, alike=not comparison.unlike)}")
    print(comparison.verdict())
    for changes, word, of in ((comparison.got_worse, "worse", "fall"), (comparison.got_better, "better", "rise")):
        if changes:
            print(f"{counted(len(changes), 'record')} got {word}, by the mean {of} of their metrics:")
        for one in changes[:MOST_LINES]:
            print(f"  {visible(one.id)}  {one.change:+.3f}")
        if len(changes) > MOST_LINES:
            print(f"  … and {len(changes) - MOST_LINES} more (--json has all)")
    for name, (before, after, pairs) in comparison.expenses.items():
        means = f"{amount(before)} in A, {amount(after)} in B"
        print(f"{EXPENSES[name]} a record: {means}, over {counted(pairs, 'pair')}")
    print("{} of {} verdicts differ".format(*comparison.flips))


def read_run(run: str, convention: str | None) -> Comparable:
    """A run from the file of that name if there is one, else the stored run with that id."""
    is_file = Path(run).is_file() or run.endswith(".json")
    source = from_file(open_run(Path(run))) if is_file else from_store(open_store(load().database).runs, run)
    return comparable(source, convention)


def _change(change: MetricChange, alike: bool) -> str:
    """The difference with its uncertainty; how many pairs improved or got worse only for runs that are `alike`."""
    if change.difference is None:
        return "no pair has it on both sides"
    text = f"{change.difference:+.3f} ({change.span})"
    if alike and change.p_adjusted is not None:
        text += f", p = {change.p_value:.4f}, {change.p_adjusted:.4f} (Holm)"
    if alike:
        text += f"; {change.improved} improved, {change.unchanged} unchanged, {change.worse} worse"
    return f"{text}, {change.missing} undefined" if change.missing else text
