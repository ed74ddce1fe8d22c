"""The contract with a Qdrant server, against the stub: key, faults that pass or stay, a server that falls and rises."""

import signal
import threading
from contextlib import contextmanager

import httpx
import pytest
from browser import free_port
from qdrant_client.http.exceptions import ResponseHandlingException
from qdrant_server import FILTER, TANK, QdrantStub, running, served, texts
from waiting import until

from trace_core.errors import QdrantUnreachable, RetrievalError, UnknownCollection
from trace_core.retrieval import Collections, open_qdrant
from trace_core.retrieval.client import WAITS, patient
from trace_core.retrieval.ingest import ingest
from trace_core.retrieval.sources import Source
from trace_core.settings import Settings

pytestmark = pytest.mark.process


@contextmanager
def connected(url, model, key=None):
    qdrant = open_qdrant(Settings(QDRANT_URL=url, QDRANT_API_KEY=key, _env_file=None))
    yield Collections(qdrant, model)
    qdrant.close()


@pytest.fixture
def stub():
    return QdrantStub(strict=True)


@pytest.fixture
def remote(stub, model):
    with served(stub) as url, connected(url, model) as collections:
        yield collections


@pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection")
def test_the_key_goes_with_every_request(model):
    with served(QdrantStub(key="s3cret")) as url, connected(url, model, "s3cret") as collections:
        ingest(collections, "c", [Source("a", TANK)])
        assert texts(collections.search("c", "How much water?", 1)) == [TANK]


@pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection")
@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_names_the_setting_and_not_the_key(stub, model, status):
    stub.faults = [(status, {})]
    with (
        served(stub) as url,
        connected(url, model, "s3cret") as collections,
        pytest.raises(QdrantUnreachable, match="QDRANT_API_KEY") as caught,
    ):
        collections.names()
    assert "s3cret" not in str(caught.value)


def test_an_address_without_a_qdrant_is_not_a_missing_collection(stub, remote):
    stub.faults = [(404, {})]
    with pytest.raises(RetrievalError, match="status 404: ") as caught:
        remote.describe("c")
    assert not isinstance(caught.value, UnknownCollection)


def test_what_is_left_of_an_older_version_goes_where_filters_need_an_index(remote):
    ingest(remote, "c", [Source("a", TANK)])
    ingest(remote, "c", [Source("a", FILTER)])
    assert texts(remote.search("c", "water", 5)) == [FILTER]


def test_a_search_outlives_a_passing_fault(stub, remote):
    ingest(remote, "c", [Source("a", TANK)])
    stub.faults = [(503, {})]
    assert texts(remote.search("c", "How much?", 1)) == [TANK]


def test_a_limit_that_lasts_is_said_in_words(stub, remote):
    stub.faults = [(429, {})] * (len(WAITS) + 1)
    with pytest.raises(QdrantUnreachable, match="does not answer"):
        remote.names()


LOST = [httpx.ConnectError("refused"), httpx.ReadError("reset"), httpx.RemoteProtocolError("closed")]


@pytest.mark.parametrize("faults", [[429], [502], [503, 504], *([error] for error in LOST)])
def test_what_passes_is_tried_again_after_growing_waits(faults):
    replies, naps = [*faults, 200], []

    def send(request):
        reply = replies.pop(0)
        if isinstance(reply, Exception):
            raise ResponseHandlingException(reply)
        return httpx.Response(reply)

    assert patient(httpx.Request("GET", "http://q/"), send, naps.append).status_code == 200
    assert naps == [*WAITS[: len(faults)]]


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
