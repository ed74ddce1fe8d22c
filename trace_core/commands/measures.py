"""Commands that measure more of a run's records than scores say; each result is stored with the run at once."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Annotated, Any

import typer

from trace_core import answering, labeling
from trace_core.commands.options import FAILED, Answerer, Budget, Labeler, RunId
from trace_core.commands.output import counting, print_json
from trace_core.commands.stopping import stopped_with
from trace_core.contribution import (
    Contribution,
    by_rank,
    contribute_all,
    contribution_cost,
    contribution_summary,
    measurable,
    relabeled,
)
from trace_core.errors import InputError
from trace_core.evidence.reference import reference_of
from trace_core.facts.records import Record
from trace_core.golden import noise
from trace_core.llm import llm_from
from trace_core.pipeline import default_answerer
from trace_core.retrieval import embedder
from trace_core.settings import Settings, load
from trace_core.store.measurements import Measurement, basis
from trace_core.store.runs import Run
from trace_core.store.store import Store, open_store

Count = Annotated[int, typer.Option("--records", min=1, help="How many: the first of the run that can be measured.")]
Measure = Annotated[str, typer.Option("--measure", help="token_f1, rouge_l or exact_match.")]


def contribution(
    run_id: RunId, answerer: Answerer = None, measure: Measure = "token_f1", records: Count = 20, budget: Budget = None
) -> None:
    """Measure each document's contribution: the answer from it alone, compared with the reference (eRAG)."""
    settings, store, run = _opened(run_id, budget)
    name = answerer or str(run.config.get("answerer") or default_answerer(settings))
    llm = llm_from(settings) if answering.uses_llm(name) else None
    maker = answering.make_answerer(name, embedder(settings.embedding_model), llm)
    able = (record for record in store.runs.records(run_id) if measurable(record, reference_of(record)))

    def measured(left: list[Record]) -> Iterator[tuple[Record, dict[str, Any]]]:
        references = {record.id: one for record in left if (one := reference_of(record))}
        found = contribute_all(left, maker, references, measure=measure)
        return ((record, one.to_dict()) for record, one in zip(left, found, strict=True))

    found = _measured(
        store,
        run_id,
        measure,
        name,
        {record.id: record for record in islice(able, records)},
        measured,
        lambda record, body: relabeled(Contribution.from_dict(body), record),
        lambda one: one.complete,
        lambda left: f"{contribution_cost(left).calls:,} answers",
    )
    levels = {"by_rank": [level._asdict() for level in by_rank(found)]}
    print_json({"run": run_id, "measure": measure, "answerer": name} | contribution_summary(found) | levels)
    raise typer.Exit(0 if all(one.complete for one in found) else FAILED)


def noise_command(run_id: RunId, labeler: Labeler = None, records: Count = 20, budget: Budget = None) -> None:
    """Measure noise sensitivity: what led sentences astray that the reference does not support (RAGChecker)."""
    settings, store, run = _opened(run_id, budget)
    own = str(run.config.get("labeler"))
    name = labeler or (own if own in labeling.LABELERS else settings.labeler)
    llm = llm_from(settings) if labeling.uses_llm(name) else None
    judge = labeling.make_labeler(name, embedder(settings.embedding_model), llm)
    able = (record for record in store.runs.records(run_id) if not noise.unmeasurable(record))
    first = {record.id: record for record in islice(able, records)}
    found = _measured(
        store,
        run_id,
        noise.MEASURE,
        name,
        first,
        lambda left: noise.judgments(left, judge),
        noise.of_body,
        lambda one: isinstance(one, noise.Noise),
        lambda left: f"{len(left):,} labelings",
    )
    print_json({"run": run_id, "labeler": name} | noise.noise_summary(found))
    raise typer.Exit(FAILED if any(isinstance(one, str) for one in found) else 0)


def _opened(run_id: str, budget: float | None) -> tuple[Settings, Store, Run]:
    settings = load(budget)
    store = open_store(settings.database)
    return settings, store, store.runs.load_run(run_id)


def _measured(
    store: Store,
    run_id: str,
    measure: str,
    made_by: str,
    first: Mapping[str, Any],
    measure_all: Callable[[list[Any]], Any],
    view: Callable[[Record, Any], Any],
    complete: Callable[[Any], bool],
    calls: Callable[[list[Any]], str],
) -> list[Any]:
    """The results for `first`, by the records' present labels; those not yet there are measured, and kept one by one.

    Says before it starts what it asks for.
    """

    def results() -> dict[str, Any]:
        current = store.measurements.current(run_id, [measure], made_by)
        return {record.id: view(record, one.body) for record, one in current if record.id in first}

    if not first:
        hint = "It takes an answer, and for noise its labels and a reference answer."
        raise InputError(f"Run {run_id} has no record that can be measured.", hint)
    known = results()
    left = [one for record_id, one in first.items() if record_id not in known or not complete(known[record_id])]
    if left:
        print(f"{calls(left)} by {made_by}", file=sys.stderr)
    with stopped_with("stopped: what is measured is kept, and the same command goes on"):
        for record, body in counting(measure_all(left), len(left), "records", failed=lambda one: "failed" in one[1]):
            store.measurements.keep(run_id, Measurement(record.id, measure, made_by, basis(record), body))
    return list(results().values())
