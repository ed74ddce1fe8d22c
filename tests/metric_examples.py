"""Short ways to write keyed sentences and labels for the tests of the metrics."""

from collections.abc import Sequence

import numpy as np

from trace_core.facts.labels import Labels, Support
from trace_core.facts.records import Scores, Sentences
from trace_core.facts.sentences import Sentence, letters
from trace_core.metrics import METRICS

CONVENTIONS = ("trace", "ragbench", "graded", "token")
WALKTHROUGH = (
    [
        "Machine learning is a subset of AI. It learns patterns from data. "
        "Traditional programming requires explicit instructions.",
        "ML algorithms improve through experience. They adapt to new data. "
        "Rule-based systems are rigid and hard to maintain.",
    ],
    "Machine learning differs because it learns from data rather than requiring explicit instructions. "
    "ML algorithms improve over time. It's the future of all computing.",
)
"""The documents and the answer of seed 000's worked example."""


def keyed(documents: list[list[str]], response: list[str]) -> Sentences:
    """Sentences as given, keyed 0a, 0b, … and a, b, …"""
    return Sentences(
        documents=[_keyed(str(i), texts) for i, texts in enumerate(documents)], response=_keyed("", response)
    )


def sized(*documents: int, response: int = 1) -> Sentences:
    """The given number of two-word sentences for each document, and for the response."""
    return keyed([["two words"] * n for n in documents], ["two words"] * response)


def column(*values: float | None) -> np.ndarray:
    """A column of numbers; None is undefined."""
    return np.array(values, dtype=float)


def scored(*four: float | None, convention: str = "trace", derived: Sequence[float] = (), **why: str) -> Scores:
    """These four scores, and perhaps average, RMSE and consistency; None is undefined, for these reasons."""
    names = (*METRICS, "average", "rmse_aggregation", "consistency_score")
    return Scores(
        **dict(zip(names, (*four, *(derived or (None,) * 3)), strict=True)), convention=convention, undefined=why
    )


def labels(
    relevant: str | None = "",
    utilized: str | None = "",
    support: str | None = "a+",
    unsupported: str | None = None,
    **more: object,
) -> Labels:
    """Labels from keys separated by spaces; None means an absent list.

    In `support`, `a+` is fully supported, `a-` is not, and `a-0a` is not, although 0a is named.
    """
    return Labels(
        all_relevant_sentence_keys=_keys(relevant),
        all_utilized_sentence_keys=_keys(utilized),
        sentence_support_information=None if support is None else [_support(s) for s in support.split()],
        unsupported_response_sentence_keys=_keys(unsupported),
        **more,
    )


def _keyed(prefix: str, texts: list[str]) -> list[Sentence]:
    return [Sentence(f"{prefix}{letters(j)}", text, None, None) for j, text in enumerate(texts)]


def _keys(written: str | None) -> list[str] | None:
    return None if written is None else written.split()


def _support(written: str) -> Support:
    key, sign, named = written.partition("+") if "+" in written else written.partition("-")
    return Support(
        response_sentence_key=key, supporting_sentence_keys=[named] if named else [], fully_supported=sign == "+"
    )
