"""The reader: a small cross-encoder that judges whether a text says so and whether it answers a question.

`TRACE_NLI_MODEL` names a larger one beside it, for entailment alone. Nothing is imported or loaded before the first
pair is read.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

import trace_core.models
from trace_core.errors import ModelError
from trace_core.labeling.local.models import logistic, logit
from trace_core.models import OnnxModel
from trace_core.settings import Settings

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

WEIGHTS = Path(__file__).parent / "reader.safetensors"
SHA256 = "a06ab91394525b501864ab67d90be4b29ba48b5aadca1e591f746d62cbe2709a"
GRAPH = Path(trace_core.models.__file__).parent / "reader.onnx"
LONGEST = 160
"""The most tokens of a pair; in a longer pair the premise is cut."""
ENTAILS, CONTRADICTS, NEITHER, CLAIMS_NOTHING = range(4)
"""The reader's classes, in order."""
_WEIGHT = 0.5
"""The cross-encoder's share of the log-odds of "entails". Chosen, not trained."""
LIMIT = float(logit(np.array([1.0]))[0])
"""Log-odds are clipped to ± this, like those of the trained models: p within [1e-4, 1 − 1e-4]."""
_BATCH = 32
_HINT = "Check TRACE_NLI_MODEL and the network, or unset it: the local labeler needs no such model."
Pair = tuple[str, str]
"""A premise and a hypothesis, or a question and a document sentence."""
Read = NDArray[np.float32]
"""Log-probabilities, k × 4."""
OnRead = Callable[[int], None]


