"""Requests to an OpenAI-compatible server through the openai package, asked again where that may help.

Every attempt waits its turn, is counted and paid for; further ones that the openai package makes would not.
"""

from __future__ import annotations

import json
import random
import ssl
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

import httpx2
from openai import (
    APIError,
    APIStatusError,
    APITimeoutError,
    AzureOpenAI,
    DefaultHttpxClient,
    OpenAI,
    OpenAIError,
    Stream,
)

from trace_core.errors import LlmError
from trace_core.facts.strict import valid_text
from trace_core.llm.completion import STOPPED, Completion, error_in, error_status, read_completion
from trace_core.llm.failures import status_error
from trace_core.llm.limiter import LONGEST_PAUSE, Limiter, Purse, at_most, time_left
from trace_core.llm.usage import Price, Tokens, tokens_of

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionChunk

MOST_REFUSALS = 12
"""How often one call is asked again after "too many requests"."""
CONNECT_SECONDS = 10.0
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.5, 8.0
_SHORTEST_KEY = 8
"""A shorter key is a placeholder, and may occur in the text as a word."""
_ERRORS = (OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, json.JSONDecodeError, UnicodeError)
_LATER = "Try again later; finished work is kept."

T = TypeVar("T")


@cache
def _certificates() -> ssl.SSLContext:
    return httpx2.create_ssl_context()  # reads all authorities' certificates: once for all connections


@dataclass(slots=True)
class Work:
    """One call: what it may still do (`left` requests, not counting those that were refused) and what it has cost.

    `tokens` and `cost` are what each of its requests is expected to take.
    """

    limiter: Limiter
    purse: Purse
    price: Price | None
    left: int
    tokens: float
    cost: float
    refusals: int = MOST_REFUSALS
    calls: int = 0
    rate_limited: int = 0
    cut_prompts: int = 0
    spent: Tokens | None = Tokens(0, 0, 0)  # noqa: RUF009  # a tuple
    """The tokens of all requests, `None` if one does not count its own."""
    running: bool = False

    def begin(self) -> None:
        """Wait for the turn of a request. Raises `BudgetSpent`."""
        self.purse.reserve(self.cost)
        self.limiter.acquire(self.tokens)
        self.running = True
        self.left -= 1
        self.calls += 1

    def end(self, cost: float | None) -> None:
        """End the request; a `cost` of `None` means unknown."""
        self.running = False
        self.limiter.release()
        self.purse.pay(self.cost, cost)

    def replied(self, usage: object) -> None:
        """End a request, if it has not ended, with its reply; a `usage` of `None` means that there is no whole one."""
        if self.running:
            tokens = tokens_of(usage)
            self.spent = Tokens(*map(sum, zip(self.spent, tokens, strict=True))) if self.spent and tokens else None
            self.end(self.price.of(*tokens) if self.price and tokens else None)

    def refused(self, pause: float) -> None:
        """End a request that the server refused with 429, which does not count as a call."""
        self.left += 1
        self.refusals -= 1
        self.calls -= 1
        self.rate_limited += 1
        self.limiter.pause(pause)
        self.end(0)

    def usage(self) -> dict[str, float]:
        """What is known of the cost."""
        known: dict[str, float] = {"calls": self.calls}
        known |= {name: n for name in ("rate_limited", "cut_prompts") if (n := getattr(self, name))}
        if self.spent and any(self.spent):
            known |= {f"{name}_tokens": n for name, n in self.spent._asdict().items()}
            known |= {"cost": self.price.of(*self.spent)} if self.price else {}
        return known


