"""Did it get better? Two runs, pair by pair: B − A for each metric, with its uncertainty.

A lower RMSE alone is never called better: it says that the four metrics agree, not that they are high. Where the two
runs do not measure the same quantities (other labelers, prompts or conventions), there is no verdict at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trace_core.errors import counted
from trace_core.facts.failed_generation import FAILED_GENERATION
from trace_core.metrics import METRICS
from trace_core.runs.analyse.pairing import Pairs, Stored, pair, same_question
from trace_core.summary.intervals import FEWEST, paired, said_few
from trace_core.summary.statistics import holm

Values = NDArray[np.float64]
Run = Mapping[str, Any]
"""A run file (`trace-run/1`)."""

SAME = 1e-9
"""Scores that differ by less than this are equal."""
SHOWN = 0.0005
"""From here on, a difference shows in three decimals."""
SIGNIFICANT = 0.05
BALANCE = "rmse_aggregation"


@dataclass(frozen=True, slots=True)
class Change:
    """One metric: `difference` = mean of B − A over the pairs where both are defined, with its 95 % interval.

    The interval excludes 0 exactly where `p_value` is below 0.05; `p_adjusted` is the p value after Holm's
    correction over the metrics that have one. `improved`, `unchanged` and `worse` count those pairs (for balance,
    lower is better), `left_out` the others. `None` means undefined, or too few pairs.
    """

    mean_a: float | None
    mean_b: float | None
    difference: float | None
    interval: tuple[float, float] | None
    p_value: float | None
    p_adjusted: float | None
    improved: int
    unchanged: int
    worse: int
    left_out: int

    @property
    def known(self) -> int:
        """The number of pairs in which it is known on both sides."""
        return self.improved + self.unchanged + self.worse

    @property
    def significant(self) -> bool:
        """Whether the corrected p value is below 0.05."""
        return self.p_adjusted is not None and self.p_adjusted < SIGNIFICANT


@dataclass(frozen=True, slots=True)
class Worse:
    """A pair that got worse. `drop` > 0 is the mean fall over the metrics defined on both sides.

    `by_metric` is B − A for those metrics.
    """

    drop: float
    by_metric: Mapping[str, float]
    a: Stored
    b: Stored

    @property
    def id(self) -> str:
        """The record's id in B."""
        return str(self.b["id"])


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs compared. `balance` is the mean RMSE's change: neither better nor worse by itself.

    `failed_generations` counts those of A and of B: they have no scores, and no mean shows them. `unlike` says why the
    two runs measure different quantities, and how to make them comparable.
    """

    pairs: int
    only_a: int
    only_b: int
    warnings: list[str]
    unlike: list[str]
    metrics: Mapping[str, Change]
    balance: Change
    got_worse: list[Worse]
    failed_generations: tuple[int, int]

    @property
    def tested(self) -> list[str]:
        """The metrics with enough pairs to be compared; only these count for Holm's correction."""
        return [name for name, change in self.metrics.items() if change.p_value is not None]

    def verdict(self) -> str:
        """The conclusion in a few sentences: every significant metric, worse ones first, and what was not compared."""
        if not self.pairs:
            return "No record of one run has a partner in the other: there is nothing to compare."
        if self.unlike:
            return f"No verdict: these are not the same quantities. {' '.join(self.unlike)}"
        if not self.tested:
            known = max(change.known for change in self.metrics.values())
            return f"No verdict: {counted(known, 'pair')} with a metric on both sides are too few, {FEWEST} are needed."
        certain = sorted((c.difference or 0.0, name) for name, c in self.metrics.items() if c.significant)
        down = [self._told(name, d) for d, name in certain if d < 0]
        up = [self._told(name, d) for d, name in reversed(certain) if d > 0]
        parts = [f"worse in {_listed(down)}" if down else "", f"better in {_listed(up)}" if up else ""]
        if found := ", and ".join(part for part in parts if part):
            corrected = f" after correction for {len(self.tested)} metrics" if len(self.tested) > 1 else ""
            return f"B is {found}, p < {SIGNIFICANT}{corrected}.{self._not_compared()}{self._of_balance()}"
        return f"{self._nothing()}{self._alone()}{self._not_compared()}{self._of_balance()}"

    def _told(self, name: str, difference: float) -> str:
        """The metric and its difference, and over how many of the pairs where it is not known in all."""
        known = self.metrics[name].known
        over = f", over {known:,} of {self.pairs:,} pairs" if known < self.pairs else ""
        size = f"{difference:+.3f}" if abs(difference) >= SHOWN else f"{difference:+.1g}"
        return f"{METRICS[name].label.lower()} ({size}{over})"

    def _nothing(self) -> str:
        """That no difference of the compared metrics is certain; which ones, where they are not all."""
        if len(self.tested) == len(self.metrics):
            return f"Over {self.pairs} pairs no metric's difference is certain."
        names = _listed([METRICS[name].label.lower() for name in self.tested])
        one = len(self.tested) == 1
        said = f"the difference of {names} is" if one else f"the differences of {names} are"
        return f"Over {self.pairs} pairs {said} not certain."

    def _not_compared(self) -> str:
        """The metrics that are known on both sides of too few pairs."""
        left = [
            f"{METRICS[name].label.lower()} ({counted(self.metrics[name].known, 'pair')})"
            for name in self.metrics
            if name not in self.tested
        ]
        return f" Not compared, as fewer than {FEWEST} pairs have it on both sides: {_listed(left)}." if left else ""

    def _alone(self) -> str:
        """What would be significant for a metric on its own, without the correction for the others."""
        names = [METRICS[n].label for n, c in self.metrics.items() if c.p_value is not None and c.p_value < SIGNIFICANT]
        if not names:
            return ""
        return f" {_listed(names)} alone would be (p < {SIGNIFICANT}), but of {len(self.tested)} metrics one often is."

    def _of_balance(self) -> str:
        lower = self.balance.difference is not None and self.balance.difference < -SAME
        risen = any(c.significant and (c.difference or 0) > 0 for c in self.metrics.values())
        return " Its RMSE is lower, which alone is no improvement." if lower and not risen else ""

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `compare --json`; `got_worse` holds ids of B's records, worst first."""
        shown = ("difference", "interval", "p_value", "p_adjusted", "improved", "unchanged", "worse")
        return {
            "pairs": self.pairs,
            "unpaired": self.only_a + self.only_b,
            "warnings": self.warnings,
            "metrics": {
                name: {field: _plain(getattr(change, field)) for field in shown}
                | said_few(change.interval, change.known, "pairs")
                for name, change in self.metrics.items()
            },
            "failed_generations": dict(zip("ab", self.failed_generations, strict=True)),
            "got_worse": [worse.id for worse in self.got_worse],
        }


