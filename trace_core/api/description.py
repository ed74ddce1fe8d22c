"""The endpoint's own description: OpenAPI parts, and `GET /trace/schema`. All texts about a test come from the test's
own file, all limits and names from where they are enforced."""

from typing import Any

from pydantic import BaseModel, Field

from trace_core.endpoint import TESTS, Payload
from trace_core.endpoint.examples import QUERIES
from trace_core.endpoint.names import ALIASES, CONTEXT, FIELDS
from trace_core.endpoint.payload import ENGINES, LONGEST, MOST_CONTEXTS, MOST_TESTS, MOST_TRUTHS
from trace_core.endpoint.query import LONGEST_WITH_LABELS
from trace_core.labeling import LABELERS
from trace_core.pipeline import MOST_SENTENCES

SUMMARY = "Six metrics of a question, its contexts and an answer, from one query string."


class TraceRequest(BaseModel):
    """The body: a query as one string."""

    query: str = Field(
        description="The payload of GET /trace/schema as JSON or a Python literal; or labels with a text after each. "
        "Anything else is read by a judge, where the server has one."
    )


class TraceReply(BaseModel, extra="forbid"):
    """What was understood, what is missing, the scores, and how they came about."""

    provided_parameters: Payload
    tests: list[str]
    missing: dict[str, bool | list[str]] = Field(
        description="false, the list of what is missing, or ['unsupported_test']. A complete test is scored even when "
        "another lacks something."
    )
    evaluation_scores: dict[str, float | None] = Field(
        description="In [0, 1]. null: undefined or failed, with the reason in details. A test that lacks something has "
        "no entry."
    )
    details: dict[str, dict[str, Any]]


class Problem(BaseModel):
    """Why there is no reply."""

    detail: str


class Refusal(Problem):
    """Why the query is not read; `payload` is the canonical JSON with what was understood, to complete and send."""

    payload: dict[str, Any] | None


STATUSES: dict[int, str] = {
    200: "Understood. Scores are null where undefined or failed, with the reason.",
    400: "The query cannot be understood, or names no tests; payload is the JSON to complete and send.",
    401: "An API key is set on this server (TRACE_API_KEY), and the request has none or another.",
    408: "The body did not arrive in time.",
    413: "The body is larger than TRACE_MAX_BODY, or the query is beyond a limit of GET /trace/schema.",
    415: "The body was not sent as application/json.",
    422: 'The body is not {"query": string}.',
    429: "Too many requests at once, or in the public demo within a minute; come again after Retry-After seconds.",
    503: "No test could be computed: a judge or model failed, or time ran out.",
}
_MODELS: dict[int, type[BaseModel]] = {200: TraceReply, 400: Refusal}
_HEADERS: dict[int, list[str]] = {401: ["WWW-Authenticate"], 429: ["Retry-After"], 503: ["Retry-After"]}
_RESPONSES = {
    code: {
        "model": _MODELS.get(code, Problem),
        "description": text,
        "headers": {name: {"schema": {"type": "string"}} for name in ("X-Request-ID", *_HEADERS.get(code, []))},
    }
    for code, text in STATUSES.items()
}
_EXAMPLES = {title: {"value": {"query": query}} for title, query in QUERIES.items()}
_BODY = {"schema": TraceRequest.model_json_schema(), "examples": _EXAMPLES}
POST: dict[str, Any] = {
    "summary": SUMMARY,
    "description": "Computes the tests that the query names from its other fields. X-Trace-Parsed-By names the reader "
    "of the query: json, labels or judge.",
    "operation_id": "trace",
    "responses": _RESPONSES,
    "openapi_extra": {"requestBody": {"required": True, "content": {"application/json": _BODY}}},
}


def schema() -> dict[str, Any]:
    """Everything a caller can send and receive, as data."""
    return {
        "request": TraceRequest.model_json_schema(),
        "payload": Payload.model_json_schema(),
        "names": {name: names.split() for name, names in FIELDS.items()}
        | {f"contexts.{name}": names.split() for name, names in CONTEXT.items()},
        "tests": {
            name: {"name": name}
            | {key: value for key, value in test._asdict().items() if key != "compute"}
            | {"aliases": ALIASES[name].split()}
            for name, test in TESTS.items()
        },
        "reply": TraceReply.model_json_schema(mode="serialization"),
        "extra": {"engine": list(ENGINES), "labeler": list(LABELERS)},
        "labels": ["Label: text", "[id] text", "(id) text", "id: text", "1. text", "- text"],
        "limits": {
            "characters": LONGEST,
            "characters_with_labels": LONGEST_WITH_LABELS,
            "tests": MOST_TESTS,
            "contexts": MOST_CONTEXTS,
            "ground_truths": MOST_TRUTHS,
            "sentences_of_contexts_and_answer": MOST_SENTENCES,
        },
        "statuses": {str(code): text for code, text in STATUSES.items()},
        "examples": QUERIES,
    }
