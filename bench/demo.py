"""Make the demo's shipped embeddings and runs again.

    python bench/demo.py

Each run asks the golden questions of the espresso manual of the local labeler, under settings of its own; then a
reviewer's labels are entered as corrections.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np

from trace_core.demo import DEMOS, VECTORS, load_collections, texts_to_embed
from trace_core.demo.runs import COLLECTION, FILE, NOTE, RUNS, answered_rows
from trace_core.facts.labels import Status
from trace_core.facts.records import Record
from trace_core.models.embedding import embedder
from trace_core.retrieval import Collections, open_qdrant
from trace_core.review import Change
from trace_core.runs.execute.engine import Engine
from trace_core.runs.files.export import export
from trace_core.runs.files.exported import from_store
from trace_core.runs.files.row_records import save_rows
from trace_core.settings import Settings
from trace_core.store.store import Store, open_store

REVIEW = FILE.with_name("manual_review.jsonl")
"""A reviewer's labels of every record of both runs."""
REVIEWER = "Demo reviewer"
REVIEWED: Change = ("reviewed", "", True)
CHOICES: Mapping[str, tuple[str, int, str]] = {
    "demo-before": ("Demo: 1 chunk, loose prompt", 1, "before"),
    "demo-after": ("Demo: 5 chunks, strict prompt", 5, "after"),
}
"""Run → its name, the number of chunks retrieved, and whose answers it uses."""


def make_vectors() -> None:
    """Embed every demo document and write the shipped file."""
    model = embedder()
    vectors: dict[str, Any] = {folder: model.embed(texts_to_embed(name)) for name, folder in DEMOS.items()}
    np.savez_compressed(VECTORS, **vectors)


def make_runs() -> None:
    """Run the golden questions with the local labeler under both settings, and write the shipped file."""
    with TemporaryDirectory() as folder, ZipFile(FILE, "w", ZIP_DEFLATED) as archive:
        settings = Settings(TRACE_DATA_DIR=Path(folder), TRACE_CONCURRENCY=1, _env_file=None)
        store = open_store(settings.database)
        collections = Collections(open_qdrant(settings), embedder(settings.embedding_model))
        load_collections(collections)
        engine = Engine(store, settings, collections=lambda: collections)
        for run_id in RUNS:
            archive.writestr(f"{run_id}.json", make_run(engine, store, run_id))
        engine.close()


def make_run(engine: Engine, store: Store, run_id: str) -> str:
    """The text of one run's file."""
    name, top_k, answers = CHOICES[run_id]
    dataset = save_rows(store.datasets, f"{COLLECTION} {answers}", answered_rows(answers))
    run = engine.create(dataset, name, labeler="local", collection=COLLECTION, top_k=top_k, note=NOTE)
    engine.start(run)
    if not engine.wait(run, 600):
        raise TimeoutError(run)
    lines = map(json.loads, REVIEW.read_text(encoding="utf-8").splitlines())
    review = {labels["record"]: labels for labels in lines if labels["run"] == run_id}
    for record in list(store.runs.records(run)):
        for field, key, value in (*changes(record, review[record.id]), REVIEWED):
            store.corrections.add(run, record.id, author=REVIEWER, sentence_key=key, field=field, value=value)
    out = io.StringIO()
    export(from_store(store.runs, run), "json", out)
    whole = json.loads(out.getvalue())
    whole["run"]["id"] = run_id
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":"))


def changes(record: Record, review: Mapping[str, Any]) -> Iterator[Change]:
    """The least that the reviewer has to correct so that the record's labels are the reviewer's."""
    labels = record.labeler_labels
    assert labels is not None
    lists = {"relevant": labels.all_relevant_sentence_keys, "utilized": labels.all_utilized_sentence_keys}
    for field, keys in lists.items():
        for key in sorted({*(keys or [])} ^ {*review[field]}):
            yield field, key, key in review[field]
    for key, status in labels.statuses(record.sentences().response_keys()).items():
        if status != review["supported"][key]:
            if review["supported"][key] != Status.UNSUPPORTED:
                yield "supporting", key, review["supporting"][key]
            yield "supported", key, review["supported"][key]


if __name__ == "__main__":
    make_vectors()
    make_runs()
    print(f"wrote {VECTORS} and {FILE}")
