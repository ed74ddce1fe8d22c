"""The routes of POST /trace and of its descriptions."""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable
from functools import lru_cache
from typing import NoReturn

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from trace_core.api import description
from trace_core.api.body import BadBody, check_type, read_body, read_query
from trace_core.api.demo import Enough, check_caller, check_payload, in_demo
from trace_core.api.doors import Doors
from trace_core.api.gate import Busy, Gate
from trace_core.api.guard import Guard, caller, note, set_up_log
from trace_core.demo.limits import SENTENCES
from trace_core.endpoint import (
    TESTS,
    AllFailed,
    LlmJudge,
    Parsed,
    Payload,
    QueryError,
    Ragas,
    Tools,
    TooMuch,
    ragas_from,
    read_declared,
    read_judged,
    run_tests,
)
from trace_core.endpoint.run import check_calls
from trace_core.endpoint.workspace import MOST_SENTENCES
from trace_core.errors import SettingsError
from trace_core.facts.strict import valid
from trace_core.labeling import Labeler, make_labeler
from trace_core.llm import Llm, at_most, has_llm, llm_from
from trace_core.retrieval.embedding import embedder
from trace_core.settings import Settings, load

SECONDS = 60.0
"""The time limit for one query."""
_GRACE = 5.0  # seconds for the work to notice that its time is over


class Endpoint:
    """One server's gate, threads and tools, created at the first request."""

    def __init__(self, settings: Callable[[], Settings] = load, seconds: float = SECONDS) -> None:
        self.settings = lru_cache(maxsize=1)(lambda: in_demo(settings()))
        self.seconds = seconds
        self.gate = Gate()
        self._judge: Llm | None = None

    async def trace(self, request: Request) -> Response:
        """Answer one request; any other failure is an `HTTPException` with a reason."""
        settings = self._settings()
        _check_key(request, settings)
        try:
            check_type(request)
            body = await read_body(request, settings.max_body)
            note(request, bytes=len(body))
            address = caller(request, settings.proxies)
            if settings.demo:
                check_caller(body, address)
            with self.gate.enter(address):
                return await self._within(request, body, settings)
        except Busy as busy:
            _busy(429, "Too many requests at once.", busy.retry_after)
        except Enough as enough:
            _busy(429, "The demo is shared: that is enough for now.", enough.retry_after)
        except BadBody as bad:
            raise HTTPException(bad.status, bad.detail) from None
        except QueryError as error:
            return JSONResponse(valid({"detail": str(error), "payload": error.payload}), 400)
        except TooMuch as error:
            raise HTTPException(422, str(error)) from None
        except AllFailed as error:
            _busy(503, f"No test could be computed. {error}", 30)
        except TimeoutError:
            _busy(503, f"The query was not done within {self.seconds:g} s.", 30)

    async def _within(self, request: Request, body: bytes, settings: Settings) -> Response:
        llm = self._llm(settings)
        parsed = await self._parsed(body, llm)
        payload = parsed.payload
        check_calls(payload)
        if settings.demo:
            check_payload(payload)
        tools = self._tools(parsed, settings, llm)
        ragas = _ragas(payload, settings, tools)
        kind = "ragas" if ragas else _line(payload, tools)
        seconds = (ragas.seconds if ragas else self.seconds) + _GRACE
        known = [name for name in payload.tests if name in TESTS]
        note(request, parsed_by=parsed.by, tests=known, engine=payload.engine, labeler=tools.labeler.name)
        reply = await self.gate.run(kind, lambda: _reply(parsed, tools, ragas), seconds)
        return Response(reply, media_type="application/json", headers={"x-trace-parsed-by": parsed.by})

    async def _parsed(self, body: bytes, llm: Llm | None) -> Parsed:
        """Read the query; a judge is asked only for one that is not in a form of ours."""
        seconds = self.seconds + _GRACE
        try:
            return await self.gate.run("parse", lambda: read_declared(read_query(body)), seconds)
        except QueryError as error:
            if llm is None or error.whole:
                raise
            refused, judge = error, LlmJudge(llm)

        def by_judge() -> Parsed:
            with at_most(self.seconds):
                return Parsed(read_judged(read_query(body), judge.read, refused), "judge", judge.usage)

        return await self.gate.run("judge", by_judge, seconds)

    def _settings(self) -> Settings:
        try:
            return self.settings()
        except SettingsError as error:
            _busy(503, str(error), 60)

    def _llm(self, settings: Settings) -> Llm | None:
        """The only client for the judge: its limiter and its budget cover all requests together."""
        if self._judge is None and has_llm(settings):
            try:
                self._judge = llm_from(settings)
            except SettingsError as error:
                _busy(503, str(error), 60)
        return self._judge

    def _tools(self, parsed: Parsed, settings: Settings, llm: Llm | None) -> Tools:
        shared = embedder(settings.embedding_model)
        labeler: Labeler
        try:
            labeler = make_labeler(parsed.payload.labeler or settings.labeler, shared, llm)
        except SettingsError as error:
            if parsed.payload.labeler:
                raise QueryError(f"extra.labeler: {error.message}", error.hint) from None
            _busy(503, str(error), 60)
        judge = LlmJudge(llm) if llm and labeler.name != "local" else None
        return Tools(shared, labeler, judge, self.seconds, SENTENCES if settings.demo else MOST_SENTENCES, parsed.usage)


