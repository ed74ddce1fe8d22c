"""Did it get better? Two runs, pair by pair: B − A for each metric, with its uncertainty.

A lower RMSE alone is never called better: it says that the four metrics agree, not that they are high. Where the two
runs do not measure the same quantities (other labelers, prompts or conventions), there is no verdict at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trace_core.errors import counted
from trace_core.facts.failed_generation import FAILED_GENERATION
from trace_core.metrics import METRICS
from trace_core.runs.analyse.pairing import Pairs, RecordDict, pair, same_question
from trace_core.summary.intervals import FEWEST, paired, too_few, too_few_note
from trace_core.summary.statistics import holm

Values = NDArray[np.float64]
Run = Mapping[str, Any]
"""A run file (`trace-run/1`), or the parts of it that `comparable` gives."""

SAME = 1e-9
"""Scores that differ by less than this are equal."""
SIGNIFICANT = 0.05
BALANCE = "rmse_aggregation"
RELABEL = "Label both runs by one labeler and prompt: a new run over the same data set does that."
NO_DIVISOR = (
    "Compare them under a convention that has no divisor, such as graded (Convention on the page, --convention)."
)
RESCORE = "Score both under one convention: that asks no labeler again (Convention on the page, --convention)."
DIVISOR = "divisor of context relevance"
SPENT = {"seconds": "Seconds a record", "total_tokens": "Tokens a record", "cost": "Cost a record"}
"""What a record took → its name for people."""
EQUAL = "no pair differs"
"""In place of an interval where all differences are 0: what is not seen in these pairs may still be there."""
ADVICE = {"labeler": RELABEL, "judge's prompt": RELABEL, "convention": RESCORE, DIVISOR: NO_DIVISOR}
"""The conditions without which there is no verdict, and the remedy."""


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
    def equal(self) -> bool:
        """Whether it is known in pairs, and in all of them the same on both sides."""
        return self.unchanged > 0 and not self.improved + self.worse

    @property
    def span(self) -> str:
        """The interval in words, or why there is none."""
        if self.equal:
            return EQUAL
        return " … ".join(f"{end:+.3f}" for end in self.interval) if self.interval else too_few(self.known, "pairs")

    @property
    def significant(self) -> bool:
        """Whether the corrected p value is below 0.05."""
        return self.p_adjusted is not None and self.p_adjusted < SIGNIFICANT


@dataclass(frozen=True, slots=True)
class PairChange:
    """A pair that got better or worse: `change` is the mean of B − A over the metrics defined on both sides.

    `by_metric` is B − A for those metrics.
    """

    change: float
    by_metric: Mapping[str, float]
    a: RecordDict
    b: RecordDict

    @property
    def id(self) -> str:
        """The record's id in B."""
        return str(self.b["id"])


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs compared. `balance` is the mean RMSE's change: neither better nor worse by itself.

    `got_worse` and `got_better` have the largest change first. `spent` gives for each of `SPENT` the means of A and B
    over the pairs where both are known, and their number. `flips` are the pairs whose verdicts differ, and those that
    have one on both sides. `declining` is each run's. `failed_generations` counts those of A and of B: they have no
    scores, and no mean shows them. `unlike` says why the two runs measure different quantities, and how to make them
    comparable.
    """

    pairs: int
    only_a: int
    only_b: int
    warnings: list[str]
    unlike: list[str]
    metrics: Mapping[str, Change]
    balance: Change
    got_worse: list[PairChange]
    got_better: list[PairChange]
    spent: Mapping[str, tuple[float, float, int]]
    flips: tuple[int, int]
    declining: tuple[Any, Any]
    failed_generations: tuple[int, int]

    def verdict(self) -> str:
        """The conclusion in a few sentences: every significant metric, worse ones first, and what was not compared."""
        if not self.pairs:
            return "No record of one run has a partner in the other: there is nothing to compare."
        if self.unlike:
            return f"No verdict: these are not the same quantities. {' '.join(self.unlike)}"
        tested = [name for name, change in self.metrics.items() if change.p_value is not None]
        if not tested:
            known = max(change.known for change in self.metrics.values())
            return f"No verdict: {counted(known, 'pair')} with a metric on both sides are too few, {FEWEST} are needed."
        certain = sorted((one.difference or 0.0, name) for name, one in self.metrics.items() if one.significant)
        down = _listed([self._words(name) for difference, name in certain if difference < 0])
        up = _listed([self._words(name) for difference, name in reversed(certain) if difference > 0])
        parts = [*([f"worse in {down}"] if down else []), *([f"better in {up}"] if up else [])]
        labels = {name: metric.label.lower() for name, metric in METRICS.items()}
        left = [
            f"{label} ({counted(self.metrics[name].known, 'pair')})"
            for name, label in labels.items()
            if name not in tested
        ]
        corrected = f" after correction for {len(tested)} metrics" if len(tested) > 1 else ""
        conclusion = f"B is {', and '.join(parts)}, p < {SIGNIFICANT}{corrected}."
        if not parts:
            where = f" in {_listed([labels[name] for name in tested])}" if left else ""
            nothing = EQUAL if all(self.metrics[name].equal for name in tested) else "no difference is certain"
            conclusion = f"Over {self.pairs} pairs {nothing}{where}."
        few = f" Not compared, as fewer than {FEWEST} pairs have it on both sides: {_listed(left)}." if left else ""
        return conclusion + few

    def _words(self, name: str) -> str:
        """The metric and its difference, and over how many of the pairs where it is not known in all."""
        known, difference = self.metrics[name].known, self.metrics[name].difference or 0.0
        over = f", over {known:,} of {self.pairs:,} pairs" if known < self.pairs else ""
        return f"{METRICS[name].label.lower()} ({difference:+.3f}{over})"

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `compare --json`; `got_worse` and `got_better` hold ids of B's records."""
        shown = ("difference", "interval", "p_value", "p_adjusted", "improved", "unchanged", "worse")
        return {
            "pairs": self.pairs,
            "unpaired": self.only_a + self.only_b,
            "warnings": self.warnings,
            "metrics": {
                name: {field: getattr(change, field) for field in shown}
                | too_few_note(change.interval, change.known, "pairs")
                for name, change in self.metrics.items()
            },
            "failed_generations": dict(zip("ab", self.failed_generations, strict=True)),
            "got_worse": [one.id for one in self.got_worse],
            "got_better": [one.id for one in self.got_better],
            "verdicts": dict(zip(("changed", "pairs"), self.flips, strict=True)),
            "spent": {name: dict(zip(("a", "b", "pairs"), means, strict=True)) for name, means in self.spent.items()},
            "declining": dict(zip("ab", self.declining, strict=True)),
        }


