"""Guards everything on the port: only requests under this server's names are served, and never in a foreign frame. A
page of another site can point its own name at this machine's address (DNS rebinding); the browser then takes the
dashboard for part of that site. The name in `Host` reveals this. A page that another program of this machine serves has
the same name and another port, and Streamlit lets it in."""

import os
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from functools import cached_property
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trace_core.errors import SettingsError
from trace_core.settings import Settings, load

LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""The names under which only this machine can reach the server."""
NO_FRAME = "frame-ancestors 'self'"
_POLICY_VIOLATION = 1008


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

        headers = Headers(scope=scope)
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
