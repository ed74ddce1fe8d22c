"""Text → vectors. The packaged model needs no download; any sentence-transformers model can be configured. Heavy
imports wait until the first text is embedded; the packaged model never imports torch."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from trace_core.errors import ModelError
from trace_core.models import OnnxModel, set_aside
from trace_core.models.onnx import Recent
from trace_core.settings import PACKAGED_MODEL

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

GRAPH, LONGEST = Path(__file__).with_name("embedding.onnx"), 256
"""all-MiniLM-L6-v2, which gives unit vectors, and the most tokens that it reads of a text, as set by its authors."""
_MOST = 4096  # vectors, 7 MB: answering and labeling read the same sentences in turn

Vectors = NDArray[np.float32]


class Embedder:
    """The packaged model, or a sentence-transformers one by name; loaded at first use; safe among threads. `name` is
    stored with everything that it embedded."""

    def __init__(self, name: str = PACKAGED_MODEL) -> None:
        self.name = name
        self._packaged = OnnxModel(GRAPH, LONGEST) if name == PACKAGED_MODEL else None
        self._transformer: SentenceTransformer | None = None
        self._encoding = threading.Lock()  # for loading, too: two threads cannot use the tokenizer at once
        self._recent = Recent(_MOST)

    @property
    def ready(self) -> bool:
        """Whether the model is in memory."""
        return self._packaged.ready if self._packaged else self._transformer is not None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """n texts → n × d unit vectors; 0 × 0 for no texts. Raises `ModelError`."""
        return self._recent.rows(texts, self._encode) if texts else np.zeros((0, 0), dtype=np.float32)

    def _encode(self, texts: list[str]) -> Vectors:
        if self._packaged:
            return self._packaged.run(texts)[0]
        with self._encoding:
            if self._transformer is None:
                self._transformer = _load(self.name)
            vectors = self._transformer.encode(texts, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)


def _load(name: str) -> SentenceTransformer:
    try:
        from sentence_transformers import SentenceTransformer
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()  # type: ignore[no-untyped-call]
        model = SentenceTransformer(name, device="cpu")
    except Exception as error:  # the library raises many kinds of exception; all mean "no model"
        reason = f"The embedding model {name!r} could not be loaded ({type(error).__name__})."
        hint = "Check TRACE_EMBEDDING_MODEL and the network, or unset it to use the packaged model."
        raise ModelError(reason, hint) from error
    # torch and the model create 400,000 lasting objects: scanning them took 0.2 s at each garbage collection.
    set_aside()
    return model


embedder = lru_cache(maxsize=4)(Embedder)
"""The process's only embedder of a name, so that the model is loaded once."""
