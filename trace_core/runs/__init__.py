"""Many records under one configuration."""
