"""A run's sentence counts the records that failed."""

import numpy as np
import pytest

from trace_core.diagnosis.over_run import over_run

HEALTHY = np.array(["healthy", "healthy"], dtype=object)
ONE = np.array([1.0, 1.0])


@pytest.mark.parametrize(
    ("failed", "ends"),
    [
        (0, "2 of 2 answers are grounded; no record shows a fault."),
        (2, "2 of 2 answers are grounded; no record shows a fault. 2 of 4 records failed."),
    ],
)
def test_failed_records_are_said(failed, ends):
    assert over_run(HEALTHY, ONE, failed).text == ends


def test_where_all_failed_that_is_said():
    none = np.array([], dtype=object)
    assert over_run(none, np.array([]), 3).text == "No record is scored yet. 3 of 3 records failed."
