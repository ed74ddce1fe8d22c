"""POST /trace without its HTTP: a query is parsed, its six tests run, and the reply is plain data."""

from trace_core.endpoint.base import NamedTest, Result
from trace_core.endpoint.judge import LlmJudge
from trace_core.endpoint.payload import Context, Payload, QueryError, TooMuch
from trace_core.endpoint.query import Parsed, parse_query, read_declared, read_judged
from trace_core.endpoint.ragas import Ragas, ragas_from
from trace_core.endpoint.registry import TESTS
from trace_core.endpoint.run import AllFailed, run_tests
from trace_core.endpoint.workspace import Tools

__all__ = [
    "TESTS",
    "AllFailed",
    "Context",
    "LlmJudge",
    "NamedTest",
    "Parsed",
    "Payload",
    "QueryError",
    "Ragas",
    "Result",
    "TooMuch",
    "Tools",
    "parse_query",
    "ragas_from",
    "read_declared",
    "read_judged",
    "run_tests",
]
