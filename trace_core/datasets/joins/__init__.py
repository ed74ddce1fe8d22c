"""Rows whose parts lie apart: a row a document, turns of a conversation, events, lists that name each other's ids."""

from trace_core.datasets.joins.events import event_key, joined_events
from trace_core.datasets.joins.inspector import RATED, inspector_rows, is_inspector
from trace_core.datasets.joins.lists import joined_lists, joined_tables
from trace_core.datasets.joins.passages import merge_of, one_a_question
from trace_core.datasets.joins.replies import answered, based, completed, grounded, searched, stated
from trace_core.datasets.joins.talks import is_of_slack, threads
from trace_core.datasets.joins.turned import is_on_its_side, names_of, turned_rows
from trace_core.datasets.joins.turns import chat_of, documents_in, exchanges_of, rows_within

__all__ = [
    "RATED", "answered", "based", "chat_of", "completed", "documents_in", "event_key", "exchanges_of", "grounded",
    "inspector_rows", "is_inspector", "is_of_slack", "is_on_its_side", "joined_events", "joined_lists", "joined_tables",
    "merge_of", "names_of", "one_a_question", "rows_within", "searched", "stated", "threads", "turned_rows",
]  # fmt: skip
