"""Which names the server answers to, who may show it in a frame, and whom a request is counted for."""

from contextlib import asynccontextmanager, nullcontext

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from trace_core.api.guard import Doors, caller, matches
from trace_core.settings import Settings


async def app(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"inside"})


def reply(host, hosts=""):
    doors = Doors(app, lambda: Settings(TRACE_HOSTS=hosts, _env_file=None))
    return TestClient(doors).get("/", headers={"host": host})


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST.", "127.0.0.1:8501", "[::1]:8501"])
def test_this_machine_finds_it(host):
    assert reply(host).text == "inside"


@pytest.mark.parametrize("host", ["evil.example:8501", "localhost.evil.example", "evil.example@localhost", "[::1", ""])
def test_another_name_is_refused(host):
    answer = reply(host)
    assert (answer.status_code, "TRACE_HOSTS" in answer.json()["detail"]) == (421, True)


@pytest.mark.parametrize(
    ("origin", "host", "enters"),
    [
        ("http://localhost:8501", "localhost:8501", True),
        ("http://localhost", "localhost", True),
        ("https://127.0.0.1", "127.0.0.1:443", True),
        ("http://localhost:8888", "localhost:8501", False),
        ("http://[::1]:8888", "localhost:8501", False),
        ("http://localhost", "localhost:8501", False),
        ("http://localhost:99999", "localhost:8501", False),
        ("https://page.example.org", "localhost:8501", True),  # behind a proxy: Streamlit knows whether it may
        (None, "localhost:8501", True),
    ],
)
def test_no_page_of_another_port_of_this_machine_opens_a_websocket(origin, host, enters):
    async def accept(scope, receive, send):
        await send({"type": "websocket.accept"})

    doors = Doors(accept, lambda: Settings(_env_file=None))
    headers = {"host": host} | ({"origin": origin} if origin else {})
    with nullcontext() if enters else pytest.raises(WebSocketDisconnect):
        TestClient(doors).websocket_connect("/_stcore/stream", headers=headers).__enter__()


def test_the_server_tells_the_application_that_it_starts_and_ends():
    steps = []

    @asynccontextmanager
    async def lifespan(_):
        steps.append("start")
        yield
        steps.append("end")

    with TestClient(Doors(Starlette(lifespan=lifespan))):
        assert steps == ["start"]
    assert steps == ["start", "end"]


def test_the_owner_names_more():
    assert reply("Trace.Example.org:443", "other.example, trace.example.org").text == "inside"


@pytest.mark.parametrize(
    ("name", "known", "is_one"),
    [
        ("a.example.org", "*.example.org", True),
        ("example.org", "*.example.org", False),
        ("evilexample.org", "*.example.org", False),
        ("anything", "*", True),
    ],
)
def test_a_star_stands_for_names(name, known, is_one):
    assert matches(name, [known]) is is_one


def test_no_other_site_shows_it_in_a_frame_but_in_a_space(monkeypatch):
    assert reply("localhost").headers["content-security-policy"] == "frame-ancestors 'self'"
    monkeypatch.setenv("SPACE_ID", "owner/space")
    assert "content-security-policy" not in reply("localhost").headers


@pytest.mark.parametrize(
    ("client", "forwarded", "proxies", "counted"),
    [
        ("192.0.2.7", [], "", "192.0.2.7"),
        ("192.0.2.7", ["198.51.100.1"], "", "192.0.2.7"),
        ("192.0.2.7", ["198.51.100.1"], "192.0.2.7", "198.51.100.1"),
        ("192.0.2.7", ["made up, 198.51.100.1"], "192.0.2.7", "198.51.100.1"),
        ("192.0.2.7", ["made up", "198.51.100.1, 192.0.2.8"], "192.0.2.7, 192.0.2.8", "198.51.100.1"),
        ("192.0.2.7", ["192.0.2.7"], "", "forwarded"),
    ],
)
def test_the_last_address_that_no_named_proxy_has_is_the_callers(client, forwarded, proxies, counted):
    """An address that a caller makes up counts for nothing."""
    headers = [(b"x-forwarded-for", line.encode()) for line in forwarded]
    assert caller(Request({"type": "http", "headers": headers, "client": (client, 1)}), proxies) == counted
