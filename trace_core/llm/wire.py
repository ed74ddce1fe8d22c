"""Requests to an OpenAI-compatible server through the openai package, asked again where that may help. Every attempt
waits its turn, is counted and paid for; further ones that the openai package makes would not."""

import json
import random
import re
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import httpx2
from openai import APIError, APIStatusError, APITimeoutError, OpenAI, OpenAIError, Stream

from trace_core.errors import LlmError
from trace_core.facts.strict import valid_text
from trace_core.llm.completion import Completion, error_in, first_choice, object_in, read_completion, status_error
from trace_core.llm.limiter import LATER, LONGEST_PAUSE, Work, at_most, time_left
from trace_core.llm.messages import OnText
from trace_core.llm.transport import LONGEST_REPLY, TooLong, new_client

MOST_REFUSALS = 12  # how often one call is asked again after "too many requests", or while the model is loaded
CONNECT_SECONDS = 10.0
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.5, 8.0
_SHORTEST_KEY = 8  # a shorter key is a placeholder, and may occur in the text as a word
_ERRORS = (OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, json.JSONDecodeError, UnicodeError, TooLong)
_NO_CONNECTION = (httpx2.ConnectError, httpx2.ConnectTimeout)
_PIECES = ("content", "reasoning_content", "reasoning", "refusal")
"""The texts of a message that a stream sends in pieces."""


class Wire:
    """The connection to one server, `address` in messages. Thread-safe. `seconds` is the time for one reply."""

    def __init__(self, url: str, key: str, address: str, seconds: float) -> None:
        self.key, self.address, self.seconds = key, address, seconds
        self._client = OpenAI(base_url=url, api_key=key, max_retries=0, http_client=new_client())
        self.close = weakref.finalize(self, self._client.close)

    def complete(self, params: Mapping[str, Any], work: Work) -> Completion:
        """The server's reply, as one, in pieces for a stream. Raises `LlmError`, `Rejection` or `BudgetSpent`."""
        if params.get("stream"):
            return self.stream(params, work, lambda text: None)

        def ask(timeout: httpx2.Timeout) -> Completion:
            reply = self._client.chat.completions.with_raw_response.create(timeout=timeout, **params)
            return self._without_key(read_completion(self.scrub(reply.text)))

        return self._answer(ask, work)

    def decide(self, params: Mapping[str, Any], work: Work) -> Completion:
        """The server's answers to typed questions, as JSON. Raises as `complete` does."""

        def ask(timeout: httpx2.Timeout) -> Completion:
            body = self.scrub(self._client.decisions.with_raw_response.create(timeout=timeout, **params).text)
            return Completion(body, body, usage=object_in(body).get("usage") or {})

        return self._answer(ask, work)

    def stream(self, params: Mapping[str, Any], work: Work, on_text: OnText) -> Completion:
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
                return self._without_key(self._in_pieces(events, message, on_text))

        try:
            return self._answer(ask, work, again=lambda: not message["content"])
        except LlmError as error:
            error.raw = self.scrub(message.get("content", "")) or error.raw
            raise

    def _in_pieces(self, events: Iterator[object], message: dict[str, str], on_text: OnText) -> Completion:
        """The reply of a stream, whose texts are added to those of the message; the key is never passed on."""
        usage: object = None
        reason, rest = None, ""
        for event in events:
            usage = (event.get("usage") or usage) if isinstance(event, dict) else usage
            choice = first_choice(event)
            reason = choice.get("finish_reason") or reason
            delta = choice.get("delta")
            for name in _PIECES:
                piece = valid_text(delta.get(name)) if isinstance(delta, dict) else None
                if isinstance(piece, str) and piece:
                    message[name] += piece
                    if name == "content":
                        rest = self._pass_on(rest + piece, on_text)
        if rest:
            on_text(rest)
        return read_completion(json.dumps({"choices": [{"message": message, "finish_reason": reason}], "usage": usage}))

    def _pass_on(self, text: str, on_text: OnText) -> str:
        """Pass on the text, without the key; the end, if the key may go on in the next piece, comes back."""
        text = self.scrub(text)
        longest = min(len(text), len(self.key) - 1) if len(self.key) >= _SHORTEST_KEY else 0
        if begin := len(text) - next((n for n in range(longest, 0, -1) if text.endswith(self.key[:n])), 0):
            on_text(text[:begin])
        return text[begin:]

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
                    work.settle(completion.usage)
                    return completion
                except _ERRORS as error:
                    wait = self._settle_failure(error, work, pause)
                    if wait is None or wait > time_left() or not again():
                        raise self._error_of(error) from None
                work.patience.wait(wait)
                pause = min(2 * pause, _LONGEST_PAUSE)
        except LlmError as error:  # keep what was spent before
            error.usage = work.usage()
            raise
        finally:
            work.settle(None)  # where the reader left

    def _error_of(self, error: Exception) -> LlmError:
        if isinstance(error, APIStatusError) or (isinstance(error, APIError) and isinstance(error.body, Mapping)):
            return status_error(error, self.address, self.scrub)
        if _is_late(error):
            what, hint = f"did not finish within {self.seconds:g} s", LATER
        elif isinstance(error, TooLong):
            what, hint = f"sent more than {LONGEST_REPLY:,} bytes", "Check OPENAI_BASE_URL: no reply is that long."
        else:
            what = f"cannot be reached, or broke off ({type(error.__cause__ or error).__name__})"
            hint = "Check OPENAI_BASE_URL and the network, then try again."
        return LlmError(f"The model's server at {self.address} {what}.", hint)

    def _settle_failure(self, error: Exception, work: Work, pause: float) -> float | None:
        """End the attempt that failed; the seconds after which to ask again, `None` if that would not help."""
        again = pause * random.uniform(0.75, 1) if work.left > 0 else None  # noqa: S311  # not all at the same moment
        if not isinstance(error, APIStatusError):
            # Without a connection nothing was sent, so nothing is paid.
            work.end(0) if isinstance(error.__cause__, _NO_CONNECTION) else work.settle(None)
            return None if _is_late(error) or isinstance(error, TooLong) else again
        status, wait = error.status_code, self._retry_after(error.response)
        too_long = wait is not None and wait > LONGEST_PAUSE
        wait = None if too_long else wait
        if status == 429 or (status == 503 and re.search(r"(?i)\bloading\b", error.response.text)):
            work.put_off(wait or pause)
            useless = too_long or work.refusals > MOST_REFUSALS or "insufficient_quota" in error.response.text
            return None if useless else 0.0
        work.end(0)
        passing = status in (408, 409) or (status >= 500 and status != 501)
        return (wait or again) if passing and again else None

    def _retry_after(self, response: httpx2.Response) -> float | None:
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

    def _without_key(self, completion: Completion) -> Completion:
        """The completion without the key, however it was written in the body."""
        names = ("text", "raw", "problem", "reasoning")
        texts: dict[str, Any] = {name: self.scrub(getattr(completion, name)) for name in names}
        return replace(completion, **texts)

    def scrub(self, text: str) -> str:
        """The text with the key removed, wherever it came from."""
        return text.replace(self.key, "[key]") if len(self.key) >= _SHORTEST_KEY else text


def _is_late(error: Exception) -> bool:
    return isinstance(error, APITimeoutError) and not isinstance(error.__cause__, _NO_CONNECTION)
