"""Names the scripts of charts and tables together with the page, so that a browser loads them while the server draws.

Otherwise it asks for a chart's 5 MB only when the page's data has come.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SCRIPTS = ("PlotlyChart", "DataFrame", "arrowFormatUtils")


class Preload:
    """ASGI middleware for the pages at these paths; `folder` has the scripts, each with a hash in its name."""

    def __init__(self, app: ASGIApp, folder: Path, paths: Iterable[str]) -> None:
        self._app, self._paths = app, frozenset(paths)
        found = [path for name in SCRIPTS for path in folder.glob(f"static/js/{name}.*.js")]
        links = (f"<./{path.relative_to(folder).as_posix()}>; rel=modulepreload; crossorigin" for path in found)
        self._link = ", ".join(links)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""

        async def send_with_link(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["link"] = self._link
            await send(message)

        charted = scope["type"] == "http" and self._link and scope["path"].strip("/") in self._paths
        await self._app(scope, receive, send_with_link if charted else send)
