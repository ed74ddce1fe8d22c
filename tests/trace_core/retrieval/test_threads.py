import threading
from concurrent.futures import ThreadPoolExecutor

from trace_core.pipeline import ask, pipeline_from
from trace_core.retrieval.ingest import ingest
from trace_core.retrieval.sources import Source
from trace_core.settings import Settings

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
        return [ask(pipeline, f"What did writer {reader} write, number {n}?", "c") for n in range(4)]

    with ThreadPoolExecutor(6) as pool:
        writers = [pool.submit(write, n) for n in range(3)]
        readers = [pool.submit(read, n) for n in range(3)]
        assert [writer.result() for writer in writers] == [PER_WRITER] * 3
        records = [record for reader in readers for record in reader.result()]

    assert all(record.error is None and record.documents for record in records)
    stored = collections.qdrant.do(lambda client: client.scroll("c", limit=10_000)[0])
    expected = {f"Writer {w} wrote number {n}." for w in range(3) for n in range(PER_WRITER)}
    assert {point.payload["text"] for point in stored} == expected | {"The first document was here before."}


def test_six_threads_may_make_the_same_collection(collections):
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda n: ingest(collections, "c", [Source(f"s{n}", f"Text {n}.")]), range(6)))
    assert collections.describe("c").points == 6
