"""Traces → rows: a row for each request in a trace, with its question, retrieved documents and answer. A row of a file
becomes spans in one form, and a span a step: what it did for the request, what it was given, and what it made. The
names of attributes are those of OpenInference, OpenTelemetry GenAI, Langfuse and MLflow."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from trace_core.datasets import documents as shapes
from trace_core.datasets.cells import json_value, open_or_none
from trace_core.datasets.documents import Turns, first_of, last_text, messages, named_text, object_of, objects
from trace_core.datasets.names import NAMES, plain_name, ranks
from trace_core.errors import InputError, TraceError

Raw = Mapping[str, Any]
TextLookup = Callable[[str, Sequence[str]], Mapping[str, str]]
"""A function: collection and ids → the texts of those that exist."""
TOOLS = "Langfuse, LangSmith, MLflow, OpenInference (OTLP JSON), OpenTelemetry GenAI (OTLP JSON), Phoenix".split(", ")
"""Whose traces are read."""
OF_A_TRACE = "trace "
"""The field of an error that says why a trace gives no row begins like this; the trace's id follows."""
_TURNS = 40  # the latest that are kept of a conversation
_PARTS = {
    "trace": ("trace_id", "traceId", "context.trace_id"),
    "id": ("span_id", "spanId", "context.span_id", "id"),
    "parent": ("parent_id", "parent_span_id", "parentSpanId", "parentObservationId", "parent_run_id"),
    "start": ("start_time", "startTime", "startTimeUnixNano", "start_time_unix_nano", "timestamp"),
}
"""A span's place → the names that tools give its parts, also in the object `context`."""
_ERRORS = (2, "ERROR", "STATUS_CODE_ERROR")
_REQUESTS = ("resourceSpans", "resource_spans", "scopeSpans", "scope_spans")
_COLUMN = "attributes."
_MARKS = frozenset(("span_kind", "attributes", f"{_COLUMN}openinference.span.kind"))
_EVENT = re.compile(r"gen_ai\.(?:choice|(?P<role>user|assistant|tool)\.message)")
_LANGSMITH = {"run_type": "langfuse.observation.type", "inputs": "input.value", "outputs": "output.value"}
_REFERENCES = ("expected_response", "expected_answer")


class Span(NamedTuple):
    """`start` sorts by time within a file; `error` is empty unless it failed; `reference` is the expected answer."""

    trace: str
    name: str
    id: str
    parent: str
    start: str
    attributes: Raw
    error: str
    reference: Any


def is_carrier(row: Any) -> bool:
    """Whether a file with this row is a file of traces. A LangSmith run alone is a row of its own."""
    if not isinstance(row, dict) or ("run_type" in row and not (row.get("child_runs") or row.get("parent_run_id"))):
        return False
    return any(is_of(row) for is_of, _ in _READERS)


def decode(value: Any) -> Any:
    """A text that is JSON, or a list or an object printed by Python, decoded; any other value unchanged."""
    if not isinstance(value, str) or value[:1] not in ("{", "[", '"'):
        return value
    try:
        return json_value(value)
    except (ValueError, RecursionError):
        return open_or_none(value) or value


def _span(row: Raw, attributes: Raw, reference: Any = None, **places: str) -> Span:
    flat = {**row, **object_of(row.get("context")), **object_of(row.get("status"))}
    trace, own, parent, start = (places.get(part) or _text(flat, names) for part, names in _PARTS.items())
    error = ""
    if flat.get("error") or any(flat.get(name) in _ERRORS for name in ("code", "status_code", "level")):
        error = _text(flat, ("message", "status_message", "statusMessage", "error")) or "error"
    # A time with fractions of a second sorts after the same one without them only if neither ends in Z.
    return Span(trace, str(row.get("name") or ""), own, parent, start.removesuffix("Z"), attributes, error, reference)


def _text(row: Raw, names: Iterable[str]) -> str:
    return next((str(value) for name in names if (value := row.get(name)) not in (None, "")), "")


def _phoenix(row: Raw) -> Iterator[Span]:
    """A data frame has its attributes as columns."""
    columns = {key.removeprefix(_COLUMN): value for key, value in row.items() if key.startswith(_COLUMN) and value}
    kind = {"openinference.span.kind": row["span_kind"]} if row.get("span_kind") else {}
    yield _span(row, {**kind, **_attributes(row.get("attributes")), **columns})


