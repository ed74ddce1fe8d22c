"""Check that everything works: Qdrant, judge, store and model are ok, or why not and what to do."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from tempfile import TemporaryFile

from trace_core.errors import LlmError, TraceError
from trace_core.llm import has_llm, llm_from
from trace_core.retrieval import Collections, Embedder
from trace_core.settings import Settings
from trace_core.store.database import Database


@dataclass(frozen=True, slots=True)
class Check:
    """The state of one part: `detail` says what it is, or why it does not work and what to do."""

    part: str
    ok: bool
    detail: str


def qdrant(open_collections: Callable[[], Collections]) -> Check:
    """Open Qdrant and list its collections."""

    def ask() -> str:
        collections = open_collections()
        kind = "embedded" if collections.qdrant.embedded else "server"
        return f"{kind}, {collections.qdrant.place}, {len(collections.names())} collections"

    return _check("Qdrant", ask)


def judge(settings: Settings) -> Check:
    """What answers and labels. A model is asked for one word, which costs a few tokens."""
    if not has_llm(settings):
        return Check("Judge", True, "no key set: local labeler, extractive answers")

    def ask() -> str:
        llm = llm_from(settings)
        if problem := llm.try_it():
            raise LlmError(problem, "Choose another model, or look at the server's log.")
        return f"{llm.model} at {llm.address} answers"

    return _check("Judge", ask)


def store(database: Database, *, examine: bool = False) -> Check:
    """Open the database and apply its migrations; with `examine`, SQLite checks its file, and a write is tried."""
    return _check("Store", lambda: database.check(examine=examine))


def folder(settings: Settings) -> Check:
    """Whether the data folder can be written and it and its content are this user's: Qdrant unpickles values of it."""
    there = settings.data_dir
    try:
        if there.is_dir():
            with TemporaryFile(dir=there) as file:
                file.write(b"ok")
    except OSError as error:
        detail = f"{there} cannot be written ({error.strerror}). Name another in TRACE_DATA_DIR."
        return Check("Data folder", False, detail)
    owners = {path.stat().st_uid for path in (there, *there.iterdir())} if there.is_dir() else set()
    others = sorted(owners - {os.geteuid()}) if hasattr(os, "geteuid") else []
    whose = ", ".join(map(str, others))
    detail = f"{there} or something in it belongs to another user ({whose}), who can run code as this one."
    detail += " Use a folder of your own (TRACE_DATA_DIR), or take this one over: chown -R"
    return Check("Data folder", not others, detail if others else str(there))


def model(embedder: Embedder, *, load: bool = False) -> Check:
    """The embedding model; with `load`, it is loaded and tested."""
    if load or embedder.ready:
        return _check("Model", lambda: f"{embedder.name}, {embedder.embed(['ok']).shape[1]} dimensions")
    return Check("Model", True, f"{embedder.name}, loads when first needed")


def _check(part: str, attempt: Callable[[], str]) -> Check:
    try:
        return Check(part, True, attempt())
    except TraceError as error:
        return Check(part, False, str(error))
