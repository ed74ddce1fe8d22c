"""One client for everything that asks a language model: labels, answers, ratings, queries.

`Llm.ask` asks for an object of a Pydantic model, `text` for text, `stream` for text as it arrives. All share
one limiter, one budget and one cache, and report what they cost.
"""

from __future__ import annotations

import copy
import math
import re
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from trace_core.errors import LlmError, SettingsError, StoreError
from trace_core.facts.strict import valid_text
from trace_core.llm.cache import ReplyCache, key_of
from trace_core.llm.completion import Completion, stop_problem
from trace_core.llm.limiter import Limiter, Limits, Purse
from trace_core.llm.messages import Message, Shape, parameters, repair
from trace_core.llm.reading import Reply, T, Wrong, read, wrong_for
from trace_core.llm.usage import Meter, Price, estimate_tokens

if TYPE_CHECKING:
    from trace_core.llm.wire import Wire, Work

OPENAI_URL = "https://api.openai.com/v1"
MOST_CALLS = 3
"""The most requests for one example, not counting those that the server refused."""
TIMEOUT_SECONDS = 60.0
"""How long one call may wait for the server, all its attempts together."""
CONTEXT_TOKENS = 100_000
"""The longest prompt, in tokens, if the prices give no limit for the model."""
EXPECTED_TOKENS = 800
"""The expected length of a reply in tokens, for limits and budget, if the caller gives none."""
CUT_PROMPT = "The server read only"
"""The start of the note on a prompt that did not reach the model whole."""

