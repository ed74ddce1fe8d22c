"""Short ways to write runs, for the tests of comparing and of trends."""

import numpy as np
from metric_examples import scored

from trace_core.facts.records import Record
from trace_core.metrics import LABELS, combine
from trace_core.runs.analyse.trends import Condition, RunPoint
from trace_core.runs.files.exported import comparable, from_records
from trace_core.summary.charts import estimate_of


def stored(record_id, scores=(1, 1, 1, 1), *, source=None, question="?", generator=None, convention="trace", **more):
    """A record with these four scores; None is undefined."""
    return Record(
        id=record_id,
        source_id=source or record_id,
        question=question,
        generation_model_name=generator,
        scores=scored(*scores, convention=convention),
        **more,
    )


def run(*records, convention="trace", **config):
    """These records as a run that can be compared."""
    block = {"id": "run", "name": "run", "created_at": "2026-01-01T00:00:00+00:00"}
    return comparable(from_records(records, block | {"config": {"settings": {}, "convention": convention, **config}}))


LIKE = Condition("rows", "local", "graded")


def followed(rows, condition=LIKE):
    """A run with these rows of four scores as a point in time; records are named by their positions."""
    four = np.array(rows, dtype=float).reshape(-1, 4).T
    columns = dict(zip(LABELS, [*four, *combine(four)], strict=True))
    ids = np.array([str(i) for i in range(len(rows))], dtype=object)
    levels = {name: estimate_of(column) for name, column in columns.items()}
    return RunPoint("run", "run", "2026-01-01T00:00:00+00:00", condition, levels, ids, columns)


def timed(*metrics, condition=LIKE):
    """Runs in time: for each the four metrics' columns."""
    return [followed(list(zip(*four, strict=True)), condition) for four in metrics]
