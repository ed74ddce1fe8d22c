import numpy as np
import pytest

from trace_core import demo
from trace_core.answering import Extractive
from trace_core.facts.records import Record
from trace_core.models.embedding import Embedder
from trace_core.retrieval import Collections, close_all, open_qdrant
from trace_core.retrieval.ingest import ingest
from trace_core.retrieval.sources import Source
from trace_core.settings import Settings

DEMOS = list(demo.DEMOS)
EVERY = [(d, q) for d in DEMOS for q in demo.questions(d)]


@pytest.fixture
def settings(tmp_path):
    return Settings(TRACE_DATA_DIR=tmp_path, _env_file=None)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory, model):
    """Both demo collections, searched with the real model."""
    settings = Settings(TRACE_DATA_DIR=tmp_path_factory.mktemp("demo"), _env_file=None)
    collections = Collections(open_qdrant(settings), model)
    demo.load_collections(collections)
    yield {d: {q["question"]: collections.search(d, q["question"], 5) for q in demo.questions(d)} for d in DEMOS}
    close_all()


@pytest.mark.parametrize("which", DEMOS)
def test_the_shipped_vectors_are_the_models_own(model, which):
    texts = demo.texts_to_embed(which)
    with np.load(demo.VECTORS) as arrays:
        assert arrays[demo.DEMOS[which]].shape == (len(texts), 384)
        assert np.abs(arrays[demo.DEMOS[which]][::3] - model.embed(texts[::3])).max() < 1e-5


# Loading


def test_the_first_start_loads_both_without_a_model(collections, settings):
    collections.embedder = Embedder()
    demo.load_at_first_start(collections, settings)
    assert collections.names() == ["espresso-manual", "rag-handbook"]
    assert not collections.embedder.ready


def test_a_second_start_changes_nothing(collections, settings):
    demo.load_at_first_start(collections, settings)
    before = [collections.describe(name) for name in collections.names()]
    demo.load_at_first_start(collections, settings)
    assert [collections.describe(name) for name in collections.names()] == before


def test_a_demo_that_was_deleted_stays_deleted(collections, settings):
    demo.load_at_first_start(collections, settings)
    collections.qdrant.do(lambda client: client.delete_collection("rag-handbook"))
    demo.load_at_first_start(collections, settings)
    assert collections.names() == ["espresso-manual"]


def test_a_first_start_that_was_stopped_is_made_up_for(collections, settings):
    collections.create("rag-handbook", 384)
    demo.load_at_first_start(collections, settings)
    assert collections.describe("rag-handbook").points == len(demo.texts_to_embed("rag-handbook"))


def test_a_loaded_demo_is_what_an_ingest_would_make(collections, settings):
    demo.load_at_first_start(collections, settings)
    for which in DEMOS:
        points = collections.describe(which).points
        ingest(collections, which, demo.sources(which))
        assert collections.describe(which).points == points


# Golden questions


@pytest.mark.parametrize("which", DEMOS)
def test_there_are_at_least_twelve_questions_and_some_cannot_be_answered(which):
    questions = demo.questions(which)
    assert len(questions) >= 12
    assert len({q["question"] for q in questions}) == len(questions)
    names = {source.name for source in demo.sources(which)}
    assert all(set(q["expected_documents"]) <= names for q in questions)
    assert any(not q["expected_documents"] for q in questions)


@pytest.mark.parametrize("which", DEMOS)
def test_an_expected_document_is_among_the_first_three_for_most_questions(loaded, which):
    answerable = [q for q in demo.questions(which) if q["expected_documents"]]
    found = []
    for question in answerable:
        sources = {document.id.partition("#")[0] for document in loaded[which][question["question"]][:3]}
        found.append(bool(sources & set(question["expected_documents"])))
    assert sum(found) / len(found) >= 0.8


@pytest.mark.parametrize(("which", "question"), EVERY, ids=lambda v: v if isinstance(v, str) else v["question"][:50])
def test_what_cannot_be_answered_is_refused_and_the_rest_is_not(loaded, model, which, question):
    record = Record(id="1", question=question["question"], documents=loaded[which][question["question"]])
    refused = Extractive(model).answer(record.question, record.documents).declines
    assert refused == (question.get("category") == "unanswerable" or not question["expected_documents"])


# Examples


def test_ones_own_collection_offers_questions_about_its_documents_not_an_example(collections):
    ingest(collections, "kitchen", [Source("tank", "It holds 2 litres.", "Tank"), Source("lamp", "It is red.")])
    assert demo.example_of("kitchen") is None
    assert demo.first_questions(collections, "kitchen", 5) == [
        "What do the documents say about “lamp”?",
        "What do the documents say about “Tank”?",
    ]
    example = demo.example_of("rag-handbook")
    assert example is not None
    assert example.question == "When is adherence 0, and how can hallucination be reduced?"
