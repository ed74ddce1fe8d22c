"""The commands, one module per subject; `trace_core.commands.app` assembles them."""
