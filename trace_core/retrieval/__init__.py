"""Retrieval from Qdrant, embedded or by URL."""

from trace_core.models.embedding import Embedder, embedder
from trace_core.retrieval.client import advice, close_all, open_qdrant
from trace_core.retrieval.collections import CollectionInfo, Collections

__all__ = ["CollectionInfo", "Collections", "Embedder", "advice", "close_all", "embedder", "open_qdrant"]
