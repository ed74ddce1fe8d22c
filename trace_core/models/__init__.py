"""The models that need no download: graphs that ship without weights, and tensors of the packaged MiniLM."""

from pathlib import Path

from trace_core.models.onnx import OnnxModel, Output, Text
from trace_core.models.packaged import packaged_folder

__all__ = ["OnnxModel", "Output", "Text", "embedding_model", "packaged_folder"]

_FOLDER = Path(__file__).parent


def embedding_model() -> OnnxModel:
    """all-MiniLM-L6-v2, not yet loaded: a text's vector, of length 1. It reads 256 tokens, as its authors set it."""
    return OnnxModel(_FOLDER / "embedding.onnx", longest=256)
