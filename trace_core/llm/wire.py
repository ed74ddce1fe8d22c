"""Requests to an OpenAI-compatible server: the SDK sends and retries, its HTTP client enforces the limits.

Every attempt, including a retry, waits its turn, is counted and paid for. Only the SDK retries;
a reply that must not be retried gets the header that the SDK obeys.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

import httpx2
from openai import DefaultHttpxClient, NotFoundError, OpenAI, OpenAIError

from trace_core.errors import LlmError
from trace_core.llm.clock import Clock, by, keep_time, running
from trace_core.llm.deadline import seconds_left
from trace_core.llm.failures import explain
from trace_core.llm.limiter import Limiter, Purse
from trace_core.llm.usage import Meter

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionChunk

RATE_RETRIES = 12
"""The number of the SDK's retries; only "too many requests" may use all of them."""
CONNECT_SECONDS = 10.0
_SHORTEST_KEY = 8
"""A shorter key is a placeholder, and may occur in the text as a word."""
_NO_RETRY = {"x-should-retry": "false"}
_CALLED = "/chat/completions"
_BROKEN = (OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, ValueError)


class _NoReply(OpenAIError):
    """Stops the SDK, which passes on its own kind of error without a retry; `__cause__` says why."""


@dataclass(slots=True)
class Work:
    """What one example may still do: `left` requests, not counting those refused as too many."""

    limiter: Limiter
    purse: Purse
    meter: Meter
    left: int
    tokens: float = 0
    cost: float = 0
    held: bool = False
    clock: Clock | None = None

    def begin(self) -> None:
        """Wait for the turn of an attempt. Raises `BudgetSpent`."""
        self.purse.reserve(self.cost)
        self.limiter.acquire(self.tokens)
        self.held = True
        self.left -= 1
        self.meter.calls += 1

    def end(self, cost: float | None) -> None:
        """End the attempt; a `cost` of `None` means unknown."""
        if self.held:
            self.held = False
            self.limiter.release()
            self.purse.pay(self.cost, cost)

    def lost(self) -> None:
        """End an attempt without a complete reply, whose cost is unknown."""
        self.meter.counted = False
        self.end(None)

    def refused(self, retry_after: float | None) -> None:
        """End an attempt that the server refused with 429, which does not count as a call."""
        self.left += 1
        self.meter.calls -= 1
        self.meter.rate_limited += 1
        self.limiter.refused(retry_after)
        self.end(0)

    def succeeded(self, usage: object) -> None:
        """End an attempt with a complete reply."""
        before = self.meter.prompt + self.meter.completion
        cost = self.meter.add(usage)
        if self.meter.counted:
            self.limiter.used(self.meter.prompt + self.meter.completion - before, self.tokens)
        self.limiter.succeeded()
        self.end(cost)


_current: ContextVar[Work | None] = ContextVar("work", default=None)


