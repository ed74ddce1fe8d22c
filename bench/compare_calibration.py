"""How far `compare` can be trusted: simulated runs with a known true difference.

    python bench/compare_calibration.py

Every run has 400 pairs. The truth of a record is drawn once and seen twice, as A and as B, each time through
a judge with independent errors in every label. Prints for each metric, as Markdown:

- how often the 95 % interval contains the true difference, for a B that is truly better;
- how often p is below 0.05 where A and B are equal;
- how often 40 records, each metric of which falls by more than 3 standard deviations of the noise, are the
  first 40 of those that got worse.

A number of repeats other than 1,000 can be given.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trace_core.metrics import METRICS, Columns, score_columns
from trace_core.runs.analyse.compare import Comparable, compare_runs
from trace_core.summary.columns import READ, WORDS, run_columns

PAIRS, SENTENCES, RESPONSE, WORSE = 400, 40, 10, 40
NOISE = 0.03
"""The share of labels that the judge gets wrong."""
POPULATION = 400_000
SEED = 2024
CONVENTION = "graded"

INTRODUCTION = """\
# How far a comparison can be believed

Two runs of {pairs} pairs were simulated {repeats:,} times. The truth of every record is drawn once and judged
twice, as A and as B, by a judge who gets {noise:.0%} of all labels wrong, independently; convention `{convention}`.

- **Intervals**: B is truly better by a known difference. How often does the 95 % interval contain it?
- **False alarms**: A and B are equal. How often is p (uncorrected) still below 0.05?
- **Got worse**: in B each metric of {worse} records truly falls by the last column's number of standard deviations
  of the noise in one record's difference. How often are exactly these records the first {worse} of the list?

Made by:

    python bench/compare_calibration.py
"""

Bits = NDArray[np.bool_]


@dataclass(frozen=True)
class Truth:
    """n records: which sentences are relevant and utilized (n × 40), and supported (n × 10)."""

    relevant: Bits
    utilized: Bits
    supported: Bits


def drawn(rng: np.random.Generator, n: int) -> Truth:
    """Records of all qualities."""
    relevant = rng.random((n, SENTENCES)) < rng.uniform(0.2, 0.7, (n, 1))
    utilized = rng.random((n, SENTENCES)) < np.where(relevant, 0.7, 0.05)
    return Truth(relevant, utilized, rng.random((n, RESPONSE)) < rng.uniform(0.7, 1.0, (n, 1)))


def improved(rng: np.random.Generator, truth: Truth) -> Truth:
    """A pipeline that finds, uses and supports slightly more."""
    found = truth.relevant | (rng.random(truth.relevant.shape) < 0.03)
    used = truth.utilized | (found & (rng.random(found.shape) < 0.1))
    return Truth(found, used, truth.supported | (rng.random(truth.supported.shape) < 0.2))


def seen(rng: np.random.Generator, truth: Truth) -> Columns:
    """The counts of the judge's labels."""
    relevant, utilized, supported = (bits ^ (rng.random(bits.shape) < NOISE) for bits in vars(truth).values())
    n = len(relevant)
    fully = supported.sum(axis=1)
    sizes = np.full(n, SENTENCES), relevant.sum(axis=1), utilized.sum(axis=1), (relevant & utilized).sum(axis=1)
    support = np.full(n, RESPONSE), fully, np.zeros(n), RESPONSE - fully, np.zeros(n), np.full(n, np.nan)
    return Columns._make(np.asarray(c, dtype=np.float64) for c in (*sizes, *sizes, *support))


def scores(counted: Columns) -> NDArray[np.float64]:
    """The four scores, n × 4."""
    return np.stack([column.values for column in score_columns(counted, CONVENTION).values()], axis=1)


def run(counted: Columns) -> Comparable:
    """A run of these counts alone."""
    n = len(counted.sentences)
    table = dict.fromkeys(READ, [np.nan] * n) | dict.fromkeys(WORDS, [None] * n) | dict(counted._asdict())
    table |= {"position": range(n), "id": list(map(str, range(n))), "status": ["scored"] * n}
    table |= {"labeler": ["local"] * n, "convention": [CONVENTION] * n}
    columns = run_columns([list(zip(*(table[name] for name in READ), strict=True))], n)
    keys = [(name, None, "?") for name in columns.id]
    return Comparable({"config": {}}, columns.score(CONVENTION), keys)