def compare(a: Run, b: Run) -> Comparison:
    """Compare two run files, pair by pair (see `pair`); deterministic.

    Undefined values are left out and counted, never taken for 0.
    """
    found = pair(a["records"], b["records"])
    names = [*METRICS, BALANCE]
    before = _scores([one for one, _ in found.pairs], names)
    after = _scores([other for _, other in found.pairs], names)
    changes = _changes(before, after, names)
    said, unlike = warnings(a, b, found)
    failed_generations = _failed_generations(a), _failed_generations(b)
    if any(failed_generations):
        one, other = (f"{n:,} of {len(r['records']):,}" for n, r in zip(failed_generations, (a, b), strict=True))
        said.append(f"Failed generations have no scores, and no mean shows them: {one} in A, {other} in B.")
    return Comparison(
        pairs=len(found.pairs),
        only_a=len(found.only_a),
        only_b=len(found.only_b),
        warnings=said,
        unlike=unlike,
        metrics={name: changes[name] for name in METRICS},
        balance=changes[BALANCE],
        got_worse=[] if unlike else _got_worse(found, (after - before)[:, : len(METRICS)]),
        failed_generations=failed_generations,
    )


def _failed_generations(run: Run) -> int:
    reasons = ((record.get("scores") or {}).get("undefined") or {} for record in run["records"])
    return sum(str(found.get("adherence", "")).startswith(FAILED_GENERATION) for found in reasons)


def _scores(records: Sequence[Stored], names: Sequence[str]) -> Values:
    """One row per record, NaN where it has no such score."""
    rows = [[_number((record.get("scores") or {}).get(name)) for name in names] for record in records]
    return np.array(rows, dtype=np.float64).reshape(-1, len(names))


def _number(value: float | None) -> float:
    return np.nan if value is None else float(value)


def _changes(before: Values, after: Values, names: Sequence[str]) -> dict[str, Change]:
    differences = after - before
    both = ~np.isnan(differences)
    tested, better = paired(differences), np.array([-1 if name == BALANCE else 1 for name in names])
    gains = differences * better
    adjusted = [*holm([t.p_value for t in tested[: len(METRICS)]]), *[t.p_value for t in tested[len(METRICS) :]]]
    return {
        name: Change(
            mean_a=_mean(before[both[:, i], i]),
            mean_b=_mean(after[both[:, i], i]),
            difference=tested[i].value,
            interval=tested[i].interval,
            p_value=tested[i].p_value,
            p_adjusted=adjusted[i],
            improved=int((gains[:, i] > SAME).sum()),
            unchanged=int((np.abs(differences[:, i]) <= SAME).sum()),
            worse=int((gains[:, i] < -SAME).sum()),
            left_out=int((~both[:, i]).sum()),
        )
        for i, name in enumerate(names)
    }


