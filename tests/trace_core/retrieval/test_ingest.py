import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from trace_core.errors import InputError, ModelError, RetrievalError, TraceError
from trace_core.pipeline import Search, ask_collection, pipeline_from
from trace_core.retrieval import Collections
from trace_core.retrieval.ingest import Contents, IngestJob, IngestJobs, ingest, read_contents
from trace_core.retrieval.sources import File, Source, from_text
from trace_core.settings import Settings


def stored(collections, name="c"):
    """Id in the payload → text, of every point."""
    points = collections.qdrant.do(lambda client: client.scroll(name, limit=10_000)[0])
    return sorted((point.payload["id"], point.payload["text"]) for point in points)


def test_a_changed_source_replaces_its_older_version(collections):
    ingest(collections, "c", [Source("tank", "It holds 1.8 litres. " * 60), Source("filter", "Change it.")])
    ingest(collections, "c", [Source("tank", "It holds 2 litres.")])
    assert stored(collections) == [("filter", "Change it."), ("tank", "It holds 2 litres.")]


class Counting:
    """The real model, and how many texts it was given. With a `gate`, it lets one batch through and waits for that."""

    name, ready = "all-MiniLM-L6-v2", True

    def __init__(self, model, gate=None):
        self.model, self.gate, self.texts, self.batches, self.reached = model, gate, 0, 0, threading.Event()

    def embed(self, texts):
        self.texts += len(texts)
        self.batches += 1
        if self.gate and self.batches == 2:
            self.reached.set()
            assert self.gate.wait(60)
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


def test_the_sentences_of_small_collections_are_embedded_beforehand(collections):
    ingest(collections, "c", [Source("tank", "It holds two litres. Rinse it twice.")])
    collections.embedder = Counting(collections.embedder)
    collections.prepare()
    assert collections.embedder.texts == 2


def test_a_document_is_counted_when_all_its_chunks_are_written(collections):
    told = []
    sources = [Source("long", "It is. " * 100), Source("short", "Text.")]
    ingest(collections, "c", sources, (2, 1), on_progress=told.append)
    assert [(p.sources, p.chunks, p.characters) for p in told] == [(0, 64, 448), (2, 101, 705)]


def test_a_title_that_changed_is_written_though_the_text_is_the_same(collections):
    ingest(collections, "c", [Source("tank", "It holds 2 litres.", "Tank"), Source("filter", "Change it.")])
    again = [Source("tank", "It holds 2 litres.", "Water tank"), Source("filter", "Change it.")]
    assert ingest(collections, "c", again).new_chunks == 1
    assert collections.search("c", "How much does the tank hold?", 1)[0].title == "Water tank"


def test_another_model_is_refused_before_anything_is_read(collections):
    ingest(collections, "c", HUNDRED[:1])
    other = Collections(collections.qdrant, Broken())
    never = (pytest.fail("was read") for _ in range(1))
    with pytest.raises(RetrievalError, match=r"embedded with 'all-MiniLM-L6-v2', not 'broken'.*TRACE_EMBEDDING_MODEL="):
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
    sections = {("Pump", "It hums."), ("Pump › E07", "It is blocked."), ("Pump › Care", "Oil it weekly.")}
    assert {(d.title, d.text) for d in found} == sections
    assert found[0].title == "Pump › Care"


class Broken:
    """An embedder whose model cannot be loaded."""

    name, ready = "broken", False

    def embed(self, texts):
        raise ModelError("There is no model.")


PER_WRITER = 60


