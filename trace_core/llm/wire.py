"""Requests to an OpenAI-compatible server through the openai package, asked again where that may help.

Every attempt waits its turn, is counted and paid for; further ones that the openai package makes would not.
"""

from __future__ import annotations

import json
import random
import re
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import httpx2
from openai import APIError, APIStatusError, APITimeoutError, AzureOpenAI, OpenAI, OpenAIError, Stream

from trace_core.errors import LlmError
from trace_core.facts.strict import valid_text
from trace_core.llm.completion import Completion, decision_usage, error_in, read_completion
from trace_core.llm.failures import status_error
from trace_core.llm.limiter import LATER, LONGEST_PAUSE, Limiter, Patience, Purse, at_most, time_left
from trace_core.llm.transport import LONGEST_REPLY, TooLong, new_client
from trace_core.llm.usage import Price, Tokens, tokens_of

MOST_REFUSALS = 12
"""How often one call is asked again after "too many requests", or while the model is loaded."""
CONNECT_SECONDS = 10.0
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.5, 8.0
_SHORTEST_KEY = 8
"""A shorter key is a placeholder, and may occur in the text as a word."""
_ERRORS = (OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, json.JSONDecodeError, UnicodeError, TooLong)
_LOADING = re.compile(r"(?i)\bloading\b")
_PIECES = ("content", "reasoning_content", "reasoning", "refusal")
"""The texts of a message that a stream sends in pieces."""


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
    patience: Patience
    refusals: int = MOST_REFUSALS
    calls: int = 0
    rate_limited: int = 0
    cut_prompts: int = 0
    spent: Tokens | None = Tokens(0, 0, 0)  # noqa: RUF009  # a tuple
    """The tokens of all requests, `None` if one does not count its own."""
    charged: float = 0.0
    running: bool = False

    def begin(self) -> None:
        """Wait for the turn of a request. Raises `LlmError`."""
        self.patience.turn()
        self.purse.reserve(self.cost, self.patience)
        try:
            self.limiter.acquire(self.tokens, self.patience)
        except BaseException:
            self.purse.pay(self.cost, 0)
            raise
        self.running = True
        self.left -= 1
        self.calls += 1

    def end(self, cost: float | None, calls: int = 1) -> None:
        """End the request; a `cost` of `None` means unknown."""
        self.running = False
        self.limiter.release()
        self.charged += self.purse.pay(self.cost, cost, calls)

    def replied(self, usage: object) -> None:
        """End a request, if it has not ended, with its reply; a `usage` of `None` means that there is no whole one."""
        if self.running:
            tokens = tokens_of(usage)
            self.spent = Tokens(*map(sum, zip(self.spent, tokens, strict=True))) if self.spent and tokens else None
            self.end(self.price.of(*tokens) if self.price and tokens else None)

    def refused(self, pause: float) -> None:
        """End a request that the server put off, which does not count as a call."""
        self.left += 1
        self.refusals -= 1
        self.calls -= 1
        self.rate_limited += 1
        self.limiter.pause(pause)
        self.end(0, calls=0)

    def usage(self) -> dict[str, float]:
        """What is known of the cost."""
        usage: dict[str, float] = {"calls": self.calls}
        usage |= {name: n for name in ("rate_limited", "cut_prompts") if (n := getattr(self, name))}
        if self.spent is None:
            return usage | ({"estimated_cost": self.charged} if self.charged else {})
        if any(self.spent):
            usage |= {f"{name}_tokens": n for name, n in self.spent._asdict().items()}
            usage |= {"cost": self.price.of(*self.spent)} if self.price else {}
        return usage


