"""The endpoint's own description: OpenAPI parts, `GET /trace/schema`, and a page to read.

All texts about a test come from the test's own file.

"""

from __future__ import annotations

from html import escape
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from trace_core.endpoint import TESTS, Payload
from trace_core.endpoint.examples import QUERIES, curl
from trace_core.endpoint.payload import ENGINES, MOST_TESTS
from trace_core.endpoint.reading.plain import LABELS, LONGEST
from trace_core.endpoint.workspace import MOST_SENTENCES
from trace_core.labeling import LABELERS

SUMMARY = "Six metrics of a question, its contexts and an answer, from one query string."
NOTES = {
    "missing": "false, the list of what is missing, or ['unsupported_test']. A complete test is scored even when "
    "another lacks something.",
    "evaluation_scores": "In [0, 1]. null: undefined or failed, with the reason in details. A test that lacks "
    "something has no entry.",
    "context_utilisation": "The source of this endpoint prints 0.86 for 3 of 10 tokens in its first example. Our "
    "definition gives 6/10 = 0.6 there: the used sentence has 6 of the contexts' 10 tokens.",
}


class TraceRequest(BaseModel):
    """The body: a query as one string, either JSON or plain language."""

    query: str = Field(description="A JSON string of the payload of GET /trace/schema, or plain language.")


class TraceReply(BaseModel):
    """What was understood, what is missing, the scores, and how they came about."""

    model_config = ConfigDict(extra="forbid")

    provided_parameters: Payload
    tests: list[str]
    missing: dict[str, bool | list[str]] = Field(description=NOTES["missing"])
    evaluation_scores: dict[str, float | None] = Field(description=NOTES["evaluation_scores"])
    details: dict[str, dict[str, Any]]


class Problem(BaseModel):
    """Why there is no reply."""

    detail: str


_ID = {"X-Request-ID": {"description": "The caller's id, or one made here.", "schema": {"type": "string"}}}
_AGAIN = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}, "required": True}}


def _problem(words: str, headers: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"model": Problem, "description": words, "headers": {**_ID, **(headers or {})}}


STATUSES: dict[int, str] = {
    200: "Understood. Scores are null where undefined or failed, with the reason.",
    400: "The query cannot be understood, or names no tests.",
    401: "An API key is set on this server (TRACE_API_KEY), and the request has none or another.",
    408: "The body did not arrive in time.",
    415: "The body was not sent as application/json.",
    413: "The body is larger than TRACE_MAX_BODY, or the query longer than the public demo reads.",
    422: 'The body is not {"query": string}.',
    429: "Too many requests at once, or in the public demo within a minute; come again after Retry-After seconds.",
    503: "No test could be computed: a judge or model failed, or the time was over.",
}

POST: dict[str, Any] = {
    "summary": SUMMARY,
    "description": "The tests named in the query are computed from its other fields. What was understood is in "
    "provided_parameters.",
    "operation_id": "trace",
    "responses": {
        200: {"model": TraceReply, "description": STATUSES[200], "headers": _ID},
        401: _problem(STATUSES[401], {"WWW-Authenticate": {"schema": {"type": "string"}, "required": True}}),
        **{code: _problem(STATUSES[code]) for code in (400, 408, 413, 415, 422)},
        **{code: _problem(STATUSES[code], _AGAIN) for code in (429, 503)},
    },
    "openapi_extra": {
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {
                    "schema": TraceRequest.model_json_schema(),
                    "examples": {
                        name: {"summary": title, "value": {"query": query}} for name, (title, query) in QUERIES.items()
                    },
                }
            },
        }
    },
}
GET_SCHEMA: dict[str, Any] = {
    "summary": "The payload, the six tests with their definitions, engines, labelers and limits.",
    "operation_id": "trace_schema",
    "responses": {200: {"description": "The description.", "headers": _ID}},
}


def schema() -> dict[str, Any]:
    """Everything a caller can send and receive, as data."""
    return {
        "request": TraceRequest.model_json_schema(),
        "payload": Payload.model_json_schema(),
        "tests": {
            name: {
                "needs": list(test.needs),
                "question": test.question,
                "definition": test.definition,
                "with_a_judge": test.judged or None,
                "range": test.range,
                "cost": test.cost,
                "details": dict(test.details),
                "engine_ragas": test.ragas,
            }
            for name, test in TESTS.items()
        },
        "reply": TraceReply.model_json_schema(mode="serialization"),
        "notes": NOTES,
        "extra": {"engine": list(ENGINES), "labeler": list(LABELERS)},
        "plain_language": {
            "labels": {field: list(labels) for field, labels in LABELS.items()},
            "contexts": ["[id] text", "id: text", "- text", "1. text", 'a JSON list of {"id", "text"}'],
        },
        "limits": {
            "tests": MOST_TESTS,
            "sentences_of_contexts_and_answer": MOST_SENTENCES,
            "characters_of_plain_language": LONGEST,
        },
        "statuses": {str(code): words for code, words in STATUSES.items()},
        "examples": {name: {"title": title, "query": query} for name, (title, query) in QUERIES.items()},
    }


def page() -> str:
    """A page to read; it loads no external resources."""
    tests = "".join(
        f"<h3><code>{escape(test.name)}</code></h3><p>{escape(test.question)} {escape(test.definition)}</p>"
        f"<p>Needs: {escape(', '.join(test.needs))}. Cost: {escape(test.cost)}.</p>"
        for test in TESTS.values()
    )
    shown = "".join(f"<h3>{escape(title)}</h3><pre>{escape(curl(query))}</pre>" for title, query in QUERIES.values())
    statuses = "".join(f"<tr><td>{code}</td><td>{escape(words)}</td></tr>" for code, words in STATUSES.items())
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>POST /trace</title>'
        '<meta name="viewport" content="width=device-width"><style>body{font:16px/1.5 system-ui;max-width:50rem;'
        "margin:2rem auto;padding:0 1rem;color-scheme:light dark}pre{white-space:pre-wrap;overflow-wrap:anywhere}"
        "td{padding-right:1rem;vertical-align:top}</style></head><body>"
        f"<h1>POST /trace</h1><p>{escape(SUMMARY)} The whole description: "
        '<a href="/trace/schema">/trace/schema</a>, <a href="/trace/openapi.json">/trace/openapi.json</a>.</p>'
        f"<h2>Tests</h2>{tests}<h2>Examples</h2>{shown}<h2>Statuses</h2><table>{statuses}</table></body></html>"
    )
