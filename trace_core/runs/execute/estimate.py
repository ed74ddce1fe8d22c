"""What a run will take, before it starts: calls, tokens, money, time; and the assumptions behind it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Self

from trace_core import answering, labeling
from trace_core.datasets import Item
from trace_core.datasets.rows import RECORDED
from trace_core.facts.records import Document, Record, Response
from trace_core.llm import DEFAULT_MODEL, estimate_tokens, read_prices
from trace_core.runs.files.row_records import to_record
from trace_core.settings import Settings

SAMPLE = 200  # rows that stand for all
CHUNK_TOKENS, ANSWER_TOKENS, ANSWER_INSTRUCTION_TOKENS = 150, 100, 150
GPT_SECONDS, LOCAL_SECONDS = 4.0, 0.1
"""Seconds for a judge's call, and for a record of the local labeler, where no earlier run shows it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expense:
    """The cost of some work. `cost` is `None` where calls are made at an unknown price; `assumptions` are sentences."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    currency: str
    seconds: float
    assumptions: tuple[str, ...]

    @classmethod
    def of(
        cls,
        calls: int,
        tokens: tuple[int, int],
        records: int,
        settings: Settings,
        why: Iterable[str] = (),
        each: float | None = None,
        **more: int,
    ) -> Self:
        """A priced expense: `tokens` of prompts and of replies, `why` the assumptions so far, `each` the seconds of a
        record in an earlier run, `more` a subclass's own fields.
        """
        prices = read_prices(settings.data_dir)
        price = prices.of(settings.model or DEFAULT_MODEL)
        cost = 0.0 if not calls else price.of(*tokens) if price else None
        unknown = "The model's price is not known: add it to prices.json in the data folder."
        seconds, reason = _time(calls, sum(tokens), records, settings, each)
        return cls(
            calls=calls,
            prompt_tokens=tokens[0],
            completion_tokens=tokens[1],
            cost=cost,
            currency=prices.currency,
            seconds=seconds,
            assumptions=(*why, *([unknown] if cost is None else []), reason),
            **more,
        )

    @property
    def tokens_and_price(self) -> str:
        """Tokens and price in words."""
        price = "price unknown" if self.cost is None else f"{self.cost:.2f} {self.currency}"
        return f"{self.prompt_tokens + self.completion_tokens:,} tokens, {price}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate(Expense):
    """What a run over `rows` rows takes, and the number of rows for each remaining step."""

    rows: int
    to_retrieve: int
    to_answer: int
    to_label: int


def estimate(
    rows: Iterable[Mapping[str, Any]],
    total: int,
    config: Mapping[str, Any],
    settings: Settings,
    *,
    seconds_each: float | None = None,
) -> Estimate:
    """Estimate from the first rows of a data set with `total` rows, under a run's configuration.

    `seconds_each` is the time per record in an earlier run with the same labeler. No model is asked.
    """
    sample = [Item.model_validate(row) for row in islice(rows, SAMPLE)]
    if not config.get("answer", True):
        sample = [row for row in sample if not row.unanswered]
    labels = sum(row.kind != "scores" for row in sample) if config.get("labeler") != RECORDED else 0
    scale = total / len(sample) if sample else 0.0
    retrieve = [row.kind == "ask" for row in sample]
    answer = [row.kind != "scores" and row.response is None and row.response_sentences is None for row in sample]
    kind, by_llm = labeling.LABELERS.get(str(config.get("labeler"))), answering.uses_llm(config.get("answerer"))
    if kind and kind.model:
        settings = settings.model_copy(update={"model": kind.model})
    prompts = replies = calls = 0
    for row, retrieves, answers in zip(sample, retrieve, answer, strict=True):
        record = _typical(row, retrieves, answers, int(config.get("top_k") or 5))
        if by_llm and answers:
            calls += 1
            prompts += ANSWER_INSTRUCTION_TOKENS + estimate_tokens(row.question)
            prompts += sum(estimate_tokens(document.text) for document in record.documents)
            replies += ANSWER_TOKENS
        if kind and row.kind != "scores":
            size = kind.size(row.question, record.sentences())
            calls, prompts, replies = calls + size.calls, prompts + size.prompt, replies + size.reply
    calls, prompts, replies = (round(number * scale) for number in (calls, prompts, replies))
    assumptions = {
        f"The first {len(sample)} rows stand for all {total}.": len(sample) < total,
        f"A document still to be retrieved is taken to have {CHUNK_TOKENS} tokens.": calls and any(retrieve),
        f"An answer still to be made is taken to have {ANSWER_TOKENS} tokens.": calls and any(answer),
    }
    return Estimate.of(
        calls,
        (prompts, replies),
        total,
        settings,
        [text for text, holds in assumptions.items() if holds],
        each=seconds_each,
        rows=total,
        to_retrieve=round(sum(retrieve) * scale),
        to_answer=round(sum(answer) * scale),
        to_label=round(labels * scale),
    )


def _typical(row: Item, retrieves: bool, answers: bool, top_k: int) -> Record:
    """The row as it will be: documents and answer of typical length where they are still to be made."""
    record = to_record(row, "", with_labels=False)
    if retrieves:
        record.documents = [Document(id=str(i), rank=i + 1, text="word " * 120) for i in range(top_k)]
    if answers:
        record.response = Response(text="word " * 80)
    record.split()
    return record


def _time(calls: int, tokens: int, records: int, settings: Settings, each: float | None) -> tuple[float, str]:
    """Seconds, by `each` record's in an earlier run where that is known; and why."""
    if each is not None:
        seconds, why = records * each / settings.concurrency, f"An earlier run took {each:.1f} s a record."
    elif calls:
        seconds, why = calls * GPT_SECONDS / settings.concurrency, f"Assumed: {GPT_SECONDS:g} s a call."
    else:
        seconds, why = records * LOCAL_SECONDS, f"Assumed: {LOCAL_SECONDS:g} s a record."
    limits = {"requests": (settings.requests_per_minute, calls), "tokens": (settings.tokens_per_minute, tokens)}
    for what, (most, number) in limits.items():
        if most and number / most * 60 > seconds:
            seconds, why = number / most * 60, f"The limit of {most:g} {what} a minute decides."
    return seconds, why
