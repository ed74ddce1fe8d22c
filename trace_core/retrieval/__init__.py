"""Retrieval from Qdrant, embedded or by URL."""

from trace_core.models.embedding import Embedder, embedder
from trace_core.retrieval.client import SERVER_FROM, Qdrant, advice, close_all, open_qdrant
from trace_core.retrieval.collections import CollectionInfo, Collections, Point
from trace_core.retrieval.confidence import retrieval_action

__all__ = [
    "SERVER_FROM",
    "CollectionInfo",
    "Collections",
    "Embedder",
    "Point",
    "Qdrant",
    "advice",
    "close_all",
    "embedder",
    "open_qdrant",
    "retrieval_action",
]
