"""One client for everything that asks a language model: labels, answers, ratings, queries. All callers share one
limiter, one budget and one cache; each reply reports what it cost."""

from __future__ import annotations

import copy
import hashlib
import json
import re
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from trace_core.errors import LabelingError, LlmError, SettingsError, StoreError
from trace_core.llm.cache import ReplyCache
from trace_core.llm.completion import RAW, Completion, short
from trace_core.llm.limiter import STOP, Limiter, Limits, Patience, Purse, Work
from trace_core.llm.messages import WHOLE, Messages, Rejection, Schema, omissions_after, parameters, repair, without
from trace_core.llm.reading import Lacks, ObjectReply, T, Unusable, misfits, read_replies
from trace_core.llm.usage import Prices, Usage, estimate_tokens
from trace_core.settings import without_user

if TYPE_CHECKING:
    from trace_core.llm.messages import OnText
    from trace_core.llm.wire import Wire

OPENAI_URL = "https://api.openai.com/v1"
MOST_CALLS = 3  # the most requests for one example, not counting those that the server refused
CONTEXT_TOKENS, EXPECTED_TOKENS = 100_000, 800
"""The longest prompt and the expected reply, if the prices and the caller say nothing else."""
V = TypeVar("V")
_TINY: Messages = ({"role": "user", "content": "Reply with the word ok."},)
_FROM_CACHE: Usage = {"calls": 0, "from_cache": 1}
_SHORTEST_CONTEXT, _LETTERS_PER_TOKEN = 500, 8
"""No server's context is shorter, in tokens; no tokenizer puts more letters into one token on average."""


class TextReply(NamedTuple):
    """A reply as text; `problem` as in `ObjectReply`."""

    text: str
    usage: Usage
    problem: str = ""


class _Server:
    """What all callers of one server share: the connection, and the parameters that it does not accept."""

    def __init__(self, *address: Any) -> None:
        self._address = address
        self.omissions: frozenset[str] = frozenset()
        self.kinds: set[bool] = set()
        """Whether a request with a schema (true), and one without (false), has ended."""
        self.first = threading.Lock()

    @cached_property
    def wire(self) -> Wire:
        from trace_core.llm.wire import Wire

        return Wire(*self._address)


