"""Did it get better? Two runs, pair by pair: B − A for each metric, with its uncertainty. A lower RMSE is never called
better, and there is no verdict where the runs do not measure the same quantities."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trace_core.diagnosis.faults import look
from trace_core.errors import counted, enumerate_words
from trace_core.metrics import LABELS, METRICS
from trace_core.metrics.base import Values
from trace_core.store.record_reader import Key
from trace_core.store.runs import Run
from trace_core.summary.columns import RunScores
from trace_core.summary.declining import declining
from trace_core.summary.intervals import FEWEST, paired_means, too_few, too_few_note
from trace_core.summary.statistics import holm

Places = NDArray[np.int64]
SAME = 1e-9
"""Scores that differ by less than this are equal."""
SIGNIFICANT = 0.05
BALANCE = "rmse_aggregation"
RELABEL = "Label both runs by one labeler and prompt: a new run over the same data set does that."
DIVISOR = "divisor of context relevance"
EXPENSES = {"seconds": "Seconds", "total_tokens": "Tokens", "cost": "Cost"}
"""What a record took → its name for people."""
EQUAL = "no pair differs"
"""In place of an interval where all differences are 0: what is not seen in these pairs may still be there."""
ADVICE = {
    "labeler": RELABEL,
    "judge's prompt": RELABEL,
    "convention": "Score both under one convention: that asks no labeler again (Convention on the page, --convention).",
    DIVISOR: "Compare them under a convention that has no divisor, such as graded "
    "(Convention on the page, --convention).",
}
"""The conditions without which there is no verdict, and the remedy."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The pairs (A's place, B's place) in A's order, and the places of the records that have no partner."""

    pairs: list[tuple[int, int]]
    only_a: list[int]
    only_b: list[int]


def pair(a: Sequence[Key], b: Sequence[Key]) -> Pairs:
    """Pair by source id and generator where that is unique in both runs, the others by question, the n-th with the
    n-th. Where most records with the same source id ask something else, these ids are other rows', and do not count."""
    places_a, places_b = _unique(a), _unique(b)
    partner = {place: places_b[key] for key, place in places_a.items() if key in places_b}
    if 2 * sum(not same_question(a[i][2], b[j][2]) for i, j in partner.items()) > len(partner):
        partner = {}
    rest_a, rest_b = sorted({*range(len(a))} - partner.keys()), sorted({*range(len(b))} - {*partner.values()})
    places = dict(zip(question_keys(b[j][2] for j in rest_b), rest_b, strict=True))
    keys = zip(rest_a, question_keys(a[i][2] for i in rest_a), strict=True)
    partner |= {i: places[key] for i, key in keys if key in places}
    only_b = sorted({*rest_b} - {*partner.values()})
    return Pairs(sorted(partner.items()), [i for i in rest_a if i not in partner], only_b)


def question_key(question: str) -> str:
    """The question, whatever its spaces and capitals: who asks the same is the same."""
    return " ".join(question.split()).casefold()


def question_keys(questions: Iterable[str]) -> list[str]:
    """A key for each question; of one that repeats, the n-th has its number."""
    times: Counter[str] = Counter()
    keys = []
    for key in map(question_key, questions):
        times[key] += 1
        keys.append(key if times[key] == 1 else f"{key} #{times[key]}")
    return keys


def same_question(one: str, other: str) -> bool:
    """Whether two questions are the same, whatever the spaces and capitals."""
    return one == other or question_key(one) == question_key(other)


def _unique(keys: Sequence[Key]) -> dict[Hashable, int]:
    """Source id and generator → the place of the one record that has them."""
    times = Counter((source, generator) for source, generator, _ in keys)
    places = {(source, generator): place for place, (source, generator, _) in enumerate(keys)}
    return {key: place for key, place in places.items() if times[key] == 1 and key[0]}


def run_before(run: Run, runs: Sequence[Run]) -> Run | None:
    """The run that `run` repeats, else the newest that is older (`runs` are listed newest first) and like it: one
    labeler, its version, one convention; one data set, or as many records, as other answers to it have."""
    places = [place for place, one in enumerate(runs) if one.id == run.id]
    older = runs[places[0] + 1 :] if places else []
    for one in [*(one for one in older if repeat_of(run, one)), *older]:
        of_one_data_set = one.dataset_id is not None and one.dataset_id == run.dataset_id
        if (of_one_data_set or one.counts["total"] == run.counts["total"]) and all(
            (one.config.get(name) or None) == (run.config.get(name) or None)
            for name in ("labeler", "model", "convention")
        ):
            return one
    return None