def _mean(values: Values) -> float | None:
    return float(values.mean()) if len(values) else None


def _got_worse(found: Pairs, differences: Values) -> list[Worse]:
    """The pairs whose mean over the metrics defined on both sides fell, the largest fall first."""
    known = ~np.isnan(differences)
    defined = known.sum(axis=1)
    drops = -np.where(known, differences, 0.0).sum(axis=1) / np.maximum(defined, 1)
    order = np.argsort(-drops, kind="stable")
    return [
        Worse(
            drop=float(drops[i]),
            by_metric={n: float(differences[i, m]) for m, n in enumerate(METRICS) if known[i, m]},
            a=found.pairs[i][0],
            b=found.pairs[i][1],
        )
        for i in order
        if drops[i] > SAME
    ]


def warnings(a: Run, b: Run, found: Pairs) -> tuple[list[str], list[str]]:
    """Other reasons why the two runs may differ; and how to make them comparable where they measure different
    quantities.
    """
    said, unlike = [], []
    for what, one, other, advice in _conditions(a, b, found):
        if one != other:
            said.append(f"The {what} differs: {_named(one)} in A, {_named(other)} in B.")
            unlike += [advice] if advice and advice not in unlike else []
    if strange := sum(not same_question(one, other) for one, other in found.pairs):
        pairs = counted(len(found.pairs), "pair")
        said.append(f"In {strange:,} of {pairs}, the records have the same id and ask something else.")
    if half := sum(bool(one.get("checked")) != bool(other.get("checked")) for one, other in found.pairs):
        said.append(
            f"In {half:,} of {counted(len(found.pairs), 'pair')}, people checked or corrected the labels of one side "
            "only. Part of a difference may come from that."
        )
    if found.only_a or found.only_b:
        said.append(
            "The data sets differ. Left out without a partner: "
            f"{counted(len(found.only_a), 'record')} of A and {len(found.only_b):,} of B."
        )
    return said, unlike


RELABEL = "Label both runs by one labeler and prompt: a new run over the same data set does that."
NO_DIVISOR = (
    "Compare them under a convention that has no divisor, such as graded (Convention on the page, --convention)."
)
RESCORE = "Score both under one convention: that asks no labeler again (Convention on the page, --convention)."


def _conditions(a: Run, b: Run, found: Pairs) -> list[tuple[str, set[str], set[str], str]]:
    """What should be equal: its name, A's values, B's values; and the remedy where a difference rules out a verdict."""
    one, other = [p[0] for p in found.pairs], [p[1] for p in found.pairs]
    conventions = _conventions(a, one), _conventions(b, other)
    counted = "trace" in conventions[0] | conventions[1]
    return [
        ("labeler", _labelers(a, one), _labelers(b, other), RELABEL),
        ("judge's prompt", _config(a, "prompt"), _config(b, "prompt"), RELABEL),
        ("convention", *conventions, RESCORE),
        ("divisor of context relevance", _divisor(a), _divisor(b), NO_DIVISOR if counted else ""),
        ("data set", _config(a, "data_set"), _config(b, "data_set"), ""),
        ("collection", _collections(a, one), _collections(b, other), ""),
    ]


def _labelers(run: Run, records: Sequence[Stored]) -> set[str]:
    """Who labeled, with the version where known; people's corrections do not make another labeler."""
    made = [record["labels"] for record in records if record.get("labels")]
    found = {f"{m.get('labeler')} {m.get('labeler_version') or ''}".strip() for m in made}
    return found or _config(run, "labeler")


def _conventions(run: Run, records: Sequence[Stored]) -> set[str]:
    return {r["scores"]["convention"] for r in records if r.get("scores")} or _config(run, "convention")


def _collections(run: Run, records: Sequence[Stored]) -> set[str]:
    found = {r["retrieval"]["collection"] for r in records if r.get("retrieval")}
    return found or _config(run, "collection")


def _config(run: Run, name: str) -> set[str]:
    return _texts(run["run"]["config"].get(name))


def _divisor(run: Run) -> set[str]:
    return _texts((run["run"]["config"].get("settings") or {}).get("relevance_divisor"))


def _texts(value: object) -> set[str]:
    return set() if value is None else {str(value)}


def _named(values: set[str]) -> str:
    return ", ".join(sorted(values)) or "none"


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
