"""The commands, by what they work on; `trace_core.commands.app` puts them together."""
