"""Time-outs and new tries for a Qdrant that is across a network: a cloud sheds load, restarts and drops connections.

Every request of this package may be sent twice: reads change nothing, points have stable ids, and
what is deleted stays deleted. So whatever looks like a passing fault is tried again, until
`PATIENCE_SECONDS` are over.
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
"""For one reply: a write waits until it is durable."""
PATIENCE_SECONDS = 15.0
"""After so long, counted from the first try, no further one begins."""
WAITS = (0.2, 0.8)
"""Seconds before each new try where the server names none."""
PASSING = frozenset({429, 502, 503, 504})

Send = Callable[["httpx.Request"], "httpx.Response"]


class Patience:
    """A middleware of the REST client: sends a request, and sends it again while its fault may pass.

    `sleep` and `clock` are seconds, given by tests.
    """

    def __init__(
        self, sleep: Callable[[float], None] = time.sleep, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._sleep, self._clock = sleep, clock

    def __call__(self, request: httpx.Request, send: Send) -> httpx.Response:
        """The reply, or the last fault as it came."""
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
    """Seconds that a `Retry-After` header asks for, as a number or a date; 0 where it says nothing."""
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
