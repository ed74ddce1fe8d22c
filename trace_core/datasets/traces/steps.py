"""What a span did (retrieve, rerank, generate, check, or hold such steps), what it was given, and what it made.

The names of attributes are those of OpenInference, OpenTelemetry GenAI, Langfuse and MLflow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from trace_core.datasets.documents import Messages, last_said, messages, named_text, object_of, parts_of
from trace_core.datasets.names import ranks
from trace_core.datasets.traces.spans import Span, decoded

RETRIEVE, RERANK, GENERATE, HOLD, CHECK, ASIDE = "retrieve", "rerank", "generate", "hold", "check", "aside"
_KINDS = ("openinference.span.kind", "gen_ai.operation.name", "langfuse.observation.type", "mlflow.spanType")
_ROLES = {
    "retriever": RETRIEVE, "retrieval": RETRIEVE, "reranker": RERANK, "rerank": RERANK, "llm": GENERATE,
    "chat_model": GENERATE, "generation": GENERATE, "chat": GENERATE, "completion": GENERATE,
    "generate_content": GENERATE, "text_completion": GENERATE, "embedding": ASIDE, "embeddings": ASIDE, "tool": ASIDE,
    "execute_tool": ASIDE, "evaluator": CHECK, "guardrail": CHECK, "event": ASIDE, "parser": ASIDE, "memory": ASIDE,
}  # fmt: skip
_INPUT = ("input.value", "langfuse.observation.input", "mlflow.spanInputs")
_OUTPUT = ("output.value", "langfuse.observation.output", "mlflow.spanOutputs", "gen_ai.tool.call.result")
_QUERY = ("gen_ai.retrieval.query.text", "reranker.query")
MODELS = ("llm.model_name", "gen_ai.request.model", "langfuse.observation.model.name", "mlflow.llm.model",
           "gen_ai.response.model")  # fmt: skip
TALKS = ("gen_ai.conversation.id", "session.id", "langfuse.session.id")
_COLLECTIONS = ("gen_ai.data_source.id", "db.collection.name")
_ASKED, _REPLIED = ("llm.input_messages", "gen_ai.input.messages"), ("llm.output_messages", "gen_ai.output.messages")
_FOUND, _RERANKED, _GENAI = "retrieval.documents", "reranker.output_documents", "gen_ai.retrieval.documents"
_LISTS = (*_ASKED, *_REPLIED, _FOUND, _RERANKED)
"""Attributes that are lists, whole or with a name for each part: `retrieval.documents.0.document.id`."""
_ABOUT = frozenset(("id", "score", "metadata", "title", "source"))


@dataclass(frozen=True)
class Step:
    """One span's step."""

    span: Span
    role: str

    @classmethod
    def of(cls, span: Span) -> Step:
        """The span as a step. A tool that returns documents is a search that an agent calls."""
        step = cls(span, _ROLES.get(str(decoded(_any(span.attributes, _KINDS))).lower(), HOLD))
        found = _documents_in(step.output) if step.role == ASIDE else None
        return cls(span, RETRIEVE) if found and all(isinstance(one, dict) for one in found) else step

    @cached_property
    def lists(self) -> dict[str, list[Any]]:
        """The lists of objects in its attributes, by their names."""
        tree = _nested({key: value for key, value in self.span.attributes.items() if key.startswith(_LISTS)})
        return {name: _list(tree, name) for name in _LISTS if name.partition(".")[0] in tree}

    @cached_property
    def input(self) -> Any:
        """The input; of a search its query."""
        query = _any(self.span.attributes, _QUERY) if self.role in (RETRIEVE, RERANK) else None
        return query or _value(self.span, _INPUT, "input.mime_type")

    @cached_property
    def output(self) -> Any:
        """The output."""
        return _value(self.span, _OUTPUT, "output.mime_type")

    @cached_property
    def prompt(self) -> Messages:
        """The messages in the input."""
        return messages(_any(self.lists, _ASKED)) or messages(self.input)

    @cached_property
    def question(self) -> str:
        """What a person asked; empty where the input does not say."""
        return last_said(self.prompt, "user") or named_text(self.input, "question")

    @cached_property
    def answer(self) -> str:
        """The text of the output; empty where it is something else, such as a call of a tool."""
        made = self.output
        if replied := messages(_any(self.lists, _REPLIED)) or messages(made):
            return replied[-1][1] if replied[-1][0] == "assistant" else ""
        made = made.get("generations", made) if isinstance(made, dict) else made
        while made is not self.output and isinstance(made, list) and made:
            made = made[0]
        return named_text(made, "response")

    @cached_property
    def documents(self) -> list[dict[str, Any]] | None:
        """Null where the span does not list them, and empty where it found none."""
        listed: Any = self.lists.get(_RERANKED if self.role == RERANK else _FOUND)
        attributes = self.span.attributes
        if not listed and self.role == HOLD:
            lists_them = isinstance(self.output, dict) or _are_documents(self.output)
            listed = _documents_in(self.output) if lists_them else None
        elif not listed and self.role in (RETRIEVE, RERANK):
            optional = attributes.get("gen_ai.operation.name") == "retrieval"
            if _GENAI in attributes:
                listed = _documents_in(decoded(attributes[_GENAI]), texts=False)
            else:
                listed = [] if self.output in (None, "", [], {}) and not optional else _documents_in(self.output)
        collection = _any(attributes, _COLLECTIONS)
        return None if listed is None else [_document(item, collection) for item in listed]

    def named(self, names: Iterable[str]) -> str:
        """The first of these attributes that is there, as a text."""
        return str(decoded(_any(self.span.attributes, names) or ""))


