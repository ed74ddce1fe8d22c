"""What work will take, before it starts: calls, tokens, money, time; and the assumptions behind it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from trace_core import answering, labeling
from trace_core.datasets import Item
from trace_core.datasets.rows import RECORDED
from trace_core.facts.records import Document, Response
from trace_core.labeling.base import Size
from trace_core.llm import DEFAULT_MODEL, estimate_tokens, read_prices
from trace_core.runs.execute.worker import at_once
from trace_core.runs.files.row_records import to_record
from trace_core.settings import Settings

SAMPLE = 200  # rows that stand for all
CHUNK_TOKENS, ANSWER_TOKENS, ANSWER_INSTRUCTION_TOKENS = 150, 100, 150
GPT_SECONDS, LOCAL_SECONDS, RECORDED_SECONDS = 4.0, 0.1, 0.01
"""Seconds for a judge's call, a record of the local labeler, and a row with labels, where no earlier run shows it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkEstimate:
    """What work takes; of a run also its rows, and how many there are for each remaining step. `cost` is `None` where
    calls are made at an unknown price; `assumptions` are sentences."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    currency: str
    seconds: float
    assumptions: list[str]
    rows: int = 0
    to_retrieve: int = 0
    to_answer: int = 0
    to_label: int = 0

    @property
    def tokens_and_price(self) -> str:
        """Tokens and price in words."""
        price = "price unknown" if self.cost is None else f"{self.cost:.2f} {self.currency}"
        return f"{self.prompt_tokens + self.completion_tokens:,} tokens, {price}"


def expense(
    size: Size, records: int, settings: Settings, why: Iterable[str] = (), each: float | None = None, usual: float = 0.0
) -> WorkEstimate:
    """What calls of that size over the records take. `why` are the assumptions so far, `each` the seconds of a record
    in an earlier run, else `usual` those of one without calls."""
    prices = read_prices(settings.data_dir)
    price = prices.of(settings.model or DEFAULT_MODEL)
    cost = 0.0 if not size.calls else price.of(size.prompt, size.reply) if price else None
    unknown = "The model's price is not known: add it to prices.json in the data folder."
    if each is not None:
        together = at_once(settings, computes=not size.calls)
        seconds, reason = records * each / together, f"An earlier run took {_pace(each)} a record."
    elif size.calls:
        seconds, reason = size.calls * GPT_SECONDS / settings.concurrency, f"Assumed: {GPT_SECONDS:g} s a call."
    else:
        seconds, reason = records * usual, f"Assumed: {_pace(usual)} a record."
    tokens = size.prompt + size.reply
    limits = {"requests": (settings.requests_per_minute, size.calls), "tokens": (settings.tokens_per_minute, tokens)}
    for what, (most, number) in limits.items():
        if most and number / most * 60 > seconds:
            seconds, reason = number / most * 60, f"The limit of {most:g} {what} a minute sets the pace."
    return WorkEstimate(
        calls=size.calls,
        prompt_tokens=size.prompt,
        completion_tokens=size.reply,
        cost=cost,
        currency=prices.currency,
        seconds=seconds,
        assumptions=[*why, *([unknown] if cost is None else []), reason],
    )


def _pace(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 0.1 else f"{1000 * seconds:.2g} ms"


def estimate(
    rows: Iterable[Mapping[str, Any]],
    total: int,
    config: Mapping[str, Any],
    settings: Settings,
    *,
    seconds_each: float | None = None,
) -> WorkEstimate:
    """Estimate from the first rows of a data set with `total` rows, under a run's configuration. `seconds_each` is the
    time per record in an earlier run with the same labeler. No model is asked."""
    sample = [Item.model_validate(row) for row in islice(rows, SAMPLE)]
    if not config.get("answer", True):
        sample = [row for row in sample if not row.unanswered]
    scale = total / len(sample) if sample else 0.0
    kind, by_llm = labeling.LABELERS.get(str(config.get("labeler"))), answering.uses_llm(config.get("answerer"))
    if kind and kind.model:
        settings = settings.model_copy(update={"model": kind.model})
    sizes, retrieve, answer, label = [Size(0, 0, 0)], 0, 0, 0
    for row in sample:
        # The row as it will be: documents and answer of typical length where they are still to be made.
        record = to_record(row, "", with_labels=False)
        answers = row.kind != "scores" and record.response is None
        if row.kind == "ask":
            top_k = int(config.get("top_k") or 5)
            record.documents = [Document(id=str(i), rank=i + 1, text="word " * 120) for i in range(top_k)]
        if answers:
            record.response = Response(text="word " * 80)
        record.split()
        if answers and by_llm:
            texts = [row.question, *(document.text for document in record.documents)]
            sizes.append(Size(1, ANSWER_INSTRUCTION_TOKENS + sum(map(estimate_tokens, texts)), ANSWER_TOKENS))
        if kind and row.kind != "scores":
            sizes.append(kind.size(row.question, record.sentences()))
        retrieve, answer, label = retrieve + (row.kind == "ask"), answer + answers, label + (row.kind != "scores")
    size = Size(*(round(sum(part) * scale) for part in zip(*sizes, strict=True)))
    assumptions = {
        f"The first {len(sample)} rows stand for all {total}.": len(sample) < total,
        f"A document still to be retrieved is assumed to have {CHUNK_TOKENS} tokens.": size.calls and retrieve,
        f"An answer still to be made is assumed to have {ANSWER_TOKENS} tokens.": size.calls and answer,
    }
    usual = RECORDED_SECONDS if config.get("labeler") == RECORDED else LOCAL_SECONDS
    why = [text for text, holds in assumptions.items() if holds]
    return replace(
        expense(size, total, settings, why, seconds_each, usual),
        rows=total,
        to_retrieve=round(retrieve * scale),
        to_answer=round(answer * scale),
        to_label=0 if config.get("labeler") == RECORDED else round(label * scale),
    )
