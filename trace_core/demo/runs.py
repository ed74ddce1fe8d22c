"""Two runs over the demo's golden questions, before and after a change, so that no page is empty on a first visit.

They ship as run files, including people's corrections; `python -m trace_core.demo` makes them again. The questions with
the later answers are a data set, so that there is something to run.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

from trace_core.datasets import Item, read_dataset
from trace_core.demo import DEMOS, load_collections, questions_file
from trace_core.errors import RunTaken
from trace_core.facts.labels import Status
from trace_core.facts.records import Record
from trace_core.retrieval import Collections, embedder, open_qdrant
from trace_core.review import Change
from trace_core.runs.execute.engine import Engine
from trace_core.runs.files.dataset import save_rows
from trace_core.runs.files.export import export
from trace_core.runs.files.exported import from_store
from trace_core.runs.files.importing import import_run
from trace_core.settings import Settings
from trace_core.store.store import Store, open_store

FILE = Path(__file__).parent / "runs.zip"
ANSWERS = Path(__file__).parent / "manual_answers.jsonl"
REVIEW = Path(__file__).parent / "manual_review.jsonl"
"""A reviewer's labels of every record of both runs."""
COLLECTION = "espresso-manual"


class DemoRun(NamedTuple):
    """One of the two runs: its name, the number of chunks retrieved, and whose answers it uses."""

    name: str
    top_k: int
    answers: str


RUNS: Mapping[str, DemoRun] = {
    "demo-before": DemoRun("Demo: 1 chunk, loose prompt", 1, "before"),
    "demo-after": DemoRun("Demo: 5 chunks, strict prompt", 5, "after"),
}
REVIEWER = "Demo reviewer"
REVIEWED: Change = ("reviewed", "", True)
NOTE = "Comes with TRACE: the golden questions of the espresso manual. Delete it whenever you like."
DATA_SET = f"Demo: questions on the {COLLECTION}, with answers"


def load_runs_at_first_start(store: Store, settings: Settings) -> None:
    """Put runs and data set into a store without other runs, once: deleted ones stay deleted. Raises `StoreError`."""
    done = settings.data_dir / "demo-runs-loaded"
    if done.exists() or any(run.id not in RUNS for run in store.runs.list_runs()):
        return
    with TemporaryDirectory() as folder, ZipFile(FILE) as archive, suppress(RunTaken):  # another process is doing it
        for name in archive.namelist():
            import_run(store.runs, Path(archive.extract(name, folder)))
        save_rows(store.datasets, DATA_SET, _rows("after"))
        done.touch()


def make_runs() -> None:
    """Run the golden questions with the local labeler under both settings, and write the shipped file."""
    with TemporaryDirectory() as folder, ZipFile(FILE, "w", ZIP_DEFLATED) as archive:
        settings = Settings(TRACE_DATA_DIR=Path(folder), _env_file=None)
        store = open_store(settings.database)
        collections = Collections(open_qdrant(settings), embedder(settings.embedding_model))
        load_collections(collections)
        engine = Engine(store, settings, collections=lambda: collections)
        for run_id, made in RUNS.items():
            dataset = save_rows(store.datasets, f"{COLLECTION} {made.answers}", _rows(made.answers))
            archive.writestr(f"{run_id}.json", _made(engine, store, dataset, run_id, made))
        engine.close()


def _rows(answers: str) -> list[Item]:
    """The golden questions with the hand-written answers of one of two generators."""
    golden = read_dataset(questions_file(DEMOS[COLLECTION])).items
    written = map(json.loads, ANSWERS.read_text(encoding="utf-8").splitlines())
    return [
        row.model_copy(update={"response": answer[answers], "generation_model_name": answers})
        for row, answer in zip(golden, written, strict=True)
    ]


def _made(engine: Engine, store: Store, dataset: str, run_id: str, made: DemoRun) -> str:
    review = _review(run_id)
    run = engine.create(dataset, made.name, labeler="local", collection=COLLECTION, top_k=made.top_k, note=NOTE)
    engine.start(run)
    if not engine.wait(run, 600):
        raise TimeoutError(run)
    for record in list(store.runs.records(run)):
        for field, key, value in (*_changes(record, review[record.id]), REVIEWED):
            store.corrections.add(run, record.id, author=REVIEWER, sentence_key=key, field=field, value=value)
    out = io.StringIO()
    export(from_store(store.runs, run), "json", out)
    whole = json.loads(out.getvalue())
    whole["run"]["id"] = run_id
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":"))


def _review(run_id: str) -> dict[str, dict[str, Any]]:
    """The reviewer's labels by record."""
    lines = map(json.loads, REVIEW.read_text(encoding="utf-8").splitlines())
    return {labels["record"]: labels for labels in lines if labels["run"] == run_id}


def _changes(record: Record, wanted: Mapping[str, Any]) -> Iterator[Change]:
    """The least that the reviewer has to correct so that the record's labels are the reviewer's."""
    labels = record.labeler_labels
    assert labels is not None  # noqa: S101  # every record of a demo run is labeled
    lists = {"relevant": labels.all_relevant_sentence_keys, "utilized": labels.all_utilized_sentence_keys}
    for field, listed in lists.items():
        for key in sorted({*(listed or [])} ^ {*wanted[field]}):
            yield field, key, key in wanted[field]
    for key, status in labels.statuses(record.sentences().response_keys()).items():
        if status != wanted["supported"][key]:
            if wanted["supported"][key] != Status.UNSUPPORTED:
                yield "supporting", key, wanted["supporting"][key]
            yield "supported", key, wanted["supported"][key]
