"""Commands that measure more of a run's records than scores say; each result is stored with the run at once."""

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Any

import typer

from trace_core import answering, labeling
from trace_core import contribution as erag
from trace_core.commands.options import FAILURES, AnswererName, Budget, LabelerName, RunId
from trace_core.commands.output import counting, print_json
from trace_core.commands.stopping import stopped_with
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

Count = Annotated[int, typer.Option("--records", min=1, help="How many records: the first that can be measured.")]
Measure = Annotated[str, typer.Option("--measure", help="token_f1, rouge_l or exact_match.")]


@dataclass(frozen=True)
class Measuring:
    """What is measured of a record, by whom, and how a stored result is read."""

    measure: str
    author: str
    bodies: Callable[[list[Record]], Iterable[tuple[Record, dict[str, Any]]]]
    view: Callable[[Record, Any], Any]
    complete: Callable[[Any], bool]
    calls: Callable[[list[Record]], str]


def contribution(
    run_id: RunId,
    answerer: AnswererName = None,
    measure: Measure = "token_f1",
    records: Count = 20,
    budget: Budget = None,
) -> None:
    """Measure each document's contribution: the answer from it alone, compared with the reference (eRAG)."""
    settings, store, run = _open(run_id, budget)
    name = answerer or str(run.config.get("answerer") or default_answerer(settings))
    llm = llm_from(settings) if answering.uses_llm(name) else None
    maker = answering.make_answerer(name, embedder(settings.embedding_model), llm)

    def bodies(left: list[Record]) -> Iterator[tuple[Record, dict[str, Any]]]:
        references = {record.id: one for record in left if (one := reference_of(record))}
        each = erag.contribute_all(left, maker, references, measure=measure)
        return ((record, one.to_dict()) for record, one in zip(left, each, strict=True))

    measuring = Measuring(
        measure,
        name,
        bodies,
        lambda record, body: erag.with_labels_of(erag.Contribution.from_dict(body), record),
        lambda one: one.complete,
        lambda left: f"{erag.contribution_cost(left).calls:,} answers",
    )
    able = (record for record in store.runs.records(run_id) if erag.measurable(record, reference_of(record)))
    results = _measure(store, run_id, measuring, list(islice(able, records)))
    levels = {"by_rank": [level._asdict() for level in erag.by_rank(results)]}
    print_json({"run": run_id, "measure": measure, "answerer": name} | erag.contribution_summary(results) | levels)
    raise typer.Exit(0 if all(one.complete for one in results) else FAILURES)


def noise_command(run_id: RunId, labeler: LabelerName = None, records: Count = 20, budget: Budget = None) -> None:
    """Measure noise sensitivity: what led sentences astray that the reference does not support (RAGChecker)."""
    settings, store, run = _open(run_id, budget)
    own = str(run.config.get("labeler"))
    name = labeler or (own if own in labeling.LABELERS else settings.labeler)
    llm = llm_from(settings) if labeling.uses_llm(name) else None
    judge = labeling.make_labeler(name, embedder(settings.embedding_model), llm)
    measuring = Measuring(
        noise.MEASURE,
        name,
        lambda left: noise.judgments(left, judge),
        noise.of_body,
        lambda one: isinstance(one, noise.Noise),
        lambda left: f"{len(left):,} labelings",
    )
    able = (record for record in store.runs.records(run_id) if not noise.unmeasurable(record))
    results = _measure(store, run_id, measuring, list(islice(able, records)))
    print_json({"run": run_id, "labeler": name} | noise.noise_summary(results))
    raise typer.Exit(FAILURES if any(isinstance(one, str) for one in results) else 0)


def _open(run_id: str, budget: float | None) -> tuple[Settings, Store, Run]:
    settings = load(budget)
    store = open_store(settings.database)
    return settings, store, store.runs.load_run(run_id)


def _measure(store: Store, run_id: str, measuring: Measuring, records: list[Record]) -> list[Any]:
    """The records' results by their present labels; those not yet there are measured, and stored one by one. Says
    before it starts what it asks for."""
    ids = {record.id for record in records}

    def results() -> dict[str, Any]:
        current = store.measurements.current(run_id, [measuring.measure], measuring.author)
        return {record.id: measuring.view(record, one.body) for record, one in current if record.id in ids}

    if not records:
        hint = "A record needs an answer, and for noise also labels and a reference answer."
        raise InputError(f"Run {run_id} has no record that can be measured.", hint)
    before = results()
    left = [one for one in records if one.id not in before or not measuring.complete(before[one.id])]
    if left:
        print(f"{measuring.calls(left)} by {measuring.author}", file=sys.stderr)
    bodies = counting(measuring.bodies(left), len(left), "records", is_failure=lambda one: "failed" in one[1])
    with stopped_with("stopped: what is measured is kept; run the same command again to continue"):
        for record, body in bodies:
            result = Measurement(record.id, measuring.measure, measuring.author, basis(record), body)
            store.measurements.keep(run_id, result)
    return list(results().values())
