"""Where a worker gets a row's documents from, and how many of its records are made at once."""

import pytest
from qdrant_client import models
from run_examples import Counting

from trace_core.retrieval import Collections, close_all, open_qdrant
from trace_core.runs.execute.worker import Job, Worker, at_once
from trace_core.settings import Settings
from trace_core.summary.words import words_alone

TEXTS = ["The tank holds 1.8 litres.", "Use cold water."]
ANSWERED = {"question": "How much?", "response": "1.8 litres.", "document_ids": ["b", "a"]}
ASKED = {"question": TEXTS[0], "response": "1.8 litres."}


@pytest.fixture
def collections(tmp_path, model):
    """A collection with two vectors of one size: of a chunk's own text, and of the other chunk's."""
    found = Collections(open_qdrant(Settings(TRACE_DATA_DIR=tmp_path, _env_file=None)), model)
    vectors = [vector.tolist() for vector in model.embed(TEXTS)]
    size = models.VectorParams(size=384, distance=models.Distance.COSINE)
    points = [
        models.PointStruct(
            id=n, payload={"id": "ab"[n], "text": text}, vector={"own": vectors[n], "other": vectors[1 - n]}
        )
        for n, text in enumerate(TEXTS)
    ]

    def make(client):
        client.create_collection("c", vectors_config={"own": size, "other": size})
        client.upsert("c", points)

    found.qdrant.do(make)
    yield found
    close_all()


@pytest.mark.parametrize(
    ("row", "vector", "texts"), [(ANSWERED, None, TEXTS[::-1]), (ASKED, "own", TEXTS[:1]), (ASKED, "other", TEXTS[1:])]
)
def test_documents_of_an_answer_are_looked_up_by_their_ids_and_others_searched(collections, row, vector, texts):
    worker = Worker({"collection": "c", "vector": vector, "top_k": 1}, None, collections=lambda: collections)
    record = worker(Job(0, "1", row))
    assert [document.text for document in record.documents] == texts
    assert (record.retrieval and record.retrieval.vector) == vector


def test_without_a_collection_the_row_says_what_it_lacks():
    record = Worker({}, None)(Job(0, "1", ANSWERED))
    assert "no collection was named" in record.error.message


@pytest.mark.parametrize(
    ("executor", "labeler", "records"), [("local", words_alone, 3), ("local", Counting, 8), ("dask", words_alone, 8)]
)
def test_the_local_labeler_has_a_record_at_once_for_each_processor_here(monkeypatch, executor, labeler, records):
    monkeypatch.setenv("TRACE_THREADS", "3")
    settings = Settings(TRACE_CONCURRENCY=8, TRACE_EXECUTOR=executor, _env_file=None)
    assert at_once(settings, computes=Worker({}, labeler()).computes) == records
