"""The demo: two small collections, their golden questions, and scored examples.

The documents' embeddings ship with them (`python bench/demo.py`), so that the first page needs no model.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Demo:
    """A demo collection: its folder of documents, and what it is about."""

    name: str
    folder: str
    about: str


DEMOS: Mapping[str, Demo] = {
    demo.name: demo
    for demo in (
        Demo("rag-handbook", "handbook", "A handbook on evaluating retrieval-augmented generation"),
        Demo("espresso-manual", "manual", "The manual of an invented espresso machine"),
    )
}


def sources(demo: Demo) -> list[Source]:
    """The documents of a demo collection, sorted by file name."""
    paths = sorted((_HERE / demo.folder).glob("*.md"))
    return [from_text(path.stem, path.read_text(encoding="utf-8")) for path in paths]


def questions_file(demo: Demo) -> Path:
    """The file of the demo's golden questions."""
    return _HERE / f"{demo.folder}_questions.jsonl"


def questions(demo: Demo) -> list[dict[str, Any]]:
    """The demo's golden questions: `question, expected_documents, reference_answer, category`."""
    lines = questions_file(demo).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def first_questions(collections: Collections, name: str, most: int) -> list[str]:
    """Questions to begin with: golden ones of a demo, else one about each of the collection's first documents."""
    if name in DEMOS:
        golden = [one["question"] for one in questions(DEMOS[name])]
        return golden[:: max(1, len(golden) // most)][:most]
    documents = collections.survey(name).documents[:most]
    return [f"What do the documents say about “{one.title or one.name}”?" for one in documents]


def example_of(collection: str | None) -> Record | None:
    """The first scored example whose documents are those of the demo collection; `None` for other collections."""
    which = DEMOS.get(collection or "")
    names = {source.name for source in sources(which)} if which else set()
    return next((one for one in examples() if {document.id for document in one.documents} <= names), None)


def examples(convention: str = "trace") -> list[Record]:
    """Three labeled records, scored without a model; two of their answers contain an unsupported sentence."""
    rows = read_whole(_HERE / "examples.jsonl", labels=True).items
    return [rescore(to_record(row, str(row.id)), convention) for row in rows]


def load_collections(collections: Collections) -> None:
    """Put the demo collections into Qdrant if they are missing or empty, without loading the packaged model.

    Another embedding model embeds the texts itself, because the shipped embeddings would not fit.
    """
    present = set(collections.names())
    ships = collections.embedder.name == PACKAGED_MODEL
    for demo in DEMOS.values():
        if demo.name not in present or collections.describe(demo.name).points == 0:  # an interrupted start
            target = Collections(collections.qdrant, _ShippedVectors(demo)) if ships else collections
            ingest(target, demo.name, sources(demo))


def load_at_first_start(collections: Collections, settings: Settings) -> None:
    """Fill a fresh embedded Qdrant once, so that a deleted demo collection stays deleted."""
    mark = settings.data_dir / "demo-loaded"
    if collections.qdrant.embedded and not mark.exists():
        load_collections(collections)
        mark.touch()


class _ShippedVectors(Embedder):
    """The packaged model's embeddings of one demo's chunks, from the shipped file."""

    def __init__(self, demo: Demo) -> None:
        super().__init__()
        texts = texts_to_embed(demo)
        with np.load(VECTORS) as arrays:
            self._vectors: dict[str, Vectors] = dict(zip(texts, arrays[demo.folder], strict=True))

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self._vectors[text] for text in texts])


def texts_to_embed(demo: Demo) -> list[str]:
    """The text of each chunk that the model embeds, in the order of the shipped embeddings."""
    return [chunk.text for source in sources(demo) for chunk in points(demo.name, source)]
