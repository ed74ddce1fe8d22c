"""Options shared by several commands, and exit codes."""

import inspect
from collections.abc import Callable
from dataclasses import is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

FAILURES, BAD_INPUT, GATE = 1, 2, 3
"""Finished with failed records, bad input, a gate was not met; 0 is success."""

RowsFile = Annotated[Path, typer.Argument(help="Rows: JSONL, JSON, CSV, Excel or Parquet.")]
Out = Annotated[Path | None, typer.Option("--out", help="Write here instead of standard output.")]
ConventionName = Annotated[str | None, typer.Option("--convention", help="trace, ragbench, graded or token.")]
LabelerName = Annotated[
    str | None,
    typer.Option("--labeler", help="Who labels: gpt, decisions (public beta) or local; TRACE_LABELER by default."),
]
AnswererName = Annotated[str | None, typer.Option("--answerer", help="Who answers: gpt or extractive.")]
TopK = Annotated[int | None, typer.Option("--top-k", min=1, max=100, help="How many documents to retrieve.")]
Vector = Annotated[str | None, typer.Option("--vector", help="Name of the vector to search.")]
Budget = Annotated[float | None, typer.Option("--budget", min=0, help="Stop before spending more; TRACE_BUDGET.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
RunId = Annotated[str, typer.Argument(help="The run's id; `runs` lists them.")]


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """The command with an option for each field of its parameters that are dataclasses, which it gets as objects."""
    parameters = inspect.signature(command, eval_str=True).parameters.values()
    groups: dict[str, Any] = {one.name: one.annotation for one in parameters if is_dataclass(one.annotation)}
    fields = {name: inspect.signature(group, eval_str=True).parameters for name, group in groups.items()}

    @wraps(command)
    def spread(**options: Any) -> None:
        objects = {
            name: group(**{field: options.pop(field) for field in fields[name]}) for name, group in groups.items()
        }
        command(**options, **objects)

    each = [field for one in parameters for field in (fields[one.name].values() if one.name in groups else [one])]
    signature = inspect.Signature([one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in each])
    spread.__signature__ = signature  # type: ignore[attr-defined]  # typer reads it
    return spread