def repeat_of(run: Run, first: Run) -> bool:
    """Whether the run is the first one run again, with nothing changed."""
    return run.config.get("repeats") == first.id


def newest_pair(runs: Sequence[Run]) -> tuple[Run, Run]:
    """Of two or more runs, newest first: the newest run that has an earlier one like it, which comes first here, else
    the two newest."""
    pairs = ((before, run) for run in runs if (before := run_before(run, runs)) is not None)
    return next(pairs, (runs[1], runs[0]))


@dataclass(frozen=True, slots=True, eq=False)
class Comparable:
    """A run under one convention, as columns, and what pairs its records. `run` is that block of its file."""

    run: Mapping[str, Any]
    scores: RunScores
    keys: Sequence[Key]

    def conditions(self, places: Places) -> dict[str, set[str]]:
        """What should be equal in both runs: the values of these records, or of the run where they have none."""
        config, columns = self.run["config"], self.scores.columns
        # people's corrections do not make another labeler: these are the labeler's own labels
        labelers = set(zip(columns.labeler[places], columns.labeler_version[places], strict=True))
        of_records = {
            "labeler": {f"{name} {version}".strip() for name, version in labelers if name},
            "collection": {name for name in columns.collection[places] if name},
        }
        of_run = {
            "labeler": config.get("labeler"),
            "judge's prompt": config.get("prompt"),
            "convention": self.scores.convention,
            DIVISOR: (config.get("settings") or {}).get("relevance_divisor"),
            "collection": config.get("collection"),
        }
        values = {name: set() if value is None else {str(value)} for name, value in of_run.items()}
        return values | {name: of for name, of in of_records.items() if of}


@dataclass(frozen=True, slots=True)
class MetricChange:
    """One metric: `difference` = mean of B − A over the pairs where both are defined, with its 95 % interval. The
    interval excludes 0 exactly where `p_value` is below 0.05; `p_adjusted` is Holm's. `improved`, `unchanged` and
    `worse` count those pairs (of balance, lower is better), `missing` the others. `None`: undefined, or too few
    pairs; there is no interval where no pair differs, either."""

    mean_a: float | None
    mean_b: float | None
    difference: float | None
    interval: tuple[float, float] | None
    p_value: float | None
    p_adjusted: float | None
    improved: int
    unchanged: int
    worse: int
    missing: int

    @property
    def n(self) -> int:
        """The number of pairs that have it on both sides."""
        return self.improved + self.unchanged + self.worse

    @property
    def equal(self) -> bool:
        """Whether there are such pairs, and in all of them it is the same on both sides."""
        return self.unchanged > 0 and not self.improved + self.worse

    @property
    def span(self) -> str:
        """The interval in words, or why there is none."""
        if self.equal:
            return EQUAL
        return " … ".join(f"{end:+.3f}" for end in self.interval) if self.interval else too_few(self.n, "pairs")

    @property
    def significant(self) -> bool:
        """Whether the corrected p value is below 0.05."""
        return self.p_adjusted is not None and self.p_adjusted < SIGNIFICANT


