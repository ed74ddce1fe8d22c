"""Timeouts and retries for a Qdrant across a network: a cloud sheds load, restarts and drops connections.

Every request of this package may be sent twice: reads change nothing, points have stable ids, and
deletions are final. So every error that looks transient is retried until `PATIENCE_SECONDS` are over.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx

CONNECT_SECONDS = 5.0
READ_SECONDS = 30.0
"""Seconds to wait for one reply: a write waits until it is durable."""
PATIENCE_SECONDS = 15.0
"""Seconds from the first try after which no further try begins."""
WAITS = (0.2, 0.8)
"""Seconds before each retry where the server names none."""
PASSING = frozenset({429, 502, 503, 504})

Send = Callable[["httpx.Request"], "httpx.Response"]


class Patience:
    """A middleware of the REST client: sends a request, and retries it on transient errors.

    Tests pass their own `sleep` and `clock`, both in seconds.
    """

    def __init__(
        self, sleep: Callable[[float], None] = time.sleep, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._sleep, self._clock = sleep, clock

    def __call__(self, request: httpx.Request, send: Send) -> httpx.Response:
        """The reply, or the last error unchanged."""
        import httpx
        from qdrant_client.http.exceptions import ResponseHandlingException

        request.extensions["timeout"] = httpx.Timeout(READ_SECONDS, connect=CONNECT_SECONDS).as_dict()
        end = self._clock() + PATIENCE_SECONDS
        for wait in WAITS:
            try:
                response = send(request)
            except ResponseHandlingException as error:
                if not isinstance(error.source, httpx.TransportError) or self._clock() + wait > end:
                    raise
            else:
                if response.status_code not in PASSING:
                    return response
                wait = max(wait, asked_to_wait(response.headers.get("Retry-After")))
                if self._clock() + wait > end:
                    return response
            self._sleep(wait)
        return send(request)


def asked_to_wait(retry_after: str | None) -> float:
    """Seconds to wait by a `Retry-After` header, a number or a date; 0 where there is none."""
    if not retry_after:
        return 0.0
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        until = parsedate_to_datetime(retry_after)
    except ValueError:
        return 0.0
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
