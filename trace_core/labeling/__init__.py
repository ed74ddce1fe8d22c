"""Labelers, each behind the `Labeler` protocol; a new one needs one file and one entry here."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from trace_core.errors import SettingsError
from trace_core.facts.labels import AUTHORS
from trace_core.facts.records import Sentences
from trace_core.labeling import decisions
from trace_core.labeling.base import Labeler, LabelsMany, OnShare, Reply, Size
from trace_core.labeling.decisions import DecisionsLabeler
from trace_core.labeling.gpt import GptLabeler, prompt_size
from trace_core.labeling.local.labeler import LocalLabeler
from trace_core.llm import Llm, llm_from
from trace_core.llm.prompts import DECISIONS, JUDGE
from trace_core.models.embedding import Embedder
from trace_core.settings import load


class LabelerKind(NamedTuple):
    """A selectable labeler: its label on the pages, what it needs, how it is made, and the prompt that it uses. Without
    a language model, one that needs it reads the environment. `size` estimates what a record takes, `model` is the only
    one that it asks."""

    label: str
    uses_llm: bool
    make: Callable[[Embedder, Llm | None], Labeler]
    prompt: str | None = None
    size: Callable[[str, Sentences], Size] = lambda question, sentences: Size(0, 0, 0)
    model: str | None = None


LABELERS: Mapping[str, LabelerKind] = {
    "gpt": LabelerKind(
        AUTHORS["gpt"].name, True, lambda _, llm: GptLabeler(llm or llm_from(load())), JUDGE.id, prompt_size
    ),
    "decisions": LabelerKind(
        AUTHORS["decisions"].name,
        True,
        lambda _, llm: DecisionsLabeler(llm or llm_from(load())),
        DECISIONS.id,
        decisions.requests_size,
        decisions.MODEL,
    ),
    "local": LabelerKind(AUTHORS["local"].name, False, lambda embedder, _: LocalLabeler(embedder)),
}
"""The only place where a labeler is registered."""

__all__ = ["LABELERS", "Labeler", "LabelsMany", "OnShare", "Reply", "make_labeler", "uses_llm", "without_llm"]


def uses_llm(name: object) -> bool:
    """Whether the labeler of that name asks a language model; false for an unknown name."""
    return isinstance(name, str) and name in LABELERS and LABELERS[name].uses_llm


def without_llm() -> list[str]:
    """The labelers that ask no language model, and so need no key."""
    return [name for name, kind in LABELERS.items() if not kind.uses_llm]


def make_labeler(name: str, embedder: Embedder, llm: Llm | None = None) -> Labeler:
    """The labeler of that name. Loads nothing yet. Raises `SettingsError` for an unknown name, listing the known ones,
    and for `gpt` without `llm` or a key."""
    if name not in LABELERS:
        raise SettingsError(f"There is no labeler {name!r}.", f"Use one of: {', '.join(LABELERS)}.")
    return LABELERS[name].make(embedder, llm)