@dataclass(frozen=True, slots=True)
class PairChange:
    """A pair that got better or worse: `change` is the mean of B − A over the metrics defined on both sides.
    `by_metric` is B − A for those metrics; `id` and `question` are the record's in B, `id_a` is the other's; `verdicts`
    has A's and B's as they are shown, one where they agree."""

    change: float
    by_metric: Mapping[str, float]
    id: str
    question: str
    id_a: str
    verdicts: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs compared. `balance` is the mean RMSE's change: neither better nor worse by itself. `got_worse` and
    `got_better` have the largest change first. `expenses`: the means of A and B and the number of pairs where both are
    known; `flips`: the pairs whose verdicts differ, of those that have both; `declining`: both runs' tables or none.
    `unlike` says why the two runs measure different quantities, and how to make them comparable."""

    pairs: int
    only_a: int
    only_b: int
    warnings: list[str]
    unlike: list[str]
    metrics: Mapping[str, MetricChange]
    balance: MetricChange
    got_worse: list[PairChange]
    got_better: list[PairChange]
    expenses: Mapping[str, tuple[float, float, int]]
    flips: tuple[int, int]
    declining: tuple[Any, Any]

    def verdict(self) -> str:
        """The conclusion in a few sentences: every significant metric, worse ones first, and what was not compared."""
        if not self.pairs:
            return "No record of one run has a partner in the other: there is nothing to compare."
        if self.unlike:
            return f"No verdict: these are not the same quantities. {' '.join(self.unlike)}"
        tests = {name: change for name, change in self.metrics.items() if change.p_value is not None}
        if not tests:
            most = max(change.n for change in self.metrics.values())
            return f"No verdict: {counted(most, 'pair')} with a metric on both sides are too few, {FEWEST} are needed."
        certain = sorted((one.difference or 0.0, name) for name, one in tests.items() if one.significant)
        down = [self._words(name) for difference, name in certain if difference < 0]
        up = [self._words(name) for difference, name in reversed(certain) if difference > 0]
        parts = [f"{word} in {enumerate_words(words)}" for word, words in (("worse", down), ("better", up)) if words]
        others = [
            f"{LABELS[name].lower()} ({counted(self.metrics[name].n, 'pair')})" for name in METRICS if name not in tests
        ]
        if parts:
            correction = f" after correction for {len(tests)} metrics" if len(tests) > 1 else ""
            conclusion = f"B is {', and '.join(parts)}, p < {SIGNIFICANT}{correction}."
        else:
            where = f" in {enumerate_words([LABELS[name].lower() for name in tests])}" if others else ""
            n, equal = self.pairs, all(one.equal for one in tests.values())
            words = f"None of the {n:,} pairs differs" if equal else f"Over {n:,} pairs no difference is certain"
            conclusion = f"{words}{where}."
        if not others:
            return conclusion
        few = f"Not compared, as fewer than {FEWEST} pairs have it on both sides: {enumerate_words(others)}."
        return f"{conclusion} {few}"

    def _words(self, name: str) -> str:
        """The metric and its difference, and over how many of the pairs where not all have it."""
        n, difference = self.metrics[name].n, self.metrics[name].difference or 0.0
        over = f", over {n:,} of {self.pairs:,} pairs" if n < self.pairs else ""
        return f"{LABELS[name].lower()} ({difference:+.3f}{over})"

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `compare --json`; `got_worse` and `got_better` hold ids of B's records."""
        fields = ("difference", "interval", "p_value", "p_adjusted", "improved", "unchanged", "worse")
        return {
            "pairs": self.pairs,
            "unpaired": self.only_a + self.only_b,
            "warnings": self.warnings,
            "metrics": {
                name: {field: getattr(change, field) for field in fields}
                | ({"equal": EQUAL} if change.equal else too_few_note(change.interval, change.n, "pairs"))
                for name, change in self.metrics.items()
            },
            "got_worse": [one.id for one in self.got_worse],
            "got_better": [one.id for one in self.got_better],
            "declining": dict(zip("ab", self.declining, strict=True)),
            "verdicts": dict(zip(("changed", "pairs"), self.flips, strict=True)),
            "spent": {name: dict(zip(("a", "b", "pairs"), of, strict=True)) for name, of in self.expenses.items()},
        }


def compare_runs(a: Comparable, b: Comparable) -> Comparison:
    """Compare two runs, pair by pair (see `pair`). Undefined values are left out and counted, never taken for 0."""
    match = pair(a.keys, b.keys)
    places = np.array(match.pairs, dtype=np.int64).reshape(-1, 2).T
    names = [*METRICS, BALANCE]
    before, after = (
        np.column_stack([side.scores.values[name][at] for name in names])
        for side, at in zip((a, b), places, strict=True)
    )
    changes = _changes(before, after, names)
    warnings, unlike = _warnings(a, b, match, places)
    expenses = {}
    for name in EXPENSES:
        one, other = (side.scores.columns.numbers[name][at] for side, at in zip((a, b), places, strict=True))
        both = ~np.isnan(one + other)
        if both.any():
            expenses[name] = float(one[both].mean()), float(other[both].mean()), int(both.sum())
    verdict_a, verdict_b = (side.scores.verdicts[at] for side, at in zip((a, b), places, strict=True))
    tables = declining(a.scores), declining(b.scores)
    with_both = (verdict_a != "") & (verdict_b != "")
    got_worse, got_better = ([] if unlike else list(_pair_changes(a, b, places, after - before, s)) for s in (-1, 1))
    return Comparison(
        pairs=len(match.pairs),
        only_a=len(match.only_a),
        only_b=len(match.only_b),
        warnings=warnings,
        unlike=unlike,
        metrics={name: changes[name] for name in METRICS},
        balance=changes[BALANCE],
        got_worse=got_worse,
        got_better=got_better,
        expenses=expenses,
        flips=(int((with_both & (verdict_a != verdict_b)).sum()), int(with_both.sum())),
        declining=tables if all(tables) else (None, None),
    )


