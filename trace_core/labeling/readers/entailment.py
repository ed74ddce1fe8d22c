"""A sentence-transformers cross-encoder for entailment, by name: what `TRACE_NLI_MODEL` names.

Nothing is imported or loaded before the first pair is read.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from trace_core.errors import ModelError
from trace_core.labeling.local.decision import logistic
from trace_core.labeling.local.reader import ENTAILS, OnRead, Pair, Read, Reads, packaged_reader
from trace_core.settings import Settings

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

LIMIT = 9.21024
"""Log-odds are clipped to ± this: p within [1e-4, 1 − 1e-4]."""
_WEIGHT = 0.5
"""The cross-encoder's share of the log-odds of "entails". Chosen, not trained."""
_BATCH = 32
_HINT = "Check TRACE_NLI_MODEL and the network, or unset it: the local labeler needs no such model."


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