class Wire:
    """The connection to one server, `shown` in messages. Thread-safe. `seconds` is the time for one reply."""

    def __init__(self, url: str, key: str, shown: str, azure_version: str | None, seconds: float) -> None:
        self.key, self.shown, self.seconds = key, shown, seconds
        options: dict[str, Any] = {"api_key": key, "max_retries": 0, "http_client": new_client()}
        azure: dict[str, Any] = {"azure_endpoint": url, "api_version": azure_version}
        self._client: OpenAI = AzureOpenAI(**azure, **options) if azure_version else OpenAI(base_url=url, **options)
        self.close = weakref.finalize(self, self._client.close)

    def complete(self, params: Mapping[str, Any], work: Work) -> Completion:
        """The server's reply, as one or, if the parameters ask for a stream, in pieces.

        Raises `LlmError`, `Rejected` or `BudgetSpent`.
        """
        if params.get("stream"):
            return self.stream(params, work, lambda text: None)

        def ask(timeout: httpx2.Timeout) -> Completion:
            reply = self._client.chat.completions.with_raw_response.create(timeout=timeout, **params)
            return self._clean(read_completion(self.scrubbed(reply.text)))

        return self._answer(ask, work)

    def decide(self, params: Mapping[str, Any], work: Work) -> Completion:
        """The server's answers to typed questions, as JSON. Raises as `complete` does."""

        def ask(timeout: httpx2.Timeout) -> Completion:
            body = self.scrubbed(self._client.decisions.with_raw_response.create(timeout=timeout, **params).text)
            return Completion(body, body, usage=decision_usage(body))

        return self._answer(ask, work)

    def stream(self, params: Mapping[str, Any], work: Work, on_text: Callable[[str], None]) -> Completion:
        """The same, with each piece passed on as it arrives; `raw` of an error is the text received so far."""
        message: dict[str, str] = {}

        def ask(timeout: httpx2.Timeout) -> Completion:
            message.update(dict.fromkeys(_PIECES, ""))
            options: Any = {"timeout": timeout}
            body, path = dict(params) | {"stream": True}, "/chat/completions"
            # As plain data: the package's own objects fail on what servers add, and on what they leave out.
            with self._client.post(
                path, cast_to=object, body=body, options=options, stream=True, stream_cls=Stream[object]
            ) as events:
                return self._clean(self._in_pieces(events, message, on_text))

        try:
            return self._answer(ask, work, again=lambda: not message["content"])
        except LlmError as error:
            error.raw = self.scrubbed(message.get("content", "")) or error.raw
            raise

    def _in_pieces(
        self, events: Iterator[object], message: dict[str, str], on_text: Callable[[str], None]
    ) -> Completion:
        """The reply of a stream, whose texts are added to those of the message; the key is never passed on."""
        usage: object = None
        reason, held = None, ""
        for event in events:
            usage = (event.get("usage") or usage) if isinstance(event, dict) else usage
            choice = _first(event)
            reason = choice.get("finish_reason") or reason
            delta = choice.get("delta")
            for name in _PIECES:
                piece = delta.get(name) if isinstance(delta, dict) else None
                message[name] += str(valid_text(piece)) if isinstance(piece, str) else ""
                if name == "content" and isinstance(piece, str):
                    held = self._pass_on(held + str(valid_text(piece)), on_text)
        if held:
            on_text(held)
        return read_completion(json.dumps({"choices": [{"message": message, "finish_reason": reason}], "usage": usage}))

    def _pass_on(self, text: str, on_text: Callable[[str], None]) -> str:
        """Pass on the text, without the key; the end, if the key may go on in the next piece, comes back."""
        text = self.scrubbed(text)
        longest = min(len(text), len(self.key) - 1) if len(self.key) >= _SHORTEST_KEY else 0
        held = next((n for n in range(longest, 0, -1) if text.endswith(self.key[:n])), 0)
        if len(text) > held:
            on_text(text[: len(text) - held])
        return text[len(text) - held :]

    def _answer(
        self, ask: Callable[[httpx2.Timeout], Completion], work: Work, again: Callable[[], bool] = lambda: True
    ) -> Completion:
        """The first success, after as many attempts as the call may make; none after one that is not to be repeated."""
        pause = _SHORTEST_PAUSE
        try:
            while True:
                work.begin()
                try:
                    with at_most(min(self.seconds, time_left())):
                        seconds = max(0.001, time_left())
                        completion = ask(httpx2.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS)))
                    work.replied(completion.usage)
                    return completion
                except _ERRORS as error:
                    wait = self._settled(error, work, pause)
                    if wait is None or wait > time_left() or not again():
                        raise self._explained(error) from None
                work.patience.wait(wait)
                pause = min(2 * pause, _LONGEST_PAUSE)
        except LlmError as error:  # keep what was spent before
            error.usage = work.usage()
            raise
        finally:
            work.replied(None)  # where the reader left

    def _explained(self, error: Exception) -> LlmError:
        """Our error for one of the client's."""
        if isinstance(error, APIStatusError) or (isinstance(error, APIError) and isinstance(error.body, Mapping)):
            return status_error(error, self.shown, self.scrubbed)
        if _is_late(error):
            what, hint = f"did not finish within {self.seconds:g} s", LATER
        elif isinstance(error, TooLong):
            what, hint = f"sent more than {LONGEST_REPLY:,} bytes", "Check OPENAI_BASE_URL: no reply is as long."
        else:
            what = f"cannot be reached, or broke off ({type(error.__cause__ or error).__name__})"
            hint = "Check OPENAI_BASE_URL and the network, then try again."
        return LlmError(f"The model's server at {self.shown} {what}.", hint)

    def _settled(self, error: Exception, work: Work, pause: float) -> float | None:
        """End the attempt that failed; the seconds after which to ask again, `None` if that would not help."""
        again = pause * random.uniform(0.75, 1) if work.left > 0 else None  # noqa: S311  # not all at the same moment
        if not isinstance(error, APIStatusError):
            work.replied(None)
            return None if _is_late(error) or isinstance(error, TooLong) else again
        status, wait = error.status_code, self._wait_asked_for(error.response)
        too_long = wait is not None and wait > LONGEST_PAUSE
        wait = None if too_long else wait
        if status == 429 or (status == 503 and _LOADING.search(error.response.text)):
            work.refused(wait or pause)
            return None if too_long or work.refusals < 0 or "insufficient_quota" in error.response.text else 0.0
        work.end(0)
        passing = status in (408, 409) or (status >= 500 and status != 501)
        return (wait or again) if passing and again else None

    def _wait_asked_for(self, response: httpx2.Response) -> float | None:
        """The seconds, if any, that the server asks to wait, in a header or the body."""
        error = error_in(response.content) or {}
        places = [place for place in (error, error.get("metadata")) if isinstance(place, Mapping)]
        waits = [place.get(name) for place in places for name in ("retry_after", "retry_after_seconds")]
        # The package reads seconds, milliseconds and dates.
        for value in (self._client._parse_retry_after_header(response.headers), *waits):
            with suppress(ValueError):
                if 0 < (seconds := float(str(value))) < float("inf"):
                    return seconds
        return None

    def _clean(self, completion: Completion) -> Completion:
        """The completion without the key, however it was written in the body."""
        names = ("text", "raw", "problem", "reasoning")
        texts: dict[str, Any] = {name: self.scrubbed(getattr(completion, name)) for name in names}
        return replace(completion, **texts)

    def scrubbed(self, text: str) -> str:
        """The text with the key removed, wherever it came from."""
        return text.replace(self.key, "[key]") if len(self.key) >= _SHORTEST_KEY else text


def _first(event: object) -> Mapping[str, Any]:
    """The first choice of a piece of a stream; empty where there is none."""
    choices = event.get("choices") if isinstance(event, dict) else None
    return choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}


def _is_late(error: Exception) -> bool:
    return isinstance(error, APITimeoutError) and not isinstance(error.__cause__, httpx2.ConnectTimeout)
