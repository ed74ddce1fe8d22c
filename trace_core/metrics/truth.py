"""Compare scores with the true ones, for one record or many. Both sides must use the same convention: a share of all
sentences and a count over 20 are different quantities, and their difference means nothing."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from trace_core.errors import InputError
from trace_core.facts.records import Scores, Sentences, Truth
from trace_core.metrics import METRICS, Scoring, score_labels

Side = Scores | Mapping[str, Any]  # scores by the metrics' names, and their `convention` where it is known


def truth_scores(truth: Truth, sentences: Sentences, scoring: str | Scoring) -> dict[str, float | None]:
    """The four true values, recomputed from labels, else as given; `InputError` for those under another convention."""
    if truth.labels is not None:
        scores = score_labels(truth.labels, sentences, scoring)
        return {name: getattr(scores, name) for name in METRICS}
    convention = Scoring.of(scoring).convention
    if truth.convention != convention:
        message = f"The ground truth scores are under {truth.convention!r}, not {convention!r}."
        hint = f"Score under {truth.convention!r}, or give ground truth labels."
        raise InputError(message, hint, field="ground_truth")
    return {name: truth.scores.get(name) for name in METRICS}


def compare_to_truth(predicted: Side, truth: Side) -> dict[str, Any]:
    """For one record, `per_metric` |p − t| in [0, 1] and `aggregated_rmse` = √(mean of their squares).
    If a metric is undefined on either side, it and the aggregate are `None`. Raises `InputError` for scores under two
    conventions, and for a value outside 0 to 1. Source: seed 003, with the errors squared before the mean.

    >>> found = compare_to_truth({"context_relevance": 0.8, "adherence": 1}, {"context_relevance": 0.5, "adherence": 1})
    >>> round(found["per_metric"]["context_relevance"], 2), found["aggregated_rmse"]
    (0.3, None)
    """
    errors = _errors((predicted, truth))
    squares = [error * error for error in errors.values() if error is not None]
    rmse = math.sqrt(sum(squares) / len(squares)) if len(squares) == len(METRICS) else None
    return {"per_metric": errors, "aggregated_rmse": rmse}


def compare_run_to_truth(pairs: Sequence[tuple[Side, Side] | Mapping[str, Any]]) -> dict[str, Any]:
    """For many records, the RMSE of each metric over the pairs where both sides are defined.
    `aggregated_rmse` = √(Σ RMSE² ÷ number of metrics evaluated), `consistency_score` = 1 − min(aggregated_rmse, 1);
    both are `None` without a pair. `left_out` counts the others by metric and reason. A pair may also be seed 003's
    object with `metrics` and `ground_truth_scores`. Raises `InputError` as `compare_to_truth` does.

    >>> results = [{"metrics": {"context_relevance": 0.8}, "ground_truth_scores": {"context_relevance": 0.7}}]
    >>> round(compare_run_to_truth(results)["per_metric_rmse"]["context_relevance"], 2)
    0.1
    """
    squares, left_out = defaultdict[str, list[float]](list), defaultdict[str, Counter[str]](Counter)
    if not isinstance(pairs, Sequence) or isinstance(pairs, str):
        raise InputError("The pairs are not a list.", "Give a list with one pair of scores and truth for each record.")
    for number, pair in enumerate(pairs, start=1):
        sides: Any = (pair.get("metrics"), pair.get("ground_truth_scores")) if isinstance(pair, Mapping) else pair
        errors, predicted = _errors(sides, number), sides[0]
        for name, error in errors.items():
            why = predicted.undefined.get(name, "undefined") if isinstance(predicted, Scores) else "undefined"
            if error is not None:
                squares[name].append(error * error)
            else:
                left_out[name]["no ground truth" if _value_in(predicted, name) is not None else why] += 1
    means = {name: math.fsum(squares[name]) / len(squares[name]) for name in METRICS if name in squares}
    return run_errors(means, {name: dict(counts) for name, counts in left_out.items()}, len(pairs))


def _errors(sides: Any, row: int | None = None) -> dict[str, float | None]:
    """Metric → |p − t| of a pair; `None` where one is undefined. Raises `InputError`."""
    if not isinstance(sides, Sequence) or [isinstance(side, Scores | Mapping) for side in sides] != [True, True]:
        message = f"{'The pair' if row is None else f'Pair {row}'} is not scores and their ground truth."
        raise InputError(message, "Give two objects with the metrics' names, or `Scores`.", row=row)
    one, other = (side.convention if isinstance(side, Scores) else side.get("convention") for side in sides)
    if one and other and one != other:
        message = f"The scores are under {one!r}, the ground truth under {other!r}."
        raise InputError(message, "Score both under one convention.", row=row, field="ground_truth")
    values = {name: [_value_in(side, name) for side in sides] for name in METRICS}
    return {name: None if p is None or t is None else abs(p - t) for name, (p, t) in values.items()}


def _value_in(side: Side, name: str) -> float | None:
    return checked_value(getattr(side, name) if isinstance(side, Scores) else side.get(name), name)


def checked_value(value: object, field: str) -> float | None:
    """The value of a metric, if it is one. Raises `InputError`."""
    if value is None:
        return None
    if isinstance(value, bool | int | float) and 0 <= value <= 1:
        return float(value)
    raise InputError(f"{value!r} is not a number from 0 to 1.", "Use None for a value that is not known.", field=field)


def run_errors(squares: Mapping[str, float], left_out: dict[str, dict[str, int]], pairs: int) -> dict[str, Any]:
    """What `compare_run_to_truth` returns, from the mean squared error of each evaluated metric."""
    per_metric = {name: math.sqrt(square) for name, square in squares.items()}
    total = math.sqrt(sum(r * r for r in per_metric.values()) / len(per_metric)) if per_metric else None
    return {
        "per_metric_rmse": per_metric,
        "aggregated_rmse": total,
        "consistency_score": None if total is None else 1.0 - min(total, 1.0),
        "num_evaluations": pairs,
        "evaluated_metrics": list(per_metric),
        "left_out": left_out,
    }
