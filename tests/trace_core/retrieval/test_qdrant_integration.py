"""With a real Qdrant server: these run where `QDRANT_URL` is set (and `QDRANT_API_KEY`, if it needs one).

Every collection that they make has a name of its own and is removed again; nothing else is touched.
"""

import os
import uuid

import pytest
from qdrant_client import models

from trace_core.errors import UnknownCollection, VectorMismatch
from trace_core.pipeline import ask, pipeline_from
from trace_core.retrieval import Collections, open_qdrant
from trace_core.retrieval.ingest import ingest
from trace_core.retrieval.sources import Source
from trace_core.settings import Settings, load

pytestmark = [
    pytest.mark.skipif(not os.environ.get("QDRANT_URL"), reason="no real Qdrant: set QDRANT_URL to run these"),
    pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection"),
]
TANK, FILTER, PUMP = (
    "The tank holds 1.8 litres of water.",
    "Change the filter every two months.",
    "The pump works at fifteen bar.",
)


@pytest.fixture(scope="module")
def real(model):
    qdrant = open_qdrant(load())
    yield Collections(qdrant, model)
    qdrant.close()


@pytest.fixture
def name(real):
    own = f"trace-test-{uuid.uuid4()}"
    yield own
    real.qdrant.do(lambda client: client.delete_collection(own))


def texts(documents):
    return [document.text for document in documents]


def test_documents_go_in_and_come_out(real, name):
    ingest(real, name, [Source("tank", TANK), Source("filter", FILTER), Source("pump", PUMP)])
    assert name in real.names()
    info = real.describe(name)
    assert (info.points, info.text_field, info.embedding_model) == (3, "text", "all-MiniLM-L6-v2")
    assert texts(real.search(name, "How often is the filter changed?", 1)) == [FILTER]


def test_the_same_documents_again_change_nothing(real, name):
    for _ in range(2):
        ingest(real, name, [Source("tank", TANK)])
    assert real.describe(name).points == 1


def test_a_changed_document_replaces_its_older_version(real, name):
    ingest(real, name, [Source("a", TANK)])
    ingest(real, name, [Source("a", FILTER)])
    assert texts(real.search(name, "water", 5)) == [FILTER]


def test_what_is_left_goes_under_a_clouds_strict_mode_too(real, name):
    ingest(real, name, [Source("a", TANK)])
    strict = models.StrictModeConfig(enabled=True, unindexed_filtering_retrieve=False, unindexed_filtering_update=False)
    real.qdrant.do(lambda client: client.update_collection(name, strict_mode_config=strict))
    ingest(real, name, [Source("a", FILTER)])
    assert texts(real.search(name, "water", 5)) == [FILTER]


def test_named_vectors_several_shards_and_a_nested_payload(real, name):
    vectors = {
        "title": models.VectorParams(size=8, distance=models.Distance.DOT),
        "body": models.VectorParams(size=384, distance=models.Distance.COSINE),
    }
    points = [
        models.PointStruct(
            id=number, vector={"body": vector.tolist()}, payload={"page_content": text, "metadata": {"source": "a.pdf"}}
        )
        for number, (text, vector) in enumerate(
            zip([TANK, FILTER, PUMP], real.embedder.embed([TANK, FILTER, PUMP]), strict=True), start=1
        )
    ]

    def make(client):
        client.create_collection(name, vectors_config=vectors, shard_number=3)
        client.upsert(name, points, wait=True)

    real.qdrant.do(make)
    (found,) = real.search(name, "What pressure?", 1)
    assert (found.text, found.title) == (PUMP, "a.pdf")


def test_another_size_is_a_mismatch(real, name):
    small = models.VectorParams(size=8, distance=models.Distance.COSINE)

    def make(client):
        client.create_collection(name, vectors_config=small)
        client.upsert(name, [models.PointStruct(id=1, vector=[1.0] * 8, payload={"text": TANK})], wait=True)

    real.qdrant.do(make)
    with pytest.raises(VectorMismatch, match="384"):
        real.search(name, "q", 1)


def test_a_collection_that_is_not_there_is_unknown(real):
    with pytest.raises(UnknownCollection):
        real.describe(f"trace-test-{uuid.uuid4()}")


def test_a_question_is_answered_and_scored(real, name):
    ingest(real, name, [Source("tank", TANK), Source("filter", FILTER)])
    pipeline = pipeline_from(Settings(_env_file=None), real, labeler="local", answerer="extractive")
    record = ask(pipeline, "How much water does the tank hold?", name)
    assert record.error is None
    assert record.documents[0].text == TANK
    assert record.scores.adherence == 1
