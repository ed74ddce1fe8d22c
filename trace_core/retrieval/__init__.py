"""Retrieval from Qdrant, embedded or by URL."""

from trace_core.models.embedding import Embedder, embedder
from trace_core.retrieval.client import advice, close_all, open_qdrant
from trace_core.retrieval.collections import CollectionInfo, Collections, Point, retrieval_action

__all__ = [
    "CollectionInfo",
    "Collections",
    "Embedder",
    "Point",
    "advice",
    "close_all",
    "embedder",
    "open_qdrant",
    "retrieval_action",
]