class Wire:
    """The connection to one server, `shown` in messages. Thread-safe. `seconds` is the time for one reply."""

    def __init__(self, url: str, key: str, shown: str, azure_version: str | None, seconds: float) -> None:
        self.key, self.shown, self.seconds = key, shown, seconds
        options: dict[str, Any] = {
            "api_key": key,
            "max_retries": 0,
            # Redirects are not followed: the whole prompt would go to an address that nobody configured.
            "http_client": DefaultHttpxClient(
                verify=_certificates(), follow_redirects=False, event_hooks={"response": [_received]}
            ),
        }
        azure: dict[str, Any] = {"azure_endpoint": url, "api_version": azure_version}
        self._client: OpenAI = AzureOpenAI(**azure, **options) if azure_version else OpenAI(base_url=url, **options)
        self.close = weakref.finalize(self, self._client.close)

    def complete(self, params: Mapping[str, Any], work: Work) -> Completion:
        """The server's reply. Raises `LlmError`, `Rejected` or `BudgetSpent`."""

        def ask(timeout: httpx2.Timeout) -> str:
            return self._client.chat.completions.with_raw_response.create(timeout=timeout, **params).text

        made = read_completion(self.scrubbed(self._answer(ask, work)))
        work.replied(made.usage)
        return made

    def stream(self, params: Mapping[str, Any], work: Work, on_text: Callable[[str], None]) -> Completion:
        """The same, with each piece passed on as it arrives; `raw` of an error is the text received so far."""

        def ask(timeout: httpx2.Timeout) -> tuple[Stream[ChatCompletionChunk], ChatCompletionChunk | None]:
            opened = self._client.chat.completions.create(stream=True, timeout=timeout, **params)
            return opened, next(opened, None)

        text, usage, problem = "", dict[str, Any](), ""
        chunks, chunk = self._answer(ask, work)
        try:
            while chunk:
                usage = chunk.usage.to_dict() if chunk.usage else usage
                for choice in chunk.choices or []:
                    problem = STOPPED.get(choice.finish_reason or "", problem)
                    if choice.delta and choice.delta.content:
                        piece = str(valid_text(choice.delta.content))
                        text += piece
                        on_text(self.scrubbed(piece))
                chunk = next(chunks, None)
            work.replied(usage)
        except _ERRORS as error:
            work.replied(None)
            failure = self._explained(error, work)
            failure.raw = self.scrubbed(text) or failure.raw
            raise failure from None
        finally:
            chunks.close()
            work.replied(None)  # where the reader left
        return Completion(self.scrubbed(text), "", problem, usage=usage)

    def _answer(self, ask: Callable[[httpx2.Timeout], T], work: Work) -> T:
        """The first success, after as many attempts as the call may make; the caller ends that attempt."""
        pause = _SHORTEST_PAUSE
        while True:
            try:
                if time_left() <= 0:
                    raise LlmError(f"The model's server at {self.shown} was not asked in the time left.", _LATER)
                work.begin()
            except LlmError as error:  # keep what was spent before
                error.usage = work.usage()
                raise
            try:
                with at_most(min(self.seconds, time_left())):
                    seconds = max(0.001, time_left())
                    return ask(httpx2.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS)))
            except _ERRORS as error:
                wait = _settled(error, work, pause)
                if wait is None or wait > time_left():
                    raise self._explained(error, work) from None
            except BaseException:
                work.replied(None)
                raise
            time.sleep(wait)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _explained(self, error: Exception, work: Work) -> LlmError:
        """Our error for one of the client's."""
        if isinstance(error, APIStatusError) or (isinstance(error, APIError) and isinstance(error.body, Mapping)):
            made = status_error(error, self.shown, self.scrubbed)
        elif _is_late(error):
            made = LlmError(f"The model's server at {self.shown} did not finish within {self.seconds:g} s.", _LATER)
        else:
            what = f"cannot be reached, or broke off ({type(error.__cause__ or error).__name__})"
            hint = "Check OPENAI_BASE_URL and the network, then try again."
            made = LlmError(f"The model's server at {self.shown} {what}.", hint)
        made.usage = work.usage()
        return made

    def scrubbed(self, text: str) -> str:
        """The text with the key removed, wherever it came from."""
        return text.replace(self.key, "[key]") if len(self.key) >= _SHORTEST_KEY else text


class _Timed(httpx2.SyncByteStream):
    """A body that ends when the time for it is over: the client's own time-outs limit silence only."""

    def __init__(self, body: httpx2.SyncByteStream) -> None:
        self._body, self._end = body, time.monotonic() + time_left()

    def __iter__(self) -> Iterator[bytes]:
        for part in self._body:
            if time.monotonic() > self._end:
                raise httpx2.ReadTimeout("too late")
            yield part

    def close(self) -> None:
        self._body.close()


def _received(response: httpx2.Response) -> None:
    """Limit the body's time, and give a response the status of the error that its body reports."""
    assert isinstance(response.stream, httpx2.SyncByteStream)  # noqa: S101  # the client is synchronous
    response.stream = _Timed(response.stream)
    if "text/event-stream" in response.headers.get("content-type", ""):
        return
    response.read()
    if response.is_success and (error := error_in(response.text)):
        response.status_code = error_status(error)


def _is_late(error: Exception) -> bool:
    return isinstance(error, APITimeoutError) and not isinstance(error.__cause__, httpx2.ConnectTimeout)


def _settled(error: Exception, work: Work, pause: float) -> float | None:
    """End the attempt that failed; the seconds after which to ask again, `None` if that would not help."""
    again = pause * random.uniform(0.75, 1) if work.left > 0 else None  # noqa: S311  # not all at the same moment
    if not isinstance(error, APIStatusError):
        work.replied(None)
        return None if _is_late(error) else again
    status, wait = error.status_code, _retry_after(error.response)
    if status == 429:
        too_long = wait is not None and wait > LONGEST_PAUSE
        work.refused(wait if wait and not too_long else pause)
        return None if too_long or work.refusals < 0 or "insufficient_quota" in error.response.text else 0.0
    work.end(0)
    passing = status in (408, 409) or (status >= 500 and status != 501)
    return (wait or again) if passing and again else None


def _retry_after(response: httpx2.Response) -> float | None:
    """The seconds to wait, from the header or the body."""
    error = error_in(response.text) or {}
    places = [place for place in (error, error.get("metadata")) if isinstance(place, Mapping)]
    waits = [place.get(name) for place in places for name in ("retry_after", "retry_after_seconds")]
    for seconds in (response.headers.get("retry-after"), *waits):
        with suppress(ValueError):
            return float(str(seconds))
    return None