def _changes(before: Values, after: Values, names: Sequence[str]) -> dict[str, MetricChange]:
    differences = after - before
    both, tests = ~np.isnan(differences), paired_means(differences)
    gains = differences * [-1 if name == BALANCE else 1 for name in names]
    four = len(METRICS)
    p_adjusted = [*holm([one.p_value for one in tests[:four]]), *[one.p_value for one in tests[four:]]]
    improved, worse = (gains > SAME).sum(axis=0).tolist(), (gains < -SAME).sum(axis=0).tolist()
    return {
        name: MetricChange(
            mean_a=float(before[here, i].mean()) if here.any() else None,
            mean_b=float(after[here, i].mean()) if here.any() else None,
            difference=tests[i].value,
            interval=tests[i].interval if improved[i] + worse[i] else None,
            p_value=tests[i].p_value,
            p_adjusted=p_adjusted[i],
            improved=improved[i],
            unchanged=int((np.abs(differences[:, i]) <= SAME).sum()),
            worse=worse[i],
            missing=int((~here).sum()),
        )
        for i, (name, here) in enumerate(zip(names, both.T, strict=True))
    }


def _pair_changes(a: Comparable, b: Comparable, places: Places, differences: Values, sign: int) -> Iterator[PairChange]:
    """The pairs whose mean over the metrics defined on both sides rose (sign 1) or fell (−1), the largest first."""
    four = differences[:, : len(METRICS)]
    both = ~np.isnan(four)
    means = np.where(both, four, 0.0).sum(axis=1) / np.maximum(both.sum(axis=1), 1)
    for i in np.argsort(-sign * means, kind="stable")[: int((sign * means > SAME).sum())]:
        by_metric = {name: float(four[i, m]) for m, name in enumerate(METRICS) if both[i, m]}
        at_a, at_b = places[:, i]
        sides = (a.scores, at_a), (b.scores, at_b)
        verdicts = " → ".join(dict.fromkeys(look(of.verdicts[at], bool(of.unsure[at])).title for of, at in sides))
        yield PairChange(
            float(means[i]), by_metric, b.scores.columns.id[at_b], b.keys[at_b][2], a.scores.columns.id[at_a], verdicts
        )


def _warnings(a: Comparable, b: Comparable, match: Pairs, places: Places) -> tuple[list[str], list[str]]:
    """Other reasons why the runs may differ; and how to make them comparable where their quantities differ."""
    warnings: list[str] = []
    unlike: dict[str, None] = {}
    before, after = a.conditions(places[0]), b.conditions(places[1])
    counts = "trace" in before["convention"] | after["convention"]
    for what, one in before.items():
        if one != after[what]:
            values = [", ".join(sorted(each)) or "none" for each in (one, after[what])]
            warnings.append(f"The {what} differs: {values[0]} in A, {values[1]} in B.")
            if what in ADVICE and (counts or what != DIVISOR):
                unlike[ADVICE[what]] = None
    pairs = counted(len(match.pairs), "pair")
    if strange := sum(not same_question(a.keys[i][2], b.keys[j][2]) for i, j in match.pairs):
        warnings.append(f"In {strange:,} of {pairs}, the records have the same id but other questions.")
    if half := int(
        (a.scores.columns.numbers["checked"][places[0]] != b.scores.columns.numbers["checked"][places[1]]).sum()
    ):
        warnings.append(
            f"In {half:,} of {pairs}, people checked or corrected the labels of one side "
            "only. Part of a difference may come from that."
        )
    if match.only_a or match.only_b:
        warnings.append(
            "The data sets differ. Left out without a partner: "
            f"{counted(len(match.only_a), 'record')} of A and {len(match.only_b):,} of B."
        )
    failures = [side.scores.columns.failed_generation for side in (a, b)]
    if any(mask.any() for mask in failures):
        in_a, in_b = (f"{mask.sum():,} of {len(mask):,}" for mask in failures)
        warnings.append(f"Failed generations have no scores and are in no mean: {in_a} in A, {in_b} in B.")
    return warnings, list(unlike)
