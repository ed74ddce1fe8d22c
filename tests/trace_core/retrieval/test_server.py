"""The contract with a Qdrant server, against the stub: key, shards, a server that falls and rises."""

import signal
import threading
import time
from contextlib import contextmanager

import pytest
from browser import free_port
from qdrant_server import QdrantStub, running, served

from trace_core.errors import QdrantUnreachable
from trace_core.retrieval import Collections, open_qdrant
from trace_core.retrieval.ingest import ingest
from trace_core.retrieval.sources import Source
from trace_core.settings import Settings

pytestmark = pytest.mark.process
TANK, FILTER = "The tank holds 1.8 litres of water.", "Change the filter every two months."


@contextmanager
def connected(url, model, key=None):
    qdrant = open_qdrant(Settings(QDRANT_URL=url, QDRANT_API_KEY=key, _env_file=None))
    yield Collections(qdrant, model)
    qdrant.close()


def texts(documents):
    return [document.text for document in documents]


@pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection")
def test_the_key_goes_with_every_request(model):
    with served(QdrantStub(key="s3cret")) as url, connected(url, model, "s3cret") as collections:
        ingest(collections, "c", [Source("a", TANK)])
        assert texts(collections.search("c", "How much water?", 1)) == [TANK]


def test_what_is_left_of_an_older_version_goes_where_filters_need_an_index(model):
    with served(QdrantStub(strict=True)) as url, connected(url, model) as collections:
        ingest(collections, "c", [Source("a", TANK)])
        ingest(collections, "c", [Source("a", FILTER)])
        assert texts(collections.search("c", "water", 5)) == [FILTER]


def test_killed_under_load_it_is_said_and_nothing_written_is_lost(model, tmp_path):
    port = free_port()
    written, refused, ended = [], [], threading.Event()
    with connected(f"http://127.0.0.1:{port}", model) as collections:

        def write(writer):
            for number in range(10_000):
                if ended.is_set():
                    return
                name = f"{writer}-{number}"
                try:
                    ingest(collections, "c", [Source(name, f"Writer {writer} wrote number {number}.")])
                    written.append(name)
                except QdrantUnreachable as error:
                    refused.append(str(error))

        threads = [threading.Thread(target=write, args=(n,)) for n in range(3)]
        with running(port, tmp_path) as first:
            for thread in threads:
                thread.start()
            until(lambda: len(written) >= 10)
            first.send_signal(signal.SIGKILL)
            first.wait()
            until(lambda: refused)
        before = len(written)
        with running(port, tmp_path):
            until(lambda: len(written) >= before + 10)
            ended.set()
            for thread in threads:
                thread.join(30)
            stored = collections.qdrant.do(lambda client: client.scroll("c", limit=10_000)[0])
    assert {point.payload["source"] for point in stored} >= set(written)
    assert all("does not answer" in said and "QDRANT_URL" in said for said in refused)


def until(true, seconds=60):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)
