"""What a span did (retrieve, rerank, generate, use a tool, check, or hold such steps), its inputs and its output."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from trace_core.datasets import shapes
from trace_core.datasets.names import DOCUMENT_NAMES, plain_name
from trace_core.datasets.traces.span import Span, decoded
from trace_core.datasets.words import role_of

RETRIEVE, RERANK, GENERATE, HOLD = "retrieve", "rerank", "generate", "hold"
TOOL, CHECK, ASIDE = "tool", "check", "aside"
_KINDS = ("openinference.span.kind", "gen_ai.operation.name", "langfuse.observation.type", "mlflow.spanType",
          "traceloop.span.kind", "llm.request.type")  # fmt: skip
_ROLES = {
    "retriever": RETRIEVE, "retrieval": RETRIEVE, "reranker": RERANK, "rerank": RERANK, "llm": GENERATE,
    "chat_model": GENERATE, "generation": GENERATE, "chat": GENERATE, "completion": GENERATE,
    "generate_content": GENERATE, "text_completion": GENERATE, "embedding": ASIDE, "embeddings": ASIDE, "tool": TOOL,
    "execute_tool": TOOL, "evaluator": CHECK, "guardrail": CHECK, "event": ASIDE, "parser": ASIDE, "memory": ASIDE,
}  # fmt: skip
_DATABASES = {"qdrant", "chroma", "pinecone", "weaviate", "milvus", "lancedb", "pgvector"}
_INPUT = ("input.value", "langfuse.observation.input", "mlflow.spanInputs", "traceloop.entity.input",
          "langfuse.trace.input", "gen_ai.tool.call.arguments")  # fmt: skip
_OUTPUT = ("output.value", "langfuse.observation.output", "mlflow.spanOutputs", "traceloop.entity.output",
           "langfuse.trace.output", "gen_ai.tool.call.result")  # fmt: skip
_MODELS = ("llm.model_name", "gen_ai.request.model", "langfuse.observation.model.name", "mlflow.llm.model",
           "gen_ai.response.model")  # fmt: skip
_CONVERSATIONS = ("gen_ai.conversation.id", "session.id", "langfuse.session.id")
_COLLECTIONS = ("gen_ai.data_source.id", "db.collection.name", "qdrant.query_points.collection_name",
                "qdrant.search.collection_name")  # fmt: skip

_LISTS = ("llm.input_messages", "llm.output_messages", "gen_ai.prompt", "gen_ai.completion", "retrieval.documents",
          "reranker.output_documents")  # fmt: skip
"""Attributes that are lists, whole or with a name for each part: `retrieval.documents.0.document.id`."""
_MESSAGES = frozenset(("gen_ai.input.messages", "gen_ai.output.messages"))
_DIGITS = 10
"""No list is so long that a place in it has as many."""
_ABOUT = {"score", "similarity", "distance", "source", "metadata", "title", "doc", "url", *shapes.ID_KEYS} - {"id"}
"""What tells a retrieved document from any other object with a text."""
_TEXTS_IN = (
    "documents", "source_documents", "retrieved_documents", "contexts", "retrieved_contexts", "context", "sources",
    "results", "hits", "chunks", "passages",
)  # fmt: skip
"""Names of lists of documents in an output."""

Said = list[tuple[str, str]]
"""Messages: role and text."""


class Step(NamedTuple):
    """One span's step. `documents` is null where the span does not list them."""

    span: Span
    role: str
    given: Any
    made: Any
    heard: Said
    said: Said
    documents: list[dict[str, Any]] | None

    def first(self, names: Iterable[str]) -> str:
        """The first of the attributes that is present."""
        found = _any(self.span.attributes, names)
        return str(decoded(found)) if found else ""

    @property
    def model(self) -> str:
        """The model that generated."""
        return self.first(_MODELS)

    @property
    def conversation(self) -> str:
        """The conversation that the trace belongs to."""
        return self.first(_CONVERSATIONS)


def step_of(span: Span) -> Step:
    """The span as a step."""
    attributes = span.attributes
    made = _first(attributes, _OUTPUT, "output.mime_type")
    role = _role(span, made)
    given = _first(attributes, _INPUT, "input.mime_type")
    heard, said, lists = Said(), Said(), _lists(attributes)
    if role in (GENERATE, HOLD) and (lists or not _MESSAGES.isdisjoint(attributes)):
        heard = messages(lists.get("llm.input_messages") or decoded(attributes.get("gen_ai.input.messages")))
        heard = heard or messages(lists.get("gen_ai.prompt"))
        said = messages(lists.get("llm.output_messages") or decoded(attributes.get("gen_ai.output.messages")))
        said = said or messages(lists.get("gen_ai.completion"))
    if role == RETRIEVE:
        given = attributes.get("gen_ai.retrieval.query.text") or given
    if role == RERANK:
        given = attributes.get("reranker.query") or given
    holds = role in (RETRIEVE, RERANK) or bool(lists.get("retrieval.documents"))
    found = _documents(span, role, made, lists) if holds else beside(made) if role == HOLD else None
    return Step(span, role, given, made, heard, said, found)


def _role(span: Span, made: Any) -> str:
    role = _ROLES.get(str(decoded(_any(span.attributes, _KINDS))).lower(), HOLD)
    if role == HOLD and str(span.attributes.get("db.system")) in _DATABASES:
        return RETRIEVE
    if role == HOLD and _texts(made) and ("retriev" in span.name.lower() or (made and _described(made))):
        return RETRIEVE  # some tracers have no kind for it
    if role == TOOL and beside(made if isinstance(made, dict) else {"documents": made}, dict):
        return RETRIEVE  # a search that an agent calls as a tool
    return role


