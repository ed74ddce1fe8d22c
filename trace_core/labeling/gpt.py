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
from trace_core.labeling.prompt import NEEDED, PROMPT, JudgeReply, MissingEntries, expected_tokens, prompt, prompt_again
from trace_core.llm import MOST_CALLS, Llm, Message, added
from trace_core.llm.completion import RAW

_SUPPORT = "sentence_support_information"
ASKED_AGAIN = "reply: asked again for "
"""The start of the note on each second request for sentences left unlabeled."""
_KNOWN = {*JudgeReply.model_fields, "unsupported_response_sentence_keys", "unlabeled_response_sentence_keys"}


class GptLabeler:
    """Labels from a language model. `attempt` distinguishes repeated requests for a record; each has its own reply."""

    name = "gpt"

    def __init__(self, llm: Llm, attempt: int = 0) -> None:
        self.llm = llm
        self._attempt = attempt

    @property
    def version(self) -> str:
        """The model, the prompt version and the prompt's hash."""
        return f"{self.llm.model} / {PROMPT}"

    def label(self, question: str, sentences: Sentences, progress: OnShare | None = None) -> Reply:
        """Label one record. Raises `LlmError` if no reply came, `LabelingError` if no part of it can be used."""
        if progress:
            progress(0.0)
        messages, notes = prompt(question, sentences, self.llm.context_tokens)
        reply = self.llm.ask(
            messages,
            JudgeReply,
            purpose="label",
            attempt=self._attempt,
            wrong=lambda data: unread(data, sentences),
            expected_tokens=expected_tokens(sentences),
        )
        if all(name in unusable(reply.data) for name in NEEDED):
            raise LabelingError(
                f"The judge gave no labels. {reply.problem}",
                "Try again, or choose another model; the reply is kept.",
                usage=reply.usage,
                raw={"said": _one_or_all([text[:RAW] for text in reply.raw])},
            )
        notes += [f"reply: {note}" for note in (reply.problem, *reply.notes) if note]
        original = {"said": _one_or_all(reply.raw), "read_as": dict(reply.data)} if notes or not reply.plain else None
        whole = all_known(reply.data)
        result = Reply(raw=reply.data, usage=reply.usage, notes=notes, original=original, whole=whole)
        left_open = _left_open(result, sentences)
        if left_open and _SUPPORT not in reply.repaired and reply.usage.get("calls", 0) < MOST_CALLS:
            result = self._with_more(result, left_open, reply.raw, messages)
        if progress:
            progress(1.0)
        return result

    def _with_more(self, first: Reply, keys: Sequence[str], raw: tuple[str, ...], messages: Sequence[Message]) -> Reply:
        """The reply, completed by asking the judge about the sentences that it left unlabeled."""
        try:
            more = self.llm.ask(
                prompt_again(messages, raw[-1], keys),
                MissingEntries,
                purpose="label-missing",
                attempt=self._attempt,
                wrong=lambda data: [] if data.get(_SUPPORT) else [_SUPPORT],
                calls=1,
                expected_tokens=50 + 80 * len(keys),
            )
        except LlmError as error:
            failed = f"{ASKED_AGAIN}{', '.join(keys)} without a reply: {error.message}"
            usage = added([first.usage, error.usage])
            return replace(first, usage=usage, notes=[*first.notes, failed], problem=error.message)
        read_as = {"read_as": dict(first.raw), "asked_again": list(keys), "read_again_as": dict(more.data)}
        return replace(
            first,
            usage=added([first.usage, more.usage]),
            notes=[*first.notes, f"{ASKED_AGAIN}{', '.join(keys)}"],
            original={"said": [*raw, *more.raw], **read_as},
            again=more.data,
        )


def unusable(data: Mapping[str, Any]) -> Collection[str]:
    """The lists that a reply lacks. Judges' other errors are cleaned and need no second call."""
    return [name for name in NEEDED if not isinstance(data.get(name), list | dict | str)]


def unread(data: Mapping[str, Any], sentences: Sentences) -> Collection[str]:
    """The lists that a reply lacks, or of which nothing can be read."""
    labels = clean(data, sentences.document_keys(), sentences.response_keys()).labels
    return [name for name in NEEDED if name in unusable(data) or getattr(labels, name) is None]


def all_known(data: Mapping[str, Any]) -> bool:
    """Whether every field name is known; an unknown field may be the one that decides what a null means."""
    return data.keys() <= _KNOWN


def _left_open(reply: Reply, sentences: Sentences) -> list[str]:
    """The response sentences whose support is unknown."""
    statuses = reply.cleaned(sentences).labels.statuses(sentences.response_keys())
    return [key for key, status in statuses.items() if status is Status.UNLABELED]


def _one_or_all(texts: Sequence[str]) -> Any:
    return texts[0] if len(texts) == 1 else list(texts)
