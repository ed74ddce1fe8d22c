"""The public demo's limit on uploaded bytes in memory, for one visitor and for all together. The server reads a file
into memory before a page sees it, and keeps it until the visitor removes it or leaves."""

from collections import Counter
from collections.abc import Callable, Mapping

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trace_core.demo.limits import HELD_ALL, HELD_EACH

MARK = "/_stcore/upload_file/"


class Uploads:
    """ASGI middleware. `sizes` returns the stored bytes by session; bytes still arriving are counted here."""

    def __init__(self, app: ASGIApp, sizes: Callable[[], Mapping[str, int]]) -> None:
        self._app, self._sizes = app, sizes
        self._coming: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; an upload over the limit is refused with 413, at its first byte too many."""
        if scope["type"] != "http" or scope["method"] != "PUT" or MARK not in scope["path"]:
            await self._app(scope, receive, send)
            return
        session = scope["path"].rpartition(MARK)[2].partition("/")[0]
        total = 0

        async def receive_part() -> Message:
            nonlocal total
            message = await receive()
            size, sizes = len(message.get("body", b"")), self._sizes()
            own, every = sizes.get(session, 0) + self._coming[session], sum(sizes.values()) + self._coming.total()
            if own + size > HELD_EACH or every + size > HELD_ALL:
                detail = "The demo takes no more uploads now. Remove others first, or try again later."
                raise HTTPException(413, detail)
            total += size
            self._coming[session] += size
            return message

        try:
            await self._app(scope, receive_part, send)
        finally:
            self._coming[session] -= total
            self._coming += Counter()  # without those that send no more
