"""Whether the printed uncertainties are right, on simulated records with a known truth.

    python bench/coverage.py > docs/intervals.md

For every kind of interval that the product prints: how often a 95 % interval contains the truth, for various numbers
of records, shares and error distributions; how often the paired test finds a difference where there is none, and a
fall of 0.1; how often series of equal runs alert, and a fall of 0.1 is caught within two runs. It takes five minutes on
one core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np
from simulations import (
    CHANGES,
    CLASSES,
    ERRORS,
    LIKE,
    RARE,
    RARE_NO_CHANGE,
    SCORES,
    SEED_003,
    SHARES,
    SIZES,
    caught,
    false_alarms,
    false_alerts,
    least_certain,
    of_auroc,
    of_corrected,
    of_differences,
    of_kappa,
    of_pairs,
    of_shares,
    simulated,
    told,
)

from trace_core.metrics import METRICS
from trace_core.runs.analyse.alerts import alerts
from trace_core.runs.analyse.trends import QUANTITIES, Level, Point
from trace_core.summary.intervals import bias_interval, mean_interval, rmse_interval


def _cell(found: Mapping[str, float | None], worst: Callable[[Iterable[float]], float] = min) -> str:
    known = [value for value in found.values() if value is not None]
    return f"{worst(known):.1%}" if known else "too few"


def _row(title: str, cells: Iterable[str]) -> None:
    print(f"| {title} | {' | '.join(cells)} |", flush=True)


def _intervals() -> None:
    _row("interval of", (f"n = {n:,}" for n in SIZES))
    _row("---", ("---:" for _ in SIZES))
    _row(f"a share of 0 and 1 ({SHARES[0]} to {SHARES[-1]}; exact)", (_cell(of_shares(n)) for n in SIZES))
    for title, populations, interval, figure in (
        ("a mean of scores", SCORES, mean_interval, np.mean),
        ("a bias", ERRORS, bias_interval, np.mean),
        ("an RMSE", ERRORS, rmse_interval, lambda errors: np.sqrt(np.mean(errors**2))),
        ("a mean paired difference", CHANGES, of_pairs, np.mean),
        ("the same, small rises and rare large falls", RARE, of_pairs, np.mean),
    ):
        _row(title, (_cell(simulated(populations, n, interval, figure)) for n in SIZES))
    _row("two judges' difference", (_cell(of_differences(n)) for n in SIZES))
    _row("a mean that people correct, n of 2n read", (_cell(of_corrected(n)) for n in SIZES))
    _row("κ over records", (_cell(of_kappa(n)) for n in SIZES))
    print()
    _row("interval of", (f"{m} and {n:,}" for m, n in CLASSES))
    _row("---", ("---:" for _ in CLASSES))
    _row("an AUROC (0.5 to 0.99)", (_cell(of_auroc(m, n)) for m, n in CLASSES))


def _tests() -> None:
    def heading(text: str) -> None:
        print(f"\n{text}")
        _row("", (f"n = {n:,}" for n in SIZES))
        _row("---", ("---:" for _ in SIZES))

    heading(TESTED)
    _row("p < 0.05", (_cell(false_alarms(n), max) for n in SIZES))
    _row("p < 0.05, rare large falls", (_cell(false_alarms(n, RARE_NO_CHANGE), max) for n in SIZES))
    heading(PRICE)
    _row("certain from", (f"{least_certain(n):.3f}" for n in SIZES))
    _row("limit of any test", (f"{0.05 ** (-1 / n) - 1:.3f}" for n in SIZES))
    heading(POWER)
    for name in METRICS:
        _row(METRICS[name].label, (f"{told(name, n):.0%}" for n in SIZES))


def _series() -> None:
    both = (False, True)
    _row("records of the runs", ("4 runs", "8 runs", "20 runs"))
    _row("---", ("---:",) * 3)
    for anew in both:
        _row("others each time" if anew else "the same", (f"{false_alerts(n, 600, anew):.1%}" for n in (4, 8, 20)))
    print(f"\n{FALLS}\n")
    _row("metric, records of the runs", (f"after {n}" for n in (2, 4, 8)))
    _row("---", ("---:",) * 3)
    for anew in both:
        for name in METRICS:
            title = f"{METRICS[name].label}, {'others each time' if anew else 'the same'}"
            _row(title, (f"{caught(name, 400, n, anew):.0%}" for n in (2, 4, 8)))
    unknown = dict.fromkeys(QUANTITIES, Level(None, None, 0, 0))
    levels = [unknown | {"rmse_aggregation": Level(rmse, None, 0, 0)} for rmse in SEED_003]
    runs = [Point(str(n), "", "", LIKE, each, np.array([], dtype=object), {}) for n, each in enumerate(levels)]
    fired = [SEED_003[alert.at] for alert in alerts(runs)]
    print(f"\nThe series {', '.join(map(str, SEED_003))} of RMSEs alone alerts at {' and '.join(map(str, fired))}.")


INTRODUCTION = """\
# What is said about uncertainty, and how often it is true

