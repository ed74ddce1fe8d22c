"""What a span did (retrieve, rerank, generate, check, or hold such steps), what it was given, and what it made.

The names of attributes are those of OpenInference, OpenTelemetry GenAI, Langfuse, MLflow and Traceloop.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from trace_core.datasets.documents import Messages, messages, parts_of
from trace_core.datasets.names import ranks
from trace_core.datasets.traces.span import Raw, Span, decoded

RETRIEVE, RERANK, GENERATE, HOLD, CHECK, ASIDE = "retrieve", "rerank", "generate", "hold", "check", "aside"
_KINDS = ("openinference.span.kind", "gen_ai.operation.name", "langfuse.observation.type", "mlflow.spanType",
          "traceloop.span.kind")  # fmt: skip
_ROLES = {
    "retriever": RETRIEVE, "retrieval": RETRIEVE, "reranker": RERANK, "rerank": RERANK, "llm": GENERATE,
    "chat_model": GENERATE, "generation": GENERATE, "chat": GENERATE, "completion": GENERATE,
    "generate_content": GENERATE, "text_completion": GENERATE, "embedding": ASIDE, "embeddings": ASIDE, "tool": ASIDE,
    "execute_tool": ASIDE, "evaluator": CHECK, "guardrail": CHECK, "event": ASIDE, "parser": ASIDE, "memory": ASIDE,
}  # fmt: skip
_INPUT = ("input.value", "langfuse.observation.input", "mlflow.spanInputs", "traceloop.entity.input")
_OUTPUT = ("output.value", "langfuse.observation.output", "mlflow.spanOutputs", "traceloop.entity.output",
           "gen_ai.tool.call.result")  # fmt: skip
_MODELS = ("llm.model_name", "gen_ai.request.model", "langfuse.observation.model.name", "mlflow.llm.model",
           "gen_ai.response.model")  # fmt: skip
_CONVERSATIONS = ("gen_ai.conversation.id", "session.id", "langfuse.session.id")
_COLLECTIONS = ("gen_ai.data_source.id", "db.collection.name")
_GENAI = "gen_ai.retrieval.documents"
_LISTS = ("llm.input_messages", "llm.output_messages", "gen_ai.prompt", "gen_ai.completion", "retrieval.documents",
          "reranker.output_documents")  # fmt: skip
"""Attributes that are lists, whole or with a name for each part: `retrieval.documents.0.document.id`."""
_DIGITS = 10
"""No list is so long that a place in it has as many."""


class Step(NamedTuple):
    """One span's step. `documents` is null where the span does not list them, and empty where it found none."""

    span: Span
    role: str
    given: Any
    made: Any
    asked: Messages
    replied: Messages
    documents: list[dict[str, Any]] | None

    @property
    def model(self) -> str:
        """The model that generated."""
        return str(decoded(_any(self.span.attributes, _MODELS) or "")) if self.role == GENERATE else ""

    @property
    def conversation(self) -> str:
        """The conversation that the trace belongs to."""
        return str(decoded(_any(self.span.attributes, _CONVERSATIONS) or ""))


def step_of(span: Span) -> Step:
    """The span as a step."""
    attributes = span.attributes
    role = _ROLES.get(str(decoded(_any(attributes, _KINDS))).lower(), HOLD)
    given, made = _first(attributes, _INPUT, "input.mime_type"), _first(attributes, _OUTPUT, "output.mime_type")
    lists = _lists(attributes)
    if role == ASIDE and (found := _documents_in(made)) and all(isinstance(one, dict) for one in found):
        role = RETRIEVE  # a search that an agent calls as a tool
    asked, replied = Messages(), Messages()
    if role in (GENERATE, HOLD):
        asked = messages(lists.get("llm.input_messages") or decoded(attributes.get("gen_ai.input.messages")))
        asked = asked or messages(lists.get("gen_ai.prompt"))
        replied = messages(lists.get("llm.output_messages") or decoded(attributes.get("gen_ai.output.messages")))
        replied = replied or messages(lists.get("gen_ai.completion"))
    if role in (RETRIEVE, RERANK):
        given = attributes.get("gen_ai.retrieval.query.text") or attributes.get("reranker.query") or given
    documents = _documents(attributes, role, made, lists)
    return Step(span, role, given, made, asked, replied, documents)


