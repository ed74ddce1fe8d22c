"""What a span did (retrieve, rerank, generate, check, or hold such steps), what it was given, and what it made.

The names of attributes are those of OpenInference, OpenTelemetry GenAI, Langfuse and MLflow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
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
_MODELS = ("llm.model_name", "gen_ai.request.model", "langfuse.observation.model.name", "mlflow.llm.model",
           "gen_ai.response.model")  # fmt: skip
_CONVERSATIONS = ("gen_ai.conversation.id", "session.id", "langfuse.session.id")
_COLLECTIONS = ("gen_ai.data_source.id", "db.collection.name")
_ASKED, _REPLIED = ("llm.input_messages", "gen_ai.input.messages"), ("llm.output_messages", "gen_ai.output.messages")
_FOUND, _RERANKED, _GENAI = "retrieval.documents", "reranker.output_documents", "gen_ai.retrieval.documents"
_LISTS = (*_ASKED, *_REPLIED, _FOUND, _RERANKED)
"""Attributes that are lists, whole or with a name for each part: `retrieval.documents.0.document.id`."""
_ABOUT = frozenset(("id", "score", "metadata", "title", "source"))
_DIGITS = 10
"""No list is so long that a place in it has as many."""


@dataclass(frozen=True)
class Step:
    """One span's step."""

    span: Span
    role: str
    lists: Mapping[str, list[dict[str, Any]]]

    @cached_property
    def given(self) -> Any:
        """The input; of a search its query."""
        query = _any(self.span.attributes, _QUERY) if self.role in (RETRIEVE, RERANK) else None
        return query or _value(self.span, _INPUT, "input.mime_type")

    @cached_property
    def made(self) -> Any:
        """The output."""
        return _value(self.span, _OUTPUT, "output.mime_type")

    @cached_property
    def asked(self) -> Messages:
        """The messages in the input."""
        return messages(_any(self.lists, _ASKED)) or messages(self.given)

    @cached_property
    def question(self) -> str:
        """What a person asked; empty where the input does not say."""
        return last_said(self.asked, "user") or named_text(self.given, "question")

    @cached_property
    def answer(self) -> str:
        """The text of the output; empty where it is something else, such as a call of a tool."""
        made = self.made
        if replied := messages(_any(self.lists, _REPLIED)) or messages(made):
            return replied[-1][1] if replied[-1][0] == "assistant" else ""
        made = made.get("generations", made) if isinstance(made, dict) else made
        while made is not self.made and isinstance(made, list) and made:
            made = made[0]
        return named_text(made, "response")

    @cached_property
    def documents(self) -> list[dict[str, Any]] | None:
        """Null where the span does not list them, and empty where it found none."""
        listed: Any = self.lists.get(_RERANKED if self.role == RERANK else _FOUND)
        attributes = self.span.attributes
        if not listed and self.role == HOLD:
            listed = _documents_in(self.made) if isinstance(self.made, dict) or _are_documents(self.made) else None
        elif not listed and self.role in (RETRIEVE, RERANK):
            optional = attributes.get("gen_ai.operation.name") == "retrieval"
            if _GENAI in attributes:
                listed = _documents_in(decoded(attributes[_GENAI]), texts=False)
            else:
                listed = [] if self.made in (None, "", [], {}) and not optional else _documents_in(self.made)
        collection = _any(attributes, _COLLECTIONS)
        return None if listed is None else [_document(item, collection) for item in listed]

    @property
    def model(self) -> str:
        """The model that generated."""
        return str(decoded(_any(self.span.attributes, _MODELS) or "")) if self.role == GENERATE else ""

    @property
    def conversation(self) -> str:
        """The conversation that the trace belongs to."""
        return str(decoded(_any(self.span.attributes, _CONVERSATIONS) or ""))


def step_of(span: Span) -> Step:
    """The span as a step. A tool that returns documents is a search that an agent calls."""
    role = _ROLES.get(str(decoded(_any(span.attributes, _KINDS))).lower(), HOLD)
    step = Step(span, role, _lists(span.attributes))
    found = _documents_in(step.made) if role == ASIDE else None
    return Step(span, RETRIEVE, step.lists) if found and all(isinstance(one, dict) for one in found) else step


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
    about = decoded(item.get("metadata"))
    made = parts_of({**item, "metadata": about})
    if not made["text"]:
        unread = next((key for key, held in item.items() if key not in _ABOUT and isinstance(held, str)), "")
        made |= {"text": None, "collection": collection or object_of(about).get("_collection_name"), "unread": unread}
    return made


# Lists in attributes


def _lists(attributes: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The lists of objects in attributes such as `retrieval.documents.0.document.id`, by their names."""
    found: dict[str, dict[int, dict[str, Any]]] = {}
    for key, held in attributes.items():
        if key.startswith(_LISTS) and (place := _place_of(key)):
            name, number, part = place
            _put(found.setdefault(name, {}).setdefault(number, {}), part, held)
    lists = {name: [items[number] for number in sorted(items)] for name, items in found.items()}
    for name in _LISTS:
        if name in attributes and isinstance(listed := decoded(attributes[name]), list):
            lists[name] = [_flat(item) for item in listed if isinstance(item, dict)]
    return lists


@lru_cache(maxsize=10_000)  # spans repeat the names of their attributes
def _place_of(key: str) -> tuple[str, int, str] | None:
    """`retrieval.documents.0.document.id` → the list, the place in it, and the name of the part; null for none."""
    first, second, number, rest = (*key.split(".", 3), "", "")[:4]
    if not (number.isascii() and number.isdecimal()) or len(number) > _DIGITS:
        return None
    return f"{first}.{second}", int(number), rest


def _flat(item: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, held in item.items():
        _put(found, key, held)
    return found


def _put(item: dict[str, Any], key: str, held: Any) -> None:
    """Add a part: of `contents.0.message_content.text` the text, of an object around the parts all of them."""
    part = key.partition(".")[2] if key.startswith(("document.", "message.")) else key
    if isinstance(held, dict) and part in ("document", "message"):
        item |= held
    elif part.startswith("contents."):
        if part.endswith(".text"):
            item.setdefault("contents", []).append(held)
    else:
        item[part] = held
