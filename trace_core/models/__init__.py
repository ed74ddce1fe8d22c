"""Models that need no download: graphs that ship without weights, with tensors of the packaged MiniLM."""

import gc

from trace_core.models.onnx import OnnxModel, packaged_folder

__all__ = ["OnnxModel", "packaged_folder", "set_aside"]


def set_aside() -> None:
    """Exempt existing objects from garbage collection, which Streamlit starts after every run of a page."""
    gc.collect()
    gc.freeze()
