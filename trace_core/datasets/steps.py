"""What a span did (retrieve, rerank, generate, check, or contain such steps), what it was given, and what it made.

The names of attributes are those of OpenInference, OpenTelemetry GenAI, Langfuse and MLflow.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from trace_core.datasets.documents import Messages, last_text, messages, named_text, object_of, parts_of
from trace_core.datasets.names import plain_name, ranks
from trace_core.datasets.spans import Raw, Span, decode

RETRIEVE, RERANK, GENERATE, HOLD, CHECK, ASIDE = "retrieve", "rerank", "generate", "hold", "check", "aside"
SEARCH = (RETRIEVE, RERANK)
_KINDS = tuple(
    "openinference.span.kind gen_ai.operation.name langfuse.observation.type mlflow.spanType traceloop.span.kind "
    "ai.operationId".split()
)
_KINDS_OF_ROLE = {
    RETRIEVE: "retriever retrieval vector_db_retrieve",
    RERANK: "reranker rerank",
    GENERATE: "llm chat_model generation chat completion generate_content text_completion dogenerate dostream",
    ASIDE: "embedding embeddings tool execute_tool event parser memory toolcall embed doembed embedmany",
    CHECK: "evaluator guardrail",
}
_ROLES = {kind: role for role, kinds in _KINDS_OF_ROLE.items() for kind in kinds.split()}
"""The last part of a span's kind (`ai.generateText.doGenerate`), in lower case → what it did."""
_INPUT = tuple(
    "input.value langfuse.observation.input mlflow.spanInputs traceloop.entity.input gen_ai.task.input "
    "ai.prompt.messages ai.prompt ai.toolCall.args langfuse.trace.input".split()
)
_OUTPUT = tuple(
    "output.value langfuse.observation.output mlflow.spanOutputs gen_ai.tool.call.result traceloop.entity.output "
    "gen_ai.task.output ai.response.text ai.toolCall.result langfuse.trace.output".split()
)
_QUERY = ("gen_ai.retrieval.query.text", "reranker.query")
MODELS = tuple(
    "llm.model_name gen_ai.request.model langfuse.observation.model.name mlflow.llm.model gen_ai.response.model "
    "ai.model.id".split()
)
TALKS = ("gen_ai.conversation.id", "session.id", "langfuse.session.id")
_COLLECTIONS = ("gen_ai.data_source.id", "db.collection.name")
_QUESTIONS = ("llm.input_messages", "gen_ai.input.messages", "gen_ai.prompt")
_REPLIES = ("llm.output_messages", "gen_ai.output.messages", "gen_ai.completion")
_DOCUMENTS = {RETRIEVE: "retrieval.documents", RERANK: "reranker.output_documents"}
_GENAI = "gen_ai.retrieval.documents"
_LISTS = (*_QUESTIONS, *_REPLIES, *_DOCUMENTS.values())
_LIST = re.compile(rf"({'|'.join(map(re.escape, _LISTS))})(?:\.(\d+)\.(.+))?")
"""Attributes that are lists, whole or with a name for each part: `retrieval.documents.0.document.id`."""
_ABOUT_CHAT = re.compile(r"(?:^|_)(?:titles?|tags?|follow_?ups?|emoji|autocomplete|suggest\w*)(?:_|$)")
_TASK = re.compile(r"(?:title|tags|follow_up|emoji|autocomplete)_generation")
"""Open WebUI's names of what its models do beside answering, in a span's metadata."""
_ABOUT = frozenset(("id", "score", "metadata", "title", "source"))


