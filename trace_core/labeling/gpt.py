"""The reference labeler: a language model behind an OpenAI-compatible server, one call per example. If a judge leaves
response sentences unlabeled, it is asked once more for its list of supports. The prompt has documents first, question
and response last, so that servers can reuse a prefix."""

from collections.abc import Collection, Mapping
from itertools import accumulate
from typing import Any

from trace_core.errors import LabelingError
from trace_core.facts.cleaning import clean
from trace_core.facts.labels import Status
from trace_core.facts.records import Sentences
from trace_core.facts.sentences import Sentence
from trace_core.labeling.base import OnShare, Reply, Size
from trace_core.llm import Llm, Message, Prompt, estimate_tokens
from trace_core.llm.completion import RAW
from trace_core.llm.messages import json_line
from trace_core.llm.prompts import EARLIER, JUDGE, JudgeReply

ESSENTIAL = ("all_relevant_sentence_keys", "sentence_support_information", "all_utilized_sentence_keys")
"""The lists without which some metric is undefined; a reply that lacks one is repaired."""
_FIELDS = {*JudgeReply.model_fields, "unsupported_response_sentence_keys", "unlabeled_response_sentence_keys"}


def judge_messages(question: str, sentences: Sentences, most_tokens: int) -> tuple[list[Message], list[str]]:
    """The messages to send, and notes on the document sentences that are left out: the last ones, if space runs out."""
    documents, notes = _fitting(question, sentences, most_tokens)
    if sentences.turns:
        notes = [*notes, f"prompt: {len(sentences.turns)} earlier turns of the conversation were shown to the judge"]
    return messages_about(question, sentences, documents, JUDGE), notes


def messages_about(
    question: str, sentences: Sentences, documents: list[list[Sentence]], prompt: Prompt
) -> list[Message]:
    """The prompt about a record, with these sentences of its documents."""
    material: dict[str, Any] = {"documents": [[[s.key, s.text] for s in document] for document in documents]}
    if sentences.turns:
        material["earlier"] = [[turn.role, turn.text] for turn in sentences.turns]
    material |= {"question": question, "response": [[s.key, s.text] for s in sentences.response]}
    return prompt.messages(material, EARLIER if sentences.turns else "")


def expected_tokens(sentences: Sentences) -> int:
    """The approximate length of the judge's reply, in tokens."""
    return 300 + 80 * len(sentences.response) + 2 * sum(len(document) for document in sentences.documents)


def prompt_size(question: str, sentences: Sentences) -> Size:
    """What labeling a record takes."""
    messages = messages_about(question, sentences, sentences.documents, JUDGE)
    return Size(1, sum(estimate_tokens(message["content"]) for message in messages), expected_tokens(sentences))


def _fitting(question: str, sentences: Sentences, most: int) -> tuple[list[list[Sentence]], list[str]]:
    """The document sentences that fit, in rank order, up to the first that does not."""
    rest = json_line([question, [turn.text for turn in sentences.turns], [s.text for s in sentences.response]])
    room = most - estimate_tokens(JUDGE.instructions) - estimate_tokens(rest) - expected_tokens(sentences)
    every = [sentence for document in sentences.documents for sentence in document]
    lengths = accumulate(estimate_tokens(json_line([sentence.key, sentence.text])) for sentence in every)
    n = sum(length <= room for length in lengths)
    if n == len(every):
        return sentences.documents, []
    note = (
        f"prompt: {len(every) - n} of {len(every)} document sentences (from {every[n].key} on, the last by rank) were "
        f"not shown to the judge: the prompt would be longer than about {most:,} tokens"
    )
    keys = {sentence.key for sentence in every[:n]}
    return [[sentence for sentence in document if sentence.key in keys] for document in sentences.documents], [note]


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
    return [name for name in ESSENTIAL if getattr(labels, name) is None]


def has_no_other_field(data: Mapping[str, Any]) -> bool:
    """Whether every field is declared; another one may be what decides what a null means."""
    return data.keys() <= _FIELDS


def missing_entries(data: Mapping[str, Any], sentences: Sentences) -> dict[str, str]:
    """What the list of supports lacks: entries of response sentences, which would stay unlabeled."""
    statuses = Reply(data, whole=has_no_other_field(data)).clean(sentences).labels.statuses(sentences.response_keys())
    keys = [key for key, status in statuses.items() if status is Status.UNLABELED]
    return {"sentence_support_information": f"with an entry for {', '.join(keys)}"} if keys else {}
