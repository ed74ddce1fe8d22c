"""A loopback server for contract tests: not Qdrant, but a stub that speaks its client's protocol.

Every request is validated by the request models of the installed qdrant_client, which allow no unknown
field, and every reply is built with its reply models; the client's own embedded mode does the work. Features
of a real server are imitated where this project depends on them: the API key, the statuses, shards, and a
cloud's refusal to filter on a field without an index. Ranking over several shards, consensus and load are
not: `test_qdrant_integration.py` needs a real server.

    python tests/qdrant_server.py PORT FOLDER [KEY]
"""

import contextlib
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from pydantic import TypeAdapter, ValidationError
from qdrant_client import QdrantClient
from qdrant_client.http import models as m
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

Action = Callable[[str, Any], Any]
TANK, FILTER = "The tank holds 1.8 litres of water.", "Change the filter every two months."


class Refusal(Exception):
    """An HTTP status and its message."""

    def __init__(self, status: int, said: str) -> None:
        self.status, self.said = status, said


class QdrantStub:
    """The application. `faults` lists (status, headers) for the next requests; `seen` the requests so far."""

    def __init__(self, folder: str | None = None, key: str | None = None, *, strict: bool = True) -> None:
        place: dict[str, Any] = {"path": folder} if folder else {"location": ":memory:"}
        self.client = QdrantClient(**place, force_disable_check_same_thread=True)
        self.key, self.strict = key, strict
        self.faults: list[tuple[int, dict[str, str]]] = []
        self.seen: list[str] = []
        self.shards: dict[str, int] = {}
        self._kept = Path(folder) / "indexed.json" if folder else None
        kept = json.loads(self._kept.read_text("utf-8")) if self._kept and self._kept.exists() else []
        self.indexed: set[tuple[str, str]] = {(name, field) for name, field in kept}
        self._lock = threading.RLock()
        one, points = "/collections/{name}", "/collections/{name}/points"
        self.app = Starlette(
            routes=[
                self._route("GET", "/collections", None, m.InlineResponse2006, self._all),
                self._route("GET", one, None, m.InlineResponse2007, self._info),
                self._route("PUT", one, m.CreateCollection, m.InlineResponse2001, self._create),
                self._route("PATCH", one, m.UpdateCollection, m.InlineResponse2001, self._change),
                self._route("DELETE", one, None, m.InlineResponse2001, self._drop),
                self._route("GET", f"{one}/exists", None, m.InlineResponse2009, self._exists),
                self._route("PUT", f"{one}/index", m.CreateFieldIndex, m.InlineResponse2008, self._index),
                self._route("PUT", points, m.PointInsertOperations, m.InlineResponse2008, self._upsert),
                self._route("POST", points, m.PointRequest, m.InlineResponse20017, self._retrieve),
                self._route("POST", f"{points}/scroll", m.ScrollRequest, m.InlineResponse20019, self._scroll),
                self._route("POST", f"{points}/query", m.QueryRequest, m.InlineResponse20022, self._query),
                self._route("POST", f"{points}/count", m.CountRequest, m.InlineResponse20020, self._count),
                self._route("POST", f"{points}/delete", m.PointsSelector, m.InlineResponse2008, self._delete),
            ]
        )

    def _route(self, method: str, path: str, asked: Any, replied: Any, action: Action) -> Route:
        def answer(name: str, body: bytes, headers: Any) -> Response:
            if self.faults:
                status, extra = self.faults.pop(0)
                return _error(status, "a fault that was asked for", extra)
            if self.key and headers.get("api-key") != self.key:
                return _error(401, "Must provide an API key or an Authorization bearer token")
            try:
                # Lists and unions of models are validated like single models.
                request = TypeAdapter(asked).validate_json(body) if asked else None
                with self._lock:
                    result = action(name, request)
            except ValidationError as error:
                return _error(400, f"Format error in JSON body: {error}")
            except Refusal as error:
                return _error(error.status, error.said)
            except ValueError as error:
                if "not found" in str(error):
                    return _error(404, f"Not found: Collection `{name}` doesn't exist!")
                return _error(400, str(error))
            reply = replied(result=result, status="ok", time=0.001)
            return Response(reply.model_dump_json(), media_type="application/json")

        async def endpoint(request: Request) -> Response:
            self.seen.append(f"{method} {request.url.path}")
            body = await request.body()
            return await run_in_threadpool(answer, request.path_params.get("name", ""), body, request.headers)

        return Route(path, endpoint, methods=[method])

    def _all(self, _: str, __: Any) -> Any:
        return self.client.get_collections()

    def _info(self, name: str, _: Any) -> Any:
        info = self.client.get_collection(name)
        info.config.params.shard_number = self.shards.get(name, 1)
        return info

    def _exists(self, name: str, _: Any) -> Any:
        return m.CollectionExistence(exists=self.client.collection_exists(name))

    def _create(self, name: str, asked: Any) -> Any:
        if self.client.collection_exists(name):
            raise Refusal(409, f"Wrong input: Collection `{name}` already exists!")
        self.shards[name] = asked.shard_number or 1
        return self.client.create_collection(
            name, vectors_config=asked.vectors, sparse_vectors_config=asked.sparse_vectors, metadata=asked.metadata
        )

    def _change(self, name: str, asked: Any) -> Any:
        self.client.get_collection(name)
        self.strict = bool(asked.strict_mode_config and asked.strict_mode_config.enabled)
        return True

    def _drop(self, name: str, _: Any) -> Any:
        return self.client.delete_collection(name)

    def _index(self, name: str, asked: Any) -> Any:
        self.client.get_collection(name)
        self.indexed.add((name, asked.field_name))
        if self._kept:
            self._kept.write_text(json.dumps(sorted(self.indexed)), "utf-8")
        return _done()

    def _upsert(self, name: str, asked: Any) -> Any:
        self.client.upsert(name, asked.batch if isinstance(asked, m.PointsBatch) else asked.points)
        return _done()

    def _retrieve(self, name: str, asked: Any) -> Any:
        return self.client.retrieve(name, asked.ids, with_payload=_asked(asked.with_payload), with_vectors=False)

    def _scroll(self, name: str, asked: Any) -> Any:
        self._check(name, asked.filter)
        points, following = self.client.scroll(
            name, asked.filter, limit=asked.limit or 10, offset=asked.offset, with_payload=_asked(asked.with_payload)
        )
        return m.ScrollResult(points=points, next_page_offset=following)

    def _query(self, name: str, asked: Any) -> Any:
        self._check(name, asked.filter)
        more = {"limit": asked.limit or 10, "with_payload": _asked(asked.with_payload)}
        return self.client.query_points(name, asked.query, using=asked.using, query_filter=asked.filter, **more)

    def _count(self, name: str, asked: Any) -> Any:
        self._check(name, asked.filter)
        return self.client.count(name, asked.filter)

    def _delete(self, name: str, asked: Any) -> Any:
        if isinstance(asked, m.FilterSelector):
            self._check(name, asked.filter)
        self.client.delete(name, asked.filter if isinstance(asked, m.FilterSelector) else asked.points)
        return _done()

    def _check(self, name: str, chosen: Any) -> None:
        """Refuse a filter on a field without an index, as a cloud's strict mode does."""
        for part in (chosen.must, chosen.should, chosen.must_not) if chosen and self.strict else ():
            for condition in part or ():
                key = getattr(condition, "key", None)
                if key and (name, key) not in self.indexed:
                    raise Refusal(400, f'Bad request: Index required but not found for "{key}"')


