"""The reference labeler: a language model behind an OpenAI-compatible server, one call per example.

If a judge leaves response sentences unlabeled, it is asked once more, about those alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from trace_core.errors import LabelingError, LlmError
from trace_core.facts.cleaning import clean
from trace_core.facts.labels import Status
from trace_core.facts.records import Sentences
from trace_core.labeling.base import OnShare, Reply
from trace_core.labeling.prompt import (
    ESSENTIAL,
    JUDGE,
    JudgeReply,
    MissingEntries,
    expected_tokens,
    judge_messages,
    messages_again,
)
from trace_core.llm import MOST_CALLS, Llm, Message, ObjectReply, total_usage
from trace_core.llm.completion import RAW

_SUPPORT = "sentence_support_information"
_FIELDS = {*JudgeReply.model_fields, "unsupported_response_sentence_keys", "unlabeled_response_sentence_keys"}


class GptLabeler:
    """Labels from a language model."""

    name = "gpt"

    def __init__(self, llm: Llm) -> None:
        self.llm = llm

    @property
    def version(self) -> str:
        """The model, the prompt version and the prompt's hash."""
        return f"{self.llm.model} / {JUDGE.id}"

    def label(self, question: str, sentences: Sentences, progress: OnShare | None = None) -> Reply:
        """Label one record. Raises `LlmError` if no reply came, `LabelingError` if no part of it can be used."""
        if progress:
            progress(0.0)
        messages, notes = judge_messages(question, sentences, self.llm.context_tokens)
        answer = self.llm.ask(
            messages,
            JudgeReply,
            purpose="label",
            wrong=lambda data: unread_lists(data, sentences),
            expected_tokens=expected_tokens(sentences),
        )
        if all(name in missing_lists(answer.data) for name in ESSENTIAL):
            raise LabelingError(
                f"The judge gave no labels. {answer.problem}",
                "Try again, or choose another model; the reply is kept.",
                usage=answer.usage,
                raw={"said": _one_or_all([text[:RAW] for text in answer.raw])},
            )
        notes += [f"reply: {note}" for note in (answer.problem, *answer.notes) if note]
        original = (
            {"said": _one_or_all(answer.raw), "read_as": dict(answer.data)} if notes or not answer.plain else None
        )
        whole = has_no_other_field(answer.data)
        reply = Reply(raw=answer.data, usage=answer.usage, notes=notes, original=original, whole=whole)
        keys = _open_sentences(reply, sentences)
        if keys and _SUPPORT not in answer.repairs and answer.usage.get("calls", 0) < MOST_CALLS:
            reply = self._ask_for(keys, reply, answer, messages)
        if progress:
            progress(1.0)
        return reply

    def _ask_for(
        self, keys: Sequence[str], reply: Reply, answer: ObjectReply[JudgeReply], messages: Sequence[Message]
    ) -> Reply:
        """The reply, completed by asking the judge about the sentences that it left unlabeled."""
        note = f"reply: asked again for {', '.join(keys)}"
        try:
            more = self.llm.ask(
                messages_again(messages, answer.raw[-1], keys),
                MissingEntries,
                purpose="label-missing",
                wrong=lambda data: [] if data.get(_SUPPORT) else [_SUPPORT],
                calls=1,
                expected_tokens=50 + 80 * len(keys),
            )
        except LlmError as error:
            usage = total_usage([reply.usage, error.usage])
            return replace(reply, usage=usage, notes=[*reply.notes, f"{note} without a reply: {error.message}"])
        readings = {"read_as": dict(reply.raw), "asked_again": list(keys), "read_again_as": dict(more.data)}
        return replace(
            reply,
            usage=total_usage([reply.usage, more.usage]),
            notes=[*reply.notes, note],
            original={"said": [*answer.raw, *more.raw], **readings},
            again=more.data,
        )


def missing_lists(data: Mapping[str, Any]) -> Collection[str]:
    """The lists that a reply lacks. Judges' other errors are cleaned and need no second call."""
    return [name for name in ESSENTIAL if not isinstance(data.get(name), list | dict | str)]


def unread_lists(data: Mapping[str, Any], sentences: Sentences) -> Collection[str]:
    """The lists that a reply lacks, or of which nothing can be read."""
    labels = clean(data, sentences.document_keys(), sentences.response_keys()).labels
    return [name for name in ESSENTIAL if name in missing_lists(data) or getattr(labels, name) is None]


def has_no_other_field(data: Mapping[str, Any]) -> bool:
    """Whether every field is declared; another one may be what decides what a null means."""
    return data.keys() <= _FIELDS


def _open_sentences(reply: Reply, sentences: Sentences) -> list[str]:
    """The response sentences whose support is unknown."""
    statuses = reply.clean(sentences).labels.statuses(sentences.response_keys())
    return [key for key, status in statuses.items() if status is Status.UNLABELED]


def _one_or_all(texts: Sequence[str]) -> Any:
    return texts[0] if len(texts) == 1 else list(texts)
