import threading

import pytest

from trace_core.errors import InputError, ModelError, VectorMismatch
from trace_core.retrieval import Collections
from trace_core.retrieval.ingest import ingest
from trace_core.retrieval.sources import Source, from_text


def stored(collections, name="c"):
    """Id in the payload → text, of every point."""
    points = collections.qdrant.do(lambda client: client.scroll(name, limit=10_000)[0])
    return sorted((point.payload["id"], point.payload["text"]) for point in points)


def test_a_changed_source_replaces_its_older_version(collections):
    ingest(collections, "c", [Source("tank", "It holds 1.8 litres. " * 60), Source("filter", "Change it.")])
    ingest(collections, "c", [Source("tank", "It holds 2 litres.")])
    assert stored(collections) == [("filter", "Change it."), ("tank", "It holds 2 litres.")]


class Counting:
    """The real model, and how many texts it was given."""

    name, ready = "all-MiniLM-L6-v2", True

    def __init__(self, model):
        self.model, self.texts = model, 0

    def embed(self, texts):
        self.texts += len(texts)
        return self.model.embed(texts)


HUNDRED = [Source(f"s{i}", f"Sentence number {i}.") for i in range(100)]


def test_a_stopped_ingest_is_resumed_by_starting_it_again_without_embedding_twice(collections):
    collections.embedder = Counting(collections.embedder)
    stop = threading.Event()
    first = ingest(collections, "c", HUNDRED, on_progress=lambda progress: stop.set(), stop=stop.is_set)
    assert (first.complete, first.sources, first.chunks) == (False, 64, 64)
    assert len(stored(collections)) == 64
    again = ingest(collections, "c", HUNDRED)
    assert (again.complete, again.sources, again.chunks, again.new_chunks) == (True, 100, 100, 36)
    assert stored(collections) == sorted((f"s{i}", f"Sentence number {i}.") for i in range(100))
    assert collections.embedder.texts == 100


def test_a_document_is_counted_when_all_its_chunks_are_written(collections):
    told = []
    sources = [Source("long", "It is. " * 100), Source("short", "Text.")]
    ingest(collections, "c", sources, chunk_words=2, on_progress=told.append)
    assert [(p.sources, p.chunks, p.characters) for p in told] == [(0, 64, 448), (2, 101, 705)]


def test_a_title_that_changed_is_written_though_the_text_is_the_same(collections):
    ingest(collections, "c", [Source("tank", "It holds 2 litres.", "Tank"), Source("filter", "Change it.")])
    again = [Source("tank", "It holds 2 litres.", "Water tank"), Source("filter", "Change it.")]
    assert ingest(collections, "c", again).new_chunks == 1
    assert collections.search("c", "How much does the tank hold?", 1)[0].title == "Water tank"


def test_a_chunk_of_a_pdf_says_on_which_page_it_begins(collections):
    text = "One two three.\nFour five six.\nSeven eight nine."
    ingest(collections, "c", [Source("a.pdf", text, pages=(0, 15, 30))], chunk_words=6, overlap=0)
    found, _ = collections.look("c", 10)
    assert {p.payload["text"]: p.payload["page"] for p in found} == {
        "One two three.\nFour five six.": 1,
        "Seven eight nine.": 3,
    }


def test_another_model_is_refused_before_anything_is_read(collections):
    ingest(collections, "c", HUNDRED[:1])
    other = Collections(collections.qdrant, Broken())
    never = (pytest.fail("was read") for _ in range(1))
    with pytest.raises(VectorMismatch, match=r"embedded with 'all-MiniLM-L6-v2', not 'broken'.*TRACE_EMBEDDING_MODEL="):
        ingest(other, "c", never)


@pytest.mark.parametrize("name", ["", " ", "../up", "a/b", "a\\b", ".hidden", "a\nb", "x" * 101])
def test_a_name_that_could_be_a_path_makes_no_collection(collections, name):
    with pytest.raises(InputError, match="cannot name a collection"):
        ingest(collections, name, HUNDRED[:1])
    assert collections.names() == []


HOSTILE = "\x00 \x1b[31m \ud800 \u202eשלום\u202c مرحبا 🙂 <script>$x$</script>"


def test_hostile_text_comes_back_with_only_nul_and_the_lone_surrogate_replaced(collections):
    payload = {"note": HOSTILE, "deep": {"n": [HOSTILE, float("nan")]}}
    ingest(collections, "c", [Source("a\ud800", HOSTILE, "T\ud800", payload)])
    (point,) = collections.qdrant.do(lambda client: client.scroll("c")[0])
    clean = HOSTILE.replace("\ud800", "\ufffd").replace("\0", "\ufffd")
    assert point.payload["text"] == clean
    assert point.payload["note"] == clean
    assert point.payload["deep"] == {"n": [clean, None]}
    assert point.payload["source"] == "a\ufffd"


def test_a_chunk_is_of_one_section_and_bears_its_headings(collections):
    source = from_text("pump.md", "# Pump\nIt hums.\n## E07\nIt is blocked.\n## Care\nOil it weekly.")
    ingest(collections, "c", [source])
    found = collections.search("c", "How often is it oiled?", 3)
    assert {(d.title, d.text) for d in found} == {
        ("Pump", "It hums."),
        ("Pump › E07", "It is blocked."),
        ("Pump › Care", "Oil it weekly."),
    }
    assert found[0].title == "Pump › Care"


class Broken:
    """An embedder whose model cannot be loaded."""

    name, ready = "broken", False

    def embed(self, texts):
        raise ModelError("There is no model.")
