"""Around every request: an id, a log line without texts or keys, and a reply even to failures."""

import json
import logging
import re
import time
import uuid
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "x-request-id"
_LOG = logging.getLogger("trace.api")
_THIS_MACHINE = ("127.0.0.1", "::1")
_SANE = re.compile(r"[\w.:-]{1,64}", re.ASCII)


def set_up_log() -> None:
    """One JSON object per line on standard error, unless this logger is already configured."""
    if not _LOG.handlers:
        _LOG.addHandler(logging.StreamHandler())
        _LOG.setLevel(logging.INFO)
        _LOG.propagate = False


def note(request: Request, **facts: Any) -> None:
    """Add facts to this request's log line; never the caller's texts."""
    request.state.facts.update(facts)


def caller(request: Request, proxies: str) -> str:
    """The caller's address. `X-Forwarded-For` counts only from the named proxies, addresses separated by commas."""
    client = request.client.host if request.client else ""
    proxy_addresses = {address.strip() for address in proxies.split(",")}
    hops = [hop.strip() for line in request.headers.getlist("x-forwarded-for") for hop in line.split(",")]
    if client and any(client in hop for hop in hops) and proxy_addresses.isdisjoint(_THIS_MACHINE):
        return "forwarded"  # uvicorn believes any process of this machine; all such callers count as one
    return next((hop for hop in reversed([*hops, client]) if hop not in proxy_addresses), client)


class Guard:
    """ASGI middleware. A client's own `X-Request-ID` is kept if it is a short plain word."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        own = Headers(scope=scope).get(HEADER, "")
        request_id = own if _SANE.fullmatch(own) else uuid.uuid4().hex[:16]
        line = {"request_id": request_id, "method": scope["method"], "path": scope["path"][:100], "status": 0}
        scope.setdefault("state", {})["facts"] = facts = {}
        start = time.perf_counter()

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                line["status"] = message["status"]
                MutableHeaders(scope=message)[HEADER] = request_id
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        except Exception as error:  # noqa: BLE001  # a caller gets a reply whatever happened, and the log says what
            facts["unexpected"] = f"{type(error).__name__} at {_place(error)}"
            if not line["status"]:
                detail = f"Something failed that should not; the log has it under request id {request_id}."
                await JSONResponse({"detail": detail}, 503, {"retry-after": "60"})(scope, receive, send_with_id)
        finally:
            _LOG.info(json.dumps(line | {"seconds": round(time.perf_counter() - start, 4)} | facts))


def _place(error: Exception) -> str:
    """Where the error was raised; its message is left out, as it may contain a text."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_qualname}:{trace.tb_lineno}" if trace else "?"
