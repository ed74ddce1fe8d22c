"""Requests to an OpenAI-compatible server through the openai package, asked again where that may help.

Every attempt waits its turn, is counted and paid for, and all attempts of one call share its time: the client's
time-outs limit silence only, and a server that sends a byte now and then is never silent.
"""

from __future__ import annotations

import asyncio
import os
import random
import threading
import time
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qsl, urlsplit, urlunsplit

import httpx2
from openai import (
    APIError,
    APIStatusError,
    AsyncAzureOpenAI,
    AsyncOpenAI,
    AsyncStream,
    DefaultAsyncHttpxClient,
    NotFoundError,
    OpenAIError,
)

from trace_core.errors import LlmError
from trace_core.llm.completion import Completion, error_in, read_completion, status_of
from trace_core.llm.failures import status_error
from trace_core.llm.limiter import LONGEST_PAUSE, Limiter, Purse, seconds_left
from trace_core.llm.usage import Meter

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionChunk

MOST_REFUSALS = 12
"""How often one call is asked again after "too many requests"."""
MOST_BYTES = 10_000_000
"""The most bytes of a reply; no useful one is so long."""
CONNECT_SECONDS = 10.0
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.5, 8.0
_SHORTEST_KEY = 8
"""A shorter key is a placeholder, and may occur in the text as a word."""
_CALL = "/chat/completions"
_ERRORS = (OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, TimeoutError, ValueError)
_LATER = "Try again later; finished work is kept."

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Address:
    """A server: `url` with its key, and `shown` as messages may show it. `azure_version` is Azure's API version."""

    url: str
    key: str
    shown: str
    azure_version: str | None = None


@dataclass(slots=True)
class Work:
    """What one call may still do: requests, not counting those refused, and seconds of waiting for the server."""

    limiter: Limiter
    purse: Purse
    meter: Meter
    left: int
    seconds: float
    tokens: float = 0
    cost: float = 0
    refusals: int = MOST_REFUSALS
    running: bool = False

    def begin(self) -> float:
        """Wait for the turn of an attempt and return its seconds. Raises `BudgetSpent`."""
        self.purse.reserve(self.cost)
        self.limiter.acquire(self.tokens)
        self.running = True
        self.left -= 1
        self.meter.calls += 1
        return max(0.0, min(self.seconds, seconds_left()))

    def end(self, cost: float | None) -> None:
        """End the attempt; a `cost` of `None` means unknown."""
        if self.running:
            self.running = False
            self.limiter.release()
            self.purse.pay(self.cost, cost)

    def lost(self) -> None:
        """End an attempt without a complete reply, whose cost is unknown."""
        self.meter.counted = False
        self.end(None)

    def refused(self, retry_after: float | None) -> None:
        """End an attempt that the server refused with 429, which does not count as a call."""
        self.left += 1
        self.refusals -= 1
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


