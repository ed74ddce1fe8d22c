"""Rows whose parts lie apart: turns of a conversation, events of a log, lists that name each other's ids."""

from trace_core.datasets.joins.turns import chat_of, documents_in, rows_within

__all__ = ["chat_of", "documents_in", "rows_within"]
