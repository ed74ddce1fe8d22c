"""Texts with labels, as `Question: …`: files of test cases, logs, and whole prompts."""

from trace_core.datasets.labeled.chats import chat_rows, is_chat
from trace_core.datasets.labeled.lines import is_labeled, labeled_rows
from trace_core.datasets.labeled.logs import logged_rows
from trace_core.datasets.labeled.prompts import contexts_in, prompted
from trace_core.datasets.labeled.transcripts import is_transcript, transcript_rows

__all__ = [
    "chat_rows", "contexts_in", "is_chat", "is_labeled", "is_transcript", "labeled_rows", "logged_rows", "prompted",
    "transcript_rows",
]  # fmt: skip
