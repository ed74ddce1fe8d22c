"""Labels: what a judge says about one record, under RAGBench's names (arXiv:2407.11005). A list that is `None` was
missing from the reply, which differs from an empty list: what needs it is undefined."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import Field, computed_field

from trace_core.facts.strict import Strict

Share = Annotated[float, Field(ge=0, le=1)]
SPECIAL_KEYS = frozenset({"general", "supported_without_sentence", "well_known_fact", "numerical_reasoning"})
"""Supporting keys that mean support from something other than a document sentence."""


class Status(StrEnum):
    """How far the documents support one response sentence."""

    FULLY = "fully"
    PARTIALLY = "partially"
    UNSUPPORTED = "unsupported"
    UNLABELED = "unlabeled"


class Support(Strict, frozen=True):
    """The judge's statement on one response sentence; `fully_supported` is `None` where it cannot be known."""

    response_sentence_key: str
    explanation: str | None = None
    supporting_sentence_keys: list[str] = Field(default_factory=list)
    fully_supported: bool | None
    contradicting_sentence_keys: list[str] = Field(default_factory=list, exclude_if=lambda keys: not keys)
    """Document sentences that contradict it; only set when `fully_supported` is false."""

    @property
    def contradicted(self) -> bool:
        """Whether a document sentence contradicts it: unsupported for every score, but shown separately."""
        return self.fully_supported is False and bool(self.contradicting_sentence_keys)


class Probabilities(Strict, frozen=True):
    """The probability of each label by sentence key."""

    relevant: dict[str, Share] = Field(default_factory=dict)
    utilized: dict[str, Share] = Field(default_factory=dict)
    unsupported: dict[str, Share] = Field(default_factory=dict)


class Expected(Strict, frozen=True):
    """Scores that a labeler estimates from its probabilities, under convention `ragbench`."""

    context_relevance: Share | None = None
    context_utilization: Share | None = None
    completeness: Share | None = None
    adherence: Share | None = None


class Labels(Strict, frozen=True):
    """Cleaned labels, and by its name who made them (`labeler`)."""

    labeler: str = "recorded"
    labeler_version: str | None = None
    relevance_explanation: str | None = None
    all_relevant_sentence_keys: list[str] | None = None
    overall_supported_explanation: str | None = None
    overall_supported: bool | None = None
    sentence_support_information: list[Support] | None = None
    all_utilized_sentence_keys: list[str] | None = None
    unsupported_response_sentence_keys: list[str] | None = None
    probabilities: Probabilities | None = None
    expected: Expected | None = None
    unread: str | None = Field(default=None, exclude_if=lambda reason: reason is None)
    """Why the labeler labeled nothing, as `language`; the reason of every undefined score."""

    @computed_field  # type: ignore[prop-decorator]  # mypy does not support decorated properties
    @property
    def unlabeled_response_sentence_keys(self) -> list[str] | None:
        """The sentences whose entry has no known status, so that no reader mistakes its null for a judgment."""
        return [key for key, entry in self.entries.items() if entry.fully_supported is None] or None

    @property
    def entries(self) -> dict[str, Support]:
        """The judge's statement on each response sentence, by its key; none where it made none."""
        return {entry.response_sentence_key: entry for entry in self.sentence_support_information or []}

    def statuses(self, response_keys: Iterable[str]) -> dict[str, Status]:
        """The status of every response sentence by key, in the given order; unlabeled where there is no entry."""
        entries = self.entries
        return {key: self._status(entries.get(key)) for key in response_keys}

    def _status(self, entry: Support | None) -> Status:
        if entry is None or entry.fully_supported is None:
            return Status.UNLABELED
        if entry.fully_supported:
            return Status.FULLY
        if entry.contradicted:
            return Status.UNSUPPORTED
        failing = self.unsupported_response_sentence_keys
        off_the_list = failing is not None and entry.response_sentence_key not in failing
        return Status.PARTIALLY if entry.supporting_sentence_keys or off_the_list else Status.UNSUPPORTED


class Author(NamedTuple):
    """Who makes labels: the name in all places, the one in a sentence, and whether it certifies. One that only judges
    cannot tell whether an answer rightly declines."""

    name: str
    in_sentences: str
    certifies: bool = True


AUTHORS: Mapping[str, Author] = {
    "local": Author("local model", "the local model", certifies=False),
    "gpt": Author("GPT", "GPT"),
    "decisions": Author("decision model (beta)", "the decision model (beta)"),
    "human": Author("written by hand", "a reviewer"),
    "recorded": Author("from the file", "the file's labeler"),
}


def author_of(labeler: str) -> Author:
    """Who the labeler of that name is; one from elsewhere goes by its own name."""
    return AUTHORS.get(labeler, Author(labeler, labeler))


def labeler_name(name: object) -> str:
    """Who made labels, as it is called in all places."""
    return "none" if name in (None, "", "None") else author_of(str(name)).name
