"""Guards everything on the port: only requests under this server's names are served, and never in a foreign frame.

A page of another site can point its own name at this machine's address (DNS rebinding); the browser then takes
the dashboard for part of that site. The name in `Host` reveals this.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import cached_property

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trace_core.errors import SettingsError
from trace_core.settings import Settings, load

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""The names under which only this machine can reach the server."""
NO_FRAME = "frame-ancestors 'self'"
_WEBSOCKET_REFUSED = 1008


class Doors:
    """ASGI middleware. The settings may allow more hosts (`TRACE_HOSTS`); in a Space another site may frame the app."""

    def __init__(self, app: ASGIApp, settings: Callable[[], Settings] = load) -> None:
        self._app, self._settings = app, settings
        self._framed = bool(os.environ.get("SPACE_ID"))

    @cached_property
    def _hosts(self) -> tuple[str, ...]:
        try:
            named = self._settings().hosts
        except SettingsError:  # added to every response
            named = ""
        return (*LOOPBACK, *(host for word in named.split(",") if (host := word.strip().lower())))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        host = Headers(scope=scope).get("host", "")
        if not is_named(host, self._hosts):
            await _refuse(scope, receive, send)
            return

        async def send_unframed(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["content-security-policy"] = NO_FRAME
            await send(message)

        await self._app(scope, receive, send if self._framed else send_unframed)


def is_named(host: str, names: Iterable[str]) -> bool:
    """Whether the host, without its port, is one of the names; `*.example.org` is any name under it, `*` any name."""
    name = host.lower()
    if not name.endswith("]"):
        before, colon, port = name.rpartition(":")
        name = before if colon and port.isdigit() else name
    name = name.rstrip(".")
    return any(known in ("*", name) or (known.startswith("*.") and name.endswith(known[1:])) for known in names)


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": _WEBSOCKET_REFUSED})
        return
    detail = "This server does not answer to that host name. Its owner can name more in TRACE_HOSTS."
    await JSONResponse({"detail": detail}, 421)(scope, receive, send)