def _ragas(payload: Payload, settings: Settings, tools: Tools) -> Ragas | None:
    if payload.engine != "ragas":
        return None
    try:
        return ragas_from(settings, tools.embedder)
    except SettingsError as error:
        raise QueryError(f"extra.engine: {error.message}", error.hint) from None


def _line(payload: Payload, tools: Tools) -> str:
    """The queue for a query: those that wait for a judge are separate from those that need none."""
    asked = [TESTS[name] for name in payload.tests if name in TESTS]
    if not any(test.judged for test in asked):
        return "parse"
    return "local" if tools.labeler.name == "local" else "judge"


def _reply(parsed: Parsed, tools: Tools, ragas: Ragas | None) -> bytes:
    with at_most(tools.seconds):
        made = run_tests(parsed.payload, tools, ragas)
    return json.dumps(valid(made), ensure_ascii=False, allow_nan=False).encode()


def _check_key(request: Request, settings: Settings) -> None:
    if settings.api_key is None:
        return
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    wanted = settings.api_key.get_secret_value().encode()
    if scheme.lower() != "bearer" or not hmac.compare_digest(given.strip().encode("latin-1"), wanted):
        raise HTTPException(
            401, "This server wants its API key: Authorization: Bearer …", {"www-authenticate": "Bearer"}
        )


def _busy(status: int, detail: str, retry_after: int) -> NoReturn:
    raise HTTPException(status, detail, {"retry-after": str(retry_after)})


def create_app(settings: Callable[[], Settings] = load, seconds: float = SECONDS) -> FastAPI:
    """The API. `settings` is read at the first request; `seconds` is the time for one query."""
    set_up_log()
    endpoint = Endpoint(settings, seconds)
    app = FastAPI(
        title="TRACE",
        version="1",
        summary=description.SUMMARY,
        openapi_url="/trace/openapi.json",
        docs_url=None,  # FastAPI's pages load their scripts from a CDN
        redoc_url=None,
    )
    app.add_middleware(Guard)
    app.add_middleware(Doors, settings=settings)

    @app.post("/trace", response_model=None, **description.POST)
    async def trace(request: Request) -> Response:
        return await endpoint.trace(request)

    @app.get("/trace/schema", response_model=None, **description.GET_SCHEMA)
    async def schema() -> JSONResponse:
        return JSONResponse(description.schema())

    @app.get("/trace/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return HTMLResponse(description.page())

    return app


app = create_app()