class Wire:
    """The connection to one server. Thread-safe."""

    def __init__(self, address: Address, seconds: float) -> None:
        self.address, self.seconds = address, seconds
        options: dict[str, Any] = {
            "api_key": address.key, "max_retries": 0, "default_headers": {"Accept-Encoding": "identity"},
            "timeout": httpx2.Timeout(None, connect=min(seconds, CONNECT_SECONDS)),
            # Redirects are not followed: the whole prompt would go to an address that nobody configured.
            "http_client": DefaultAsyncHttpxClient(follow_redirects=False, event_hooks={"response": [_received]}),
        }  # fmt: skip
        url, query = read_address(address.url)
        self._client: AsyncOpenAI = (
            AsyncAzureOpenAI(azure_endpoint=url, api_version=address.azure_version, **options)
            if address.azure_version
            else AsyncOpenAI(base_url=url, default_query=query, **options)
        )
        self.close = weakref.finalize(self, _close, self._client)
        self.close.atexit = False

    def complete(self, params: Mapping[str, Any], work: Work) -> Completion:
        """The server's reply. Raises `LlmError`, `Rejected` or `BudgetSpent`."""

        async def ask() -> str:
            reply = await self._client.chat.completions.with_raw_response.create(**params)
            return self.scrubbed(reply.text)

        made = read_completion(self._asked(ask, work))
        work.succeeded(made.usage)
        return made

    def stream(self, params: Mapping[str, Any], work: Work) -> Iterator[ChatCompletionChunk]:
        """The chunks of the server's reply as they arrive. Raises as `complete` does."""

        async def ask() -> tuple[AsyncStream[ChatCompletionChunk], ChatCompletionChunk | None]:
            opened = await self._client.chat.completions.create(stream=True, **params)
            return opened, await _next(opened)

        usage: object = None
        try:
            opened, chunk = self._asked(ask, work)
            try:
                while chunk:
                    usage = chunk.usage.to_dict() if chunk.usage else usage
                    yield chunk
                    chunk = self._timed(lambda: _next(opened), work, work.seconds)
            except _ERRORS as error:
                raise self._explained(error, work) from None
            finally:
                _run(opened.close())
            work.succeeded(usage)
        finally:
            if work.running:  # interrupted by the server or by the reader
                work.lost()

    def models(self) -> list[str] | None:
        """The names of the server's models, `None` if it gives no list. Raises `LlmError`."""

        async def ask() -> list[str]:
            async with asyncio.timeout(CONNECT_SECONDS):
                return [model.id for model in (await self._client.models.list()).data or []]

        try:
            return _run(ask())
        except NotFoundError:
            return None
        except (*_ERRORS, AttributeError, TypeError) as error:
            raise self._explained(error, None) from None

    def _asked(self, ask: Callable[[], Awaitable[T]], work: Work) -> T:
        """The first success, after as many attempts as the call may make."""
        pause = _SHORTEST_PAUSE
        while True:
            if seconds_left() <= 0:
                raise self._late(work)
            try:
                return self._timed(ask, work, work.begin())
            except LlmError as error:  # over budget: keep what was spent before
                error.usage = work.meter.usage()
                raise
            except _ERRORS as error:
                wait = _settled(error, work, pause)
                if wait is None or wait > seconds_left():
                    raise self._explained(error, work) from None
            except BaseException:
                work.lost()
                raise
            time.sleep(wait)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _timed(self, ask: Callable[[], Awaitable[T]], work: Work, seconds: float) -> T:
        """The result, within that time, which is then no longer the call's."""

        async def timed() -> T:
            async with asyncio.timeout(min(seconds, seconds_left())):
                return await ask()

        start = time.monotonic()
        try:
            return _run(timed())
        finally:
            work.seconds -= time.monotonic() - start

    def _explained(self, error: BaseException, work: Work | None) -> LlmError:
        """Our error for one of the client's."""
        usage = work.meter.usage() if work else {}
        if isinstance(error, APIStatusError):
            made = status_error(error, self.address.shown, self.scrubbed)
        elif isinstance(error, TimeoutError):
            return self._late(work)
        else:
            cause = error.__cause__ or error
            happened = f"cannot be reached, or broke off ({type(cause).__name__})"
            if isinstance(cause, _TooLong):
                happened = f"sent a reply of more than {MOST_BYTES // 1_000_000} MB"
            hint = "Check OPENAI_BASE_URL and the network, then try again."
            made = LlmError(f"The model's server at {self.address.shown} {happened}.", hint)
        made.usage = usage
        return made

    def _late(self, work: Work | None) -> LlmError:
        waited = min(self.seconds, CONNECT_SECONDS) if work is None else self.seconds
        what = "was not asked in the time left" if seconds_left() <= 0 else f"did not finish within {waited:g} s"
        return LlmError(
            f"The model's server at {self.address.shown} {what}.", _LATER, usage=work.meter.usage() if work else {}
        )

    def scrubbed(self, text: str) -> str:
        """The text with the key removed, wherever it came from."""
        return text.replace(self.address.key, "[key]") if len(self.address.key) >= _SHORTEST_KEY else text

    def scrubbed_pieces(self, pieces: Iterable[str]) -> Iterator[str]:
        """The pieces with the key removed, even if it is spread over several."""
        waiting = ""
        for piece in pieces:
            waiting = self.scrubbed(waiting + piece)
            ready = len(waiting) - self._begun(waiting)
            if ready:
                yield waiting[:ready]
            waiting = waiting[ready:]
        if waiting:
            yield waiting

    def _begun(self, text: str) -> int:
        """The number of trailing characters that may be the beginning of the key."""
        key = self.address.key
        if len(key) < _SHORTEST_KEY:
            return 0
        longest = min(len(text), len(key) - 1)
        return next((n for n in range(longest, 0, -1) if key.startswith(text[-n:])), 0)


