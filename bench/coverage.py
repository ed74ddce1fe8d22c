"""Whether the printed uncertainties are right, on simulated records with a known truth.

    python bench/coverage.py > docs/intervals.md

For every kind of interval that the product prints: how often a 95 % interval contains the truth, for various numbers
of records, shares and error distributions; how often the paired test finds a difference where there is none; how often
series of equal runs alert. It takes five minutes on one core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np
from simulations import (
    CHANGES,
    CLASSES,
    ERRORS,
    RARE,
    RARE_NO_CHANGE,
    SCORES,
    SHARES,
    SIZES,
    false_alarms,
    false_alerts,
    least_certain,
    of_auroc,
    of_corrected,
    of_kappa,
    of_pairs,
    of_shares,
    simulated,
)

from trace_core.summary.intervals import bias_interval, mean_interval, rmse_interval


def _cell(shares: Mapping[str, float | None], worst: Callable[[Iterable[float]], float] = min) -> str:
    figures = [share for share in shares.values() if share is not None]
    return f"{worst(figures):.1%}" if figures else "too few"


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


def _series() -> None:
    _row("records of the runs", ("4 runs", "8 runs", "20 runs"))
    _row("---", ("---:",) * 3)
    for anew in (False, True):
        _row("others each time" if anew else "the same", (f"{false_alerts(n, 600, anew):.1%}" for n in (4, 8, 20)))


INTRODUCTION = """\
# What is said about uncertainty, and how often it is true

Made by `python bench/coverage.py > docs/intervals.md`, on simulated records whose truth is known.

**Intervals.** One more value than was observed may lie at either end of the possible range: that is Gaffke's interval;
for shares of 0 and 1 it is Clopper and Pearson's. So eight of eight is about 0.63 to 1, not 1 to 1. An AUROC has the
widest of Hanley and McNeil's interval, DeLong's and, where it is 0 or 1, Clopper and Pearson's over the smaller class.
With fewer than 8 records, or fewer than 10 of a class, the page says "too few", with the numbers.

How often a 95 % interval contains the truth, the lowest over several populations (shares from 0.5 to 0.99; normal and
skewed errors, and rare large ones):
"""
TESTED = """\
**Paired tests.** p comes from the same weightings as the interval: it is below 0.05 exactly where the interval excludes
0. How often that happens where the mean difference is 0, the highest over several populations; in those of the second
line a rare large fall outweighs small rises:
"""
PRICE = """\
So few pairs cannot make a small change certain, even if all of them show it. How large it must be, the same in every
pair:
"""
SERIES = """\
**Alerts.** A run is compared with up to 5 earlier runs like it (same data set, labeler, convention), record by record
where the records are the same. The share of series of equal runs of 50 records in which any of the five rules alerts:
"""


def main() -> None:
    """Print the page."""
    print(INTRODUCTION)
    _intervals()
    _tests()
    print(f"\n{SERIES}")
    _series()


if __name__ == "__main__":
    main()