Made by `python bench/coverage.py > docs/intervals.md`, on simulated records whose truth is known.

**Intervals.** One idea underlies them: one more value than was observed may lie at either end of the possible range.
That is Gaffke's interval, which resamples with random weights and one more value at the end; for shares of 0 and 1 it
is Clopper and Pearson's. So eight of eight is about 0.63 to 1, not 1 to 1. An AUROC has the widest of Hanley and
McNeil's interval, DeLong's and, where it is 0 or 1, Clopper and Pearson's over the smaller class (otherwise one more
member of that class). The difference between two judges has Zou and Donner's interval, from the two intervals and the
correlation of the two. With fewer than 8 records, or fewer than 10 of a class, there is no interval: the page says "too
few", with the numbers.

How often a 95 % interval contains the truth: the lowest coverage over several populations (shares of 0 and 1 from 0.5
to 0.99; normal, skewed, and rare large errors or changes; for an AUROC normal scores of equal and of unequal spread,
skewed scores, and a plain yes or no). The intervals err on the safe side, most of all with few values.
"""
TESTED = """\
**Paired tests.** p comes from the same weightings as the interval, so it is below 0.05 exactly where the interval
excludes 0. Both allow for one more pair that differs by any amount: what happens in 1 of n pairs is missed by more than
a third of all samples of n, and it may outweigh small changes in all others. How often p is below 0.05 where the mean
difference is 0: the highest over three populations (normal differences; few, of 0 and 1; mostly small ones with some
large), and over five in which a fall by 1 or 0.95 in 5 %, 2 %, 0.5 % or 1 of n pairs outweighs small rises:
"""
PRICE = """\
This has a price: few pairs cannot make a small change certain, even if all of them show it. How large a change must be,
the same in every pair, for p below 0.05; and the limit of any test with at most 5 % of false positives,
0.05^(−1/n) − 1: a fall by 1 that is so rare that 5 % of the samples miss it outweighs any smaller rise.
"""
POWER = """\
How often comparing two runs over the same records calls a fall by 0.1 in one metric certain, after correction for four
metrics. (Each run answers and labels anew; adherence, which is 0 or 1, varies most.)
"""
SERIES = """\
**Alerts.** A run is compared with up to 5 earlier runs like it (same data set, labeler, convention), record by record
where the records are the same: if the runs were equal, each record's values could come in any order. The share of
series of equal runs of 50 records in which any of the five rules alerts:
"""
FALLS = """\
The share of falls by 0.1 in one metric, at 100 records, that are caught within two runs, by the number of earlier
runs. The same records, answered and labeled again, distinguish small falls from chance. With other records each time,
no test can detect a fall in adherence, which is 0 or 1, that soon: its change then has a standard error of 0.03."""


def main() -> None:
    """Print the page."""
    print(INTRODUCTION)
    _intervals()
    _tests()
    print(f"\n{SERIES}")
    _series()


if __name__ == "__main__":
    main()
