"""Short ways to write runs in the form of the run file, for the tests of comparing and of trends."""

import numpy as np

from trace_core.metrics import METRICS, combine
from trace_core.runs.analyse.trends import QUANTITIES, Condition, point


def stored(record_id, scores=(1, 1, 1, 1), *, source=None, question="?", generator=None, **more):
    """A record with these four scores; None is undefined."""
    four = dict(zip(METRICS, scores, strict=True))
    return {
        "id": record_id,
        "source_id": source or record_id,
        "question": question,
        "generation_model_name": generator,
        "scores": four | {"rmse_aggregation": balance(scores), "convention": "trace"},
        **more,
    }


def balance(scores):
    """The standard deviation of the four scores; None where one is undefined."""
    if None in scores:
        return None
    mean = sum(scores) / 4
    return (sum((s - mean) ** 2 for s in scores) / 4) ** 0.5


def run(*records, created_at="2026-01-01T00:00:00+00:00", name="run", **config):
    """A run file with these records."""
    return {
        "schema": "trace-run/1",
        "run": {"id": name, "name": name, "created_at": created_at, "config": {"settings": {}, **config}},
        "records": list(records),
    }


LIKE = Condition("rows", "local", "graded")


def followed(found, condition=LIKE):
    """The run as a point in time."""
    four = np.array([[r["scores"][name] for name in METRICS] for r in found["records"]], dtype=float).reshape(-1, 4).T
    values = dict(zip(QUANTITIES, [*four, *combine(four)], strict=True))
    head = found["run"]
    return point(head["id"], head["name"], head["created_at"], condition, [r["id"] for r in found["records"]], values)


def timed(*metrics, condition=LIKE):
    """Runs in time: for each the four metrics' columns; records are named by their positions."""
    return [
        followed(run(*(stored(str(i), row) for i, row in enumerate(zip(*four, strict=True)))), condition)
        for four in metrics
    ]
