"""What passes is tried again, what stays is said at once. Faults come from a real HTTP server."""

import httpx
import pytest
from qdrant_client.http.exceptions import ResponseHandlingException
from qdrant_server import QdrantStub, served

from trace_core.errors import QdrantUnreachable
from trace_core.retrieval import Collections, open_qdrant
from trace_core.retrieval.client import WAITS, patient
from trace_core.retrieval.ingest import ingest
from trace_core.retrieval.sources import Source
from trace_core.settings import Settings


@pytest.fixture
def stub():
    return QdrantStub()


@pytest.fixture
def remote(stub, model):
    with served(stub) as url:
        qdrant = open_qdrant(Settings(QDRANT_URL=url, _env_file=None))
        yield Collections(qdrant, model)
        qdrant.close()


def send_with(*replies):
    """Answers one after the other; the last one for ever. An error is raised."""
    left = list(replies)

    def send(request):
        reply = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(reply, Exception):
            raise ResponseHandlingException(reply)
        return httpx.Response(reply[0], headers=reply[1]) if isinstance(reply, tuple) else httpx.Response(reply)

    return send


def tried(*replies):
    """(the last reply's status, the waits before each new try)."""
    naps = []
    response = patient(httpx.Request("GET", "http://q/"), send_with(*replies), naps.append)
    return response.status_code, naps


# One request


BROKEN = [httpx.ConnectError("refused"), httpx.ReadError("reset"), httpx.RemoteProtocolError("closed")]


@pytest.mark.parametrize("fault", [429, 502, 503, 504, *BROKEN])
def test_what_passes_is_tried_again(fault):
    assert tried(fault, 200) == (200, [0.2])


def test_the_waits_grow_and_end():
    assert tried(503) == (503, list(WAITS))


# Against the stub


def test_a_search_outlives_a_passing_fault(stub, remote):
    ingest(remote, "c", [Source("a", "The tank holds two litres.")])
    stub.faults = [(503, {})]
    assert [d.text for d in remote.search("c", "How much?", 1)] == ["The tank holds two litres."]


def test_a_limit_that_lasts_is_said_in_words(stub, remote):
    stub.faults = [(429, {})] * (len(WAITS) + 1)
    with pytest.raises(QdrantUnreachable, match="does not answer"):
        remote.names()