def texts(documents: Iterable[Any]) -> list[str]:
    return [document.text for document in documents]


def _asked(payload: Any) -> Any:
    """The value of `with_payload`: its REST default for these requests' callers is true; null means the default."""
    return True if payload is None else payload


def _done() -> Any:
    return m.UpdateResult(operation_id=0, status=m.UpdateStatus.COMPLETED)


def _error(status: int, said: str, headers: dict[str, str] | None = None) -> Response:
    body = m.ErrorResponse(time=0.0, status=m.ErrorResponseStatus(error=said), result=None).model_dump_json()
    return Response(body, status, headers, "application/json")


@contextmanager
def served(stub: QdrantStub, **options: Any) -> Iterator[str]:
    """The stub on a free port of this machine, in a thread; yields its URL. `options` go to uvicorn."""
    config = uvicorn.Config(stub.app, host="127.0.0.1", port=0, log_level="error", lifespan="off", ws="none", **options)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the stub did not start"
        time.sleep(0.005)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"{'https' if config.is_ssl else 'http'}://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(10)


@contextmanager
def running(port: int, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The stub as a separate process, over a folder that outlives it. At the end it is killed, not asked to stop."""
    process = subprocess.Popen([sys.executable, __file__, str(port), str(folder)])
    try:
        _wait_until_open(process, port)
        yield process
    finally:
        process.kill()
        process.wait()


def _wait_until_open(process: subprocess.Popen[bytes], port: int) -> None:
    end = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < end:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise RuntimeError(f"the stub does not listen (exit code {process.poll()})")


if __name__ == "__main__":
    application = QdrantStub(sys.argv[2], *sys.argv[3:]).app
    uvicorn.run(application, host="127.0.0.1", port=int(sys.argv[1]), log_level="error", lifespan="off")
