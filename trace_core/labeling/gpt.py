"""The reference labeler: a language model behind an OpenAI-compatible server, one call an example."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from trace_core.errors import LabelingError
from trace_core.facts.records import Sentences
from trace_core.labeling.base import Progress, Reply
from trace_core.labeling.prompt import NEEDED, PROMPT, JudgeReply, expected_tokens, prompt
from trace_core.llm import Llm


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
        said: Any = reply.raw[0] if len(reply.raw) == 1 else list(reply.raw)
        if all(name in unusable(reply.data) for name in NEEDED):
            raise LabelingError(
                f"The judge gave no labels. {reply.problem}",
                "Try again, or choose another model; the reply is kept.",
                usage=reply.usage,
                raw={"said": said},
            )
        if reply.problem:
            notes.append(f"reply: {reply.problem}")
        if progress:
            progress(1.0)
        notes += [f"reply: {note}" for note in reply.notes]
        as_said = {"said": said, "read_as": dict(reply.data)} if notes or not _is_plain(reply.raw) else None
        return Reply(raw=reply.data, usage=reply.usage, notes=notes, said=as_said)


def unusable(data: Mapping[str, Any]) -> Collection[str]:
    """The lists that a reply lacks. Everything else that judges get wrong is cleaned, and costs no second call."""
    return [name for name in NEEDED if not isinstance(data.get(name), list)]


def _is_plain(raw: tuple[str, ...]) -> bool:
    """Whether the text was the object and nothing else, so that the object says it all."""
    return len(raw) == 1 and raw[0].strip().startswith("{") and raw[0].strip().endswith("}")