class Llm:
    """A model on an OpenAI-compatible server. Thread-safe; loads the SDK at the first request. `key` appears only in
    requests, `address` in messages. `purse` is its budget, and what was spent. Raises `SettingsError` for a key with
    invalid characters, and for a budget if the model's price is unknown."""

    def __init__(
        self,
        model: str,
        key: str,
        *,
        base_url: str = OPENAI_URL,
        limits: Limits | None = None,
        prices: Prices | None = None,
        cache: ReplyCache | None = None,
    ) -> None:
        if not key.strip() or not key.isascii() or not key.isprintable() or " " in key:
            raise SettingsError("The key has characters that no key can have.", "Copy it again, without spaces.")
        self._prices = prices or Prices(models={})
        self.model, self.price = model, self._prices.of(model)
        self.address = without_user(base_url) or base_url
        limits = limits or Limits()
        self.concurrency = limits.concurrency
        self._server = _Server(base_url, key, self.address, limits.seconds)
        self._limiter, self._cache, self._patience = Limiter(limits), cache, Patience()
        self._attempt = 0
        self._check_budget(limits.budget)
        self.purse = Purse(limits.budget)

    def with_model(self, model: str) -> Llm:
        """The same server, limits, budget and cache with another model. Raises `SettingsError` as a new client does."""
        other = copy.copy(self)
        other.model, other.price = model, self._prices.of(model)
        other._check_budget(self.purse.budget)
        return other

    def for_run(self, run: str, budget: float | None, expenses: float = 0.0, attempt: int = 0) -> Llm:
        """The same server, limits and cache for one run, with a stop, and a budget of which `expenses` are gone. What
        it pays for is noted in the cache at once, under the run's name. Replies of another attempt are not read."""
        self._check_budget(budget)

        def note(calls: int, cost: float) -> None:
            with suppress(StoreError):  # the reply itself, which is cached next, says so
                if self._cache:
                    self._cache.charge(run, calls, cost)

        other = copy.copy(self)
        other._patience, other.purse, other._attempt = Patience(), Purse(budget, expenses, note), attempt
        return other

    def charges(self, run: str) -> tuple[float, float]:
        """The number of calls that a run has paid for on this machine, and their cost, whatever became of them."""
        return self._cache.charges(run) if self._cache else (0.0, 0.0)

    def _check_budget(self, budget: float | None) -> None:
        if budget is not None and self.price is None:
            hint = "Add the model to prices.json in the data folder, or unset TRACE_BUDGET."
            raise SettingsError(f"A budget is set, but the price of {self.model} is not known.", hint)

    def stop(self) -> None:
        """End every wait of this client: for a pause that the server asks for, for a turn, for money."""
        self._patience.stop()

    @property
    def refusal(self) -> str:
        """Why it sends no further request: it was stopped, or the budget is spent. Empty while it does."""
        return STOP if self._patience.over else self.purse.refusal

    def close(self) -> None:
        """Close the connections and the cache."""
        self._server.wire.close()
        if self._cache:
            self._cache.close()

    @property
    def context_tokens(self) -> int:
        """The longest prompt, in tokens."""
        return (self.price and self.price.context_tokens) or CONTEXT_TOKENS

    def try_it(self) -> str:
        """Make one tiny call that bypasses the cache: the problem, if any. Raises `LlmError` if no reply came."""
        return self._exchange(_TINY, self._work(_TINY, 5, 1)).problem

    def ask(
        self,
        messages: Messages,
        schema: type[T],
        *,
        purpose: str,
        wrong: Unusable | None = None,
        lacks: Lacks = lambda data: {},
        expected_tokens: int = EXPECTED_TOKENS,
    ) -> ObjectReply[T]:
        """Ask for an object of the schema; at most three calls, one of them to repair or complete the reply. `purpose`
        names the use of the question: equal questions for two purposes are cached separately. `wrong` replaces the
        schema in deciding whether a reply can be used. Raises `LlmError`, with the cost, if no reply came."""
        unusable = wrong or partial(misfits, schema)
        key = self._key(messages, purpose, schema.model_json_schema())
        if self._cache and (body := self._cache.get(key)):
            answer = read_replies([Completion(text, text) for text in body["raw"]], schema, unusable, lacks)
            if not answer.missing:
                return replace(answer, usage=_FROM_CACHE)
        work = self._work(messages, expected_tokens)
        replies, notes = [self._exchange(messages, work, schema)], list[str]()
        cut = _cut_prompt(messages, replies[0].usage.get("prompt_tokens"), work)
        answer, problem = read_replies(replies, schema, unusable, lacks), replies[0].problem
        if answer.again and not replies[0].final and work.left > 0:
            question = repair(messages, replies[0].object_text, answer.again)
            try:
                replies.append(self._exchange(question, work, schema, answer.again))
            except LlmError as error:
                notes.append(f"the repair failed: {error.message}")
            else:
                notes.append(f"asked again for {', '.join(answer.again)}")
                problem = replies[1].problem if replies[1].final or not problem else problem
                answer = read_replies(replies, schema, unusable, lacks)
        if cut:
            notes.append(cut)
        elif not answer.missing:
            notes += self._store(key, {"raw": answer.raw})
        problem = (problem or answer.problem) if answer.missing else ""
        return replace(answer, usage=work.usage(), problem=problem, notes=notes)

    def decide(
        self, messages: Messages, questions: Sequence[Mapping[str, Any]], read: Callable[[Any], V]
    ) -> tuple[V, Usage, list[str]]:
        """Ask a decision model typed questions: what `read` makes of the answers, the usage, and notes. Where `read`
        raises, they are asked for once more. Raises `LlmError` if no reply came, `LabelingError` if none is usable."""
        key = self._key(messages, "decide", list(questions))
        if self._cache and (body := self._cache.get(key)):
            return read(body["answers"]), _FROM_CACHE, []
        everything: Messages = [*messages, {"role": "user", "content": json.dumps(questions)}]  # for its length alone
        work = self._work(everything, len(questions))
        params = {"model": self.model, "input": list(messages), "questions": list(questions)}
        notes: list[str] = []
        while True:
            completion = self._server.wire.decide(params, work)
            try:
                answers = json.loads(completion.text)["answers"]
                value = read(answers)
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                problem, hint = f"The decisions cannot be used: {short(str(error))}.", "Try again, or another labeler."
                if notes or work.left <= 0:
                    raw = completion.raw[:RAW]
                    raise LabelingError(problem, hint, usage=work.usage(), raw=raw) from None
                notes = [f"asked again. {problem}"]
                continue
            return value, work.usage(), [*notes, *self._store(key, {"answers": answers})]

    def text(
        self, messages: Messages, *, purpose: str, expected_tokens: int = EXPECTED_TOKENS, on_text: OnText | None = None
    ) -> TextReply:
        """Ask for text; `on_text` is called with each piece as it arrives, and may raise to end the request. Raises
        `LlmError` if no reply came; its `raw` is the text received so far."""
        key = self._key(messages, purpose, None)
        if self._cache and (body := self._cache.get(key)):
            if on_text:
                on_text(body["text"])
            return TextReply(body["text"], _FROM_CACHE)
        work = self._work(messages, expected_tokens)
        completion = self._stream(messages, work, on_text) if on_text else self._exchange(messages, work)
        problem = completion.problem or _cut_prompt(messages, completion.usage.get("prompt_tokens"), work)
        if completion.text and not problem:
            self._store(key, {"text": completion.text})
        return TextReply(completion.text, work.usage(), problem)

    def _stream(self, messages: Messages, work: Work, on_text: OnText) -> Completion:
        """A reply in pieces; as one piece if the server accepts no stream."""
        params = parameters(self.model, messages, self._server.omissions | {WHOLE})
        try:
            return self._server.wire.stream(params, work, on_text)
        except Rejection:
            work.left += 1
            completion = self._exchange(messages, work)
            on_text(completion.text)
            return completion

    def _exchange(
        self, messages: Messages, work: Work, schema: Schema = None, only: Collection[str] = ()
    ) -> Completion:
        """One reply. The first request of its kind goes alone: what the server refuses, it refuses once."""
        server, has_schema = self._server, schema is not None
        if has_schema not in server.kinds:
            with self._patience.lock(server.first):
                if has_schema not in server.kinds:
                    try:
                        return self._negotiate(messages, work, schema, only)
                    finally:
                        server.kinds.add(has_schema)
        return self._negotiate(messages, work, schema, only)

    def _negotiate(self, messages: Messages, work: Work, schema: Schema, only: Collection[str]) -> Completion:
        """One reply, with parameters that the server accepts; a rejection counts as no call."""
        server = self._server
        omissions = server.omissions
        while True:
            try:
                completion = server.wire.complete(parameters(self.model, messages, omissions, schema, only), work)
            except Rejection as rejection:
                has_schema = schema is not None
                more = omissions_after(rejection, omissions, has_schema, has_schema not in server.kinds)
                if more is None:
                    raise
                work.left += 1
            else:
                more = without(omissions) if schema and completion.empty and work.left > 0 else None
                if more is None:
                    server.omissions = server.omissions if completion.empty else omissions
                    return completion
            omissions = more

    def _work(self, messages: Messages, reply: int, calls: int = MOST_CALLS) -> Work:
        prompt = sum(estimate_tokens(message["content"]) for message in messages)
        cost = self.price.of(prompt, reply) if self.price else 0.0
        return Work(self._limiter, self.purse, self.price, calls, prompt + reply, cost, self._patience)

    def _key(self, messages: Messages, purpose: str, schema: Any) -> str:
        """The cache key of the question: the hash of everything that shapes the reply."""
        parts: dict[str, Any] = {"model": self.model, "server": self.address, "purpose": purpose}
        parts |= {"attempt": self._attempt, "temperature": 0, "messages": list(messages), "schema": schema}
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def _store(self, key: str, body: Mapping[str, Any]) -> list[str]:
        """Cache the reply; a failure becomes a note, so that a paid reply is not lost."""
        try:
            if self._cache:
                self._cache.put(key, body)
        except StoreError as error:
            return [f"the reply was not cached: {error}"]
        return []


def _cut_prompt(messages: Messages, count: object, work: Work) -> str:
    """A note, and a count, if the server counted fewer tokens in the prompt than it can have; empty otherwise."""
    if not isinstance(count, int) or count < _SHORTEST_CONTEXT:
        return ""
    words = [word for message in messages for word in re.findall(r"\w+", message["content"])]
    fewest = max(len(words), sum(map(len, words)) / _LETTERS_PER_TOKEN)
    if count >= fewest:
        return ""
    work.cut_prompts = 1
    return (
        f"The server read only {count:,} tokens of a prompt of at least {fewest:,.0f}: raise its context length "
        "(num_ctx in Ollama, --max-model-len in vLLM), or set the model's context_tokens in prices.json"
    )
