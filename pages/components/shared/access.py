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
from pages.components.shared.visitors import is_demo, visitor
from trace_core.errors import InputError, StoreError
from trace_core.store.datasets import Dataset
from trace_core.store.runs import Run

Kind = Literal["run", "dataset", "collection"]
FILE = "visitors.jsonl"


class Made:
    """What visitors made, and which visitor; thread-safe. Raises `StoreError` where the file cannot be used."""

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.Lock()
        self._makers: dict[tuple[str, str], set[str]] = {}
        try:
            lines = path.read_text("utf-8").splitlines() if path.exists() else []
            for line in lines:
                kind, name = json.loads(line)
                self._makers[kind, name] = set()
        except (OSError, ValueError, TypeError) as error:
            message = f"{FILE} in the data folder cannot be read."
            raise StoreError(message, "Delete it, and what visitors made.") from error

    def is_of(self, kind: Kind, name: str, who: str) -> bool:
        """Whether this visitor made it."""
        return who in self._makers.get((kind, name), ())

    def is_owners(self, kind: Kind, name: str) -> bool:
        """Whether no visitor made it."""
        return (kind, name) not in self._makers

    def claim(self, kind: Kind, name: str, who: str) -> None:
        """Record that the visitor made it, or made the same as another."""
        with self._lock:
            if (kind, name) not in self._makers:
                try:
                    with self._path.open("a", encoding="utf-8") as file:
                        file.write(json.dumps([kind, name]) + "\n")
                except OSError as error:
                    raise StoreError("The data folder cannot be written.") from error
            self._makers.setdefault((kind, name), set()).add(who)

    def claim_new(self, kind: Kind, name: str, who: str, exists: bool) -> bool:
        """Claim it unless another visitor's, or `exists` and is the owner's; returns whether it is this visitor's."""
        with self._lock:
            makers = self._makers.get((kind, name))
        if makers is None and not exists:
            self.claim(kind, name, who)
            return True
        return makers is not None and who in makers


@st.cache_resource(show_spinner=False)
def _made() -> Made:
    return Made(services.settings().data_dir / FILE)


def is_mine(kind: Kind, name: str) -> bool:
    """Whether this visitor may change it."""
    return not is_demo() or _made().is_of(kind, name, visitor())


def is_seen(kind: Kind, name: str) -> bool:
    """Whether it appears in this visitor's lists."""
    return not is_demo() or _made().is_owners(kind, name) or _made().is_of(kind, name, visitor())


def claim(kind: Kind, name: str) -> None:
    """Record that this visitor made it."""
    if is_demo():
        _made().claim(kind, name, visitor())


def claim_collection(name: str, exists: bool) -> None:
    """Reserve the name for this visitor. Raises `InputError` where another has it."""
    if is_demo() and not _made().claim_new("collection", name, visitor(), exists):
        raise InputError(f"The name {name!r} is taken.", "Type another name.", field="collection")


def save_dataset(keep: Callable[[], str]) -> str:
    """Store a data set by `keep`, which returns its id; it belongs to this visitor unless the owner already had it."""
    before = {one.id for one in services.store().datasets.list_datasets()} if is_demo() else set()
    made = keep()
    if is_demo() and not (made in before and _made().is_owners("dataset", made)):
        _made().claim("dataset", made, visitor())
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