def _any(held: Mapping[str, Any], names: Iterable[str]) -> Any:
    return next((value for name in names if (value := held.get(name))), None)


def _value(span: Span, names: Iterable[str], mime: str) -> Any:
    name = next((name for name in names if span.attributes.get(name) is not None), "")
    value = span.attributes.get(name)
    return value if name.endswith(".value") and span.attributes.get(mime) == "text/plain" else decoded(value)


# Documents


def _documents_in(made: Any, *, texts: bool = True) -> list[Any] | None:
    """The list of texts or of documents that an output is, or has under a name of documents."""
    if isinstance(made, dict):
        lists = ((str(key), held) for key, held in made.items() if isinstance(held, list))
        made = next((held for key, held in lists if ranks(key, "documents") is not None), None)
    if not isinstance(made, list):
        return None
    known = not texts or all(isinstance(one, str) or parts_of(object_of(one))["text"] is not None for one in made)
    return made if known else None


def _are_documents(made: Any) -> bool:
    """Whether they are documents of LangChain's, whose older tracers have no kind for a search."""
    listed = made if isinstance(made, list) else []
    return bool(listed) and all(isinstance(one, dict) and {"page_content", "metadata"} <= one.keys() for one in listed)


def _document(item: Any, collection: str | None) -> dict[str, Any]:
    if not isinstance(item, dict):
        return {"text": str(item)}
    item = object_of(item.get("document")) or item
    made = parts_of(item)
    if not made["text"]:
        about = decoded(item.get("metadata"))
        unread = next((key for key, held in item.items() if key not in _ABOUT and isinstance(held, str)), "")
        made |= {"text": None, "collection": collection or object_of(about).get("_collection_name"), "unread": unread}
    return made


# Lists in attributes


def _nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """`{"a.b": 1}` → `{"a": {"b": 1}}`."""
    tree: dict[str, Any] = {}
    for key, value in flat.items():
        *parts, last = key.split(".")
        inner: Any = tree
        for part in parts:
            inner = inner.setdefault(part, {}) if isinstance(inner, dict) else None
        if isinstance(inner, dict):
            inner[last] = value
    return tree


def _list(tree: Any, name: str) -> list[Any]:
    for part in name.split("."):
        tree = object_of(tree).get(part)
    listed = decoded(tree)
    if isinstance(listed, dict):
        listed = [listed[place] for place in sorted(listed, key=lambda place: (len(place), place))]
    return [_nested(one) if isinstance(one, dict) else one for one in listed] if isinstance(listed, list) else []