class Reads(Protocol):
    """Anything that reads pairs: the packaged reader, alone or with a larger model."""

    @property
    def name(self) -> str:
        """Name and version, stored with every label."""

    @property
    def multilingual(self) -> bool:
        """Whether it reads other languages than English."""

    def says(self, pairs: Sequence[Pair], on_read: OnRead = lambda done: None) -> Read:
        """k premises and hypotheses → k × 4 log-probabilities of the classes.

        `on_read` is called with the number read and may raise to stop. Raises `ModelError`.
        """

    def answers(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        """k questions and document sentences → k log-odds that the sentence helps to answer. Raises `ModelError`."""


class PackagedReader:
    """The reader that ships with the package; loaded on first use, thread-safe.

    Its word embeddings are those of the packaged embedding model; the rest is `reader.safetensors`, in half precision.
    """

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._weights = weights
        self._model = OnnxModel(GRAPH, LONGEST, weights)

    multilingual = False

    @cached_property
    def name(self) -> str:
        """The reader's version and the beginning of its weights' SHA-256."""
        return f"reader-1 {sha256(self._weights)[:8]}"

    def says(self, pairs: Sequence[Pair], on_read: OnRead = lambda done: None) -> Read:
        """As `Reads` says."""
        scores = self._read(pairs, 0, on_read)
        logs: Read = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
        return logs

    def answers(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        """As `Reads` says."""
        return self._read(pairs, 1, lambda done: None).reshape(-1)

    def _read(self, pairs: Sequence[Pair], output: int, on_read: OnRead) -> Read:
        """One output of the graph for each pair; each distinct pair is read once."""
        place = {pair: i for i, pair in enumerate(dict.fromkeys(pairs))}
        if not place:
            return np.zeros((0, 4), dtype=np.float32)
        if self._weights == WEIGHTS and sha256(self._weights) != SHA256:
            raise ModelError("The reader's weights are not the official ones.", "Install the package again.")
        scores: Read = self._model.run(list(place), on_read)[output]
        return scores[[place[pair] for pair in pairs]]


@lru_cache(maxsize=4)
def sha256(file: Path) -> str:
    """The file's hash. Raises `ModelError` if there is no such file."""
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(f"The reader's weights, {file.name}, are missing.", "Install the package again.") from error


@lru_cache(maxsize=1)
def packaged_reader() -> PackagedReader:
    """The process's only reader, shared by all callers."""
    return PackagedReader()


class Entailment:
    """A sentence-transformers CrossEncoder on the CPU, loaded once, on first use; thread-safe."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._model: CrossEncoder | None = None
        self._place = 0
        self._lock = threading.Lock()

    def log_odds(self, pairs: Sequence[Pair], on_read: OnRead = lambda done: None) -> NDArray[np.float64]:
        """Log-odds of entailment against all other classes, one for each pair, within ± `LIMIT`.

        Each distinct pair is read once, in batches sorted by length; `on_read` is called with the number done and
        may raise to stop. Raises `ModelError`.
        """
        distinct = sorted(dict.fromkeys(pairs), key=lambda pair: (-len(pair[0]) - len(pair[1]), pair))
        odds: dict[Pair, float] = {}
        for start in range(0, len(distinct), _BATCH):
            batch = distinct[start : start + _BATCH]
            odds |= zip(batch, self._read(batch).tolist(), strict=True)
            on_read(len(odds))
        return np.array([odds[pair] for pair in pairs], dtype=np.float64)

    def _read(self, batch: list[Pair]) -> NDArray[np.float64]:
        with self._lock:
            if self._model is None:
                self._model, self._place = _load(self.name)
            from torch.nn import Identity

            scores = self._model.predict(batch, batch_size=_BATCH, activation_fn=Identity(), show_progress_bar=False)
        scores = np.asarray(scores, dtype=np.float64)
        others = np.delete(scores, self._place, axis=1)
        odds: NDArray[np.float64] = scores[:, self._place] - np.logaddexp.reduce(others, axis=1)
        if not np.isfinite(odds).all():
            raise ModelError(f"The entailment model {self.name!r} gave a score that is no number.", _HINT)
        return np.clip(odds, -LIMIT, LIMIT)


def _load(name: str) -> tuple[CrossEncoder, int]:
    """The model and the index of its entailment class."""
    try:
        import torch
        from sentence_transformers import CrossEncoder
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()  # type: ignore[no-untyped-call]
        # float32 whatever the file contains: in half precision scores would depend on the batch.
        model = CrossEncoder(name, device="cpu", model_kwargs={"dtype": torch.float32})
        names = model.config.id2label if model.config is not None else {}
    except Exception as error:  # the library raises many kinds; all mean "no model"
        message = f"The entailment model {name!r} of TRACE_NLI_MODEL could not be loaded ({type(error).__name__})."
        raise ModelError(message, _HINT) from error
    return model, place_of_entailment(names, name)


def place_of_entailment(names: Mapping[int, str], model: str) -> int:
    """The index of class "entailment" (in any case), which must not be the only class. Raises `ModelError`."""
    places = [int(place) for place, label in names.items() if str(label).strip().lower() == "entailment"]
    if len(places) != 1 or len(names) < 2:
        listed = ", ".join(str(label) for label in names.values()) or "none"
        raise ModelError(
            f"The model {model!r} of TRACE_NLI_MODEL is not one for entailment: its classes are {listed}.",
            "Name a cross-encoder whose classes (id2label) are entailment, neutral and contradiction, or unset it.",
        )
    return places[0]


@lru_cache(maxsize=2)
def entailment(name: str) -> Entailment:
    """The process's only model of that name, shared by all callers."""
    return Entailment(name)


def reader_from(settings: Settings) -> Reads:
    """The packaged reader, combined with the model named by `TRACE_NLI_MODEL` if set; neither is loaded yet."""
    packaged = packaged_reader()
    return Both(packaged, entailment(settings.nli_model)) if settings.nli_model else packaged


class Both:
    """The packaged reader and a larger model, which have equal weight in whether a text says so."""

    def __init__(self, reader: Reads, model: Entailment) -> None:
        self._reader, self._model = reader, model

    multilingual = True
    """Whoever names a model names one for the language of their texts."""

    @property
    def name(self) -> str:
        """Both names."""
        return f"{self._reader.name} + {self._model.name}"

    def says(self, pairs: Sequence[Pair], on_read: OnRead = lambda done: None) -> Read:
        """As `Reads` says; the log-odds of "entails" are the mean of both models, the other classes are rescaled."""
        says = self._reader.says(pairs)
        own = np.clip(says[:, ENTAILS].astype(np.float64), -LIMIT, -1e-4)
        odds = (own - np.log1p(-np.exp(own))) * (1 - _WEIGHT) + _WEIGHT * self._model.log_odds(pairs, on_read)
        both = logistic(odds)
        rest = (1 - both) / (1 - np.exp(own))
        logs = np.where(np.arange(4) == ENTAILS, np.log(both)[:, None], says + np.log(rest)[:, None])
        return logs.astype(np.float32)

    def answers(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        """What the packaged reader answers."""
        return self._reader.answers(pairs)
