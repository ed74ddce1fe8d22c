"""The command `golden`: a language model makes golden questions from a collection, in a file that `run` accepts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from trace_core.commands.documents import open_collections
from trace_core.commands.options import FAILED, Budget, TopK, Vector
from trace_core.commands.output import counting, json_lines, print_json, printable
from trace_core.commands.stopping import Stopped, noting
from trace_core.errors import InputError
from trace_core.golden.making import Maker, Outcome, golden_cost, left_out, make
from trace_core.golden.picking import Chunk, pick, read_chunks
from trace_core.golden.prompt import PROMPT
from trace_core.llm import added, llm_from
from trace_core.settings import Settings, load
from trace_core.summary.statistics import SEED


def golden_command(
    collection: Annotated[str, typer.Argument(help="The collection to ask about.")],
    questions: Annotated[int, typer.Option("--questions", min=1, help="How many chunks to ask about.")],
    out: Annotated[Path, typer.Option("--out", help="Write here, one question a line (JSONL).")],
    top_k: TopK = None,
    vector: Vector = None,
    seed: Annotated[int, typer.Option("--seed", help="Another one asks about other chunks.")] = SEED,
    budget: Budget = None,
    yes: Annotated[bool, typer.Option("--yes", help="Begin without asking whether the cost is right.")] = False,
) -> None:
    """Make golden questions from a collection; those that retrieval cannot answer are left out. Shows the cost first.

    Each chunk gives one question or a reason why not. A stopped command keeps its questions; run it again to resume.
    """
    settings = load(budget)
    llm = llm_from(settings)
    collections = open_collections(settings)
    chunks = pick(read_chunks(collections, collection), questions, seed)
    _agreed(chunks, questions, settings, yes)
    maker = Maker(llm, collections, collection, top_k or settings.top_k, vector)
    with noting() as noted, json_lines(out) as write:
        made = _made(chunks, maker, noted, write)
        without = [one for one in made if one.question is None]
        kept, failed = len(made) - len(without), sum(one.failed for one in made)
        head = {"collection": collection, "made_by": f"{llm.model} / {PROMPT}", "chunks": len(made), "kept": kept}
        reasons = [
            {"document": o.chunk.document, "chunk": o.chunk.id, "reason": o.reason, "detail": o.detail} for o in without
        ]
        usage = added(one.usage for one in made)
        print_json(head | {"failed": failed, "left_out": left_out(made), "usage": usage, "reasons": reasons})
        if not kept and noted:
            raise Stopped(noted[0], "stopped: no question is made yet; replies that came are kept")
        if not kept:
            print(f"no question could be kept, {out} is as it was", file=sys.stderr)
            raise typer.Exit(FAILED)
    if noted:
        goes_on = "the same command again goes on, and asks nothing twice"
        raise Stopped(noted[0], f"stopped: {kept} questions are in {out}; {goes_on}")
    print(printable(f"ask them with: run {out} --collection {collection} --answer"), file=sys.stderr)
    raise typer.Exit(FAILED if failed else 0)


def _agreed(chunks: Sequence[Chunk], questions: int, settings: Settings, yes: bool) -> None:
    """Show the cost, and ask a person at a terminal to confirm. Raises `InputError` where there is no terminal."""
    if len(chunks) < questions:
        print(f"chunks that are long enough to ask about: only {len(chunks):,}", file=sys.stderr)
    cost = golden_cost(chunks, settings)
    print(f"{cost.text}, about {cost.seconds:.0f} s\n{' '.join(cost.assumptions)}", file=sys.stderr, flush=True)
    if yes:
        return
    if not sys.stdin.isatty():
        raise InputError("Nothing was asked: nobody said yes to the cost.", "Use --yes.")
    if not typer.confirm("Go on?", err=True):
        raise typer.Exit(0)


def _made(chunks: Sequence[Chunk], maker: Maker, noted: list[int], write: Callable[[Any], None]) -> list[Outcome]:
    """Process chunks until a signal is noted; each question is written as soon as it is made."""
    made: list[Outcome] = []
    each = make(chunks, maker, workers=maker.llm.concurrency, stop=lambda: bool(noted))
    for one in counting(each, len(chunks), "chunks", failed=lambda one: one.failed):
        made.append(one)
        if one.question:
            write(one.question.to_dict())
    return made
