"""Analysis of finished runs: filter, compare, follow over time."""