def _is_phoenix(row: Raw) -> bool:
    has_id = "span_id" in row or "context.span_id" in row or "span_id" in object_of(row.get("context"))
    return has_id and not _MARKS.isdisjoint(row)


def _otlp(row: Raw) -> Iterator[Span]:
    """The spans of a request or of a part of it, or the span. Attributes of events count as the span's."""
    for part in _REQUESTS:
        for inner in objects(row.get(part)):
            yield from _otlp(inner)
    for span in [row] if "spanId" in row else objects(row.get("spans")):
        events = objects(span.get("events"))
        of_events = {k: v for event in reversed(events) for k, v in _attributes(event.get("attributes")).items()}
        yield _span(span, of_events | _messages_in(events) | _attributes(span.get("attributes")))


def _messages_in(events: Iterable[Raw]) -> dict[str, Any]:
    """The messages in events of their own, as OpenTelemetry GenAI had them before 1.37."""
    lists: defaultdict[str, list[Any]] = defaultdict(list)
    for event in events:
        kind, about = _EVENT.fullmatch(str(event.get("name"))), _attributes(event.get("attributes"))
        about = about | object_of(decode(about.get("gen_ai.event.content")))
        if kind and kind["role"]:
            lists["gen_ai.input.messages"].append({"role": kind["role"], "content": about.get("content")})
        elif kind:
            reply = object_of(decode(about.get("message"))) or about
            lists["gen_ai.output.messages"].append({"role": "assistant"} | reply)
    return lists


def _attributes(pairs: Any) -> dict[str, Any]:
    if isinstance(pairs, dict):
        return pairs
    return {str(one["key"]): _otlp_value(one.get("value")) for one in objects(pairs) if "key" in one}


