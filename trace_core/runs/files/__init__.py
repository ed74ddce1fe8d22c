"""Runs as files: read, written, imported, exported."""
