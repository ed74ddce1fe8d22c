"""Groups of the cases of a long table: a test for each case would take longer to report than to run."""

import pytest

SIZE = 50


def in_groups(cases):
    """The cases, some at a time, each group named by its first case and their number."""
    every = list(cases)
    groups = [every[start : start + SIZE] for start in range(0, len(every), SIZE)]
    return [pytest.param(group, id=f"{group[0]} and {len(group) - 1} more") for group in groups]
