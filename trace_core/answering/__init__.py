"""Answerers, each behind the `Answerer` protocol; a new one needs one file and one entry here."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from trace_core.answering.base import Answer, Answerer, OnText
from trace_core.answering.extractive import Extractive
from trace_core.answering.gpt import GptAnswerer
from trace_core.errors import SettingsError
from trace_core.llm import Llm, llm_from
from trace_core.models.embedding import Embedder
from trace_core.settings import load


class AnswererKind(NamedTuple):
    """A selectable answerer: its label on the pages, what it needs, and how it is made."""

    label: str
    uses_llm: bool
    make: Callable[[Embedder, Llm | None], Answerer]


ANSWERERS: Mapping[str, AnswererKind] = {
    "gpt": AnswererKind("GPT", True, lambda embedder, llm: GptAnswerer(llm or llm_from(load()))),
    "extractive": AnswererKind("Extractive (no key)", False, lambda embedder, llm: Extractive(embedder)),
}
"""The only place where an answerer is registered."""

__all__ = ["ANSWERERS", "Answer", "Answerer", "Extractive", "GptAnswerer", "OnText", "make_answerer", "uses_llm"]


def uses_llm(name: object) -> bool:
    """Whether the answerer of that name asks a language model; false for an unknown name."""
    return isinstance(name, str) and name in ANSWERERS and ANSWERERS[name].uses_llm


def make_answerer(name: str, embedder: Embedder, llm: Llm | None = None) -> Answerer:
    """The answerer of that name. Raises `SettingsError` for an unknown one, and for `gpt` without `llm` or a key."""
    if name not in ANSWERERS:
        raise SettingsError(f"There is no answerer {name!r}.", f"Use one of: {', '.join(ANSWERERS)}.")
    return ANSWERERS[name].make(embedder, llm)
