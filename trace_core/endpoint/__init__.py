"""POST /trace without its HTTP: a query is parsed, its six tests run, and the reply is plain data."""

from trace_core.endpoint.named_tests import TESTS, Tools
from trace_core.endpoint.payload import Payload, QueryError, TooMuch
from trace_core.endpoint.query import parse_query
from trace_core.endpoint.run import NoScore, run_tests

__all__ = ["TESTS", "NoScore", "Payload", "QueryError", "TooMuch", "Tools", "parse_query", "run_tests"]
