"""Services shared by all pages and visitors: one Qdrant, one embedding model, one store."""

from threading import Thread

import streamlit as st

from trace_core import demo
from trace_core.demo.limits import in_demo
from trace_core.demo.runs import load_runs_at_first_start
from trace_core.labeling import LABELERS, Labeler, make_labeler, uses_llm
from trace_core.llm import Llm, has_llm, llm_from
from trace_core.retrieval import Collections, embedder, open_qdrant
from trace_core.retrieval.ingest import IngestJobs
from trace_core.runs.execute.engine import Engine
from trace_core.settings import Settings, load
from trace_core.store.query_log import QueryLog
from trace_core.store.store import Store, open_store


@st.cache_resource(show_spinner=False)
def settings() -> Settings:
    """The environment, read once. Raises `SettingsError`."""
    return load()


@st.cache_resource(show_spinner="Opening the collections …")
def collections() -> Collections:
    """Qdrant with the demo collections in it. Raises `RetrievalError`; an error is not cached."""
    every = Collections(open_qdrant(settings()), embedder(settings().embedding_model))
    demo.load_at_first_start(every, settings())
    if settings().warm_up:
        Thread(target=every.prepare, name="prepare", daemon=False).start()
    return every


@st.cache_resource(show_spinner=False)
def jobs() -> IngestJobs:
    """The background ingest jobs; they run on when the page is closed."""
    return IngestJobs()


@st.cache_resource(show_spinner=False)
def shared_llm() -> Llm | None:
    """The model in the settings, one client for all visitors; `None` without one. Raises `SettingsError`."""
    return llm_from(settings()) if has_llm(settings()) else None


@st.cache_resource(show_spinner=False)
def shared_labeler(name: str) -> Labeler:
    """The process's only labeler of that name. Raises `SettingsError`."""
    return make_labeler(name, embedder(settings().embedding_model), shared_llm() if uses_llm(name) else None)


def default_labeler() -> str:
    """The labeler in the settings. Raises `SettingsError` if it does not exist."""
    if settings().labeler not in LABELERS:
        make_labeler(settings().labeler, embedder(settings().embedding_model))
    return settings().labeler


@st.cache_resource(show_spinner=False)
def query_log() -> QueryLog:
    """The query log; demo mode writes none."""
    return QueryLog(settings().query_log_path)


@st.cache_resource(show_spinner=False)
def demo_runs() -> None:
    """Create two example runs at the very first visit. Raises `StoreError`; an error is not cached."""
    load_runs_at_first_start(store(), settings())


def store() -> Store:
    """The store."""
    return open_store(settings().database)


@st.cache_resource(show_spinner=False)
def engine() -> Engine:
    """The engine that executes runs, independent of pages; runs of a dead process are marked interrupted."""
    log = None if settings().demo else query_log()
    # In the demo no run asks a model: otherwise a visitor's file would spend the owner's money.
    own = in_demo(settings()) if settings().demo else settings()
    worker = Engine(store(), own, collections=collections, log=log)
    worker.recover()
    return worker
