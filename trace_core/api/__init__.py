"""POST /trace over HTTP: `uvicorn trace_core.api:app`, or beside the pages under `app.py`."""

from trace_core.api.application import PATHS, create_app

app = create_app()

__all__ = ["PATHS", "app", "create_app"]
