"""The models that need no download: graphs that ship without weights, and tensors of the packaged MiniLM."""

from trace_core.models.onnx import OnnxModel, Output, Text
from trace_core.models.packaged import packaged_folder

EMBEDDING_TOKENS = 256
"""What all-MiniLM-L6-v2 reads of a text, as its authors set it."""

__all__ = ["EMBEDDING_TOKENS", "OnnxModel", "Output", "Text", "packaged_folder"]
