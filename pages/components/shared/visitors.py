"""The public demo (`TRACE_DEMO=1`): notices to visitors, limits on what they do, what is hidden, and whose is what. A
visitor is a browser session. Visitors see the owner's items and their own, and can change only their own; after a
reload, the items it made can only be reached by link, and nobody can change them any more. The data folder lists the
ids made by visitors, so that a restart does not turn them into the owner's, but not who made them. Outside the demo
everything belongs to everybody."""

import json
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Literal
from uuid import uuid4

import streamlit as st

from pages.components.shared import services
from trace_core.demo import limits
from trace_core.demo.limits import check_length, check_sentence_count, check_turn
from trace_core.errors import InputError, StoreError, TraceError
from trace_core.process import MOST_BYTES
from trace_core.settings import without_user
from trace_core.store.datasets import Dataset
from trace_core.store.runs import Run

NOTICE = (
    "This is a public demo. What you make here disappears when it restarts. Others do not see it in their lists, but "
    "anyone with the link to a record or a run can read it until then. After a reload of the page you need that link, "
    "too. Your questions are not logged. Do not paste anything confidential."
)


def visitor() -> str:
    """A secret name for this browser session."""
    return str(st.session_state.setdefault("visitor", uuid4().hex))


def is_demo() -> bool:
    """Whether this is the public demo; invalid settings are reported elsewhere."""
    try:
        return services.settings().demo
    except TraceError:
        return False


def may_begin(texts: Sequence[str]) -> bool:
    """Whether this visitor may ask or score these texts now; shows the reason if not."""
    return fits(texts) and _passes(lambda: check_turn(limits.ASKING, visitor()))


def fits(texts: Sequence[str]) -> bool:
    """Whether the texts are short enough; shows a message if not."""
    return _passes(partial(check_length, texts), partial(check_sentence_count, texts))


def is_short(texts: Sequence[str]) -> bool:
    """Whether the texts have no more characters than the demo reads; elsewhere any have."""
    return not is_demo() or sum(map(len, texts)) <= limits.LONGEST


def may_make() -> bool:
    """Whether this visitor may start a run, a data set, an import or a collection now; shows the reason if not."""
    return _passes(lambda: check_turn(limits.MAKING, visitor()))


def may_run(running: Sequence[bool]) -> bool:
    """Whether one more run may start; `running` has an entry per running run: whether it is this visitor's."""
    if is_demo() and (sum(running) >= limits.AT_ONCE_EACH or len(running) >= limits.AT_ONCE_ALL):
        whose = "Your other run" if any(running) else "Runs of others"
        st.warning(f"{whose} must end first: the demo runs only a few at once.")
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


def unpack_limit() -> int:
    """The bytes of text that an uploaded file may unpack to."""
    return limits.CONTENT_BYTES if is_demo() else MOST_BYTES


def most_rows() -> int | None:
    """The rows of a file that are read: one more than a data set of the demo may have; `None` for all."""
    return limits.ROWS + 1 if is_demo() else None


def check_rows(rows: int) -> None:
    """Raises `InputError` for more rows than a data set or a run of the demo may have."""
    if is_demo() and rows > limits.ROWS:
        raise InputError(f"The demo takes at most {limits.ROWS} rows at once.", "Choose fewer.")


def for_visitor(text: str) -> str:
    """The text for a visitor: in the demo without the folders and addresses of the settings and of this machine."""
    if not is_demo():
        return text
    settings = services.settings()
    folders = [settings.data_dir, settings.query_log_path, Path.cwd(), Path.home()]
    places = {str(path) for folder in folders for path in (folder.absolute(), folder.resolve())} - {"/"}
    for place in sorted(places, key=len, reverse=True):
        text = text.replace(place, "(a folder)")
    for url in (settings.qdrant_url, settings.openai_base_url):
        text = text.replace(without_user(url) or "\0", "(a server)")
    return text


Kind = Literal["run", "dataset", "collection"]
FILE = "visitors.jsonl"


class VisitorItems:
    """What visitors made, whoever it was; thread-safe. Raises `StoreError` where the file cannot be used."""

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.Lock()
        try:
            lines = map(json.loads, path.read_text("utf-8").splitlines() if path.exists() else [])
            self._items = {(kind, name) for kind, name in lines}
        except (OSError, ValueError, TypeError) as error:
            message = f"{FILE} in the data folder cannot be read."
            raise StoreError(message, "Delete it, and what visitors made.") from error

    def __contains__(self, item: tuple[Kind, str]) -> bool:
        return item in self._items

    def add(self, item: tuple[Kind, str]) -> bool:
        """Add an item; false if it is there already."""
        with self._lock:
            if item in self._items:
                return False
            try:
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(item) + "\n")
            except OSError as error:
                raise StoreError("The data folder cannot be written.") from error
            self._items.add(item)
            return True


@st.cache_resource(show_spinner=False)
def _items() -> VisitorItems:
    return VisitorItems(services.settings().data_dir / FILE)


def _own() -> set[tuple[Kind, str]]:
    """This visitor's items."""
    own: set[tuple[Kind, str]] = st.session_state.setdefault("made", set())
    return own


def is_mine(kind: Kind, name: str) -> bool:
    """Whether this visitor may change it."""
    return not is_demo() or (kind, name) in _own()


def is_visible(kind: Kind, name: str) -> bool:
    """Whether it appears in this visitor's lists."""
    return is_mine(kind, name) or (kind, name) not in _items()


def claim(kind: Kind, name: str) -> None:
    """Record that this visitor made it; another may have made the same."""
    if is_demo():
        _items().add((kind, name))
        _own().add((kind, name))


def claim_collection(name: str, exists: bool) -> None:
    """Reserve the name for this visitor. Raises `InputError` where another has it."""
    if is_mine("collection", name):
        return
    if exists or not _items().add(("collection", name)):
        raise InputError(f"The name {name!r} is taken.", "Type another name.", field="collection")
    _own().add(("collection", name))


def save_dataset(keep: Callable[[], str]) -> str:
    """Store a data set by `keep`, which returns its id; it belongs to this visitor unless the owner already had it."""
    before = {one.id for one in services.store().datasets.list_datasets()} if is_demo() else set()
    dataset = keep()
    if is_demo() and (dataset not in before or ("dataset", dataset) in _items()):
        claim("dataset", dataset)
    return dataset


def runs() -> list[Run]:
    """The runs in this visitor's lists, newest first."""
    services.demo_runs()
    return [run for run in services.store().runs.list_runs() if is_visible("run", run.id)]


def running() -> list[bool]:
    """For each running run, whether it is this visitor's."""
    return [is_mine("run", run.id) for run in services.store().runs.running() if not run.importing]


def datasets() -> list[Dataset]:
    """The data sets in this visitor's lists, newest first."""
    services.demo_runs()
    return [one for one in services.store().datasets.list_datasets() if is_visible("dataset", one.id)]


def collections() -> list[str]:
    """The collections in this visitor's lists."""
    return [name for name in services.collections().names() if is_visible("collection", name)]
