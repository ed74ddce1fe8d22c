"""Models that need no download: graphs that ship without weights, with tensors of the packaged MiniLM."""

import gc
from pathlib import Path

from trace_core.models.onnx import OnnxModel
from trace_core.models.packaged import packaged_folder

__all__ = ["OnnxModel", "embedding_model", "packaged_folder", "set_aside"]

_FOLDER = Path(__file__).parent


def embedding_model() -> OnnxModel:
    """all-MiniLM-L6-v2, not yet loaded; it gives unit vectors and reads 256 tokens, as set by its authors."""
    return OnnxModel(_FOLDER / "embedding.onnx", longest=256)


def set_aside() -> None:
    """Exempt existing objects from garbage collection, which Streamlit starts after every run of a page."""
    gc.collect()
    gc.freeze()
