"""TRACE's dashboard and POST /trace on one port: `streamlit run app.py` or `uvicorn app:app`."""

from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Thread

import streamlit as st
from streamlit import config
from streamlit.runtime import get_instance
from streamlit.runtime.pages_manager import PagesManager

from trace_core.demo.limits import UPLOAD_BYTES
from trace_core.errors import SettingsError, TraceError
from trace_core.models import set_aside
from trace_core.settings import load

COMPONENTS = Path(__file__).parent / "pages" / "components"
ALIASES: dict[str, tuple[str, dict[str, str]]] = {
    "ask": ("pages/ask.py", {}),
    "compare": ("pages/runs.py", {"show": "Compare"}),
    "trends": ("pages/runs.py", {"show": "Over time"}),
    "judge": ("pages/review.py", {"part": "Trust"}),
}
"""Addresses that lead to a part of another page, whose further parameters they keep."""


def main() -> None:
    """Lay out the pages and run the opened one."""
    from pages.components.shared.visitors import NOTICE, is_demo  # imported only when the first visitor comes

    st.set_page_config(page_title="TRACE", page_icon=str(COMPONENTS / "icon.png"), layout="wide")
    st.html(COMPONENTS / "style.css")
    st.logo(str(COMPONENTS / "trace.svg"), size="large", icon_image=str(COMPONENTS / "trace.svg"))
    pages = [
        st.Page("pages/ask.py", title="Ask", icon=":material/search:", default=True, url_path="home"),
        st.Page("pages/runs.py", title="Runs", icon=":material/dataset:"),
        st.Page("pages/review.py", title="Review", icon=":material/rate_review:"),
        st.Page("pages/corpus.py", title="Collections", icon=":material/database:"),
        st.Page("pages/guide.py", title="Guide", icon=":material/menu_book:"),
        *(st.Page(partial(_lead_on, path), title=path, url_path=path, visibility="hidden") for path in ALIASES),
    ]
    current = st.navigation(pages, position="top")
    with st.container(horizontal=True, gap="small", key="places"):
        for page in pages[: -len(ALIASES)]:
            st.page_link(page, icon=None, width="content")
    if is_demo():
        st.info(NOTICE, icon=":material/public:")
    current.run()
    keep_imports(current.url_path)


def _lead_on(path: str) -> None:
    """The page at an address that moved: what was there, at its new place."""
    page, part = ALIASES[path]
    parameters: dict[str, str | list[str]] = {**part, **{n: st.query_params.get_all(n) for n in st.query_params}}
    st.switch_page(page, query_params=parameters)


@st.cache_resource(show_spinner=False)
def keep_imports(page: str) -> None:
    """Once per page, after its first run: its imports stay in memory."""
    set_aside()


def upload_sizes() -> dict[str, int]:
    """Bytes of uploads that the server keeps, by browser session."""
    files_of = get_instance().uploaded_file_mgr.file_storage  # type: ignore[attr-defined]  # it keeps them in memory
    sessions = list(files_of.items())
    return {session: sum(len(file.data) for file in list(files.values())) for session, files in sessions}


def warm() -> None:
    """Import what asking needs and load the model, while server and browser start, so that nobody has to wait."""
    for name in ("qdrant_client", "trace_core.runs.execute.engine"):
        import_module(name)
    with suppress(TraceError):  # the first request gets the same error, on the page
        settings = load()
        if settings.warm_up:
            from trace_core.retrieval import embedder

            embedder(settings.embedding_model).embed(["warm up"])
    set_aside()


if __name__ == "__main__":
    main()
else:  # the server imports this file before the first visitor
    from starlette.middleware import Middleware
    from starlette.routing import Route

    from trace_core.api import PATHS
    from trace_core.api import app as api
    from trace_core.api.guard import Doors
    from trace_core.api.uploads import Uploads

    middleware = [Middleware(Doors)]
    with suppress(SettingsError):  # shown on every page
        if load().demo:  # the server stores a file before a page can refuse it
            most = min(config.get_option("server.maxUploadSize"), UPLOAD_BYTES // 1_000_000)
            config.set_option("server.maxUploadSize", most)
            config.set_option("server.maxWidgetStateSize", 1)  # in megabytes: fifty times what it scores
            middleware.append(Middleware(Uploads, upload_sizes))
    Thread(target=warm, name="warm", daemon=True).start()

    # Otherwise the first visit to /guide would run that page without this file: no layout, no navigation.
    PagesManager.uses_pages_directory = False
    # One route per path; every other path is a page.
    app = st.App(__file__, routes=[Route(path, api) for path in PATHS], middleware=middleware)
