"""The public demo (`TRACE_DEMO=1`): notices to visitors, limits on what they do, and what is hidden from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from uuid import uuid4

import streamlit as st

from pages.components.shared import services
from trace_core.demo import limits
from trace_core.demo.limits import check_length, check_sentences, check_turn
from trace_core.errors import InputError, TraceError
from trace_core.settings import Settings, without_user

NOTICE = (
    "This is a public demo. What you make here disappears when it restarts. Others do not find it in their lists, but "
    "whoever has the link to a record or a run can read it until then, and after a reload of the page you need that "
    "link, too. Your questions are not logged. Do not paste what is confidential."
)


def visitor() -> str:
    """A secret name for this browser session."""
    made: str = st.session_state.setdefault("visitor", uuid4().hex)
    return made


def is_demo() -> bool:
    """Whether this is the public demo; invalid settings are reported elsewhere."""
    try:
        return services.settings().demo
    except TraceError:
        return False


def notice() -> None:
    """Show a demo visitor what they should know; nothing outside the demo."""
    if is_demo():
        st.info(NOTICE, icon=":material/public:")


def may_begin(texts: Sequence[str]) -> bool:
    """Whether this visitor may ask or score these texts now; shows the reason if not."""
    return fits(texts) and _passes(lambda: check_turn(limits.ASKING, visitor()))


def fits(texts: Sequence[str]) -> bool:
    """Whether the texts are short enough; shows a message if not."""
    return _passes(partial(check_length, texts), partial(check_sentences, texts))


def may_make() -> bool:
    """Whether this visitor may start a run, a data set, an import or a collection now; shows the reason if not."""
    return _passes(lambda: check_turn(limits.MAKING, visitor()))


def may_run(running: Sequence[bool]) -> bool:
    """Whether one more run may start; `running` has an entry per running run: whether it is this visitor's."""
    if is_demo() and (sum(running) >= limits.AT_ONCE_EACH or len(running) >= limits.AT_ONCE_ALL):
        whose = "Your other run" if any(running) else "Runs of others"
        st.warning(f"{whose} must end first: the demo works on few at once.")
        return False
    return may_make()


def _passes(*checks: Callable[[], None]) -> bool:
    try:
        for check in checks if is_demo() else ():
            check()
    except InputError as error:
        st.warning(str(error))
        return False
    return True


def check_read(texts: Sequence[str] = ()) -> None:
    """Check before reading a file or texts. Raises `InputError` for a visitor at the limit, or too long texts."""
    if is_demo():
        check_length(texts)
        check_turn(limits.READING, visitor())


def most_megabytes() -> int | None:
    """The upload limit for the browser; `None` where only the server's own limit applies."""
    return limits.UPLOAD_BYTES // 1_000_000 if is_demo() else None


def check_rows(rows: int) -> None:
    """Raises `InputError` for more rows than a data set or a run of the demo may have."""
    if is_demo() and rows > limits.ROWS:
        raise InputError(f"The demo takes {limits.ROWS} rows at once, these are {rows:,}.", "Choose fewer.")


def for_visitor(text: str) -> str:
    """The text for a visitor: in the demo without the host's folders and servers."""
    return without_places(text, services.settings()) if is_demo() else text


def without_places(text: str, settings: Settings) -> str:
    """The text without the folders and addresses in the settings and of this machine."""
    folders = [settings.data_dir, settings.query_log_path, Path.cwd(), Path.home()]
    named = {str(path) for folder in folders for path in (folder.absolute(), folder.resolve())} - {"/"}
    for place in sorted(named, key=len, reverse=True):
        text = text.replace(place, "(a folder)")
    for url in (settings.qdrant_url, settings.openai_base_url):
        text = text.replace(without_user(url) or "\0", "(a server)")
    return text
