"""Guards around every request on the port: only those under this server's names are served, never in a foreign frame,
and each has an id, a log line without texts or keys, and a reply even to failures. A page of another site can point its
own name at this machine's address (DNS rebinding); the browser then takes the dashboard for part of that site. The name
in `Host` reveals this. A page that another program of this machine serves has the same name and another port, and
Streamlit lets it in."""

import json
import logging
import os
import re
import time
import uuid
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from functools import cached_property
from traceback import walk_tb
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trace_core.errors import SettingsError
from trace_core.settings import Settings, load

LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""The names under which only this machine can reach the server."""
NO_FRAME = "frame-ancestors 'self'"
_POLICY_VIOLATION = 1008
HEADER = "x-request-id"
_LOG = logging.getLogger("trace.api")


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
    if client and any(client in hop for hop in hops) and proxy_addresses.isdisjoint(("127.0.0.1", "::1")):
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
        request_id = own if re.fullmatch(r"[\w.:-]{1,64}", own, re.ASCII) else uuid.uuid4().hex[:16]
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
                detail = f"Something unexpected failed; the log has it under request id {request_id}."
                await JSONResponse({"detail": detail}, 503, {"retry-after": "60"})(scope, receive, send_with_id)
        finally:
            _LOG.info(json.dumps(line | {"seconds": round(time.perf_counter() - start, 4)} | facts))


def _place(error: Exception) -> str:
    """Where the error was raised; its message is left out, as it may contain a text."""
    *_, (frame, line) = walk_tb(error.__traceback__)
    return f"{frame.f_code.co_qualname}:{line}"


class Doors:
    """ASGI middleware. The settings may allow more hosts (`TRACE_HOSTS`); in a Space another site may frame the app."""

    def __init__(self, app: ASGIApp, settings: Callable[[], Settings] = load) -> None:
        self._app, self._settings = app, settings
        self._framed = bool(os.environ.get("SPACE_ID"))

    @cached_property
    def _hosts(self) -> list[str]:
        try:
            return [*LOOPBACK, *self._settings().hosts.lower().replace(",", " ").split()]
        except SettingsError:  # the page, or the reply, names it
            return [*LOOPBACK]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or refuse it."""

        async def send_without_frame(message: Message) -> None:
            if message["type"] == "http.response.start" and not self._framed:
                MutableHeaders(scope=message)["content-security-policy"] = NO_FRAME
            await send(message)

        headers = Headers(raw=scope.get("headers", []))  # the server's start and end have none
        at_home = matches(headers.get("host", ""), self._hosts)
        if scope["type"] == "websocket" and not (at_home and is_own_port(headers)):
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
        elif at_home or scope["type"] != "http":
            await self._app(scope, receive, send_without_frame)
        else:
            detail = "This server does not answer to that host name. Its owner can name more in TRACE_HOSTS."
            await JSONResponse({"detail": detail}, 421)(scope, receive, send)


def is_own_port(headers: Headers) -> bool:
    """Whether the page that sent the request is not one of another port of this machine; both may leave out 80 or 443.
    A page of another machine is Streamlit's to judge."""
    try:
        page, server = urlsplit(headers.get("origin", "")), urlsplit(f"//{headers.get('host', '')}")
        usual = {"https": 443}.get(page.scheme, 80)
        return page.hostname not in LOOPBACK or (page.port or usual) == (server.port or usual)
    except ValueError:
        return False


def matches(host: str, names: Iterable[str]) -> bool:
    """Whether the host, without its port, is one of the names; `*.example.org` is any name under it, `*` any name."""
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return False
    return "@" not in host and any(fnmatchcase(name, pattern) for pattern in names)
