"""What a span did (retrieve, rerank, generate, use a tool, check, or hold such steps), its inputs and its output."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from trace_core.datasets import shapes
from trace_core.datasets.traces.span import Span, decoded
from trace_core.datasets.words import holds_documents

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

_ABOUT = {"score", "similarity", "distance", "source", "metadata", "title", "doc", "url", *shapes.ID_KEYS} - {"id"}
"""What tells a retrieved document from any other object with a text."""
_TEXTS_IN = (
    "documents", "source_documents", "retrieved_documents", "contexts", "retrieved_contexts", "context", "sources",
    "results", "hits", "chunks", "passages",
)  # fmt: skip
"""Names of lists of documents in an output."""

Said = list[tuple[str, str]]
"""Messages: role and text."""


@dataclass(frozen=True, slots=True)
class Step:
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
        found = next((held for name in names if (held := self.span.attributes.get(name))), "")
        return str(decoded(found))

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
    heard, said = Said(), Said()
    if role in (GENERATE, HOLD):
        heard = messages(_listed(attributes, "llm.input_messages") or decoded(attributes.get("gen_ai.input.messages")))
        heard = heard or messages(_listed(attributes, "gen_ai.prompt"))
        said = messages(_listed(attributes, "llm.output_messages") or decoded(attributes.get("gen_ai.output.messages")))
        said = said or messages(_listed(attributes, "gen_ai.completion"))
    if role == RETRIEVE:
        given = attributes.get("gen_ai.retrieval.query.text") or given
    if role == RERANK:
        given = attributes.get("reranker.query") or given
    holds = role in (RETRIEVE, RERANK) or bool(_listed(attributes, "retrieval.documents"))
    found = _documents(span, role, made) if holds else beside(made) if role == HOLD else None
    return Step(span, role, given, made, heard, said, found)


def _role(span: Span, made: Any) -> str:
    kind = next((held for name in _KINDS if (held := span.attributes.get(name))), "")
    role = _ROLES.get(str(decoded(kind)).lower(), HOLD)
    if role == HOLD and span.attributes.get("db.system") in _DATABASES:
        return RETRIEVE
    if role == HOLD and made and _texts(made) and ("retriev" in span.name.lower() or _described(made)):
        return RETRIEVE  # some tracers have no kind for it
    if role == TOOL and beside(made if isinstance(made, Mapping) else {"documents": made}, Mapping):
        return RETRIEVE  # a search that an agent calls as a tool
    return role


def _described(made: Any) -> bool:
    """Whether these are objects that say more of each text: its source, score or id."""
    return all(isinstance(item, Mapping) and not item.keys().isdisjoint(_ABOUT) for item in made)


def _first(attributes: Mapping[str, Any], names: Iterable[str], mime: str) -> Any:
    for name in names:
        if (held := attributes.get(name)) is not None:
            return held if name.endswith(".value") and attributes.get(mime) == "text/plain" else decoded(held)
    return None


# Documents


def _documents(span: Span, role: str, made: Any) -> list[dict[str, Any]] | None:
    attributes = span.attributes
    if role == RERANK:
        found = _listed(attributes, "reranker.output_documents")
    else:
        found = _listed(attributes, "retrieval.documents")
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
    collection = next((held for name in _COLLECTIONS if (held := attributes.get(name))), None)
    return [_document(item, collection) for item in found]


def _held(made: Any) -> Any:
    """What an object has under the name of documents."""
    if not isinstance(made, Mapping):
        return None
    found = next((made[name] for name in _TEXTS_IN if made.get(name)), None)
    return found or next((held for name, held in made.items() if held and holds_documents(name)), None)


def beside(made: Any, kind: type = object) -> list[dict[str, Any]] | None:
    """The documents in an output or an input, beside other parts or alone, each of that kind."""
    found = _held(made)
    if not isinstance(found, list) or not _texts(found) or not all(isinstance(item, kind) for item in found):
        return None
    return [_document(item, None) for item in found]


def _texts(made: Any) -> bool:
    """Whether the value is a list of documents."""
    return isinstance(made, list) and all(
        isinstance(item, str) or (isinstance(item, Mapping) and shapes.text_of(item) is not None) for item in made
    )


def _document(item: Any, collection: str | None) -> dict[str, Any]:
    if not isinstance(item, Mapping):
        return {"text": str(item)}
    about = decoded(item.get("metadata"))
    about = about if isinstance(about, dict) else {}
    text, own = shapes.text_of(item), shapes.id_of(item)
    made: dict[str, Any] = {"text": text, "metadata": about}
    if own is not None:
        made["id"] = own
    if isinstance(item.get("title"), str):
        made["title"] = item["title"]
    if isinstance(score := item.get("score"), int | float):
        made["score"] = score
    if text is None:
        made |= {"collection": collection or about.get("_collection_name"), "point": about.get("_id")}
    return made


def _listed(attributes: Mapping[str, Any], prefix: str) -> list[dict[str, Any]]:
    """The list of objects in `retrieval.documents.0.document.id` and the like, by the last parts of the names."""
    whole = decoded(attributes.get(prefix))
    if isinstance(whole, list):
        return [_last_parts(item) for item in whole if isinstance(item, Mapping)]
    found: dict[int, dict[str, Any]] = {}
    start = f"{prefix}."
    for key, held in attributes.items():
        if key.startswith(start):
            number, _, rest = key[len(start) :].partition(".")
            if number.isdigit():
                found.setdefault(int(number), {})[rest] = held
    return [_last_parts(found[number]) for number in sorted(found)]


def _last_parts(item: Mapping[str, Any]) -> dict[str, Any]:
    """`document.content` → `content`, `message.contents.0.message_content.text` → `contents`: [text]."""
    flat: dict[str, Any] = {}
    for key, held in item.items():
        if isinstance(held, Mapping) and key in ("document", "message"):
            flat |= held
            continue
        name = key.partition(".")[2] if key.startswith(("document.", "message.")) else key
        if name.startswith("contents."):
            if name.endswith(".text"):
                flat.setdefault("contents", []).append(held)
        else:
            flat[name] = held
    return flat


# Messages


_PEOPLE, _MACHINES = {"user", "human"}, {"assistant", "ai", "model", "bot"}


def messages(value: Any) -> Said:
    """Role and text of each message by people or the model, in any tool's format."""
    if isinstance(value, Mapping):
        value = next((value[key] for key in ("messages", "choices") if isinstance(value.get(key), list)), None)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]  # one batch
    found = Said()
    for one in value if isinstance(value, list) else ():
        if isinstance(one, list | tuple) and len(one) == 2 and all(isinstance(part, str) for part in one):
            one = {"role": one[0], "content": one[1]}
        if not isinstance(one, Mapping):
            continue
        one = one["message"] if isinstance(one.get("message"), Mapping) else one
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
    if not isinstance(part, Mapping) or part.get("type", "text") not in ("text", "output_text", "input_text"):
        return ""
    return next((str(part[key]) for key in ("text", "content") if isinstance(part.get(key), str)), "")
