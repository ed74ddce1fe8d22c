"""POST /trace without its HTTP: a query is parsed, its six tests run, and the reply is plain data."""

from trace_core.endpoint.base import NamedTest, Result
from trace_core.endpoint.judge import LlmJudge
from trace_core.endpoint.payload import Context, Payload, QueryError
from trace_core.endpoint.ragas import Ragas, ragas_from
from trace_core.endpoint.reading.query import BeyondRules, Parsed, parse_query
from trace_core.endpoint.registry import TESTS
from trace_core.endpoint.run import AllFailed, run_tests
from trace_core.endpoint.workspace import Tools

__all__ = [
    "TESTS",
    "AllFailed",
    "BeyondRules",
    "Context",
    "LlmJudge",
    "NamedTest",
    "Parsed",
    "Payload",
    "QueryError",
    "Ragas",
    "Result",
    "Tools",
    "parse_query",
    "ragas_from",
    "run_tests",
]
