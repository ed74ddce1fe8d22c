"""The public demo (`TRACE_DEMO=1`): what is said to visitors, how much each may do, and what they are not told."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from uuid import uuid4

import streamlit as st

from pages.components.shared import services
from trace_core.errors import InputError, TraceError
from trace_core.settings import Settings, without_user

EACH, ALL, SECONDS = 10, 60, 60.0
"""Questions or scorings that one visitor, and all of them together, may begin, and within how many seconds."""
LONGEST = 20_000
"""Characters that one scoring may read."""
UPLOAD_BYTES, ROWS = 5_000_000, 200
"""The most that may be uploaded at once; rows of a data set, and so records of a run."""
MADE_EACH, MADE_ALL, HOUR = 12, 60, 3600.0
"""The most runs, data sets, imports and collections that one visitor, and all together, may begin within an hour."""
AT_ONCE_EACH, AT_ONCE_ALL = 1, 2
"""Runs of one visitor, and of all together, that are at work at once."""
NOTICE = (
    "This is a public demo. What you make here disappears when it restarts. Others do not find it in their lists, but "
    "whoever has the link to a record or a run can read it until then, and after a reload of the page you need that "
    "link, too. Your questions are not logged. Do not paste what is confidential."
)


class Limiter:
    """At most `each` beginnings a visitor and `everyone` in all, within any `seconds`; safe among threads."""

    def __init__(
        self, each: int, everyone: int, seconds: float = SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._each, self._everyone, self._seconds, self._clock = each, everyone, seconds, clock
        self._begun: deque[tuple[float, str]] = deque()  # never longer than `everyone`
        self._lock = threading.Lock()

    def wait(self, visitor: str) -> float:
        """0 when the visitor may begin, which then counts; else the seconds until they may."""
        with self._lock:
            now = self._clock()
            while self._begun and self._begun[0][0] <= now - self._seconds:
                self._begun.popleft()
            own = [begun for begun, who in self._begun if who == visitor]
            if len(own) >= self._each:
                return own[0] + self._seconds - now
            if len(self._begun) >= self._everyone:
                return self._begun[0][0] + self._seconds - now
            self._begun.append((now, visitor))
            return 0.0


@st.cache_resource(show_spinner=False)
def _limiter() -> Limiter:
    """The process's one: all visitors share it."""
    return Limiter(EACH, ALL)


@st.cache_resource(show_spinner=False)
def _made_limiter() -> Limiter:
    return Limiter(MADE_EACH, MADE_ALL, HOUR)


def visitor() -> str:
    """This browser session, by a name that nobody else knows."""
    made: str = st.session_state.setdefault("visitor", uuid4().hex)
    return made


def is_demo() -> bool:
    """Whether this is the public demo; broken settings are said elsewhere."""
    try:
        return services.settings().demo
    except TraceError:
        return False


def notice() -> None:
    """Say what a visitor of the demo should know; nothing elsewhere."""
    if is_demo():
        st.info(NOTICE, icon=":material/public:")


def may_begin(texts: Sequence[str]) -> bool:
    """Whether this visitor may ask or score these texts now; says why not. Always, outside the demo."""
    if not is_demo():
        return True
    length = sum(map(len, texts))
    if length > LONGEST:
        st.warning(f"The demo reads up to {LONGEST:,} characters at once, these are {length:,}. Shorten them.")
        return False
    return _has_turn(_limiter())


def check_upload(size: int) -> None:
    """Raises `InputError` for more bytes than the demo takes at once."""
    if is_demo() and size > UPLOAD_BYTES:
        raise InputError(f"The demo takes {UPLOAD_BYTES // 1_000_000} MB at once.", "Choose less.")


def most_megabytes() -> int | None:
    """What the browser refuses to send; `None` where the server's own limit holds alone."""
    return UPLOAD_BYTES // 1_000_000 if is_demo() else None


def check_rows(rows: int) -> None:
    """Raises `InputError` for more rows than a data set or a run of the demo may have."""
    if is_demo() and rows > ROWS:
        raise InputError(f"The demo takes {ROWS} rows at once, these are {rows:,}.", "Choose fewer.")


def may_make() -> bool:
    """Whether this visitor may begin a run, a data set, an import or a collection now; says why not."""
    return not is_demo() or _has_turn(_made_limiter())


def may_run(running: Sequence[bool]) -> bool:
    """Whether one more run may be at work; `running` says of each that is at work whether it is this visitor's."""
    if not is_demo():
        return True
    if sum(running) >= AT_ONCE_EACH or len(running) >= AT_ONCE_ALL:
        whose = "Your other run" if any(running) else "Runs of others"
        st.warning(f"{whose} must end first: the demo works on few at once.")
        return False
    return may_make()


def _has_turn(limiter: Limiter) -> bool:
    wait = limiter.wait(visitor())
    if wait:
        when = f"{max(1, round(wait))} s" if wait < 100 else f"{round(wait / 60)} min"
        st.warning(f"The demo is shared: that is enough for now. Try again in {when}.")
    return not wait


def told(text: str) -> str:
    """The text as a visitor may read it: in the demo without the host's folders and servers."""
    return without_places(text, services.settings()) if is_demo() else text


def without_places(text: str, settings: Settings) -> str:
    """The text without the folders and addresses that the settings and this machine name."""
    folders = [settings.data_dir, settings.query_log_path, Path.cwd(), Path.home()]
    named = {str(path) for folder in folders for path in (folder.absolute(), folder.resolve())} - {"/"}
    for place in sorted(named, key=len, reverse=True):
        text = text.replace(place, "(a folder)")
    for url in (settings.qdrant_url, settings.openai_base_url):
        text = text.replace(without_user(url) or "\0", "(a server)")
    return text