class _Limited(DefaultHttpxClient):
    """Sends each attempt within the limits of this thread's current work, for at most `seconds` each.

    Redirects are not followed, because the whole prompt would go to an address that nobody configured.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__(follow_redirects=False, event_hooks={"response": [_as_asked_for]})
        keep_time(self)
        self._seconds = seconds

    def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        work = _current.get()
        if work is None:
            return super().send(request, **options)
        if work.left <= 0 or seconds_left() <= 0:
            raise _NoReply("no attempt is left")
        work.begin()
        work.clock = Clock(self._seconds)
        try:
            with running(work.clock):
                response = super().send(request, **options)
        except BaseException as error:
            work.lost()
            if (work.left <= 0 or work.clock.spent) and isinstance(error, httpx2.HTTPError):
                raise _NoReply(type(error).__name__) from error
            raise
        if response.status_code == 429:
            work.refused(_retry_after(response.headers))
            if _quota_is_used_up(response):
                response.headers.update(_NO_RETRY)
        elif not response.is_success:
            work.end(0)
            if work.left <= 0:
                response.headers.update(_NO_RETRY)
        return response

    def __del__(self) -> None:
        """Close the connections with the last user."""
        if not self.is_closed:
            self.close()


class Wire:
    """One server and one key. Thread-safe."""

    def __init__(self, key: str, base_url: str, shown: str, timeout: float) -> None:
        self.shown = shown
        self._key = key
        self._timeout = timeout
        address, query = read_address(base_url)
        self._client = OpenAI(
            api_key=key, base_url=address, default_query=query, default_headers={"Accept-Encoding": "identity"},
            max_retries=RATE_RETRIES, http_client=_Limited(2 * timeout),
            timeout=httpx2.Timeout(timeout, connect=min(timeout, CONNECT_SECONDS)),
        )  # fmt: skip

    def complete(self, params: Mapping[str, Any], work: Work) -> str:
        """The body of the server's reply, as text. Raises `LlmError`, `Rejected` or `BudgetSpent`."""
        with self._asking(work):
            raw = self._client.chat.completions.with_raw_response.create(**params)
        body = self.scrubbed(raw.text)
        work.succeeded(_usage(body))
        return body

    def stream(self, params: Mapping[str, Any], work: Work) -> Iterator[ChatCompletionChunk]:
        """The chunks of the server's reply as they arrive. Raises as `complete` does."""
        usage: object = None
        try:
            with self._asking(work):
                opened = self._client.chat.completions.create(stream=True, **params)
            with self._explained(work), opened:
                for chunk in by(work.clock, opened):
                    usage = chunk.usage.to_dict() if chunk.usage else usage
                    yield chunk
            work.succeeded(usage)
        finally:
            if work.held:  # interrupted by the server or by the reader
                work.lost()

    def models(self) -> list[str] | None:
        """The names of the server's models, `None` if it gives no list. Raises `LlmError`."""
        try:
            client = self._client.with_options(max_retries=0, timeout=CONNECT_SECONDS)
            with running(Clock(CONNECT_SECONDS)):
                return [model.id for model in client.models.list().data or []]
        except NotFoundError:
            return None
        except (*_BROKEN, AttributeError, TypeError) as error:
            raise explain(error, self.shown, CONNECT_SECONDS, self.scrubbed) from None

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def scrubbed(self, text: str) -> str:
        """The text with the key removed, wherever it came from."""
        return text.replace(self._key, "[key]") if len(self._key) >= _SHORTEST_KEY else text

    def scrubbed_pieces(self, pieces: Iterable[str]) -> Iterator[str]:
        """The pieces with the key removed, even if it is spread over several."""
        held = ""
        for piece in pieces:
            held = self.scrubbed(held + piece)
            tail = self._begun(held)
            if len(held) > tail:
                yield held[: len(held) - tail]
            held = held[len(held) - tail :]
        if held:
            yield held

    def _begun(self, text: str) -> int:
        """The number of trailing characters that may be the beginning of the key."""
        if len(self._key) < _SHORTEST_KEY:
            return 0
        longest = min(len(text), len(self._key) - 1)
        return next((n for n in range(longest, 0, -1) if self._key.startswith(text[-n:])), 0)

    @contextmanager
    def _asking(self, work: Work) -> Iterator[None]:
        token = _current.set(work)
        try:
            with self._explained(work):
                yield
        finally:
            _current.reset(token)

    @contextmanager
    def _explained(self, work: Work) -> Iterator[None]:
        try:
            yield
        except LlmError as error:  # over budget: keep what was spent before
            error.usage = work.meter.usage()
            raise
        except _BROKEN as error:
            usage = work.meter.usage()
            late = "could not be asked in the time that there was" if seconds_left() <= 0 else ""
            if why := (work.clock.spent if work.clock else "") or late:
                message = f"The model's server at {self.shown} {why}."
                raise LlmError(message, "Try again later; what was made is kept.", usage=usage) from None
            raise explain(error, self.shown, self._timeout, self.scrubbed, usage) from None


def read_address(url: str) -> tuple[str, dict[str, str]]:
    """The base of the server's paths, and the query of each request; `url` may include the path of the call."""
    parts = urlsplit(url)
    path = parts.path.rstrip("/").removesuffix(_CALLED)
    return urlunsplit((parts.scheme, parts.netloc, path, "", "")), dict(parse_qsl(parts.query, keep_blank_values=True))


def _as_asked_for(response: httpx2.Response) -> None:
    """Decompress no reply, as none was requested compressed: a small one could expand to gigabytes."""
    response.headers.pop("content-encoding", None)


def _usage(body: str) -> object:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found.get("usage") if isinstance(found, dict) else None


def _retry_after(headers: httpx2.Headers) -> float | None:
    """The seconds to wait; the header contains a number or a date."""
    value = headers.get("retry-after-ms")
    try:
        return float(value) / 1000 if value else float(headers.get("retry-after", ""))
    except ValueError:
        pass
    try:
        return parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time.time()
    except ValueError:
        return None


def _quota_is_used_up(response: httpx2.Response) -> bool:
    """Whether the quota is used up, so that waiting does not help."""
    try:
        response.read()
    except httpx2.HTTPError:
        return False
    return "insufficient_quota" in response.text
