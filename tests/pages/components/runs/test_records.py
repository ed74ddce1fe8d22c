"""The columns of a run's table of records."""

from __future__ import annotations

import numpy as np
import pytest

from pages.components.runs.records import score_column


@pytest.mark.parametrize(("values", "kind"), [([0.5, 1.0], "progress"), ([0.5, np.nan], "number")])
def test_scores_are_bars_where_all_are_defined_for_an_empty_bar_does_not_say_undefined(
    values: list[float], kind: str
) -> None:
    """The table shows its placeholder, “undefined”, in a column of numbers alone."""
    assert score_column("adherence", np.array(values))["type_config"]["type"] == kind
