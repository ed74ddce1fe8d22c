"""POST /trace over HTTP: `uvicorn trace_core.api:app`, or beside the pages under `app.py`."""

from importlib import import_module

from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

PATHS = ("/trace", "/trace/schema", "/trace/openapi.json")
"""Every path that is served; a host app needs one route per path."""


class Api:
    """The endpoint, loaded when it is first asked: a visitor of the pages does not wait for it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as `trace_core.api.application.app` does."""
        application = await run_in_threadpool(import_module, "trace_core.api.application")
        await application.app(scope, receive, send)


app = Api()

__all__ = ["PATHS", "app"]