def _described(made: Any) -> bool:
    """Whether these are objects that say more of each text: its source, score or id."""
    return all(isinstance(item, dict) and not item.keys().isdisjoint(_ABOUT) for item in made)


def _any(attributes: Mapping[str, Any], names: Iterable[str]) -> Any:
    """The first of the attributes that says something; null for none."""
    for name in names:
        if held := attributes.get(name):
            return held
    return None


def _first(attributes: Mapping[str, Any], names: Iterable[str], mime: str) -> Any:
    for name in names:
        if (held := attributes.get(name)) is not None:
            return held if name.endswith(".value") and attributes.get(mime) == "text/plain" else decoded(held)
    return None


# Documents


def _documents(
    span: Span, role: str, made: Any, lists: Mapping[str, list[dict[str, Any]]]
) -> list[dict[str, Any]] | None:
    attributes = span.attributes
    if role == RERANK:
        found = lists.get("reranker.output_documents", [])
    else:
        found = lists.get("retrieval.documents", [])
        if not found:
            listed = decoded(attributes.get("gen_ai.retrieval.documents"))
            found = listed if isinstance(listed, list) else []
            if isinstance(listed, list) and not listed:
                return []
    if not found:
        made = _held(made) or made
        if not isinstance(made, list) or (made and not _texts(made)):
            return None
        found = made
    collection = _any(attributes, _COLLECTIONS)
    return [_document(item, collection) for item in found]


def _held(made: Any) -> Any:
    """What an object has under the name of documents."""
    if not isinstance(made, dict):
        return None
    found = next((made[name] for name in _TEXTS_IN if made.get(name)), None)
    return found or next((held for name, held in made.items() if held and plain_name(name) in DOCUMENT_NAMES), None)


def beside(made: Any, kind: type = object) -> list[dict[str, Any]] | None:
    """The documents in an output, beside the answer or alone, each of that kind."""
    found = _held(made)
    if not isinstance(found, list) or not _texts(found) or not all(isinstance(item, kind) for item in found):
        return None
    return [_document(item, None) for item in found]


def given_with(given: Any) -> list[dict[str, Any]] | None:
    """The documents in an input, unless an answer is there, too, as an evaluator has it."""
    answered = isinstance(given, dict) and any(role_of(name) in ("answer", "response") for name in given)
    return None if answered else beside(given)


def _texts(made: Any) -> bool:
    """Whether the value is a list of documents."""
    return isinstance(made, list) and all(
        isinstance(item, str) or (isinstance(item, dict) and shapes.text_of(item) is not None) for item in made
    )


def _document(item: Any, collection: str | None) -> dict[str, Any]:
    if not isinstance(item, dict):
        return {"text": str(item)}
    about = decoded(item.get("metadata"))
    about = about if isinstance(about, dict) else {}
    text, own = shapes.text_and_id(item)
    made: dict[str, Any] = {"text": text}
    if own is not None:
        made["id"] = own
    title, score = item.get("title"), item.get("score")
    if about and not isinstance(title, str):
        title = shapes.title_of({"metadata": about})
    if isinstance(title, str):
        made["title"] = title
    if shapes.is_number(score):
        made["score"] = score
    if text is None:
        made |= {"collection": collection or about.get("_collection_name"), "point": about.get("_id")}
    return made


_COLUMNS = {"id": "document_ids", "title": "document_titles", "score": "document_scores"}


def columns_of(documents: Sequence[Mapping[str, Any]]) -> dict[str, list[Any] | None]:
    """The documents as the columns of a row: their texts, and what all of them have, else null."""
    made = {column: [one.get(part) for one in documents] for part, column in _COLUMNS.items()}
    whole = {column: held if held and None not in held else None for column, held in made.items()}
    return {"documents": [one["text"] for one in documents], **whole}


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
    if not number.isdecimal() or len(number) > _DIGITS:
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


# Messages


_PEOPLE, _MACHINES = {"user", "human"}, {"assistant", "ai", "model", "bot"}


def messages(value: Any) -> Said:
    """Role and text of each message by people or the model, in any tool's format."""
    if not value or isinstance(value, str):
        return Said()
    if isinstance(value, dict):
        value = next((value[key] for key in ("messages", "choices") if isinstance(value.get(key), list)), None)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]  # one batch
    found = Said()
    for one in value if isinstance(value, list) else ():
        if isinstance(one, list | tuple) and len(one) == 2 and all(isinstance(part, str) for part in one):
            one = {"role": one[0], "content": one[1]}
        if not isinstance(one, dict):
            continue
        one = one["message"] if isinstance(one.get("message"), dict) else one
        who = str(one.get("role") or one.get("type") or "").lower()
        text = _said(one)
        if text and who in _PEOPLE | _MACHINES:
            found.append(("user" if who in _PEOPLE else "assistant", text))
    return found


def _said(message: Mapping[str, Any]) -> str:
    content = next((message[key] for key in ("content", "parts", "contents") if message.get(key)), "")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(text for part in parts if (text := _part(part)))


def _part(part: Any) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict) or part.get("type", "text") not in ("text", "output_text", "input_text"):
        return ""
    return next((str(part[key]) for key in ("text", "content") if isinstance(part.get(key), str)), "")