@lru_cache(maxsize=1)
def _loop() -> asyncio.AbstractEventLoop:
    """The event loop of all requests, in a thread of its own, since the callers are threads that wait."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="llm", daemon=True).start()
    return loop


os.register_at_fork(after_in_child=_loop.cache_clear)


def _run(work: Coroutine[Any, Any, T]) -> T:
    """The result of the work; a caller that is interrupted ends it."""
    future = asyncio.run_coroutine_threadsafe(work, _loop())
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


def _close(client: AsyncOpenAI) -> None:
    asyncio.run_coroutine_threadsafe(client.close(), _loop())


class _TooLong(httpx2.ReadError):
    """A reply of more than `MOST_BYTES`."""


class _Counted(httpx2.AsyncByteStream):
    """A body of at most `MOST_BYTES`."""

    def __init__(self, body: httpx2.AsyncByteStream) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        received = 0
        async for part in self._body:
            received += len(part)
            if received > MOST_BYTES:
                raise _TooLong("too long")
            yield part

    async def aclose(self) -> None:
        await self._body.aclose()


async def _received(response: httpx2.Response) -> None:
    """Limit the body, and give a response the status of the error that its body reports.

    Nothing is decompressed, as nothing was requested compressed: a small reply could expand to gigabytes.
    """
    response.headers.pop("content-encoding", None)
    assert isinstance(response.stream, httpx2.AsyncByteStream)  # noqa: S101  # the client is asynchronous
    response.stream = _Counted(response.stream)
    if "text/event-stream" in response.headers.get("content-type", ""):
        return
    await response.aread()
    if response.is_success and (error := error_in(response.text)):
        response.status_code = status_of(error)


async def _next(opened: AsyncStream[ChatCompletionChunk]) -> ChatCompletionChunk | None:
    """The next chunk, `None` at the end; a chunk that reports an error raises it as the status that it stands for."""
    try:
        return await anext(opened, None)
    except APIError as error:
        if not isinstance(error.body, Mapping):
            raise
        response = httpx2.Response(status_of(error.body), request=error.request, json={"error": error.body})
        raise APIStatusError(error.message, response=response, body=error.body) from None


def _settled(error: Exception, work: Work, pause: float) -> float | None:
    """End the attempt that failed; the seconds after which to ask again, `None` if that would not help."""
    if not isinstance(error, APIStatusError):
        work.lost()
        final = isinstance(error, TimeoutError) or isinstance(error.__cause__, _TooLong)
        return None if final else _again(work, pause)
    status, wait = error.status_code, _retry_after(error.response)
    if status == 429:
        work.refused(wait)
        hopeless = work.refusals < 0 or (wait or 0) > LONGEST_PAUSE or "insufficient_quota" in error.response.text
        return None if hopeless else 0.0
    work.end(0)
    return _again(work, wait or pause) if status in (408, 409) or (status >= 500 and status != 501) else None


def _again(work: Work, pause: float) -> float | None:
    """The pause, somewhat random so that not all ask again at once; `None` if nothing may be asked any more."""
    return pause * random.uniform(0.75, 1) if work.left > 0 and work.seconds > 0 else None  # noqa: S311


def read_address(url: str) -> tuple[str, dict[str, str]]:
    """The base of the server's paths, and the query of each request; `url` may include the path of the call."""
    parts = urlsplit(url)
    path = parts.path.rstrip("/").removesuffix(_CALL)
    return urlunsplit((parts.scheme, parts.netloc, path, "", "")), dict(parse_qsl(parts.query, keep_blank_values=True))


def _retry_after(response: httpx2.Response) -> float | None:
    """The seconds to wait, from the headers (a number or a date) or the body."""
    value = response.headers.get("retry-after", "")
    error = error_in(response.text) or {}
    places = [place for place in (error, error.get("metadata")) if isinstance(place, Mapping)]
    waits = [place.get(name) for place in places for name in ("retry_after", "retry_after_seconds")]
    for seconds in (value, *waits):
        with suppress(ValueError):
            return float(seconds or "")
    with suppress(ValueError):
        return float(response.headers.get("retry-after-ms", "")) / 1000
    with suppress(ValueError):
        return parsedate_to_datetime(value).timestamp() - time.time()
    return None
