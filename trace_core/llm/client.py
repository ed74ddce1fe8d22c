"""One client for everything that asks a language model: labels, answers, ratings, queries.

`Llm.ask` asks for an object of a Pydantic model, `text` for text, `stream` for text as it arrives. All share
one limiter, one budget and one cache, and report what they cost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from trace_core.errors import LlmError, SettingsError, StoreError
from trace_core.facts.strict import valid_text
from trace_core.llm.cache import ReplyCache, key_of
from trace_core.llm.limiter import Limiter, Limits, Purse
from trace_core.llm.messages import Message, Shape, parameters, repair
from trace_core.llm.replies import Reply, T, Wrong, read, wrong_for
from trace_core.llm.said import Said, read_body, stop_problem
from trace_core.llm.usage import Meter, Price, estimate_tokens

if TYPE_CHECKING:
    from trace_core.llm.wire import Wire, Work

OPENAI_URL = "https://api.openai.com/v1"
MOST_CALLS = 3
"""The most requests for one example, not counting those refused as too many."""
TIMEOUT_SECONDS = 60.0
CONTEXT_TOKENS = 100_000
"""The longest prompt, in tokens, if the prices give no limit for the model."""
EXPECTED_TOKENS = 800
"""The expected length of a reply in tokens, for limits and budget, if the caller gives none."""

_TINY = (Message(role="user", content="Reply with the word ok."),)


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
    """What all callers of one server share: the limiter, and the parameters that the server accepts."""

    def __init__(self, limits: Limits, shape: Shape) -> None:
        self.limiter = Limiter(limits)
        self.shape = shape


class Llm:
    """A model on an OpenAI-compatible server. Thread-safe; loads the SDK at the first request.

    `key` appears only in requests. `shown` is the server's address as messages may show it. Raises
    `SettingsError` for a key with invalid characters, and for a budget if the model's price is unknown.
    """

    def __init__(
        self,
        model: str,
        key: str,
        *,
        base_url: str = OPENAI_URL,
        shown: str = OPENAI_URL,
        limits: Limits | None = None,
        price: Price | None = None,
        budget: float | None = None,
        cache: ReplyCache | None = None,
        timeout: float = TIMEOUT_SECONDS,
    ) -> None:
        if not key.strip() or not key.isascii() or not key.isprintable() or " " in key:
            raise SettingsError("The key holds characters that no key has.", "Copy it again, without spaces.")
        if budget is not None and price is None:
            raise SettingsError(
                f"A budget is set, but the price of {model} is not known.",
                "Add the model to prices.json in the data folder, or unset TRACE_BUDGET.",
            )
        self.model, self.shown, self.price = model, shown, price
        limits = limits or Limits()
        self.concurrency = limits.concurrency
        self._key, self._base_url, self._timeout = key, base_url, timeout
        self._server = _Server(limits, Shape.of(model))
        self._purse = Purse(budget)
        self._cache = cache

    def with_budget(self, budget: float | None, spent: float = 0.0) -> Llm:
        """The same server, limits and cache with a separate budget, of which `spent` is already used.

        Raises `SettingsError` as `Llm` does.
        """
        other = Llm(
            self.model, self._key, base_url=self._base_url, shown=self.shown, price=self.price,
            limits=Limits(concurrency=self.concurrency), budget=budget, cache=self._cache, timeout=self._timeout,
        )  # fmt: skip
        other._purse = Purse(budget, spent)
        other._server = self._server
        other.__dict__["_wire"] = self._wire
        return other

    def close(self) -> None:
        """Close the connections and the cache; nothing can be asked afterwards."""
        if "_wire" in self.__dict__:
            self._wire.close()
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
        said, _ = self._exchange(_TINY, None, (), work, 5)
        return TextReply(said.text, work.meter.usage(), said.problem)

    def models(self) -> list[str] | None:
        """The names of the server's models, `None` if it gives no list. Costs nothing. Raises `LlmError`."""
        return self._wire.models()

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
        kept = self._kept(key)
        if kept and not (known := read([Said(text, text) for text in kept["raw"]], schema, unusable)).missing:
            return known.reply(schema, tuple(kept["raw"]), _FROM_CACHE, "cache")
        work = self._work(calls)
        said, how = self._exchange(messages, schema, (), work, expected_tokens)
        heard, notes, problem = [said], list[str](), said.problem
        found = read(heard, schema, unusable)
        if found.missing and not said.final and work.left > 0:
            asked = repair(messages, said.holds_the_object, found.missing)
            try:
                again, _ = self._exchange(asked, schema, found.missing, work, expected_tokens)
            except LlmError as error:
                notes.append(f"the repair failed: {error.message}")
            else:
                heard.append(again)
                notes.append(f"asked again for {', '.join(found.missing)}")
                problem = again.problem if again.final or not problem else problem
                found = read(heard, schema, unusable)
        raw = tuple(one.raw for one in heard)
        if not found.missing:
            notes += self._keep(key, {"raw": raw}, anew=bool(kept))
        return found.reply(schema, raw, work.meter.usage(), how, problem, notes)

    def text(
        self, messages: Sequence[Message], *, purpose: str, attempt: int = 0, expected_tokens: int = EXPECTED_TOKENS
    ) -> TextReply:
        """Ask for text. Raises `LlmError` if no reply came."""
        key = self._name(messages, purpose, attempt, None)
        kept = self._kept(key)
        if kept:
            return TextReply(kept["text"], _FROM_CACHE)
        work = self._work()
        said, _ = self._exchange(messages, None, (), work, expected_tokens)
        if said.text and not said.problem:
            self._keep(key, {"text": said.text})
        return TextReply(said.text, work.meter.usage(), said.problem)

    def stream(
        self, messages: Sequence[Message], *, purpose: str, attempt: int = 0, expected_tokens: int = EXPECTED_TOKENS
    ) -> Stream:
        """Ask for text, piece by piece. Iterating may raise `LlmError`, whose `raw` is the text received so far."""
        key = self._name(messages, purpose, attempt, None)
        kept = self._kept(key)
        if kept:
            return Stream(iter([kept["text"]]), kept["text"], _FROM_CACHE)
        made = Stream(iter(()))
        made.pieces = self._pieces(made, messages, key, expected_tokens)
        return made

    def _pieces(self, made: Stream, messages: Sequence[Message], key: str, expected: int) -> Iterator[str]:
        work = self._work()
        try:
            for text in self._wire.scrubbed_pieces(self._chunks(made, messages, work, expected)):
                made.text += text
                yield text
        except LlmError as error:
            error.raw = made.text or error.raw
            raise
        finally:
            made.usage = work.meter.usage()
        if made.text and not made.problem:
            self._keep(key, {"text": made.text})

    def _chunks(self, made: Stream, messages: Sequence[Message], work: Work, expected: int) -> Iterator[str]:
        """Yield pieces of text, with parameters that the server accepts; `made.problem` says why it stopped early."""
        start = shape = self._server.shape
        while True:
            params = parameters(self.model, messages, shape)
            if shape.stream_usage:
                params["stream_options"] = {"include_usage": True}
            self._expect(work, messages, expected)
            try:
                for chunk in self._wire.stream(params, work):
                    for choice in chunk.choices or []:
                        made.problem = stop_problem(choice.finish_reason)[0] or made.problem
                        if choice.delta and choice.delta.content:
                            yield str(valid_text(choice.delta.content))
            except LlmError as error:
                shape = self._lower(error, shape, work, schema=False, stream=True)
                continue
            self._remember(start, shape)
            return

    def _exchange(
        self,
        messages: Sequence[Message],
        schema: type[BaseModel] | None,
        only: Collection[str],
        work: Work,
        expected: int,
    ) -> tuple[Said, str]:
        """One reply, and the format that the server accepted."""
        start = shape = self._server.shape
        while True:
            self._expect(work, messages, expected)
            try:
                body = self._wire.complete(parameters(self.model, messages, shape, schema, only), work)
            except LlmError as error:
                shape = self._lower(error, shape, work, schema=schema is not None)
                continue
            self._remember(start, shape)
            return read_body(body), shape.format

    def _lower(self, error: LlmError, shape: Shape, work: Work, *, schema: bool, stream: bool = False) -> Shape:
        """The parameters to try after a rejection; raises the error if none are left."""
        from trace_core.llm.failures import Rejected

        lower = shape.without(error.said, schema=schema, stream=stream) if isinstance(error, Rejected) else None
        if lower is None or work.left <= 0:
            raise error
        return lower

    def _remember(self, start: Shape, shape: Shape) -> None:
        if shape != start:
            self._server.shape = shape

    def _expect(self, work: Work, messages: Sequence[Message], expected: int) -> None:
        prompt = sum(estimate_tokens(message["content"]) for message in messages)
        work.tokens = prompt + expected
        work.cost = self.price.of(prompt, expected) if self.price else 0.0

    def _work(self, calls: int = MOST_CALLS) -> Work:
        from trace_core.llm.wire import Work

        return Work(self._server.limiter, self._purse, Meter(self.price), calls)

    @cached_property
    def _wire(self) -> Wire:
        from trace_core.llm.wire import Wire

        return Wire(self._key, self._base_url, self.shown, self._timeout)

    def _name(self, messages: Sequence[Message], purpose: str, attempt: int, schema: Any) -> str:
        """The cache key of the question: the hash of everything that shapes the reply."""
        parts = {"model": self.model, "server": self.shown, "purpose": purpose, "attempt": attempt, "temperature": 0}
        return key_of(parts | {"messages": list(messages), "schema": schema})

    def _kept(self, key: str) -> dict[str, Any] | None:
        return self._cache.get(key) if self._cache else None

    def _keep(self, key: str, body: Mapping[str, Any], *, anew: bool = False) -> list[str]:
        """Cache the reply; a failure becomes a note, so that a paid reply is not lost."""
        try:
            if self._cache:
                self._cache.put(key, body, anew=anew)
        except StoreError as error:
            return [f"the reply was not cached: {error}"]
        return []


_FROM_CACHE: Mapping[str, float] = {"calls": 0, "from_cache": 1}
