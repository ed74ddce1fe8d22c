"""Parts shared by several pages: services, the sidebar, texts, the choice of a run."""
