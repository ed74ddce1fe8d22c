"""The reader: a small cross-encoder that judges whether a text says so and whether it answers a question. Nothing is
imported or loaded before the first pair is read."""

import hashlib
from collections.abc import Callable, Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import trace_core.models
from trace_core.errors import ModelError
from trace_core.models import OnnxModel
from trace_core.models.onnx import Recent

WEIGHTS = Path(__file__).parent / "reader.safetensors"
SHA256 = "f54ae065373f68858d79d0931dcca32f341f0e147843b5c984758d35670b130d"
GRAPH = Path(trace_core.models.__file__).parent / "reader.onnx"
LONGEST = 160
"""The most tokens of a pair; in a longer pair the premise is cut."""
ENTAILS, CONTRADICTS, NEITHER, CLAIMS_NOTHING = range(4)
"""The reader's classes, in order."""
_MOST = 8192  # pairs, 2 MB: those of some 150 questions
Pair = tuple[str, str]
"""A premise and a hypothesis, or a question and a document sentence."""
Read = NDArray[np.float32]
"""Log-probabilities, k × 4."""
OnRead = Callable[[int], object]


class PackagedReader:
    """The reader that ships with the package; loaded on first use, thread-safe. Its word embeddings are those of the
    packaged embedding model; the rest is `reader.safetensors`, most of it in whole numbers of 7 bits."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._weights = weights
        self._model = OnnxModel(GRAPH, LONGEST, weights)
        self._recent = Recent(_MOST)

    @cached_property
    def name(self) -> str:
        """The reader's version and the beginning of its weights' SHA-256, stored with every label."""
        return f"reader-1 {sha256(self._weights)[:8]}"

    def says(self, pairs: Sequence[Pair], on_read: OnRead = lambda n: None) -> Read:
        """k premises and hypotheses → k × 4 log-probabilities of the classes. `on_read` is called with the number read
        and may raise to stop. Raises `ModelError`."""
        scores = self._read(pairs, on_read)[:, :4]
        logs: Read = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
        return logs

    def answers(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        """k questions and document sentences → k log-odds that the sentence helps to answer. Raises `ModelError`."""
        return self._read(pairs, lambda n: None)[:, 4]

    def _read(self, pairs: Sequence[Pair], on_read: OnRead) -> Read:
        """Both outputs of the graph side by side, k × 5; each distinct pair is read once."""
        if not pairs:
            return np.zeros((0, 5), dtype=np.float32)
        if self._weights == WEIGHTS and sha256(self._weights) != SHA256:
            raise ModelError("The reader's weights are not the official ones.", "Install the package again.")
        return self._recent.rows(pairs, lambda new: np.column_stack(self._model.run(new, on_read)))


@lru_cache(maxsize=4)
def sha256(file: Path) -> str:
    """The file's hash. Raises `ModelError` if there is no such file."""
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(f"The reader's weights, {file.name}, are missing.", "Install the package again.") from error


packaged_reader = cache(PackagedReader)
"""The process's only reader, shared by all callers."""
