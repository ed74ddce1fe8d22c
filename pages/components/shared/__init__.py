"""What several pages need: services, the sidebar, texts, the choice of a run."""
