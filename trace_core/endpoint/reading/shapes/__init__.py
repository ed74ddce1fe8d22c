"""Objects of any shape, as tools write them: what they hold within each other, their tests and their contexts."""
