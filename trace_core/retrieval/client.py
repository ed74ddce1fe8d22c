"""One Qdrant: a server by URL, or embedded in this process with one client, one lock, one owner. The embedded mode
locks its folder against other processes but is not safe among threads: writers at once corrupt it."""

from __future__ import annotations

import atexit
import json
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from trace_core.errors import QdrantUnreachable, RetrievalError, TraceError, UnknownCollection
from trace_core.settings import Settings, without_user

if TYPE_CHECKING:
    import httpx
    from qdrant_client import QdrantClient

T = TypeVar("T")
CONNECT_SECONDS, READ_SECONDS, WAITS = 5.0, 30.0, (0.2, 0.8)
"""Seconds to wait for a connection, for one reply (a write waits until it is durable), and before each retry."""
PASSING = frozenset({429, 502, 503, 504})
SERVER_FROM = 20_000  # from this number of chunks a server is advised: see `docs/deploy.md`
_by_folder: dict[Path, Qdrant] = {}
_opening = threading.Lock()


class Qdrant:
    """A client behind one lock (embedded) or none (server: each call is a separate request)."""

    def __init__(self, client: QdrantClient, place: str, *, embedded: bool) -> None:
        self._client = client
        self._lock = threading.RLock() if embedded else nullcontext()
        self.place = place
        self.embedded = embedded

    def do(self, action: Callable[[QdrantClient], T], collection: str = "") -> T:
        """Run one action on the client. Raises a `RetrievalError` that says what to do."""
        try:
            with self._lock:
                return action(self._client)
        except TraceError:
            raise
        except Exception as error:  # every exception of the client becomes one of our errors
            raise _retrieval_error(error, self.place, collection) from error

    def close(self) -> None:
        """Release the folder or close the connection."""
        self.do(lambda client: client.close())


def _retrieval_error(error: Exception, place: str, collection: str) -> RetrievalError:
    from qdrant_client.common.client_exceptions import QdrantException
    from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

    status = error.status_code if isinstance(error, UnexpectedResponse) else None
    content = getattr(error, "content", b"")
    reason = (content.decode("utf-8", "replace") or str(error))[:200]
    with suppress(ValueError, TypeError, KeyError):  # the server's own words where its reply has them
        reason = str(json.loads(content)["status"]["error"])[:200]
    missing = reason == f"Collection {collection} not found" or (status == 404 and "collection" in reason.lower())
    if collection and missing:
        message = f"There is no collection {collection!r} in {place}."
        return UnknownCollection(message, "List them with `python -m trace_core collections`.")
    if status in (401, 403):
        return QdrantUnreachable(f"Qdrant at {place} refused the key.", "Check QDRANT_API_KEY.")
    unreachable = QdrantException | ResponseHandlingException | ConnectionError | TimeoutError
    if status in PASSING or isinstance(error, unreachable):
        message = f"Qdrant at {place} does not answer{f' (status {status}: too busy)' if status else ''}."
        hint = "Check QDRANT_URL and that the server runs, try again in a minute, or unset it to use the embedded one."
        return QdrantUnreachable(message, hint)
    kind = f"status {status}" if status else type(error).__name__
    return RetrievalError(f"Qdrant at {place} could not do this ({kind}: {reason}).", "Try again, or check its log.")


def patient(
    request: httpx.Request, send: Callable[[httpx.Request], httpx.Response], sleep: Callable[[float], None] = time.sleep
) -> httpx.Response:
    """A middleware of the REST client: the reply, or the last error unchanged; transient errors are retried. Every
    request may be sent twice: points have stable ids, and deletions are final. A slow reply is awaited once."""
    import httpx
    from qdrant_client.http.exceptions import ResponseHandlingException

    request.extensions["timeout"] = httpx.Timeout(READ_SECONDS, connect=CONNECT_SECONDS).as_dict()
    for wait in WAITS:
        try:
            response = send(request)
        except ResponseHandlingException as error:
            if not isinstance(error.source, httpx.TransportError) or isinstance(error.source, httpx.ReadTimeout):
                raise
        else:
            if response.status_code not in PASSING:
                return response
        sleep(wait)
    return send(request)


def open_qdrant(settings: Settings) -> Qdrant:
    """The Qdrant that the settings name; a server is not contacted before the first call. Raises
    `QdrantUnreachable` for a folder that cannot be written, `RetrievalError` for one in use or broken."""
    if settings.qdrant_url:
        from qdrant_client import QdrantClient

        key = settings.qdrant_api_key.get_secret_value() if settings.qdrant_api_key else None
        # port=None lets the URL's own port or scheme decide; the version check would call the server now.
        client = QdrantClient(
            url=settings.qdrant_url, api_key=key, port=None, timeout=int(READ_SECONDS), check_compatibility=False
        )
        client.http.client.add_middleware(patient)
        return Qdrant(client, without_user(settings.qdrant_url) or "", embedded=False)
    folder = (settings.data_dir / "qdrant").resolve()
    with _opening:
        if folder not in _by_folder:
            _by_folder[folder] = _open_folder(folder)
        return _by_folder[folder]


def _open_folder(folder: Path) -> Qdrant:
    from qdrant_client import QdrantClient

    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Other threads use the same client, one at a time, under our lock.
        client = QdrantClient(path=str(folder), force_disable_check_same_thread=True)
    except RuntimeError as error:
        reason = f"The embedded Qdrant in {folder} belongs to another running process."
        raise RetrievalError(reason, "Stop the dashboard, or set QDRANT_URL.") from error
    except OSError as error:
        reason = f"The embedded Qdrant's folder {folder} cannot be used ({error.strerror})."
        raise QdrantUnreachable(reason, "Set TRACE_DATA_DIR to a folder that can be written.") from error
    except Exception as error:  # a broken file makes its parser raise anything
        reason = f"The embedded Qdrant in {folder} cannot be read ({type(error).__name__})."
        hint = "Restore the folder, or move it away and ingest the documents again."
        raise RetrievalError(reason, hint) from error
    return Qdrant(client, str(folder), embedded=True)


def close_all() -> None:
    """Close every embedded Qdrant of this process, so that another process may open its folder."""
    with _opening:
        for qdrant in _by_folder.values():
            qdrant.close()
        _by_folder.clear()


atexit.register(close_all)


def advice(points: int, *, on_server: bool) -> str | None:
    """Advice for a collection of that many chunks; `None` if it needs none."""
    if on_server or points < SERVER_FROM:
        return None
    why = "chunks are many for the embedded Qdrant, which reads all of them for each question and at each start."
    what = "use a Qdrant server or cloud: set QDRANT_URL, and ingest the documents there."
    return f"{points:,} {why} From {SERVER_FROM:,} on {what}"