def compare(a: Run, b: Run) -> Comparison:
    """Compare two run files, pair by pair (see `pair`); deterministic.

    Undefined values are left out and counted, never taken for 0.
    """
    found = pair(a["records"], b["records"])
    names = [*METRICS, BALANCE]
    before, after = (_scores([both[side] for both in found.pairs], names) for side in (0, 1))
    changes, differences = _changes(before, after, names), (after - before)[:, : len(METRICS)]
    warnings, unlike = _warnings(a, b, found)
    failed_generations = _failed_generations(a), _failed_generations(b)
    if any(failed_generations):
        one, other = (f"{n:,} of {len(r['records']):,}" for n, r in zip(failed_generations, (a, b), strict=True))
        warnings.append(f"Failed generations have no scores, and no mean shows them: {one} in A, {other} in B.")
    return Comparison(
        pairs=len(found.pairs),
        only_a=len(found.only_a),
        only_b=len(found.only_b),
        warnings=warnings,
        unlike=unlike,
        metrics={name: changes[name] for name in METRICS},
        balance=changes[BALANCE],
        got_worse=[] if unlike else _changed(found, differences, -1),
        got_better=[] if unlike else _changed(found, differences, 1),
        spent={name: means for name in SPENT if (means := _means(found.pairs, name))},
        flips=_flips(found.pairs),
        declining=(a.get("declining"), b.get("declining")),
        failed_generations=failed_generations,
    )


def _failed_generations(run: Run) -> int:
    reasons = ((record.get("scores") or {}).get("undefined") or {} for record in run["records"])
    return sum(str(found.get("adherence", "")).startswith(FAILED_GENERATION) for found in reasons)


def _scores(records: Sequence[RecordDict], names: Sequence[str]) -> Values:
    """One row per record, NaN where it has no such score."""
    rows = [[(record.get("scores") or {}).get(name) for name in names] for record in records]
    return np.array(rows, dtype=np.float64).reshape(-1, len(names))


