"""What words in common decide without any model: the line that a labeler must be better than."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from trace_core.labeling.local.decision import WORDS, packaged_decisions
from trace_core.labeling.local.labeler import LocalLabeler
from trace_core.labeling.local.reader import OnRead, PackagedReader, Pair, Read
from trace_core.models.embedding import Embedder, Vectors


def words_alone() -> LocalLabeler:
    """The local labeler without reader and embedding: its decisions are those over words alone."""
    decisions = {name.removeprefix(WORDS): one for name, one in packaged_decisions().items() if name.startswith(WORDS)}
    return LocalLabeler(_NoEmbedder(), _NoReader(), decisions)


class _NoReader(PackagedReader):
    """Reads nothing: for each pair all classes are as likely."""

    name = "no reader"

    def says(self, pairs: Sequence[Pair], on_read: OnRead = lambda done: None) -> Read:
        return np.full((len(pairs), 4), np.log(0.25), dtype=np.float32)

    def answers(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        return np.zeros(len(pairs), dtype=np.float32)


class _NoEmbedder(Embedder):
    """Embeds nothing: all texts are as alike."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.zeros((len(texts), 1), dtype=np.float32)
