import pytest
from qdrant_client import models
from qdrant_server import FILTER, TANK, texts

from trace_core.errors import RetrievalError
from trace_core.retrieval import CollectionInfo
from trace_core.retrieval.collections import CORRECT_FROM, INCORRECT_BELOW, Point, VectorInfo, retrieval_action

COSINE = models.Distance.COSINE
PUMP = "The pump works at fifteen bar."


def fill(collections, payloads, *, name="c", params=None, texts=(TANK, FILTER, PUMP), shaped=None, **options):
    """A collection as another program would have made it: points 1, 2, … with the vectors of `texts`."""
    params = models.VectorParams(size=384, distance=COSINE) if params is None else params
    vectors = collections.embedder.embed([texts[i % len(texts)] for i in range(len(payloads))])
    points = [
        models.PointStruct(id=i, vector=shaped(v.tolist()) if shaped else v.tolist(), payload=payload)
        for i, (payload, v) in enumerate(zip(payloads, vectors, strict=True), start=1)
    ]

    def make(client):
        client.create_collection(name, vectors_config=params, **options)
        if points:
            client.upsert(name, points)

    collections.qdrant.do(make)


def payloads(field="text"):
    return [{field: text} for text in (TANK, FILTER, PUMP)]


def test_a_collection_is_described(collections):
    fill(collections, [{"text": TANK, "metadata": {"source": "f"}}], metadata={"embedding_model": "m"})
    vectors, fields = (VectorInfo("", 384, "cosine"),), ("metadata.source", "text")
    assert collections.describe("c") == CollectionInfo("c", 1, vectors, fields, text_field="text", embedding_model="m")


def test_euclid_scores_become_cosines_and_the_nearest_still_comes_first(collections):
    fill(collections, payloads(), params=models.VectorParams(size=384, distance=models.Distance.EUCLID))
    found = collections.search("c", FILTER, 3)
    assert found[0].text == FILTER
    assert found[0].retrieval_score == pytest.approx(1, abs=1e-5)
    vectors = collections.embedder.embed([FILTER, found[1].text])
    assert found[1].retrieval_score == pytest.approx(float(vectors[0] @ vectors[1]), abs=1e-5)


def test_points_without_text_are_left_out_and_ranks_have_no_gap(collections):
    fill(collections, [{"text": TANK}, {"text": " "}, {"other": 3}])
    assert [(d.rank, d.text) for d in collections.search("c", FILTER, 3)] == [(1, TANK)]


MULTIVECTOR = models.VectorParams(
    size=384, distance=COSINE, multivector_config=models.MultiVectorConfig(comparator="max_sim")
)


def test_beside_a_multivector_and_a_sparse_one_the_dense_vector_is_searched(collections):
    params = {"colbert": MULTIVECTOR, "dense": models.VectorParams(size=384, distance=COSINE)}
    sparse, shaped = {"bm25": models.SparseVectorParams()}, lambda v: {"colbert": [v, v], "dense": v}
    fill(collections, payloads(), params=params, sparse_vectors_config=sparse, shaped=shaped)
    assert texts(collections.search("c", FILTER, 1)) == [FILTER]
    vectors = ["colbert: 384, cosine, multivector", "dense: 384, cosine", "bm25: sparse"]
    assert list(map(str, collections.describe("c").vectors)) == vectors
    why = r"no vector 'colbert' of 384 .* but: colbert: 384, cosine, multivector; dense"
    with pytest.raises(RetrievalError, match=why):
        collections.search("c", "q", 1, vector="colbert")


def test_of_two_vectors_that_fit_one_is_to_be_named(collections):
    params = {name: models.VectorParams(size=384, distance=COSINE) for name in ("question", "content")}
    fill(collections, payloads(), params=params, shaped=lambda v: {"question": [-x for x in v], "content": v})
    with pytest.raises(RetrievalError, match=r"'c' has 2 vectors of 384 dimensions: question, content\. Name the one"):
        collections.check("c")
    assert texts(collections.search("c", FILTER, 1, vector="content")) == [FILTER]
    assert texts(collections.search("c", FILTER, 1, vector="question")) != [FILTER]


def test_without_a_dense_vector_the_kind_is_named(collections):
    sparse = {"bm25": models.SparseVectorParams()}
    fill(collections, payloads(), params={}, sparse_vectors_config=sparse, shaped=lambda v: {})
    with pytest.raises(RetrievalError, match=r"'c' has no dense vector of 384 dimensions .* but: bm25: sparse"):
        collections.search("c", "q", 1)