def _changes(before: Values, after: Values, names: Sequence[str]) -> dict[str, Change]:
    differences = after - before
    both, tested = ~np.isnan(differences), paired(differences)
    gains = differences * [-1 if name == BALANCE else 1 for name in names]
    four = len(METRICS)
    adjusted = [*holm([one.p_value for one in tested[:four]]), *[one.p_value for one in tested[four:]]]
    return {
        name: Change(
            mean_a=float(before[known, i].mean()) if known.any() else None,
            mean_b=float(after[known, i].mean()) if known.any() else None,
            difference=tested[i].value,
            interval=tested[i].interval,
            p_value=tested[i].p_value,
            p_adjusted=adjusted[i],
            improved=int((gains[:, i] > SAME).sum()),
            unchanged=int((np.abs(differences[:, i]) <= SAME).sum()),
            worse=int((gains[:, i] < -SAME).sum()),
            left_out=int((~known).sum()),
        )
        for i, (name, known) in enumerate(zip(names, both.T, strict=True))
    }


def _changed(found: Pairs, differences: Values, sign: int) -> list[PairChange]:
    """The pairs whose mean over the metrics defined on both sides rose (sign 1) or fell (−1), the largest first."""
    known = ~np.isnan(differences)
    means = np.where(known, differences, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    changed = []
    for i in np.argsort(-sign * means, kind="stable")[: int((sign * means > SAME).sum())]:
        by_metric = {name: float(differences[i, m]) for m, name in enumerate(METRICS) if known[i, m]}
        changed.append(PairChange(float(means[i]), by_metric, *found.pairs[i]))
    return changed


def _means(pairs: Sequence[tuple[RecordDict, RecordDict]], name: str) -> tuple[float, float, int] | None:
    """What a record of A and of B took on average, over the pairs where both are known, and how many these are."""
    each = ((a.get("spent", {}).get(name), b.get("spent", {}).get(name)) for a, b in pairs)
    known = [(one, other) for one, other in each if one is not None and other is not None]
    return (fmean(a for a, _ in known), fmean(b for _, b in known), len(known)) if known else None


def _flips(pairs: Sequence[tuple[RecordDict, RecordDict]]) -> tuple[int, int]:
    known = [(a["verdict"], b["verdict"]) for a, b in pairs if a.get("verdict") and b.get("verdict")]
    return sum(a != b for a, b in known), len(known)


def _warnings(a: Run, b: Run, found: Pairs) -> tuple[list[str], list[str]]:
    """Other reasons why the runs may differ; and how to make them comparable where their quantities differ."""
    warnings: list[str] = []
    unlike: dict[str, None] = {}
    before, after = (_conditions(run, [both[side] for both in found.pairs]) for run, side in ((a, 0), (b, 1)))
    counts = "trace" in before["convention"] | after["convention"]
    for what, one in before.items():
        if one != after[what]:
            values = [", ".join(sorted(each)) or "none" for each in (one, after[what])]
            warnings.append(f"The {what} differs: {values[0]} in A, {values[1]} in B.")
            if what in ADVICE and (counts or what != DIVISOR):
                unlike[ADVICE[what]] = None
    pairs = counted(len(found.pairs), "pair")
    if strange := sum(not same_question(one, other) for one, other in found.pairs):
        warnings.append(f"In {strange:,} of {pairs}, the records have the same id and ask something else.")
    if half := sum(bool(one.get("checked")) != bool(other.get("checked")) for one, other in found.pairs):
        warnings.append(
            f"In {half:,} of {pairs}, people checked or corrected the labels of one side "
            "only. Part of a difference may come from that."
        )
    if found.only_a or found.only_b:
        warnings.append(
            "The data sets differ. Left out without a partner: "
            f"{counted(len(found.only_a), 'record')} of A and {len(found.only_b):,} of B."
        )
    return warnings, list(unlike)


def _conditions(run: Run, records: Sequence[RecordDict]) -> dict[str, set[str]]:
    """What should be equal in both runs: the values of the records, or of the run where they have none."""
    config, labels = run["run"]["config"], [record["labels"] for record in records if record.get("labels")]
    retrieved = [record["retrieval"] for record in records if record.get("retrieval")]
    # people's corrections do not make another labeler: these are the labeler's own labels
    own = {
        "labeler": {f"{one.get('labeler')} {one.get('labeler_version') or ''}".strip() for one in labels},
        "convention": {record["scores"]["convention"] for record in records if record.get("scores")},
        "collection": {one["collection"] for one in retrieved},
    }
    of_run = {
        "labeler": config.get("labeler"),
        "judge's prompt": config.get("prompt"),
        "convention": config.get("convention"),
        DIVISOR: (config.get("settings") or {}).get("relevance_divisor"),
        "collection": config.get("collection"),
    }
    return {name: own.get(name) or ({str(one)} if one is not None else set()) for name, one in of_run.items()}


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
