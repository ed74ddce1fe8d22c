"""What a labeler is: a question and keyed sentences in, the judge's JSON out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, runtime_checkable

from trace_core.facts.cleaning import CleanLabels, clean
from trace_core.facts.labels import Expected, Probabilities
from trace_core.facts.records import Sentences

OnShare = Callable[[float], object]
"""Called with the share of work done, in [0, 1]; may raise to stop the work."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A labeler's reply: the unchanged judge's JSON of SPEC 3, and what it cost. `notes` say what was done to obtain
    that JSON; `original` is kept as the raw reply if the JSON does not say everything. `whole` says that no part of the
    JSON was cut off. `unread` is the reason that the labeler could not read the record at all: `language`."""

    raw: Mapping[str, Any]
    probabilities: Probabilities | None = None
    expected: Expected | None = None
    usage: Mapping[str, float] = field(default_factory=dict)
    notes: Sequence[str] = ()
    original: Any = None
    whole: bool = True
    unread: str | None = None

    def clean(self, sentences: Sentences, labeler: str = "recorded", version: str | None = None) -> CleanLabels:
        """The reply as clean labels."""
        keys = sentences.document_keys(), sentences.response_keys()
        return clean(self.raw, *keys, labeler=labeler, version=version, whole=self.whole)


class Size(NamedTuple):
    """What labeling a record takes: requests, and tokens of their prompts and replies."""

    calls: int
    prompt: int
    reply: int


class Labeler(Protocol):
    """Makes labels. `name` is its own in `LABELERS`; `version` changes whenever labels would."""

    name: str

    @property
    def version(self) -> str:
        """The model and the prompt or rules; stored with every label."""

    def label(self, question: str, sentences: Sentences, progress: OnShare | None = None) -> Reply:
        """Label one record. Raises `LabelingError`, `LlmError` or `ModelError`."""


@runtime_checkable
class LabelsMany(Labeler, Protocol):
    """A labeler that is faster when given many records at once."""

    def label_many(self, items: Sequence[tuple[str, Sentences]], progress: OnShare | None = None) -> Sequence[Reply]:
        """One reply for each question and its sentences, in order. Raises as `label` does."""
