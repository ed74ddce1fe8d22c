"""Ownership in the public demo: visitors see the owner's items and their own, and can change only their own.

A visitor is a browser session; after a reload, the items it made can only be reached by link, and nobody can change
them any more. The data folder lists the ids made by visitors, so that a restart does not turn them into the owner's,
but not who made them. Outside the demo everything belongs to everybody.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import streamlit as st

from pages.components.shared import services
from pages.components.shared.visitors import is_demo
from trace_core.errors import InputError, StoreError
from trace_core.store.datasets import Dataset
from trace_core.store.runs import Run

Kind = Literal["run", "dataset", "collection"]
FILE = "visitors.jsonl"


class Made:
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
def _made() -> Made:
    return Made(services.settings().data_dir / FILE)


def _own() -> set[tuple[Kind, str]]:
    own: set[tuple[Kind, str]] = st.session_state.setdefault("made", set())
    return own


def is_mine(kind: Kind, name: str) -> bool:
    """Whether this visitor may change it."""
    return not is_demo() or (kind, name) in _own()


def is_seen(kind: Kind, name: str) -> bool:
    """Whether it appears in this visitor's lists."""
    return is_mine(kind, name) or (kind, name) not in _made()


def claim(kind: Kind, name: str) -> None:
    """Record that this visitor made it; another may have made the same."""
    if is_demo():
        _made().add((kind, name))
        _own().add((kind, name))


def claim_collection(name: str, exists: bool) -> None:
    """Reserve the name for this visitor. Raises `InputError` where another has it."""
    if is_mine("collection", name):
        return
    if exists or not _made().add(("collection", name)):
        raise InputError(f"The name {name!r} is taken.", "Type another name.", field="collection")
    _own().add(("collection", name))


def save_dataset(keep: Callable[[], str]) -> str:
    """Store a data set by `keep`, which returns its id; it belongs to this visitor unless the owner already had it."""
    before = {one.id for one in services.store().datasets.list_datasets()} if is_demo() else set()
    made = keep()
    if made not in before or ("dataset", made) in _made():
        claim("dataset", made)
    return made


def runs() -> list[Run]:
    """The runs in this visitor's lists, newest first."""
    services.demo_runs()
    return [run for run in services.store().runs.list_runs() if is_seen("run", run.id)]


def running() -> list[bool]:
    """For each running run, whether it is this visitor's."""
    return [is_mine("run", run.id) for run in services.store().runs.running() if not run.importing]


def datasets() -> list[Dataset]:
    """The data sets in this visitor's lists, newest first."""
    services.demo_runs()
    return [one for one in services.store().datasets.list_datasets() if is_seen("dataset", one.id)]


def collections() -> list[str]:
    """The collections in this visitor's lists."""
    return [name for name in services.collections().names() if is_seen("collection", name)]