_TINY = (Message(role="user", content="Reply with the word ok."),)
_FROM_CACHE: Mapping[str, float] = {"calls": 0, "from_cache": 1}
_FIRST_SECONDS = 0.5
"""How long others wait for a refusal of the first request, which shows what the server accepts."""
TEXT, SCHEMA, STREAM = "text", "schema", "stream"
"""The kinds of requests, which differ in their parameters."""
_PARAMETERS = re.compile(r"temperature|response_format|schema|json|stream_options", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_SHORTEST_CONTEXT = 500
"""No server's context is shorter, in tokens."""
_LETTERS_PER_TOKEN = 8
"""More than any tokenizer puts into one token on average."""


@dataclass(frozen=True, slots=True)
class TextReply:
    """A reply as text; `problem` as in `Reply`."""

    text: str
    usage: Mapping[str, float]
    problem: str = ""


@dataclass(slots=True)
class Stream:
    """Iterating yields the pieces of text; afterwards `text`, `usage` and `problem` are set."""

    pieces: Iterator[str]
    text: str = ""
    usage: Mapping[str, float] = field(default_factory=dict)
    problem: str = ""

    def __iter__(self) -> Iterator[str]:
        """Yield the pieces; a reader that stops early ends the request."""
        yield from self.pieces


class _Server:
    """What all callers of one server share: the connection, the limiter, and the parameters that it accepts."""

    def __init__(self, url: str, key: str, shown: str, azure_version: str | None, timeout: float, shape: Shape) -> None:
        self.url, self.key, self.shown, self.azure_version, self.timeout = url, key, shown, azure_version, timeout
        self.shape = shape
        self.sent_at = math.inf
        self._known: set[str] = set()
        self._first = threading.Lock()

    @cached_property
    def wire(self) -> Wire:
        from trace_core.llm.wire import Address, Wire

        return Wire(Address(self.url, self.key, self.shown, self.azure_version), self.timeout)

    @contextmanager
    def asking(self, kind: str) -> Iterator[None]:
        """Wait a little for the first caller of that kind, so that what the server refuses is refused once."""
        _ = self.wire  # loading it takes time
        first = False
        while not first and kind not in self._known and time.monotonic() < self.sent_at + _FIRST_SECONDS:
            first = self._first.acquire(timeout=_FIRST_SECONDS / 10)
        try:
            yield
        finally:
            if first:
                self._first.release()

    def lower(self, kind: str, shape: Shape, lower: Shape | None) -> Shape | None:
        """The next parameters to try after `shape`: those that another caller found meanwhile, else `lower`."""
        if self.shape.omits(shape):
            return self.shape
        if lower and kind not in self._known:
            self.shape = lower
        return lower

    def rejected(self, kind: str, shape: Shape, reason: str) -> Shape | None:
        """The parameters to try after a rejection, which must name one if this kind of request was accepted before."""
        if kind in self._known and not _PARAMETERS.search(reason):
            return None
        return self.lower(kind, shape, shape.without(reason, schema=kind == SCHEMA, stream=kind == STREAM))

    def accepted(self, kind: str, shape: Shape) -> None:
        """Remember parameters with which a reply came."""
        self.shape = shape
        self._known.add(kind)

    def failed(self, kind: str, start: Shape) -> None:
        """Forget parameters that only a failing call tried."""
        if kind not in self._known:
            self.shape = start


class Llm:
    """A model on an OpenAI-compatible server. Thread-safe; loads the SDK at the first request.

    `key` appears only in requests. `shown` is the server's address as messages may show it. With `azure_version`, the
    address is an Azure endpoint and the model a deployment there. Raises `SettingsError` for a key with invalid
    characters, and for a budget if the model's price is unknown.
    """

    def __init__(
        self,
        model: str,
        key: str,
        *,
        base_url: str = OPENAI_URL,
        shown: str = OPENAI_URL,
        azure_version: str | None = None,
        limits: Limits | None = None,
        price: Price | None = None,
        budget: float | None = None,
        cache: ReplyCache | None = None,
        timeout: float = TIMEOUT_SECONDS,
    ) -> None:
        if not key.strip() or not key.isascii() or not key.isprintable() or " " in key:
            raise SettingsError("The key has characters that no key has.", "Copy it again, without spaces.")
        self.model, self.shown, self.price = model, shown, price
        limits = limits or Limits()
        self.concurrency = limits.concurrency
        self._server = _Server(base_url, key, shown, azure_version, timeout, Shape.of(model))
        self._limiter, self._cache = Limiter(limits), cache
        self._purse = self._new_purse(budget, 0.0)

    def with_budget(self, budget: float | None, spent: float = 0.0) -> Llm:
        """The same server, limits and cache with a separate budget, of which `spent` is already used.

        Raises `SettingsError` as `Llm` does.
        """
        other = copy.copy(self)
        other._purse = self._new_purse(budget, spent)
        return other

    def _new_purse(self, budget: float | None, spent: float) -> Purse:
        if budget is not None and self.price is None:
            raise SettingsError(
                f"A budget is set, but the price of {self.model} is not known.",
                "Add the model to prices.json in the data folder, or unset TRACE_BUDGET.",
            )
        return Purse(budget, spent)

    def close(self) -> None:
        """Close the connections and the cache; nothing can be asked afterwards."""
        self._server.wire.close()
        if self._cache:
            self._cache.close()

    @property
    def context_tokens(self) -> int:
        """The longest prompt, in tokens."""
        return (self.price and self.price.context_tokens) or CONTEXT_TOKENS

    @property
    def spent(self) -> float:
        """The amount spent so far, in the prices' currency."""
        return self._purse.spent

    def try_it(self) -> TextReply:
        """Make one tiny call that bypasses the cache. Raises `LlmError` if no reply came."""
        work = self._work(1)
        made, _ = self._exchange(_TINY, None, (), work, 5)
        return TextReply(made.text, work.meter.usage(), made.problem)

    def models(self) -> list[str] | None:
        """The names of the server's models, `None` if it gives no list. Costs nothing. Raises `LlmError`."""
        return self._server.wire.models()

    def ask(
        self,
        messages: Sequence[Message],
        schema: type[T],
        *,
        purpose: str,
        attempt: int = 0,
        wrong: Wrong | None = None,
        expected_tokens: int = EXPECTED_TOKENS,
        calls: int = MOST_CALLS,
    ) -> Reply[T]:
        """Ask for an object of the schema; at most three `calls`, one of them to repair the reply.

        `purpose` names the use of the question: equal questions for two purposes are cached separately. A different
        `attempt` bypasses a cached reply. `wrong` replaces the schema in deciding whether a reply can be used.
        Raises `LlmError`, with the cost, if no reply came.
        """
        unusable = wrong or wrong_for(schema)
        key = self._name(messages, purpose, attempt, schema.model_json_schema())
        cached = self._cached(key)
        if cached:
            known = read([Completion(text, text) for text in cached["raw"]], schema, unusable)
            if not known.missing:
                return known.reply(schema, tuple(cached["raw"]), _FROM_CACHE, "cache")
        work = self._work(calls)
        made, how = self._exchange(messages, schema, (), work, expected_tokens)
        cut = _cut_prompt(messages, made.usage.get("prompt_tokens"), work)
        replies, notes, problem = [made], list[str](), made.problem
        found = read(replies, schema, unusable)
        if found.missing and not made.final and work.left > 0:
            asked = repair(messages, made.object_text, found.missing)
            try:
                again, _ = self._exchange(asked, schema, found.missing, work, expected_tokens)
            except LlmError as error:
                notes.append(f"the repair failed: {error.message}")
            else:
                replies.append(again)
                notes.append(f"asked again for {', '.join(found.missing)}")
                problem = again.problem if again.final or not problem else problem
                found = read(replies, schema, unusable)
        raw = tuple(one.raw for one in replies)
        if cut:
            notes.append(cut)
        elif not found.missing:
            notes += self._store(key, {"raw": raw}, anew=bool(cached))
        return found.reply(schema, raw, work.meter.usage(), how, problem, notes)

    def text(
        self, messages: Sequence[Message], *, purpose: str, attempt: int = 0, expected_tokens: int = EXPECTED_TOKENS
    ) -> TextReply:
        """Ask for text. Raises `LlmError` if no reply came."""
        key = self._name(messages, purpose, attempt, None)
        cached = self._cached(key)
        if cached:
            return TextReply(cached["text"], _FROM_CACHE)
        work = self._work()
        made, _ = self._exchange(messages, None, (), work, expected_tokens)
        problem = made.problem or _cut_prompt(messages, made.usage.get("prompt_tokens"), work)
        if made.text and not problem:
            self._store(key, {"text": made.text})
        return TextReply(made.text, work.meter.usage(), problem)

    def stream(
        self, messages: Sequence[Message], *, purpose: str, attempt: int = 0, expected_tokens: int = EXPECTED_TOKENS
    ) -> Stream:
        """Ask for text, piece by piece. Iterating may raise `LlmError`, whose `raw` is the text received so far."""
        key = self._name(messages, purpose, attempt, None)
        cached = self._cached(key)
        if cached:
            return Stream(iter([cached["text"]]), cached["text"], _FROM_CACHE)
        made = Stream(iter(()))
        made.pieces = self._pieces(made, messages, key, expected_tokens)
        return made

    def _pieces(self, made: Stream, messages: Sequence[Message], key: str, expected: int) -> Iterator[str]:
        work = self._work()
        try:
            for text in self._server.wire.scrubbed_pieces(self._chunks(made, messages, work, expected)):
                made.text += text
                yield text
            made.problem = made.problem or _cut_prompt(messages, work.meter.prompt, work)
        except LlmError as error:
            error.raw = made.text or error.raw
            raise
        finally:
            made.usage = work.meter.usage()
        if made.text and not made.problem:
            self._store(key, {"text": made.text})

    def _chunks(self, made: Stream, messages: Sequence[Message], work: Work, expected: int) -> Iterator[str]:
        """Yield pieces of text, with parameters that the server accepts; `made.problem` says why it stopped early."""
        start = shape = self._server.shape
        while True:
            params = parameters(self.model, messages, shape)
            if shape.stream_usage:
                params["stream_options"] = {"include_usage": True}
            self._expect(work, messages, expected)
            try:
                for chunk in self._server.wire.stream(params, work):
                    for choice in chunk.choices or []:
                        made.problem = stop_problem(choice.finish_reason)[0] or made.problem
                        if choice.delta and choice.delta.content:
                            yield str(valid_text(choice.delta.content))
            except LlmError as error:
                shape = self._without(error, STREAM, start, shape, work)
                continue
            self._server.accepted(STREAM, shape)
            return

    def _exchange(
        self,
        messages: Sequence[Message],
        schema: type[BaseModel] | None,
        only: Collection[str],
        work: Work,
        expected: int,
    ) -> tuple[Completion, str]:
        """One reply, and the format with which it came."""
        kind = SCHEMA if schema else TEXT
        with self._server.asking(kind):
            start = shape = self._server.shape
            while True:
                self._expect(work, messages, expected)
                self._server.sent_at = time.monotonic()
                try:
                    made = self._server.wire.complete(parameters(self.model, messages, shape, schema, only), work)
                except LlmError as error:
                    shape = self._without(error, kind, start, shape, work)
                    continue
                plainer = shape.plainer() if schema and made.empty and work.left > 0 else None
                if plainer is None:
                    self._server.failed(kind, start) if made.empty else self._server.accepted(kind, shape)
                    return made, shape.format
                shape = self._server.lower(kind, shape, plainer) or plainer

    def _without(self, error: LlmError, kind: str, start: Shape, shape: Shape, work: Work) -> Shape:
        """The parameters to try after a rejection, which counts as no call; raises the error if none are left."""
        from trace_core.llm.failures import Rejected

        lower = self._server.rejected(kind, shape, error.reason) if isinstance(error, Rejected) else None
        if lower is None:
            self._server.failed(kind, start)
            raise error
        work.left += 1
        return lower

    def _expect(self, work: Work, messages: Sequence[Message], expected: int) -> None:
        prompt = sum(estimate_tokens(message["content"]) for message in messages)
        work.tokens = prompt + expected
        work.cost = self.price.of(prompt, expected) if self.price else 0.0

    def _work(self, calls: int = MOST_CALLS) -> Work:
        from trace_core.llm.wire import Work

        return Work(self._limiter, self._purse, Meter(self.price), calls, self._server.timeout)

    def _name(self, messages: Sequence[Message], purpose: str, attempt: int, schema: Any) -> str:
        """The cache key of the question: the hash of everything that shapes the reply."""
        parts = {"model": self.model, "server": self.shown, "purpose": purpose, "attempt": attempt, "temperature": 0}
        return key_of(parts | {"messages": list(messages), "schema": schema})

    def _cached(self, key: str) -> dict[str, Any] | None:
        return self._cache.get(key) if self._cache else None

    def _store(self, key: str, body: Mapping[str, Any], *, anew: bool = False) -> list[str]:
        """Cache the reply; a failure becomes a note, so that a paid reply is not lost."""
        try:
            if self._cache:
                self._cache.put(key, body, anew=anew)
        except StoreError as error:
            return [f"the reply was not cached: {error}"]
        return []


def _cut_prompt(messages: Sequence[Message], counted: object, work: Work) -> str:
    """A note, and a count, if the server counted fewer tokens in the prompt than it can have; empty otherwise."""
    if not isinstance(counted, int | float) or counted < _SHORTEST_CONTEXT:
        return ""
    words = [word for message in messages for word in _WORD.findall(message["content"])]
    fewest = max(len(words), sum(map(len, words)) / _LETTERS_PER_TOKEN)
    if counted >= fewest:
        return ""
    work.meter.cut_prompts = 1
    return (
        f"{CUT_PROMPT} {counted:,} tokens of a prompt of at least {fewest:,.0f}: raise its context length "
        "(num_ctx in Ollama, --max-model-len in vLLM), or set the model's context_tokens in prices.json"
    )
