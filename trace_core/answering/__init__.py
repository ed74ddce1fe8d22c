"""Answerers, each behind the `Answerer` protocol; a new one is one file and one line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from trace_core.answering.base import Answer, Answerer, OnText
from trace_core.answering.extractive import Extractive
from trace_core.answering.gpt import GptAnswerer
from trace_core.errors import SettingsError
from trace_core.llm import Llm, llm_from
from trace_core.retrieval.embedding import Embedder
from trace_core.settings import load

ANSWERERS: Mapping[str, Callable[[Embedder, Llm | None], Answerer]] = {
    "gpt": lambda embedder, llm: GptAnswerer(llm or llm_from(load())),
    "extractive": lambda embedder, llm: Extractive(embedder),
}

__all__ = ["ANSWERERS", "Answer", "Answerer", "Extractive", "GptAnswerer", "OnText", "make_answerer"]


def make_answerer(name: str, embedder: Embedder, llm: Llm | None = None) -> Answerer:
    """The answerer of that name.

    Raises `SettingsError` naming those that exist, and for `gpt` where neither `llm` nor a key is given.
    """
    if name not in ANSWERERS:
        raise SettingsError(f"There is no answerer {name!r}.", f"Use one of: {', '.join(ANSWERERS)}.")
    return ANSWERERS[name](embedder, llm)