def _any(attributes: Raw, names: Iterable[str]) -> Any:
    return next((held for name in names if (held := attributes.get(name))), None)


def _first(attributes: Raw, names: Iterable[str], mime: str) -> Any:
    for name in names:
        if (held := attributes.get(name)) is not None:
            return held if name.endswith(".value") and attributes.get(mime) == "text/plain" else decoded(held)
    return None


# Documents


def _documents(
    attributes: Raw, role: str, made: Any, lists: Mapping[str, list[dict[str, Any]]]
) -> list[dict[str, Any]] | None:
    """The documents that the step found; those that a step around it has beside the answer, too."""
    listed: Any = lists.get("reranker.output_documents" if role == RERANK else "retrieval.documents")
    if not listed and role not in (RETRIEVE, RERANK):
        typed = isinstance(made, dict) or (isinstance(made, list) and made and all(map(_is_document, made)))
        listed = _documents_in(made) if role == HOLD and typed else None
        return None if listed is None else [_document(item, None) for item in listed]
    genai = decoded(attributes.get(_GENAI))
    if not listed and _GENAI in attributes:
        listed = genai if isinstance(genai, list) else None
    elif not listed:
        unrecorded = str(attributes.get("gen_ai.operation.name")) == "retrieval"  # its documents are opt-in there
        empty = made in (None, "", [], {}) and not unrecorded
        listed = [] if empty else _documents_in(made)
    collection = _any(attributes, _COLLECTIONS)
    return None if listed is None else [_document(item, collection) for item in listed]


def _documents_in(made: Any) -> list[Any] | None:
    """The list of texts or of documents that an output is, or has under a name of documents."""
    if isinstance(made, dict):
        named = (
            held for key, held in made.items() if isinstance(held, list) and ranks(str(key), "documents") is not None
        )
        made = next(named, None)
    if not isinstance(made, list):
        return None
    known = all(
        isinstance(item, str) or (isinstance(item, dict) and parts_of(item)["text"] is not None) for item in made
    )
    return made if known else None


def _is_document(item: Any) -> bool:
    """Whether it is a document of LangChain's, whose older tracers have no kind for a search."""
    return isinstance(item, dict) and {"page_content", "metadata"} <= item.keys()


def _document(item: Any, collection: str | None) -> dict[str, Any]:
    if not isinstance(item, dict):
        return {"text": str(item)}
    about = decoded(item.get("metadata"))
    made = parts_of({**item, "metadata": about})
    if not made["text"]:
        about = about if isinstance(about, dict) else {}
        made |= {"text": None, "collection": collection or about.get("_collection_name"), "point": about.get("_id")}
        made["unread"] = next((key for key, held in item.items() if key not in _ABOUT and isinstance(held, str)), "")
    return made


_ABOUT = frozenset(("id", "score", "metadata", "title", "source"))
_COLUMNS = {"id": "document_ids", "title": "document_titles", "score": "document_scores"}


def columns_of(documents: Sequence[Mapping[str, Any]]) -> dict[str, list[Any] | None]:
    """The documents as the columns of a row: their texts, and what all of them have, else null."""
    made = {column: [one.get(part) for one in documents] for part, column in _COLUMNS.items()}
    whole = {column: held if held and None not in held else None for column, held in made.items()}
    return {"documents": [one["text"] for one in documents], **whole}


def _lists(attributes: Raw) -> dict[str, list[dict[str, Any]]]:
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
    return f"{first}.{second}", int(number), _last_part(rest)


def _last_part(key: str) -> str:
    """`document.content` → `content`."""
    return key.partition(".")[2] if key.startswith(("document.", "message.")) else key


def _flat(item: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, held in item.items():
        _put(found, _last_part(key), held)
    return found


def _put(item: dict[str, Any], part: str, held: Any) -> None:
    """Add a part: of `contents.0.message_content.text` the text, of an object around the parts all of them."""
    if isinstance(held, dict) and part in ("document", "message"):
        item |= held
    elif part.startswith("contents."):
        if part.endswith(".text"):
            item.setdefault("contents", []).append(held)
    else:
        item[part] = held
