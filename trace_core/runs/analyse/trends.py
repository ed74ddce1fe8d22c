"""Runs over time: the trend of the metrics, and their distance from the targets (seed 003's use cases 3 and 4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from trace_core.diagnosis.verdict import examine
from trace_core.errors import counted
from trace_core.facts.labels import labeler_name
from trace_core.facts.records import Finding, Record
from trace_core.metrics import CONVENTIONS, RELEVANCE_DIVISOR, Scoring, scores_from
from trace_core.metrics.base import Values
from trace_core.runs.analyse.compare import question_keys
from trace_core.store.store import Store
from trace_core.summary.charts import Estimate, estimate_of

UNSEEN = 0.0005
"""A gap to a target that three digits do not show does not count: 0.800 meets 0.8."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What must be equal in two runs for their means to be the same quantity. `questions` identifies those asked, from
    whichever file, `name` their number; `version` has model and prompt."""

    questions: str
    labeler: str
    convention: str
    divisor: float = RELEVANCE_DIVISOR
    version: str = ""
    name: str = field(default="", compare=False)

    @property
    def title(self) -> str:
        """Questions and labeler, for people."""
        return f"{self.name or self.questions}, labels: {labeler_name(self.labeler)}"

    @property
    def details(self) -> str:
        """The labeler's version, where known, and the convention."""
        label = CONVENTIONS[self.convention].label if self.convention in CONVENTIONS else self.convention
        return f"{f'version {self.version}, ' if self.version else ''}convention {label}"


@dataclass(frozen=True, slots=True, eq=False)
class RunPoint:
    """One run in time: each quantity's mean, and its value for each of the questions `ids`, NaN where undefined."""

    id: str
    name: str
    created_at: str
    condition: Condition
    levels: Mapping[str, Estimate]
    ids: NDArray[np.object_]
    values: Mapping[str, Values]


def like(points: Sequence[RunPoint]) -> dict[Condition, list[int]]:
    """The positions of the runs comparable with one another, ordered by their first run."""
    conditions = [one.condition for one in points]
    return {key: [place for place, one in enumerate(conditions) if one == key] for key in dict.fromkeys(conditions)}


def point_of(store: Store, run_id: str, convention: str) -> RunPoint:
    """A stored run as a point in time, corrections applied, under a convention. Raises `UnknownRun`."""
    run, columns = store.runs.load_run(run_id), store.runs.columns(run_id)
    scoring = Scoring.of_run(run.config, convention)
    mask = columns.labeler != ""
    labeler, version = (", ".join(sorted({*of[mask]})) for of in (columns.labeler, columns.labeler_version))
    questions = question_keys(key[2] for key in store.runs.keys(run_id))
    digest = sha256("\n".join(sorted(questions)).encode("utf-8", "replace")).hexdigest()
    condition = Condition(digest, labeler, convention, scoring.divisor, version, counted(len(questions), "question"))
    values = columns.score(scoring).values
    levels = {quantity: estimate_of(column) for quantity, column in values.items()}
    return RunPoint(run.id, run.name, run.created_at, condition, levels, np.asarray(questions, dtype=object), values)


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a metric: a floor, or with `exact` a value to be met from either side."""

    value: float
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Gap:
    """The distance of a metric from its target: `missing` is 0 where the target is met, `None` where undefined."""

    metric: str
    value: float | None
    target: Target
    missing: float | None


@dataclass(frozen=True, slots=True)
class Plan:
    """The way to the targets. `balance` is the RMSE now, `balance_at_target` with every target just met. Metrics beyond
    their target stay where they are. `focus` is the metric with the most to gain."""

    gaps: list[Gap]
    balance: float | None
    balance_at_target: float | None
    focus: str | None


def plan(values: Mapping[str, float | None], targets: Mapping[str, Target | None]) -> Plan:
    """The distance of the four values from their targets, in [0, 1] (seed 003, use case 3); `None` sets no target."""
    gaps, goals = [], dict(values)
    for name, target in targets.items():
        if target is None:
            continue
        value, missing = values.get(name), None
        if value is not None:
            left = abs(target.value - value) if target.exact else target.value - value
            missing = left if left >= UNSEEN else 0.0
            goals[name] = target.value if target.exact else max(value, target.value)
        gaps.append(Gap(name, value, target, missing))
    short = {gap.metric: gap.missing for gap in gaps if gap.missing}
    focus = max(short, key=lambda name: short[name], default=None)
    return Plan(gaps, scores_from(values).rmse_aggregation, scores_from(goals).rmse_aggregation, focus)


def diagnosis(values: Mapping[str, float | None], convention: str = "trace") -> list[Finding]:
    """The findings for a run's mean values (seed 003, use case 4), by the same rules as for one record."""
    return examine(Record(id="means", question=""), scores_from(values, convention)).findings
