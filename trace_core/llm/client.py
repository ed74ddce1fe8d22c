"""One client for everything that asks a language model: labels, answers, ratings, queries.

All callers share one limiter, one budget and one cache; each reply reports what it cost.
"""

from __future__ import annotations

import copy
import json
import re
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel

from trace_core.errors import LabelingError, LlmError, SettingsError, StoreError
from trace_core.llm.cache import ReplyCache, key_of
from trace_core.llm.completion import RAW, Completion, short
from trace_core.llm.limiter import STOPPED, Limiter, Limits, Patience, Purse
from trace_core.llm.messages import (
    JSON,
    SCHEMA,
    STREAM,
    SYSTEM,
    TEMPERATURE,
    WHOLE,
    Message,
    Rejected,
    parameters,
    repair,
)
from trace_core.llm.reading import ObjectReply, T, Unusable, read_replies, unusable_for
from trace_core.llm.usage import Prices, estimate_tokens

if TYPE_CHECKING:
    from trace_core.llm.wire import Wire, Work

OPENAI_URL = "https://api.openai.com/v1"
MOST_CALLS = 3
"""The most requests for one example, not counting those that the server refused."""
TIMEOUT_SECONDS = 60.0
"""How long one request may wait for the server's whole reply."""
CONTEXT_TOKENS, EXPECTED_TOKENS = 100_000, 800
"""The longest prompt and the expected reply, if the prices and the caller say nothing else."""

V = TypeVar("V")

_TINY = (Message(role="user", content="Reply with the word ok."),)
_FROM_CACHE: Mapping[str, float] = {"calls": 0, "from_cache": 1}
_PARAMETERS = {
    TEMPERATURE: re.compile(r"(?i)temperature"),
    SYSTEM: re.compile(r"(?i)\bsystem\b|\broles?\b"),
    WHOLE: re.compile(r"(?i)\bstream(ing)?\b"),
    SCHEMA: re.compile(r"(?i)response_format|schema|json"),
}
"""The words by which a server names what it does not know."""
_FORMATS = (SCHEMA, JSON)
_WORD = re.compile(r"\w+")
_SHORTEST_CONTEXT, _LETTERS_PER_TOKEN = 500, 8
"""No server's context is shorter, in tokens; no tokenizer puts more letters into one token on average."""


@dataclass(frozen=True, slots=True)
class TextReply:
    """A reply as text; `problem` as in `ObjectReply`."""

    text: str
    usage: Mapping[str, float]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Decisions(Generic[V]):
    """The answers of a decision model, as `read` and as they came, and what was done to get them."""

    value: V
    raw: Any
    usage: Mapping[str, float]
    notes: Sequence[str] = ()


class _Server:
    """What all callers of one server share: the connection, and the parameters that it does not accept."""

    def __init__(self, *address: Any) -> None:
        self._address = address
        self.omitted: frozenset[str] = frozenset()
        self.known: set[bool] = set()
        """Whether a request with a schema (true), and one without (false), has ended."""
        self.first = threading.Lock()

    @cached_property
    def wire(self) -> Wire:
        from trace_core.llm.wire import Wire

        return Wire(*self._address)

    def rejected(self, omitted: frozenset[str], schema: bool, error: Rejected) -> frozenset[str] | None:
        """What to omit after a rejection, `None` if nothing; of a known kind of request, it must name a parameter."""
        named = [name for name, words in _PARAMETERS.items() if words.search(error.reason)]
        if schema in self.known and not named:
            return None
        formats = _FORMATS if schema else ()
        if error.status in (404, 500):  # another model or address would be the matter where no format is asked for
            return _without(omitted, formats)
        first = [name for name in named if name != SCHEMA]
        return _without(omitted, [*first, *formats, TEMPERATURE, SYSTEM])


def _without(omitted: frozenset[str], names: Sequence[str]) -> frozenset[str] | None:
    """Omit the first of the names that is still sent; `None` if all are omitted."""
    return next((omitted | {name} for name in names if name not in omitted), None)