def true_differences() -> dict[str, float]:
    """The expected B − A, estimated from very many records, with both sides seen through the same judge."""
    rng = np.random.default_rng(SEED)
    truth = drawn(rng, POPULATION)
    differences = scores(seen(rng, improved(rng, truth))) - scores(seen(rng, truth))
    return dict(zip(METRICS, differences.mean(axis=0).tolist(), strict=True))


def coverage(repeats: int) -> dict[str, float]:
    """Metric → share of repeats whose interval contains the true difference."""
    true, held = true_differences(), dict.fromkeys(METRICS, 0)
    for repeat in range(repeats):
        rng = np.random.default_rng((SEED, 1, repeat))
        truth = drawn(rng, PAIRS)
        found = compare_runs(run(seen(rng, truth)), run(seen(rng, improved(rng, truth))))
        for name, change in found.metrics.items():
            assert change.interval is not None
            held[name] += change.interval[0] <= true[name] <= change.interval[1]
    return {name: count / repeats for name, count in held.items()}


def false_alarms(repeats: int) -> dict[str, float]:
    """Metric → share of repeats of two equal runs with p < 0.05, uncorrected."""
    alarms = dict.fromkeys(METRICS, 0)
    for repeat in range(repeats):
        rng = np.random.default_rng((SEED, 2, repeat))
        truth = drawn(rng, PAIRS)
        found = compare_runs(run(seen(rng, truth)), run(seen(rng, truth)))
        for name, change in found.metrics.items():
            alarms[name] += change.p_value is not None and change.p_value < 0.05
    return {name: count / repeats for name, count in alarms.items()}


def made_worse(repeats: int) -> tuple[float, dict[str, float]]:
    """The share of repeats that list exactly the 40 first, and the fall of each metric in noise deviations."""
    rng = np.random.default_rng((SEED, 3))
    good = _good()
    noise = scores(seen(rng, _many(good))) - scores(seen(rng, _many(good)))
    falls = scores(seen(rng, _many(good))) - scores(seen(rng, _many(_spoilt(good, slice(None)))))
    deviations = dict(zip(METRICS, (falls.mean(axis=0) / noise.std(axis=0)).tolist(), strict=True))
    right = 0
    for repeat in range(repeats):
        rng = np.random.default_rng((SEED, 4, repeat))
        which = rng.choice(PAIRS, WORSE, replace=False)
        found = compare_runs(run(seen(rng, good)), run(seen(rng, _spoilt(good, which))))
        right += {worse.id for worse in found.got_worse[:WORSE]} == {str(i) for i in which}
    return right / repeats, deviations


def _good() -> Truth:
    """400 records with 24 of 40 sentences relevant, 22 of these used, and every response sentence supported."""
    place = np.arange(SENTENCES)
    rows = np.ones((PAIRS, 1), dtype=bool)
    return Truth(rows & (place < 24), rows & (place < 22), rows & (np.arange(RESPONSE) < RESPONSE))


def _spoilt(truth: Truth, which: Any) -> Truth:
    """Some records: 8 fewer relevant sentences, 12 fewer utilized ones, 4 fewer supported ones."""
    relevant, utilized, supported = (bits.copy() for bits in vars(truth).values())
    relevant[which, 16:24] = False
    utilized[which, 10:22] = False
    supported[which, :4] = False
    return replace(truth, relevant=relevant, utilized=utilized, supported=supported)


def _many(truth: Truth) -> Truth:
    return Truth(*(np.repeat(bits, 50, axis=0) for bits in vars(truth).values()))


def main() -> None:
    """Print the table."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    held, alarms = coverage(repeats), false_alarms(repeats)
    right, deviations = made_worse(repeats)
    print(
        INTRODUCTION.format(pairs=PAIRS, repeats=repeats, noise=NOISE, convention=CONVENTION, worse=WORSE),
    )
    print("| metric | intervals that hold the true difference | equal runs with p < 0.05 | fall of the 40 |")
    print("| --- | ---: | ---: | ---: |")
    for name, metric in METRICS.items():
        print(f"| {metric.label} | {held[name]:.1%} | {alarms[name]:.1%} | {deviations[name]:.1f} sd |")
    print(f"\nThe 40 that were made worse are the first 40 of the list in {right:.1%} of the repeats.")


if __name__ == "__main__":
    main()