class Step:
    """One span's step. `above` are the steps around it, nearest first. `question` and `answer` are empty where the span
    does not say. `documents` is null where it does not list them, and empty where it found none."""

    def __init__(self, span: Span) -> None:
        attributes = span.attributes
        self.span = span
        self.above: list[Step] = []
        self.output = _value(attributes, _OUTPUT, "output.mime_type")
        kinds = (str(decode(attributes.get(name))).lower().rpartition(".")[2] for name in _KINDS)
        self.role = next((_ROLES[kind] for kind in kinds if kind in _ROLES), HOLD)
        documents = _documents_in(self.output) if self.role == ASIDE else None
        if documents and all(isinstance(one, dict) for one in documents):
            self.role = RETRIEVE  # a tool that returns documents is a search that an agent calls
        lists = _lists(attributes)
        query = _first(attributes, _QUERY) if self.role in SEARCH else None
        self.input = query or _value(attributes, _INPUT, "input.mime_type")
        self.prompt = messages(_first(lists, _QUESTIONS)) or messages(self.input)
        self.question = last_text(self.prompt, "user") or named_text(self.input, "question")
        self.answer = _answer(messages(_first(lists, _REPLIES)) or messages(self.output), self.output)
        self.documents = self._documents(lists.get(_DOCUMENTS.get(self.role, "")))

    @property
    def holds_list(self) -> bool:
        """Whether its output is or has a list, not of messages: these may be documents."""
        output = self.output.values() if isinstance(self.output, dict) else [self.output]
        return any(isinstance(part, list) and part and not messages(part) for part in output)

    @property
    def is_about_chat(self) -> bool:
        """Whether it made a title, tags or follow-up questions for a chat, as its name or its task says."""
        tasks = (value for name, value in self.span.attributes.items() if "metadata" in name)
        in_name = _ABOUT_CHAT.search(plain_name(self.span.name[:200]))
        return bool(in_name) or any(_TASK.search(str(value)[:2000]) for value in tasks)

    def _documents(self, items: list[Any] | None) -> list[dict[str, Any]] | None:
        attributes, output = self.span.attributes, self.output
        if not items and self.role == HOLD:
            # Older tracers of LangChain's have no kind for a search, whose output is a list of its documents.
            hits = output if isinstance(output, list) else []
            if isinstance(output, dict) or all({"page_content", "metadata"} <= object_of(one).keys() for one in hits):
                items = _documents_in(output) if output else None
        elif not items and self.role in SEARCH:
            optional = attributes.get("gen_ai.operation.name") == "retrieval"
            if _GENAI in attributes:
                items = _documents_in(decode(attributes[_GENAI]), texts=False)
            else:
                items = [] if output in (None, "", [], {}) and not optional else _documents_in(output)
        collection = _first(attributes, _COLLECTIONS)
        return None if items is None else [_document(item, collection) for item in items]

    def attribute(self, names: Iterable[str]) -> str:
        """The first of these attributes that is there, as a text."""
        return str(decode(_first(self.span.attributes, names) or ""))


def _first(items: Mapping[str, Any], names: Iterable[str]) -> Any:
    for name in names:
        if value := items.get(name):
            return value
    return None


def _value(attributes: Raw, names: Iterable[str], mime: str) -> Any:
    for name in names:
        if (value := attributes.get(name)) is not None:
            return value if name.endswith(".value") and attributes.get(mime) == "text/plain" else decode(value)
    return None


def _answer(replies: Messages, output: Any) -> str:
    """The text of the output; empty where it is something else, such as a call of a tool."""
    if replies:
        return replies[-1][1] if replies[-1][0] == "assistant" else ""
    if isinstance(output, dict) and "generations" in output:
        output = output["generations"]
        while isinstance(output, list) and output:
            output = output[0]
    return named_text(output, "response")


# Documents


def _documents_in(output: Any, *, texts: bool = True) -> list[Any] | None:
    """The list of texts or of documents that an output is, or has under a name of documents."""
    if isinstance(output, dict):
        lists = ((str(key), value) for key, value in output.items() if isinstance(value, list))
        output = next((value for key, value in lists if ranks(key, "documents") is not None), None)
    if not isinstance(output, list):
        return None
    is_text = (isinstance(one, str) or parts_of(object_of(one))["text"] is not None for one in output)
    return output if not texts or all(is_text) else None


def _document(item: Any, collection: str | None) -> dict[str, Any]:
    if not isinstance(item, dict):
        return {"text": str(item)}
    item = object_of(item.get("document")) or item
    parts = parts_of(item)
    if not parts["text"]:
        about = decode(item.get("metadata"))
        unread = next((key for key, value in item.items() if key not in _ABOUT and isinstance(value, str)), "")
        parts |= {"text": None, "collection": collection or object_of(about).get("_collection_name"), "unread": unread}
    return parts


def _lists(attributes: Raw) -> dict[str, list[Any]]:
    """The lists in attributes, by their names."""
    whole: dict[str, list[Any]] = {}
    parts: dict[str, dict[int, dict[str, Any]]] = {}
    for key, value in attributes.items():
        if (match := _LIST.fullmatch(key)) is None:
            continue
        name, place, path = match.groups()
        if place:
            _put(parts.setdefault(name, {}).setdefault(int(place), {}), path, value)
        else:
            items = decode(value)
            items = [("user" if name in _QUESTIONS else "assistant", items)] if isinstance(items, str) else items
            whole[name] = [_as_tree(one) for one in items] if isinstance(items, list) else []
    for name, by_place in parts.items():
        speaker = {"role": "assistant"} if name in _REPLIES else {}
        whole[name] = [speaker | by_place[place] for place in sorted(by_place)]
    return whole


def _as_tree(item: Any) -> Any:
    """`{"a.b": 1}` → `{"a": {"b": 1}}`."""
    if not isinstance(item, dict):
        return item
    tree: dict[str, Any] = {}
    for path, value in item.items():
        _put(tree, path, value)
    return tree


def _put(tree: dict[str, Any], path: str, value: Any) -> None:
    *parts, last = path.split(".")
    for part in parts:
        tree = tree.setdefault(part, {})
        if not isinstance(tree, dict):
            return
    tree[last] = value
