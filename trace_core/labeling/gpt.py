"""The reference labeler: a language model behind an OpenAI-compatible server, one call per example.

If a judge leaves response sentences unlabeled, it is asked once more for its list of supports.
"""

from collections.abc import Collection, Mapping
from typing import Any

from trace_core.errors import LabelingError
from trace_core.facts.cleaning import clean
from trace_core.facts.labels import Status
from trace_core.facts.records import Sentences
from trace_core.labeling.base import OnShare, Reply
from trace_core.labeling.prompt import ESSENTIAL, JUDGE, JudgeReply, expected_tokens, judge_messages
from trace_core.llm import Llm
from trace_core.llm.completion import RAW

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
            lacks=lambda data: missing_entries(data, sentences),
            expected_tokens=expected_tokens(sentences),
        )
        if len(missing_lists(answer.data)) == len(ESSENTIAL):
            message = f"The judge gave no labels. {answer.problem}"
            hint, raw = "Try again, or choose another model; the reply is kept.", [text[:RAW] for text in answer.raw]
            raise LabelingError(message, hint, usage=answer.usage, raw={"said": raw if len(raw) > 1 else raw[0]})
        notes += [f"reply: {note}" for note in (answer.problem, *answer.notes) if note]
        texts = list(answer.raw) if len(answer.raw) > 1 else answer.raw[0]
        original = {"said": texts, "read_as": dict(answer.data)} if notes or not answer.plain else None
        if progress:
            progress(1.0)
        whole = has_no_other_field(answer.data)
        return Reply(answer.data, usage=answer.usage, notes=notes, original=original, whole=whole)


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


def missing_entries(data: Mapping[str, Any], sentences: Sentences) -> dict[str, str]:
    """What the list of supports lacks: entries of response sentences, which would stay unlabeled."""
    statuses = Reply(data, whole=has_no_other_field(data)).clean(sentences).labels.statuses(sentences.response_keys())
    keys = [key for key, status in statuses.items() if status is Status.UNLABELED]
    return {"sentence_support_information": f"with an entry for {', '.join(keys)}"} if keys else {}
