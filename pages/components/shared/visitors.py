"""The public demo (`TRACE_DEMO=1`): what is said to visitors, how much each may do, and what they are not told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from uuid import uuid4

import streamlit as st

from pages.components.shared import services
from trace_core.demo.limits import (
    ASKING,
    AT_ONCE_ALL,
    AT_ONCE_EACH,
    MAKING,
    READING,
    ROWS,
    UPLOAD_BYTES,
    Limiter,
    check_length,
    check_sentences,
    check_turn,
)
from trace_core.errors import InputError, TraceError
from trace_core.settings import Settings, without_user

NOTICE = (
    "This is a public demo. What you make here disappears when it restarts. Others do not find it in their lists, but "
    "whoever has the link to a record or a run can read it until then, and after a reload of the page you need that "
    "link, too. Your questions are not logged. Do not paste what is confidential."
)


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
    return not is_demo() or (fits(texts) and _has_turn(ASKING))


def fits(texts: Sequence[str]) -> bool:
    """Whether the texts are no more than the demo reads at once; says so where they are. Always, outside the demo."""
    try:
        if is_demo():
            check_length(texts)
            check_sentences(texts)
    except InputError as error:
        st.warning(str(error))
        return False
    return True


def check_read(texts: Sequence[str] = ()) -> None:
    """Before a file or these texts are read: raises `InputError` where this visitor had enough, or they are long."""
    if is_demo():
        check_length(texts)
        check_turn(READING, visitor())


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
    return not is_demo() or _has_turn(MAKING)


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
    try:
        check_turn(limiter, visitor())
    except InputError as error:
        st.warning(str(error))
        return False
    return True


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