def _otlp_value(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    kind, inner = next(iter(value.items()), ("", None))
    values = object_of(inner).get("values")
    if kind == "arrayValue":
        return [_otlp_value(one) for one in objects(values)]
    return _attributes(values) if kind == "kvlistValue" else inner


def _mlflow(row: Raw) -> Iterator[Span]:
    """A trace as the API returns it, or the cell `trace` of a table."""
    whole = _mlflow_trace(row)
    info = object_of(whole["info"])
    session = object_of(info.get("trace_metadata") or info.get("request_metadata")).get("mlflow.trace.session")
    assessments = (one for one in objects(info.get("assessments")) if one.get("assessment_name") in _REFERENCES)
    reference = next((object_of(one.get("expectation")).get("value") for one in assessments), None)
    for span in objects(whole["data"]["spans"]):
        attributes = object_of(span.get("attributes")) | ({"session.id": session} if session else {})
        yield _span(span, attributes, reference, trace=_text(info, ("trace_id", "request_id")))


def _mlflow_trace(row: Raw) -> dict[str, Any]:
    whole = object_of(decode(row["trace"]) if {"trace_metadata", "trace"} <= row.keys() else row)
    return whole if isinstance(object_of(whole.get("data")).get("spans"), list) and "info" in whole else {}


def _langfuse(row: Raw) -> Iterator[Span]:
    """A trace, whose own input and output are the top span, with its observations; or one observation."""
    top = str(row["id"]) if "observations" in row else ""
    for one in [{**row, "type": "span"}, *objects(row["observations"])] if top else [row]:
        attributes = {
            "langfuse.observation.type": one.get("type"),
            "langfuse.observation.input": one.get("input"),
            "langfuse.observation.output": one.get("output"),
            "session.id": one.get("sessionId"),
            "langfuse.observation.model.name": one.get("model") or one.get("providedModelName"),
        }
        yield _span(one, attributes, trace=top, parent=str(one.get("parentObservationId") or top))


def _langsmith(run: Raw, trace: str = "", parent: str = "") -> Iterator[Span]:
    trace = trace or _text(run, ("trace_id", "id"))
    attributes = {ours: run.get(theirs) for theirs, ours in _LANGSMITH.items()}
    names = (*NAMES["reference_answer"], *NAMES["response"])
    reference = first_of(object_of(run.get("reference_outputs")), names, str)
    yield _span(run, attributes, reference, trace=trace, parent=parent)
    for child in objects(run.get("child_runs")):
        yield from _langsmith(child, trace, str(run.get("id")))


_READERS: tuple[tuple[Callable[[Raw], bool], Callable[[Raw], Iterable[Span]]], ...] = (
    (_is_phoenix, _phoenix),
    (lambda row: any(part in row for part in _REQUESTS) or {"traceId", "spanId"} <= row.keys(), _otlp),
    (lambda row: bool(_mlflow_trace(row)), _mlflow),
    (lambda row: {"observations", "id"} <= row.keys() or {"traceId", "parentObservationId"} <= row.keys(), _langfuse),
    (lambda row: "run_type" in row and "inputs" in row, _langsmith),
)
"""How a tool's rows are known, and read."""


RETRIEVE, RERANK, GENERATE, HOLD, CHECK, ASIDE = "retrieve", "rerank", "generate", "hold", "check", "aside"
SEARCH = (RETRIEVE, RERANK)
_KINDS = """openinference.span.kind gen_ai.operation.name langfuse.observation.type mlflow.spanType traceloop.span.kind
    ai.operationId""".split()
_KINDS_OF_ROLE = {
    RETRIEVE: "retriever retrieval vector_db_retrieve",
    RERANK: "reranker rerank",
    GENERATE: "llm chat_model generation chat completion generate_content text_completion dogenerate dostream",
    ASIDE: "embedding embeddings tool execute_tool event parser memory toolcall embed doembed embedmany",
    CHECK: "evaluator guardrail",
}
_ROLES = {kind: role for role, kinds in _KINDS_OF_ROLE.items() for kind in kinds.split()}
"""The last part of a span's kind (`ai.generateText.doGenerate`), in lower case → what it did."""
_INPUT = """input.value langfuse.observation.input mlflow.spanInputs traceloop.entity.input gen_ai.task.input
    ai.prompt.messages ai.prompt ai.toolCall.args langfuse.trace.input""".split()
_OUTPUT = """output.value langfuse.observation.output mlflow.spanOutputs gen_ai.tool.call.result traceloop.entity.output
    gen_ai.task.output ai.response.text ai.toolCall.result langfuse.trace.output""".split()
_QUERY = ("gen_ai.retrieval.query.text", "reranker.query")
_MODELS = """llm.model_name gen_ai.request.model langfuse.observation.model.name mlflow.llm.model gen_ai.response.model
    ai.model.id""".split()
_TALKS = ("gen_ai.conversation.id", "session.id", "langfuse.session.id")
_COLLECTIONS = ("gen_ai.data_source.id", "db.collection.name")
_QUESTIONS = ("llm.input_messages", "gen_ai.input.messages", "gen_ai.prompt")
_REPLIES = ("llm.output_messages", "gen_ai.output.messages", "gen_ai.completion")
_DOCUMENTS = {RETRIEVE: "retrieval.documents", RERANK: "reranker.output_documents"}
_GENAI = "gen_ai.retrieval.documents"
_LIST = re.compile(rf"({'|'.join(map(re.escape, (*_QUESTIONS, *_REPLIES, *_DOCUMENTS.values())))})(?:\.(\d+)\.(.+))?")
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
        query = _first(map(attributes.get, _QUERY)) if self.role in SEARCH else None
        self.input = query or _value(attributes, _INPUT, "input.mime_type")
        self.prompt = messages(_first(map(lists.get, _QUESTIONS))) or messages(self.input)
        self.question = last_text(self.prompt, "user") or named_text(self.input, "question")
        self.answer = _output_text(messages(_first(map(lists.get, _REPLIES))) or messages(self.output), self.output)
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
        collection = _first(map(attributes.get, _COLLECTIONS))
        return None if items is None else [_document(item, collection) for item in items]

    def attribute(self, names: Iterable[str]) -> str:
        """The first of these attributes that is there, as a text."""
        return str(decode(_first(map(self.span.attributes.get, names)) or ""))


def _first(values: Iterable[Any]) -> Any:
    return next(filter(None, values), None)


def _value(attributes: Raw, names: Iterable[str], mime: str) -> Any:
    for name in names:
        if (value := attributes.get(name)) is not None:
            return value if name.endswith(".value") and attributes.get(mime) == "text/plain" else decode(value)
    return None


def _output_text(replies: Turns, output: Any) -> str:
    """The text of the output; empty where it is something else, such as a call of a tool."""
    if replies:
        return replies[-1][1] if replies[-1][0] == "assistant" else ""
    if isinstance(output, dict) and "generations" in output:
        output = output["generations"]
        while isinstance(output, list) and output:
            output = output[0]
    return named_text(output, "response")


def _documents_in(output: Any, *, texts: bool = True) -> list[Any] | None:
    """The list of texts or of documents that an output is, or has under a name of documents."""
    if isinstance(output, dict):
        lists = ((str(key), value) for key, value in output.items() if isinstance(value, list))
        output = next((value for key, value in lists if ranks(key, "documents") is not None), None)
    if not isinstance(output, list):
        return None
    is_text = (isinstance(one, str) or shapes.parts_of(object_of(one))["text"] is not None for one in output)
    return output if not texts or all(is_text) else None


def _document(item: Any, collection: str | None) -> dict[str, Any]:
    if not isinstance(item, dict):
        return {"text": str(item)}
    item = object_of(item.get("document")) or item
    parts = shapes.parts_of(item)
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
            parts.setdefault(name, {}).setdefault(int(place), {})[path] = value
        else:
            items = decode(value)
            items = [("user" if name in _QUESTIONS else "assistant", items)] if isinstance(items, str) else items
            whole[name] = [_as_tree(one) for one in items] if isinstance(items, list) else []
    for name, by_place in parts.items():
        speaker = {"role": "assistant"} if name in _REPLIES else {}
        whole[name] = [speaker | _as_tree(by_place[place]) for place in sorted(by_place)]
    return whole


def _as_tree(item: Any) -> Any:
    """`{"a.b": 1}` → `{"a": {"b": 1}}`."""
    if not isinstance(item, dict):
        return item
    tree: dict[str, Any] = {}
    for path, value in item.items():
        *parts, last = path.split(".")
        inner: Any = tree
        for part in parts:
            inner = inner.setdefault(part, {}) if isinstance(inner, dict) else None
        if isinstance(inner, dict):
            inner[last] = value
    return tree


def trace_rows(rows: Iterable[Any], texts: TextLookup | None = None) -> Iterator[Any]:
    """A row per request, in the order of the traces; a request without a row is an `InputError`."""
    traces: dict[str, list[Span]] = {}
    results: list[Any] = []
    for place, row in enumerate(rows, start=1):
        spans = next((read(row) for is_of, read in _READERS if is_of(row)), None) if isinstance(row, dict) else None
        if spans is None:
            results.append(row if isinstance(row, InputError) else InputError(f"Row {place} is not a span."))
        for span in spans or ():
            traces.setdefault(span.trace or f"row {place}", []).append(span)
    for trace in traces.values():
        parts = _requests(_place([Step(span) for span in trace]))
        for part in parts:
            try:
                results.append(_row(part, several=len(parts) > 1))
            except InputError as reason:
                reason.field = f"{OF_A_TRACE}{trace[0].trace}"
                results.append(reason)
    requests = [row for row in results if isinstance(row, dict)]
    _add_earlier_turns(requests)
    _look_up(requests, texts)
    return (_with_columns(row) if isinstance(row, dict) else row for row in results)


def _add_earlier_turns(rows: Iterable[dict[str, Any]]) -> None:
    """Give each row of a conversation the turns of its earlier requests, unless it brought its own."""
    talks: defaultdict[str, list[tuple[str, dict[str, str]]]] = defaultdict(list)
    for row in sorted((row for row in rows if "conversation" in row), key=lambda row: str(row["start"])):
        talk = talks[row["conversation"]]
        if turns := [turn for start, turn in talk if start < row["start"]]:
            row.setdefault("turns", turns[-_TURNS:])
        speakers = (("user", row["question"]), ("assistant", row.get("response")))
        talk += [(row["start"], {"role": who, "text": text}) for who, text in speakers if text]


def _look_up(rows: Iterable[dict[str, Any]], texts: TextLookup | None) -> None:
    """Give the documents that spans name only by id their texts, or the reason why they have none."""
    groups: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for document in (document for row in rows for document in row["documents"] if document["text"] is None):
        groups[str(document.get("collection") or "")].append(document)
    for collection, documents in groups.items():
        by_id: Mapping[str, str] = {}
        why = f"The collection {collection!r} in Qdrant has no such id. " if collection else ""
        try:
            if texts and collection:
                by_id = texts(collection, list(dict.fromkeys(str(document.get("id")) for document in documents)))
        except TraceError as error:
            why = f"{error} "
        for document in documents:
            document |= {"text": by_id.get(str(document.get("id"))), "why": why}


def _with_columns(row: dict[str, Any]) -> Any:
    """The row with its documents as columns; an `InputError` where one has no text."""
    if (document := next((one for one in row["documents"] if one["text"] is None), None)) is not None:
        field = f"The field {document['unread']!r} of its span is empty or not read. " if document["unread"] else ""
        hint = f"{document['why']}{field}Record their texts, or connect the Qdrant that holds them."
        return InputError("Its documents are named by their ids alone.", hint, field=f"{OF_A_TRACE}{row.get('id', '')}")
    about = dict.fromkeys(shapes.ABOUT_DOCUMENTS.values())  # each row has the columns that a later one may fill
    return {name: value for name, value in row.items() if name != "start"} | about | shapes.as_columns(row["documents"])


def _place(steps: Sequence[Step]) -> list[Step]:
    """The steps that count, outermost first, then by time; what was generated for a search or a tool stands aside."""
    by_id = {step.span.id: step for step in steps}
    for step in steps:
        above = by_id.get(step.span.parent)
        while above is not None and above is not step and above not in step.above:
            step.above.append(above)
            above = by_id.get(above.span.parent)
    rest = []
    for step in steps:
        roles = {step.role, *(one.role for one in step.above)}
        if CHECK in roles:
            continue
        if step.role in (HOLD, GENERATE) and not roles.isdisjoint((*SEARCH, ASIDE)):
            step.role, step.documents = ASIDE, None
        rest.append(step)
    return sorted(rest, key=lambda step: (len(step.above), step.span.start))


def _requests(steps: list[Step]) -> list[list[Step]]:
    """What lies within each outermost step that asks, searches and answers; all steps where there is one at most."""
    searching = [above for step in steps if step.role in SEARCH for above in step.above]
    whole = [s for s in steps if s.role == HOLD and s in searching and s.question and s.answer]
    tops = [step for step in whole if not any(above in whole for above in step.above)]
    if len(tops) < 2:
        return [steps]
    parts = []
    for top in tops:
        inside = [step for step in steps if top in step.above]
        for step in inside:
            del step.above[step.above.index(top) + 1 :]
        top.above.clear()
        parts.append([top, *inside])
    return parts


def _row(steps: Sequence[Step], *, several: bool) -> dict[str, Any]:
    searches = [s for s in steps if s.role in SEARCH] or [s for s in steps if s.documents]
    answer, call = _answer(steps, searches)
    if not answer and (error := _first(step.span.error for step in steps)):
        raise InputError(f"This trace ended in an error ({error[:100]}).")
    documents, retriever = _documents(steps, searches)
    question, turns = _question(steps, documents, call)
    trace = steps[0].span.trace
    chain = next((step for step in steps if step.role in (HOLD, GENERATE)), steps[0])
    row = {
        "question": question,
        "documents": documents,
        "response": answer or None,
        "start": steps[0].span.start,
        "id": (f"{trace}-{steps[0].span.id}" if several else trace) or None,
        "spans": {"trace": trace, "chain": chain.span.id, "retriever": retriever.span.id} if trace else None,
        "reference_answer": _first(step.span.reference for step in steps),
        "generation_model_name": _first(s.attribute(_MODELS) for s in reversed(steps) if s.role == GENERATE),
        "conversation": _first(step.attribute(_TALKS) for step in steps),
        "turns": [{"role": who, "text": text} for who, text in turns] or None,
    }
    return {name: value for name, value in row.items() if value is not None}


def _documents(steps: Sequence[Step], searches: Sequence[Step]) -> tuple[list[dict[str, Any]], Step]:
    """What rerankers kept and what was retrieved after them, else all, without duplicates; and the step it is from."""
    sources = [step for step in searches if step.documents is not None]
    if not sources and searches:
        raise InputError("This trace does not say which documents were retrieved.")
    if not sources:
        lists = ", ".join(dict.fromkeys(step.span.name or step.span.id for step in steps if step.holds_list))
        which = f" These spans hold lists: {lists[:200]}." if lists else ""
        hint = "Set the kind of the one that searches: openinference.span.kind=RETRIEVER."
        raise InputError(f"No span of this trace is marked as a search.{which}", hint)
    retrievers = {step.span.id for step in sources if step.role == RETRIEVE}
    if rerankers := [step for step in sources if step.role == RERANK and step.documents]:
        last = max(rerankers, key=lambda step: step.span.start)
        sources = [*rerankers, *(s for s in sources if s.role == RETRIEVE and s.span.start > last.span.start)]
    else:  # of a search in a search the outer one
        sources = [step for step in sources if step.span.parent not in retrievers]
    once = {(one.get("id"), one.get("text")): one for step in sources for one in step.documents or []}
    return list(once.values()), sources[0]


def _question(steps: Sequence[Step], documents: Sequence[Mapping[str, Any]], call: Step | None) -> tuple[str, Turns]:
    """The question and the turns before it: from the outermost step, else the last message to the model that answers,
    if it is not a prompt with the documents in it, else the query of a search."""
    if top := next((step for step in steps if step.role == HOLD and step.question), None):
        return top.question, _before(top)
    texts = [str(document["text"]) for document in documents if document.get("text")]
    call = call or next((s for s in reversed(steps) if s.role == GENERATE and last_text(s.prompt, "user")), None)
    if call and (last := last_text(call.prompt, "user")) and not _has(last, texts):
        return last, _before(call)
    if query := _first(step.question for step in steps if step.role == RETRIEVE):
        return query, Turns()
    raise InputError("This trace does not say what was asked.")


def _before(step: Step) -> Turns:
    """The turns before the question: the messages before it, or the history beside it."""
    if turns := [one for one in step.prompt if one[0] != "tool"]:
        return turns[: max(place for place, (who, _) in enumerate(turns) if who == "user")]
    history = object_of(step.input)
    return _first(messages(history.get(key)) for key in ("messages", "chat_history", "history")) or []


def _answer(steps: Sequence[Step], searches: Sequence[Step]) -> tuple[str, Step | None]:
    """The output of the outermost step, else of those around the model's call that answers, else its own; the call."""
    after = min((step.span.start for step in searches), default="")
    searching = [above for step in searches for above in step.above]
    tops = [s for s in steps if not s.above and (s.span.start >= after or s in searching)]
    calls = [s for s in steps if s.role == GENERATE and s.span.start >= after and (s.answer or s.span.error)]
    calls = sorted(calls, key=lambda step: step.span.start)
    around = [step for step in reversed(calls[-1].above) if all(step in call.above for call in calls)] if calls else []
    for step in (*tops, *around):
        if step.role == HOLD and step.answer:
            return step.answer, calls[-1] if calls else None
    call = _answering(calls, steps, searches)
    answers = (step.answer for step in reversed(call.above) if step.role == HOLD) if call else ()
    return _first(answers) or (call.answer if call else ""), call


def _answering(calls: Sequence[Step], steps: Sequence[Step], searches: Sequence[Step]) -> Step | None:
    """The last of the calls that answers the question, and is not about an answer. A later call without question,
    documents or earlier answer is aside. Raises `InputError`, which names both, if one works on an earlier answer."""
    calls = [call for call in calls if not call.is_about_chat] or list(calls)
    questions = [step.question for step in steps if step.role == HOLD and step.question][:1]
    questions = questions or [step.question for step in searches if step.question]
    texts = [str(one["text"]) for step in searches for one in step.documents or () if one.get("text")]
    while len(calls) > 1:
        last, before = calls[-1], [call.answer for call in calls[:-1] if not call.answer.isalpha()]  # no bare “yes”
        own = last_text(last.prompt, "user") or last.question
        whole = "\n".join(text for _, text in last.prompt) or own
        asks, knows, repeats = _has(own, questions), _has(whole, texts), _has(whole, before)
        if (asks and not _has(own, before)) or (knows and not repeats):
            break
        if asks or knows or repeats or not own:
            both = " and ".join(repr(call.answer[:60]) for call in (calls[-2], last))
            hint = "Record the answer as the output of the trace's outermost span."
            raise InputError(f"Two calls of a model may be the answer: {both}.", hint)
        calls.pop()
    return calls[-1] if calls else None


def _has(text: str, parts: Iterable[str]) -> bool:
    return any(part in text for part in parts if part)
