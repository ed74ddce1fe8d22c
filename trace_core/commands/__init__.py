"""The commands, by what they work on; `trace_core.__main__` puts them together."""
