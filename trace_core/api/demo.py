"""POST /trace in the public demo: callers share the limits of visitors of the pages."""

from __future__ import annotations

from trace_core.api.body import BadBody, read_query
from trace_core.demo import limits
from trace_core.endpoint import Payload, QueryError
from trace_core.errors import InputError
from trace_core.settings import Settings

LABELER = "local"


class Enough(Exception):
    """This caller, or all callers together, reached the limit; `retry_after` is in whole seconds."""

    def __init__(self, wait: float) -> None:
        self.retry_after = limits.seconds_to_wait(wait)
        super().__init__(self.retry_after)


def in_demo(settings: Settings) -> Settings:
    """The settings for a caller: in the demo without anything that belongs to the owner."""
    return limits.in_demo(settings) if settings.demo else settings


def check_caller(body: bytes, address: str) -> None:
    """Count one query. Raises `BadBody` for one that the demo does not accept, and `Enough`."""
    try:
        limits.check_length([read_query(body)])
    except InputError as error:
        raise BadBody(413, str(error)) from None
    if wait := limits.ASKING.wait(address):
        raise Enough(wait)


def check_payload(payload: Payload) -> None:
    """Raises `QueryError` where a labeler or engine is requested that the demo does not have."""
    if payload.labeler not in (None, LABELER):
        raise QueryError("extra.labeler: The public demo labels by `local` alone.")
    if payload.engine != "native":
        raise QueryError("extra.engine: The public demo computes by `native` alone.")
