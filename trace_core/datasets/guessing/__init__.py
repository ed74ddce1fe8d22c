"""Which column of a file is which field, guessed from its name and its cells."""

from trace_core.datasets.guessing.guess import guessed

__all__ = ["guessed"]
