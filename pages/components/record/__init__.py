"""One record: its scores, its evidence, and what more can be asked of it."""
