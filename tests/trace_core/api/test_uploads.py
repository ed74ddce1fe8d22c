"""How much of what visitors upload the demo holds: limits a visitor and for all, however the bytes arrive."""

import asyncio

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trace_core.api.uploads import Uploads
from trace_core.demo.limits import HELD_ALL, HELD_EACH

HUNDREDTH = HELD_EACH // 100


@pytest.fixture
def held():
    """Bytes that the server holds, by session."""
    return {}


@pytest.fixture
def app(held):
    async def put(request: Request) -> Response:
        size = sum([len(part) async for part in request.stream()])
        session = request.path_params["session"]
        held[session] = held.get(session, 0) + size
        return Response(status_code=204)

    routes = [Route("/{before:path}/{session}/{file}", put, methods=["PUT"])]
    return Uploads(Starlette(routes=routes), lambda: held)


def part(hundredths):
    """That many hundredths of the bytes that a visitor may hold."""
    return bytes(hundredths * HUNDREDTH)


def send(app, session, *parts, **more):
    return asyncio.run(coroutine(app, session, parts, **more))


async def coroutine(app, session, parts, announced=True, pause=None):
    """The status of one upload that arrives in these parts; `pause` is waited for before the last."""
    left, status = list(parts), []
    headers = [(b"content-length", str(sum(map(len, parts))).encode())] if announced else []

    async def receive():
        if pause and len(left) == 1:
            await pause.wait()
        return {"type": "http.request", "body": left.pop(0) if left else b"", "more_body": bool(left)}

    async def answer(message):
        status.append(message.get("status"))

    scope = {
        "type": "http",
        "method": "PUT",
        "path": f"/_stcore/upload_file/{session}/f",
        "headers": headers,
        "query_string": b"",
    }
    await app(scope | {"root_path": "", "http_version": "1.1", "scheme": "http"}, receive, answer)
    return status[0]


@pytest.mark.parametrize("announced", [True, False])
def test_a_visitor_may_leave_so_much(app, held, announced):
    assert [send(app, "a", part(40), announced=announced) for _ in range(3)] == [204, 204, 413]
    assert send(app, "a", part(21), announced=announced) == 413
    assert send(app, "a", part(20), announced=announced) == 204
    assert held == {"a": HELD_EACH}
    assert send(app, "b", part(40), announced=announced) == 204


@pytest.mark.parametrize("announced", [True, False])
def test_all_together_may_leave_so_much(app, held, announced):
    held["others"] = HELD_ALL - 250 * HUNDREDTH
    assert [send(app, who, part(45), part(45), announced=announced) for who in "abc"] == [204, 204, 413]
    assert (held["a"], held["b"], "c" in held) == (90 * HUNDREDTH, 90 * HUNDREDTH, False)


def test_what_is_on_its_way_counts(app, held):
    async def both():
        pause = asyncio.Event()
        first = asyncio.create_task(coroutine(app, "a", [part(60), b""], pause=pause))
        await asyncio.sleep(0.01)
        second = await coroutine(app, "a", [part(60)])
        pause.set()
        return await first, second

    assert asyncio.run(both()) == (204, 413)
    assert held == {"a": 60 * HUNDREDTH}
