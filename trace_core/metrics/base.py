"""What a metric is: its texts, and one formula for each convention. A formula works on columns, one value per record,
so re-scoring a hundred thousand records takes only arithmetic; a single record is a column of length one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trace_core.errors import SettingsError
from trace_core.metrics.counts import Columns, Counts

Values = NDArray[np.float64]
RELEVANCE_DIVISOR = 20


class Convention(NamedTuple):
    """A named set of metric definitions."""

    name: str
    label: str
    description: str
    source: str

    def label_with(self, divisor: float) -> str:
        """The label with the run's own divisor of relevance."""
        return self.label.replace("÷ 20", f"÷ {divisor:g}")


_CONVENTIONS = (
    Convention(
        "trace",
        "TRACE, count ÷ 20",
        "Counts of sentences; relevance is the number of relevant sentences against a fixed 20.",
        "the visual guide to TRACE, and the guide to scores from GPT's labels",
    ),
    Convention(
        "ragbench",
        "RAGBench, as released",
        "Shares of all retrieved sentences; adherence fails only on an unsupported sentence.",
        "arXiv:2407.11005, released score columns",
    ),
    Convention(
        "graded",
        "share of sentences",
        "Shares of sentences for all four: one unsupported sentence costs its share, not everything.",
        "the guide to the balance of the four scores",
    ),
    Convention(
        "token",
        "share of tokens",
        "Long sentences weigh more: every share counts word tokens instead of sentences.",
        "the diagnostics rubric, after arXiv:2407.11005",
    ),
)
CONVENTIONS: Mapping[str, Convention] = {c.name: c for c in _CONVENTIONS}
if TYPE_CHECKING:
    ConventionName = str
else:  # as a type, for settings and run files
    ConventionName = Literal[*CONVENTIONS]


def check_convention(name: str) -> str:
    """The name, if it is a convention. Raises `SettingsError` that names the four otherwise."""
    if name not in CONVENTIONS:
        raise SettingsError(f"There is no convention {name!r}.", f"Use one of: {', '.join(CONVENTIONS)}.")
    return name


@dataclass(frozen=True, slots=True)
class Scoring:
    """How labels become scores: by which convention, under `trace` with which divisor of relevance, above 0; else
    raises `SettingsError`. What takes a scoring also takes the name of a convention, with the default divisor."""

    convention: str = "trace"
    divisor: float = RELEVANCE_DIVISOR

    def __post_init__(self) -> None:
        check_convention(self.convention)
        if not self.divisor > 0:
            raise SettingsError("The divisor of context relevance must be above 0.")

    @classmethod
    def of(cls, scoring: str | Scoring) -> Scoring:
        """The scoring itself, or that of a convention."""
        return scoring if isinstance(scoring, Scoring) else cls(scoring)

    @classmethod
    def of_run(cls, config: Mapping[str, Any], convention: str | None = None) -> Scoring:
        """That of a run's config, or the same under another convention."""
        divisor = (config.get("settings") or {}).get("relevance_divisor", RELEVANCE_DIVISOR)
        return cls(convention or config.get("convention") or "trace", float(divisor))


class Undefined(NamedTuple):
    """When a value is undefined, and why: missing is not zero."""

    reason: str
    when: Callable[[Columns], NDArray[np.bool_]]


class Formula(NamedTuple):
    """One convention's definition. `text` is for people; `compute` gives values in [0, 1]. `example` shows it with one
    record's numbers filled in. `compute(columns, divisor)` may return anything where one of `undefined` applies."""

    text: str
    example: Callable[[Counts, float], str]
    compute: Callable[[Columns, float], Values]
    undefined: tuple[Undefined, ...]


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric's name, texts and formulas, defined in this one place."""

    name: str
    label: str
    question: str
    description: str
    source: str
    limits: str
    fixes: tuple[str, ...]
    target: float | None
    formulas: Mapping[str, Formula]
    suggestion: float | None = None
    """The sources' target, if it is not applied by default: its effect on real rows must be checked first."""
    reference: str = "the guide to scores from GPT's labels; arXiv:2407.11005, section 3"
    of_trace: bool = False
    """Whether the target applies to convention `trace` only, because the scale differs elsewhere."""

    def goal(self, convention: str) -> float | None:
        """The target under a convention; `None` if there is none."""
        return self.target if convention == "trace" or not self.of_trace else None


UNLABELED = "unlabeled"  # the reason given where the labels leave a sentence unlabeled
LACKS = "the labels lack "
LACKS_RELEVANT = Undefined(f"{LACKS}all_relevant_sentence_keys", lambda c: np.isnan(c.relevant))
LACKS_UTILIZED = Undefined(f"{LACKS}all_utilized_sentence_keys", lambda c: np.isnan(c.utilized))
NOTHING_RETRIEVED = Undefined("nothing retrieved", lambda c: c.sentences == 0)
NO_TOKENS = Undefined("the documents contain no words", lambda c: c.tokens == 0)