def test_a_collection_of_another_model_of_the_same_size_does_not_fit(collections):
    fill(collections, payloads(), metadata={"embedding_model": "other/model"})
    with pytest.raises(RetrievalError, match="TRACE_EMBEDDING_MODEL=other/model"):
        collections.search("c", "q", 1)
    with pytest.raises(RetrievalError, match="other/model"):
        collections.write(collections.describe("c"), [Point("1", {})], collections.embedder.embed(["q"]))


@pytest.mark.parametrize("payload", [{}, {"n": 3, "hash": "f" * 40}])
def test_no_text_field_is_an_error_that_names_the_fields(collections, payload):
    fill(collections, [payload])
    with pytest.raises(RetrievalError, match=", ".join(sorted(payload)) or "it has none"):
        collections.search("c", "q", 1)


def test_pictures_may_come_first_and_texts_later(collections):
    pictures = [{"image_url": f"https://example.org/{i}.png", "caption": "A dam and a lake."} for i in range(25)]
    fill(collections, [*pictures, {"text": FILTER}])
    assert collections.describe("c").text_field == "text"
    assert [(d.rank, d.text) for d in collections.search("c", FILTER, 1)] == [(1, FILTER)]
    assert [each.chunks[0].text for each in collections.survey("c").documents] == [FILTER]


def test_a_collections_documents_are_listed_with_their_chunks_in_order(collections):
    chunks = [(TANK, "manual", 1), (PUMP, "other", 0), (FILTER, "manual", 0)]
    fill(collections, [{"text": text, "document": name, "chunk": i} for text, name, i in chunks])
    listed = {one.name: texts(one.chunks) for one in collections.survey("c").documents}
    assert listed == {"manual": [FILTER, TANK], "other": [PUMP]}


def test_points_without_text_are_counted_with_the_fields_that_have_theirs(collections):
    fill(collections, [{"text": TANK}, {"text": FILTER}, {"body": PUMP}, {"body": TANK, "lang": "en"}, {"n": 5}])
    survey = collections.survey("c")
    assert (survey.points, survey.without, survey.elsewhere) == (5, 3, {"body": 2})
    with pytest.raises(RetrievalError, match=r"'n' of 'c' contains no text.*body, lang, n, text"):
        collections.search("c", TANK, 1, text_field="n")


def test_a_document_is_deleted_with_all_its_chunks(collections):
    fill(collections, [{"text": TANK, "source": "a.md"}, {"text": PUMP, "source": "a.md"}, {"text": FILTER}])
    assert collections.delete_document("c", "a.md") == 2
    assert [texts(one.chunks) for one in collections.survey("c").documents] == [[FILTER]]


def test_the_sentence_nearest_to_the_question_is_found_in_each_text(collections):
    whole = f"{TANK} {FILTER} {PUMP}"
    ((begin, end),) = collections.closest("How often do I change the filter?", [whole])
    assert whole[begin:end].strip() == FILTER


def test_texts_are_found_by_the_id_in_the_payload(collections):
    if not collections.qdrant.embedded:
        pytest.skip("a cloud looks into no payload without an index")
    fill(collections, [{"text": TANK, "id": "manual#0"}, {"text": FILTER, "metadata": {"id": "manual#1"}}])
    assert collections.texts("c", ["manual#0", "manual#1"]) == {"manual#0": TANK, "manual#1": FILTER}
    documents = collections.documents("c", ["manual#1", "manual#0"])
    assert [(d.rank, d.id, d.text) for d in documents] == [(1, "manual#1", FILTER), (2, "manual#0", TANK)]
    with pytest.raises(RetrievalError, match="'c' has no document with the id 'manual#7'"):
        collections.documents("c", ["manual#0", "manual#7"])


@pytest.mark.parametrize(
    ("confidence", "action"),
    [(0.55, "correct"), (0.549, "ambiguous"), (0.43, "ambiguous"), (0.429, "incorrect"), (-1.0, "incorrect")],
)
def test_the_best_score_decides(confidence, action):
    assert (CORRECT_FROM, INCORRECT_BELOW) == (0.55, 0.43)
    assert retrieval_action(confidence) == action


def test_the_thresholds_can_be_set():
    assert retrieval_action(0.5, correct_from=0.5) == "correct"
    assert retrieval_action(0.5, incorrect_below=0.6) == "incorrect"
