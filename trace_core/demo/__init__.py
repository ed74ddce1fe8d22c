"""The demo: two small collections, their golden questions, and scored examples. The documents' embeddings ship with
them (`python bench/demo.py`), so that the first page needs no model."""

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from trace_core.datasets import read_whole
from trace_core.diagnosis.rescoring import rescore
from trace_core.facts.records import Record
from trace_core.models.embedding import Vectors
from trace_core.retrieval import Collections, Embedder
from trace_core.retrieval.ingest import ingest, points
from trace_core.retrieval.sources import Source, from_text
from trace_core.runs.files.row_records import to_record
from trace_core.settings import PACKAGED_MODEL, Settings

_HERE = Path(str(files(__package__)))
VECTORS = _HERE / "vectors.npz"
DEMOS: Mapping[str, str] = {"rag-handbook": "handbook", "espresso-manual": "manual"}
"""Demo collection → its folder of documents."""


def sources(demo: str) -> list[Source]:
    """The documents of a demo collection, sorted by file name."""
    paths = sorted((_HERE / DEMOS[demo]).glob("*.md"))
    return [from_text(path.stem, path.read_text(encoding="utf-8")) for path in paths]


def questions_file(demo: str) -> Path:
    """The file of the demo's golden questions."""
    return _HERE / f"{DEMOS[demo]}_questions.jsonl"


def questions(demo: str) -> list[dict[str, Any]]:
    """The demo's golden questions: `question, expected_documents, reference_answer, category`."""
    return list(map(json.loads, questions_file(demo).read_text(encoding="utf-8").splitlines()))


def first_questions(collections: Collections, name: str, most: int) -> list[str]:
    """Questions to begin with: golden ones of a demo, else one about each of the collection's first documents."""
    if name in DEMOS:
        golden = [one["question"] for one in questions(name)]
        return golden[:: max(1, len(golden) // most)][:most]
    documents = collections.survey(name).documents[:most]
    return [f"What do the documents say about “{one.title or one.name}”?" for one in documents]


def example_of(collection: str | None) -> Record | None:
    """The first scored example whose documents are those of the demo collection; `None` for other collections."""
    names = {source.name for source in sources(collection)} if collection and collection in DEMOS else set()
    return next((one for one in examples() if {document.id for document in one.documents} <= names), None)


def examples() -> list[Record]:
    """Three labeled records, scored without a model; two of their answers contain an unsupported sentence."""
    rows = read_whole(_HERE / "examples.jsonl", labels=True).items
    return [rescore(to_record(row, str(row.id)), "trace") for row in rows]


def load_collections(collections: Collections) -> None:
    """Put the demo collections into Qdrant if they are missing or empty, without loading the packaged model. Another
    embedding model embeds the texts itself, because the shipped embeddings would not fit."""
    present = set(collections.names())
    ships = collections.embedder.name == PACKAGED_MODEL
    for demo in DEMOS:
        if demo not in present or collections.describe(demo).points == 0:  # an interrupted start
            target = Collections(collections.qdrant, _ShippedVectors(demo)) if ships else collections
            ingest(target, demo, sources(demo))


def load_at_first_start(collections: Collections, settings: Settings) -> None:
    """Fill a fresh embedded Qdrant once, so that a deleted demo collection stays deleted."""
    mark = settings.data_dir / "demo-loaded"
    if collections.qdrant.embedded and not mark.exists():
        load_collections(collections)
        mark.touch()


class _ShippedVectors(Embedder):
    """The packaged model's embeddings of one demo's chunks, from the shipped file."""

    def __init__(self, demo: str) -> None:
        super().__init__()
        with np.load(VECTORS) as arrays:
            vectors = zip(texts_to_embed(demo), arrays[DEMOS[demo]], strict=True)
            self._vectors: dict[str, Vectors] = dict(vectors)

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self._vectors[text] for text in texts])


def texts_to_embed(demo: str) -> list[str]:
    """The text of each chunk that the model embeds, in the order of the shipped embeddings."""
    return [chunk.text for source in sources(demo) for chunk in points(demo, source)]
