"""The routes of POST /trace and of its descriptions."""

import hmac
import json
import math
from collections.abc import Callable
from functools import cached_property

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse, Response

from trace_core.api import description
from trace_core.api.body import read_body, read_query
from trace_core.api.gate import Busy, Gate
from trace_core.api.guard import Doors, Guard, caller, note, set_up_log
from trace_core.demo import limits
from trace_core.endpoint.judge import LlmJudge
from trace_core.endpoint.named_tests import TESTS, Tools
from trace_core.endpoint.payload import Payload, QueryError, TooMuch
from trace_core.endpoint.query import Query, parse_query, read_by_judge
from trace_core.endpoint.ragas import Ragas, ragas_from
from trace_core.endpoint.run import NoScore, run_tests
from trace_core.errors import InputError, SettingsError
from trace_core.facts.strict import valid
from trace_core.labeling import make_labeler, uses_llm, without_llm
from trace_core.llm import Llm, at_most, has_llm, llm_from
from trace_core.models.embedding import embedder
from trace_core.pipeline import MOST_SENTENCES
from trace_core.settings import Settings, load

SECONDS = 60.0
"""The time limit for one query."""
_GRACE = 5.0  # seconds for the work to notice that its time is over


class Endpoint:
    """One server's gate, threads and tools."""

    def __init__(self, read_settings: Callable[[], Settings] = load, seconds: float = SECONDS) -> None:
        self._read_settings = read_settings
        self.seconds = seconds
        self.gate = Gate()

    @cached_property
    def settings(self) -> Settings:
        """The settings for a caller: in the demo without anything that belongs to the owner."""
        settings = self._read_settings()
        return limits.in_demo(settings) if settings.demo else settings

    @cached_property
    def llm(self) -> Llm | None:
        """The only client for the judge: its limiter and its budget cover all requests together."""
        return llm_from(self.settings) if has_llm(self.settings) else None

    async def trace(self, request: Request) -> Response:
        """Answer one request; any failure is an exception that `_problem` or FastAPI answers."""
        settings = self.settings
        _check_key(request, settings)
        body = await read_body(request, settings.max_body)
        note(request, bytes=len(body))
        address = caller(request, settings.proxies)
        if settings.demo:  # its callers share the limits of visitors of the pages
            try:
                limits.check_length([read_query(body)])
            except InputError as error:
                raise HTTPException(413, str(error)) from None
            if wait := limits.ASKING.wait(address):
                raise Busy("The demo is shared: that is enough for now.", max(1, math.ceil(wait)))
        with self.gate.enter(address):
            query = await self._read(body)
            payload = query.payload
            tools = self._tools(payload)
            ragas = self._ragas(payload, tools)
            tests = [name for name in payload.tests if name in TESTS]
            kind, seconds = "local", self.seconds
            if ragas:
                kind, seconds = "ragas", ragas.seconds
            elif not any(TESTS[name].with_judge for name in tests):
                kind = "parse"
            elif uses_llm(tools.labeler.name):
                kind = "judge"  # whoever waits for a judge keeps nobody waiting who needs none
            note(request, parsed_by=query.by, tests=tests, engine=payload.engine, labeler=tools.labeler.name)

            def score() -> bytes:
                with at_most(tools.seconds):
                    reply = run_tests(payload, tools, ragas)
                return json.dumps(valid(reply), ensure_ascii=False, allow_nan=False).encode()

            reply = await self.gate.run(kind, score, seconds + _GRACE)
        return Response(reply, media_type="application/json", headers={"x-trace-parsed-by": query.by})

    async def _read(self, body: bytes) -> Query:
        """Read the query; a judge is asked only for one that is not in a form of ours."""
        seconds = self.seconds + _GRACE
        try:
            return await self.gate.run("parse", lambda: parse_query(read_query(body)), seconds)
        except QueryError as error:
            if self.llm is None or error.whole:
                raise
            refusal, judge = error, LlmJudge(self.llm)

        def by_judge() -> Query:
            with at_most(self.seconds):
                return read_by_judge(read_query(body), judge, refusal)

        return await self.gate.run("judge", by_judge, seconds)

    def _tools(self, payload: Payload) -> Tools:
        settings, name = self.settings, payload.extra.get("labeler")
        if settings.demo and uses_llm(name):
            raise QueryError(f"extra.labeler: The public demo labels with {', '.join(without_llm())} alone.")
        model = embedder(settings.embedding_model)
        try:
            labeler = make_labeler(name or settings.labeler, model, self.llm)
        except SettingsError as error:
            raise (QueryError(f"extra.labeler: {error.message}", error.hint) if name else error) from None
        judge = LlmJudge(self.llm) if self.llm and uses_llm(labeler.name) else None
        most = limits.SENTENCES if settings.demo else MOST_SENTENCES
        return Tools(model, labeler, judge, self.seconds, most)

    def _ragas(self, payload: Payload, tools: Tools) -> Ragas | None:
        if payload.engine != "ragas":
            return None
        if self.settings.demo:
            raise QueryError("extra.engine: The public demo computes with `native` alone.")
        try:
            return ragas_from(self.settings, tools.embedder)
        except SettingsError as error:
            raise QueryError(f"extra.engine: {error.message}", error.hint) from None


def _check_key(request: Request, settings: Settings) -> None:
    if settings.api_key is None:
        return
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    key = settings.api_key.get_secret_value().encode()
    if scheme.lower() != "bearer" or not hmac.compare_digest(token.strip().encode("latin-1"), key):
        detail = "This server requires its API key: Authorization: Bearer …"
        raise HTTPException(401, detail, {"www-authenticate": "Bearer"})


async def _problem(_: Request, error: Exception) -> Response:
    if isinstance(error, QueryError):
        return JSONResponse(valid({"detail": str(error), "payload": error.payload}), 400)
    if isinstance(error, TooMuch):
        return JSONResponse({"detail": str(error)}, 413)
    status, detail, wait = 503, str(error), 30
    if isinstance(error, Busy):
        status, wait = 429, error.retry_after
    elif isinstance(error, NoScore):
        detail = f"No test could be computed. {error}"
    elif isinstance(error, TimeoutError):
        detail = "The query was not finished in time."
    return JSONResponse({"detail": detail}, status, {"retry-after": str(wait)})


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
    app.post("/trace", response_model=None, **description.POST)(endpoint.trace)

    for kind in (QueryError, TooMuch, Busy, SettingsError, NoScore, TimeoutError):
        app.add_exception_handler(kind, _problem)

    @app.get("/trace/schema", response_model=None, operation_id="trace_schema")
    async def schema() -> JSONResponse:
        """The payload, the six tests with their definitions, engines, labelers and limits."""
        return JSONResponse(description.schema())

    return app


app = create_app()
