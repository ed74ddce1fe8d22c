"""Parts shared by several pages: services, choices, texts, the choice of a run."""