def test_six_threads_ask_and_ingest_at_once_and_nothing_is_lost(collections):
    """The embedded Qdrant alone loses most of what three writers and three readers do at once."""
    ingest(collections, "c", [Source("first", "The first document was here before.")])
    pipeline = pipeline_from(Settings(_env_file=None), collections, labeler="local", answerer="extractive")
    started = threading.Barrier(6)

    def write(writer):
        started.wait()
        sources = [Source(f"w{writer}-{n}", f"Writer {writer} wrote number {n}.") for n in range(PER_WRITER)]
        return ingest(collections, "c", sources).chunks

    def read(reader):
        started.wait()
        return [ask_collection(pipeline, f"What did writer {reader} write, number {n}?", Search("c")) for n in range(4)]

    with ThreadPoolExecutor(6) as pool:
        writers = [pool.submit(write, n) for n in range(3)]
        readers = [pool.submit(read, n) for n in range(3)]
        assert [writer.result() for writer in writers] == [PER_WRITER] * 3
        records = [record for reader in readers for record in reader.result()]

    assert all(record.error is None and record.documents for record in records)
    expected = {f"Writer {w} wrote number {n}." for w in range(3) for n in range(PER_WRITER)}
    assert {text for _, text in stored(collections)} == expected | {"The first document was here before."}


def test_six_threads_may_make_the_same_collection(collections):
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda n: ingest(collections, "c", [Source(f"s{n}", f"Text {n}.")]), range(6)))
    assert collections.describe("c").points == 6


def file(name, text):
    return File(name, name, text.encode())


FILES = [file(f"{i}.md", f"Sentence number {i}.") for i in range(70)]
BAD = [file("empty.txt", ""), file("rows.jsonl", '{"text": "Good."}\n{')]


@pytest.fixture
def gate(collections):
    """Once set, the model goes on after its first batch."""
    event = threading.Event()
    collections.embedder = Counting(collections.embedder, event)
    return event


def count(collections):
    return collections.describe("c").points


def ended(job):
    """The phase in which the job that has begun ends."""
    job.thread.join(60)
    return job.phase


def test_a_job_writes_all_that_can_be_read_and_names_the_rest(collections):
    job = IngestJob(collections, "c", [*FILES, *BAD])
    job.start()
    assert (ended(job), job.contents.sources, job.contents.failures, job.error) == ("done", 71, 2, None)
    assert [str(error).split(":")[0] for error in job.contents.errors] == ["empty.txt", "rows.jsonl, row 2"]
    assert (job.progress.sources, job.progress.new_chunks, job.share) == (71, 71, 1.0)
    assert job.stopping is False
    assert count(collections) == 71


def test_a_job_is_watched_stopped_and_resumed_without_doubles(collections, gate):
    job = IngestJob(collections, "c", [file(f"{i}.md", f"Sentence number {i}.") for i in range(140)])
    job.start()
    assert collections.embedder.reached.wait(60)
    assert (job.phase, job.running, job.progress.chunks, job.contents.sources) == ("writing", True, 64, 140)
    assert job.left > 0
    job.stop()
    assert job.stopping
    gate.set()
    assert (ended(job), job.progress.sources, count(collections)) == ("stopped", 128, 128)
    job.start()
    assert (ended(job), job.progress.sources, job.progress.new_chunks) == ("done", 140, 12)
    assert count(collections) == 140


def test_whatever_happens_is_told_and_not_lost(collections, caplog):
    job = IngestJob(collections, "c", [File("a.txt", "a.txt", None)])
    job.start()
    assert ended(job) == "failed"
    assert isinstance(job.error, TraceError)
    assert "The ingest ended unexpectedly (TypeError: " in str(job.error)


def test_one_job_at_a_time(collections, gate):
    jobs = IngestJobs()
    first, second = IngestJob(collections, "c", FILES), IngestJob(collections, "d", FILES)
    jobs.begin(first)
    assert collections.embedder.reached.wait(60)
    with pytest.raises(InputError, match="added to 'c' now"):
        jobs.begin(second)
    assert jobs.current is first
    gate.set()
    assert ended(first) == "done"
    jobs.begin(second)
    assert jobs.current is second
    assert ended(second) == "done"
    jobs.dismiss()
    assert jobs.current is None


def test_reading_once_counts_and_keeps_only_the_first_errors(monkeypatch):
    monkeypatch.setattr("trace_core.retrieval.ingest.MOST_ERRORS", 3)
    contents = read_contents([file("rows.jsonl", '{"text": "Good."}\n' + "{\n" * 10)], Contents())
    assert (contents.sources, contents.characters, contents.failures, len(contents.errors)) == (1, 5, 10, 3)
