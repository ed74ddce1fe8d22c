"""One record: its scores, its evidence, and further questions about it."""
