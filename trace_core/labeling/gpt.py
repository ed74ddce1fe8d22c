"""The reference labeler: a language model behind an OpenAI-compatible server, one call an example.

A judge that leaves sentences of the response open is asked for them once more, and for them alone.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from trace_core.errors import LabelingError, LlmError
from trace_core.facts.labels import Labels, Status
from trace_core.facts.records import Sentences
from trace_core.labeling.base import Progress, Reply
from trace_core.labeling.prompt import (
    NEEDED,
    PROMPT,
    JudgeReply,
    MissingEntries,
    expected_tokens,
    prompt,
    prompt_again,
)
from trace_core.llm import MOST_CALLS, Llm, Message, added

_SUPPORT = "sentence_support_information"
ASKED_AGAIN = "reply: asked again for "
"""Begins the note of each asking for the sentences that a reply left open."""
_KNOWN = {*JudgeReply.model_fields, "unsupported_response_sentence_keys", "unlabeled_response_sentence_keys"}


class GptLabeler:
    """Labels from a language model. `attempt` tells askings of the same record apart: each has its own reply."""

    name = "gpt"

    def __init__(self, llm: Llm, attempt: int = 0) -> None:
        self.llm = llm
        self._attempt = attempt

    @property
    def version(self) -> str:
        """Model, prompt and the hash of what the model is told."""
        return f"{self.llm.model} / {PROMPT}"

    def again(self, attempt: int) -> GptLabeler:
        """The same judge, asked anew."""
        return GptLabeler(self.llm, attempt)

    def label(self, question: str, sentences: Sentences, progress: Progress | None = None) -> Reply:
        """Label one record. Raises `LlmError` where no reply came, `LabelingError` where nothing of it can be used."""
        if progress:
            progress(0.0)
        messages, notes = prompt(question, sentences, self.llm.context_tokens)
        reply = self.llm.ask(
            messages, JudgeReply, purpose="label", attempt=self._attempt,
            wrong=unusable, expected_tokens=expected_tokens(sentences),
        )  # fmt: skip
        if all(name in unusable(reply.data) for name in NEEDED):
            raise LabelingError(
                f"The judge gave no labels. {reply.problem}",
                "Try again, or choose another model; the reply is kept.",
                usage=reply.usage,
                raw={"said": _one_or_all(reply.raw)},
            )
        notes += [f"reply: {note}" for note in (reply.problem, *reply.notes) if note]
        kept = {"said": _one_or_all(reply.raw), "read_as": dict(reply.data)} if notes or not reply.plain else None
        whole = reply.whole and all_known(reply.data)
        made = Reply(raw=reply.data, usage=reply.usage, notes=notes, said=kept, whole=whole)
        left_open = _left_open(made, sentences)
        if left_open and _SUPPORT not in reply.repaired and reply.usage.get("calls", 0) < MOST_CALLS:
            made = self._with_more(made, left_open, reply.raw, messages)
        if progress:
            progress(1.0)
        return made

    def ask_open(self, question: str, sentences: Sentences, labels: Labels) -> Reply:
        """The judge's own `labels`, and what it says now of the response sentences that they leave open.

        It is asked for these alone: one call, or none where nothing is open. Where no reply comes, a note says why.
        """
        raw = labels.model_dump(mode="json", include=_KNOWN)
        made = Reply(raw=raw)
        left_open = _left_open(made, sentences)
        if not left_open:
            return made
        messages, _ = prompt(question, sentences, self.llm.context_tokens)
        return self._with_more(made, left_open, (json.dumps(raw),), messages)

    def _with_more(self, made: Reply, keys: Sequence[str], said: tuple[str, ...], messages: Sequence[Message]) -> Reply:
        """The reply with what the judge says when asked for the sentences that it left open."""
        try:
            more = self.llm.ask(
                prompt_again(messages, said[-1], keys), MissingEntries, purpose="label-missing", attempt=self._attempt,
                wrong=_no_entries, expected_tokens=50 + 80 * len(keys), calls=1,
            )  # fmt: skip
        except LlmError as error:
            failed = f"{ASKED_AGAIN}{', '.join(keys)} without a reply: {error.message}"
            usage = added([made.usage, error.usage])
            return replace(made, usage=usage, notes=[*made.notes, failed], problem=error.message)
        read_as = {"read_as": dict(made.raw), "asked_again": list(keys), "read_again_as": dict(more.data)}
        return replace(
            made,
            usage=added([made.usage, more.usage]),
            notes=[*made.notes, f"{ASKED_AGAIN}{', '.join(keys)}"],
            said={"said": [*said, *more.raw], **read_as},
            again=more.data,
        )


def unusable(data: Mapping[str, Any]) -> Collection[str]:
    """The lists that a reply lacks. Everything else that judges get wrong is cleaned, and costs no second call."""
    return [name for name in NEEDED if not isinstance(data.get(name), list | dict | str)]


def all_known(data: Mapping[str, Any]) -> bool:
    """Whether every field has a name that we know: another may be the one that decides what a null means."""
    return data.keys() <= _KNOWN


def _no_entries(data: Mapping[str, Any]) -> Collection[str]:
    return [] if data.get(_SUPPORT) else [_SUPPORT]


def _left_open(reply: Reply, sentences: Sentences) -> list[str]:
    """The response sentences of which it cannot be known whether they are supported."""
    statuses = reply.cleaned(sentences).labels.statuses(sentences.response_keys())
    return [key for key, status in statuses.items() if status is Status.UNLABELED]


def _one_or_all(texts: tuple[str, ...]) -> Any:
    return texts[0] if len(texts) == 1 else list(texts)
