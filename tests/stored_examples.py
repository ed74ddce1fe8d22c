"""Short ways to write runs as the run file has them, for the tests of comparing and of trends."""

from trace_core.metrics import METRICS


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
    """How far apart the four are; None where one is undefined."""
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