class Llm:
    """A model on an OpenAI-compatible server. Thread-safe; loads the SDK at the first request.

    `key` appears only in requests, `shown` in messages. With `azure_version`, the address is an Azure endpoint and the
    model a deployment there. `purse` is its budget, and what was spent. Raises `SettingsError` for a key with invalid
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
        prices: Prices | None = None,
        budget: float | None = None,
        cache: ReplyCache | None = None,
        timeout: float = TIMEOUT_SECONDS,
    ) -> None:
        if not key.strip() or not key.isascii() or not key.isprintable() or " " in key:
            raise SettingsError("The key has characters that no key has.", "Copy it again, without spaces.")
        self._prices = prices or Prices(models={})
        self.model, self.shown, self.price = model, shown, self._prices.of(model)
        limits = limits or Limits()
        self.concurrency = limits.concurrency
        self._server = _Server(base_url, key, shown, azure_version, timeout)
        self._limiter, self._cache, self._patience = Limiter(limits), cache, Patience()
        self._attempt = 0
        self.purse = self._new_purse(budget, 0.0)

    def with_model(self, model: str) -> Llm:
        """The same server, limits, budget and cache with another model. Raises `SettingsError` as a new client does."""
        other = copy.copy(self)
        other.model, other.price = model, self._prices.of(model)
        other._check_budget(self.purse.budget)
        return other

    def for_run(self, run: str, budget: float | None, spent: float = 0.0) -> Llm:
        """The same server, limits and cache for one run, with a stop and a budget of its own, of which `spent` is used.

        What it pays for is noted in the cache at once, under the run's name.
        """
        other = copy.copy(self)
        other._patience = Patience()
        other.purse = self._new_purse(budget, spent, run)
        return other

    def asked_again(self, attempt: int) -> Llm:
        """The same server, limits, budget and cache, whose answers to questions of another attempt are not read."""
        other = copy.copy(self)
        other._attempt = attempt
        return other

    def _check_budget(self, budget: float | None) -> None:
        if budget is not None and self.price is None:
            raise SettingsError(
                f"A budget is set, but the price of {self.model} is not known.",
                "Add the model to prices.json in the data folder, or unset TRACE_BUDGET.",
            )

    def _new_purse(self, budget: float | None, spent: float, run: str = "") -> Purse:
        self._check_budget(budget)
        return Purse(budget, spent, partial(self._charge, run)) if run else Purse(budget, spent)

    def _charge(self, run: str, calls: int, cost: float) -> None:
        with suppress(StoreError):  # the reply itself, which is cached next, says so
            if self._cache:
                self._cache.charge(run, calls, cost)

    def charges(self, run: str) -> tuple[float, float]:
        """The number of calls that a run has paid for on this machine, and their cost, whatever became of them."""
        return self._cache.charges(run) if self._cache else (0.0, 0.0)

    def stop(self) -> None:
        """End every wait of this client: for a pause that the server asks for, for a turn, for money."""
        self._patience.stop()

    @property
    def refusal(self) -> str:
        """Why it sends no further request: it was stopped, or the budget is spent. Empty while it does."""
        return STOPPED if self._patience.over else self.purse.refusal

    def close(self) -> None:
        """Close the connections and the cache."""
        self._server.wire.close()
        if self._cache:
            self._cache.close()

    @property
    def context_tokens(self) -> int:
        """The longest prompt, in tokens."""
        return (self.price and self.price.context_tokens) or CONTEXT_TOKENS

    def try_it(self) -> TextReply:
        """Make one tiny call that bypasses the cache. Raises `LlmError` if no reply came."""
        made = self._exchange(_TINY, work := self._work(_TINY, 5, 1))
        return TextReply(made.text, work.usage(), made.problem)

    def ask(
        self,
        messages: Sequence[Message],
        schema: type[T],
        *,
        purpose: str,
        attempt: int = 0,
        wrong: Unusable | None = None,
        expected_tokens: int = EXPECTED_TOKENS,
        calls: int = MOST_CALLS,
    ) -> ObjectReply[T]:
        """Ask for an object of the schema; at most three `calls`, one of them to repair the reply.

        `purpose` names the use of the question: equal questions for two purposes are cached separately. A different
        `attempt` bypasses a cached reply. `wrong` replaces the schema in deciding whether a reply can be used.
        Raises `LlmError`, with the cost, if no reply came.
        """
        unusable = wrong or unusable_for(schema)
        key = self._key(messages, purpose, attempt, schema.model_json_schema())
        cached = self._cache.get(key) if self._cache else None
        if cached:
            known = read_replies([Completion(text, text) for text in cached["raw"]], schema, unusable)
            if not known.missing:
                return replace(known, usage=_FROM_CACHE)
        work = self._work(messages, expected_tokens, calls)
        replies, notes = [self._exchange(messages, work, schema)], list[str]()
        cut = _cut_prompt(messages, replies[0].usage.get("prompt_tokens"), work)
        answer, problem = read_replies(replies, schema, unusable), replies[0].problem
        if answer.missing and not replies[0].final and work.left > 0:
            asked = repair(messages, replies[0].object_text, answer.missing)
            try:
                replies.append(self._exchange(asked, work, schema, answer.missing))
            except LlmError as error:
                notes.append(f"the repair failed: {error.message}")
            else:
                notes.append(f"asked again for {', '.join(answer.missing)}")
                problem = replies[1].problem if replies[1].final or not problem else problem
                answer = read_replies(replies, schema, unusable)
        if cut:
            notes.append(cut)
        elif not answer.missing:
            notes += self._store(key, {"raw": answer.raw})
        problem = (problem or answer.problem) if answer.missing else ""
        return replace(answer, usage=work.usage(), problem=problem, notes=notes)

    def decide(
        self, messages: Sequence[Message], questions: Sequence[Mapping[str, Any]], read: Callable[[Any], V]
    ) -> Decisions[V]:
        """Ask a decision model typed questions; `read` makes a value of the answers and raises for those it cannot use.

        Unusable answers are asked for once more. Raises `LlmError` if no reply came, `LabelingError` if none is usable.
        """
        key = self._key(messages, "decide", 0, list(questions))
        if cached := self._cache.get(key) if self._cache else None:
            return Decisions(read(cached["answers"]), cached["answers"], _FROM_CACHE)
        asked = [*messages, Message(role="user", content=json.dumps(questions))]  # for its length alone
        work = self._work(asked, len(questions))
        params = {"model": self.model, "input": list(messages), "questions": list(questions)}
        notes: list[str] = []
        while True:
            completion = self._server.wire.decide(params, work)
            try:
                answers = json.loads(completion.text)["answers"]
                value = read(answers)
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                problem = f"The decisions cannot be used: {short(str(error))}."
                if notes or work.left <= 0:
                    raw = completion.raw[:RAW]
                    raise LabelingError(
                        problem, "Try again, or use another labeler.", usage=work.usage(), raw=raw
                    ) from None
                notes = [f"asked again. {problem}"]
                continue
            return Decisions(value, answers, work.usage(), [*notes, *self._store(key, {"answers": answers})])

    def text(
        self,
        messages: Sequence[Message],
        *,
        purpose: str,
        attempt: int = 0,
        expected_tokens: int = EXPECTED_TOKENS,
        on_text: Callable[[str], None] | None = None,
    ) -> TextReply:
        """Ask for text; `on_text` is called with each piece as it arrives, and may raise to end the request.

        Raises `LlmError` if no reply came; its `raw` is the text received so far.
        """
        key = self._key(messages, purpose, attempt, None)
        cached = self._cache.get(key) if self._cache else None
        if cached:
            if on_text:
                on_text(cached["text"])
            return TextReply(cached["text"], _FROM_CACHE)
        work = self._work(messages, expected_tokens)
        made = self._streamed(messages, work, on_text) if on_text else self._exchange(messages, work)
        problem = made.problem or _cut_prompt(messages, made.usage.get("prompt_tokens"), work)
        if made.text and not problem:
            self._store(key, {"text": made.text})
        return TextReply(made.text, work.usage(), problem)

    def _streamed(self, messages: Sequence[Message], work: Work, on_text: Callable[[str], None]) -> Completion:
        """A reply in pieces; as one piece if the server accepts no stream."""
        params = parameters(self.model, messages, self._server.omitted)
        try:
            return self._server.wire.stream(params | STREAM, work, on_text)
        except Rejected:
            work.left += 1
            made = self._exchange(messages, work)
            on_text(made.text)
            return made

    def _exchange(
        self, messages: Sequence[Message], work: Work, schema: type[BaseModel] | None = None, only: Collection[str] = ()
    ) -> Completion:
        """One reply. The first request of its kind goes alone: what the server refuses, it refuses once."""
        server, has_schema = self._server, schema is not None
        if has_schema not in server.known:
            with self._patience.lock(server.first):
                if has_schema not in server.known:
                    try:
                        return self._accepted(messages, work, schema, only)
                    finally:
                        server.known.add(has_schema)
        return self._accepted(messages, work, schema, only)

    def _accepted(
        self, messages: Sequence[Message], work: Work, schema: type[BaseModel] | None, only: Collection[str]
    ) -> Completion:
        """One reply, with parameters that the server accepts; a rejection counts as no call."""
        server, lower = self._server, self._server.omitted
        while True:
            omitted = lower
            try:
                made = server.wire.complete(parameters(self.model, messages, omitted, schema, only), work)
            except Rejected as error:
                fewer = server.rejected(omitted, schema is not None, error)
                if fewer is None:
                    raise
                work.left += 1
            else:
                fewer = _without(omitted, _FORMATS) if schema and made.empty and work.left > 0 else None
                if fewer is None:
                    server.omitted = server.omitted if made.empty else omitted
                    return made
            lower = fewer

    def _work(self, messages: Sequence[Message], expected: int, calls: int = MOST_CALLS) -> Work:
        from trace_core.llm.wire import Work

        prompt = sum(estimate_tokens(message["content"]) for message in messages)
        cost = self.price.of(prompt, expected) if self.price else 0.0
        return Work(self._limiter, self.purse, self.price, calls, prompt + expected, cost, self._patience)

    def _key(self, messages: Sequence[Message], purpose: str, attempt: int, schema: Any) -> str:
        """The cache key of the question: the hash of everything that shapes the reply."""
        parts = {"model": self.model, "server": self.shown, "purpose": purpose, "attempt": attempt, "temperature": 0}
        parts |= {"again": self._attempt} if self._attempt else {}
        return key_of(parts | {"messages": list(messages), "schema": schema})

    def _store(self, key: str, body: Mapping[str, Any]) -> list[str]:
        """Cache the reply; a failure becomes a note, so that a paid reply is not lost."""
        try:
            if self._cache:
                self._cache.put(key, body)
        except StoreError as error:
            return [f"the reply was not cached: {error}"]
        return []


def _cut_prompt(messages: Sequence[Message], counted: object, work: Work) -> str:
    """A note, and a count, if the server counted fewer tokens in the prompt than it can have; empty otherwise."""
    if not isinstance(counted, int) or counted < _SHORTEST_CONTEXT:
        return ""
    words = [word for message in messages for word in _WORD.findall(message["content"])]
    fewest = max(len(words), sum(map(len, words)) / _LETTERS_PER_TOKEN)
    if counted >= fewest:
        return ""
    work.cut_prompts = 1
    return (
        f"The server read only {counted:,} tokens of a prompt of at least {fewest:,.0f}: raise its context length "
        "(num_ctx in Ollama, --max-model-len in vLLM), or set the model's context_tokens in prices.json"
    )
