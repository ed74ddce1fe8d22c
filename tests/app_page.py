"""A page without a browser: what Streamlit is told to draw, read and worked by the words that a person sees."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pandas as pd
import pytest
import streamlit as st
from ask_page import CLEAN, METRICS, ROOT
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest, app_test
from streamlit.testing.v1.element_tree import ButtonGroup, Multiselect, Progress, Widget
from streamlit.util import calc_hash

from pages.components.shared import services
from trace_core.retrieval import close_all

SECONDS = 120
"""The longest wait: the first answer loads the model, and the machine may be busy."""


@contextmanager
def app_on(folder: Path, **env: str) -> Iterator[Path]:
    """The dashboard on a data folder in this process, which then forgets it; independent of the environment."""

    def forget() -> None:
        services.query_log().close()
        st.cache_resource.clear()
        st.cache_data.clear()
        close_all()

    ours = {"TRACE_DATA_DIR": str(folder), "TRACE_WARM_UP": "off"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (dict.fromkeys(CLEAN, "") | ours | env).items():
            patch.setenv(name, value)
        patch.setattr(app_test, "PagesManager", Pages)
        patch.setattr(app_test, "MediaFileManager", Files)
        forget()
        yield folder
        forget()


def words(text: object) -> str:
    """Markdown as it is read: without bold, colours and escapes."""
    bare = re.sub(r"(?<!\\):[a-z-]+\[([^\[\]]*)\]", r"\1", str(text).replace("**", ""))
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", bare)


class Pages(PagesManager):
    """As `app.py` tells the server: it runs its pages itself, though they lie in a folder of that name."""

    def __init__(self, *told: Any, **more: Any) -> None:
        PagesManager.uses_pages_directory = False
        super().__init__(*told, **more)


class Files(MediaFileManager):
    """What the page that was drawn last offers to download."""

    latest: Files

    def __init__(self, *told: Any) -> None:
        super().__init__(*told)
        Files.latest = self


class AppPage:
    """One visitor's page, at an address. Whatever is done draws it anew, and nothing may raise.

    `n` is the place among several things with that label, of which there is else one.
    """

    def __init__(self, name: str = "ask", **address: str) -> None:
        self.app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=SECONDS)
        self.clicks = 0
        self.go(name, **address)

    @property
    def address(self) -> dict[str, Any]:
        return self.app.query_params

    @property
    def text(self) -> str:
        """Everything that is said, from top to bottom; what custom components draw is their `data`."""
        return "\n".join(words(part) for node in self.app._tree for part in _parts(node))

    def go(self, name: str, **address: str) -> AppPage:
        """Open that page, as a link does."""
        self.app.query_params = dict(address)
        self.app._page_hash = calc_hash(name)
        return self.run()

    def run(self, *events: WidgetState) -> AppPage:
        """Draw the page again, after what the browser says of its widgets."""
        for box in self.app.selectbox:  # AppTest knows no option that was typed
            box.options += [box.value] if isinstance(box.value, str) and box.value not in box.options else []
        states = self.app._tree.get_widget_states()
        states.widgets.extend(events)
        self.app._run(states)
        self.app._page_hash = ""  # stay where that led
        assert [error.value for error in self.app.exception] == []
        return self

    def wait(self, text: str, *, without: str = "") -> AppPage:
        """Draw the page again until it says the one and not the other: while work goes on, there is a “Stop”."""
        deadline = time.monotonic() + SECONDS
        while text not in (said := self.run().text) or (without and without in said):
            assert time.monotonic() < deadline, self.text
            time.sleep(0.05)
        return self

    # ---- what stands there ------------------------------------------------------------------

    def all(self, label: str) -> list[Any]:
        """The widgets with that label."""
        return [one for one in self.app._tree if isinstance(one, Widget) and words(getattr(one, "label", "")) == label]

    def find(self, label: str, n: int | None = None) -> Any:
        every = self.all(label)
        assert len(every) == 1 or (every and n is not None), f"{len(every)} “{label}” in:\n{self.text}"
        return every[n or 0]

    def options(self, label: str) -> list[str]:
        return [words(option) for option in self.find(label).options]

    def chosen(self, label: str) -> str:
        found = self.find(label)
        return "" if found.index is None else words(found.options[found.index])

    def table(self, name: str) -> list[list[str]]:
        """The cells of the table with that description or key."""
        tables = [*self.app.table, *self.app.dataframe]
        [found] = [one for one in tables if name in (words(getattr(one.proto, "alt", "")), one.key)]
        return [[words(cell) for cell in row] for row in found.value.to_numpy().tolist()]

    def alerts(self) -> list[str]:
        return [words(one.value) for kind in ("error", "warning", "info") for one in self.app.get(kind)]

    def parts(self, component: str) -> list[dict[str, Any]]:
        """What the custom components of that name, or with that key, are told to draw."""
        found = [one for one in self.app.get("bidi_component") if component in (one.proto.component_name, one.key)]
        told = [json.loads(one.proto.json) for one in found]
        return [one[0] if isinstance(one, list) else one for one in told]

    def card(self, label: str) -> dict[str, Any]:
        """The score on that card: of the run, where the page shows a run, since its cards come first."""
        scores = self.parts("trace_scorecard")[0]
        [card] = [one for one in (*scores["metrics"], *scores["derived"]) if one["label"] == label]
        return card

    def shown(self) -> list[str]:
        """The values on the four cards."""
        return [self.card(label)["shown"] for label in METRICS]

    # ---- what is done -----------------------------------------------------------------------

    def press(self, label: str, n: int | None = None) -> AppPage:
        self.clicks += 1
        self.find(label, n).click()
        return self.run()

    def fill(self, label: str, value: Any, n: int | None = None) -> AppPage:
        """Type it; within a form nothing else happens yet."""
        found = self.find(label, n).set_value(value)
        return self if found.form_id else self.run()

    def ask(self, question: str) -> AppPage:
        return self.fill("Your question", question).press("Ask")

    def choose(self, label: str, option: str, n: int | None = None) -> AppPage:
        """Choose that option, or type it where a new one may be."""
        self.clicks += 1
        found = self.find(label, n)
        assert not found.disabled
        said = [one for one in found.options if words(one) == option] or [option]
        state = WidgetState(id=found.id)
        if isinstance(found, ButtonGroup | Multiselect):
            state.string_array_value.data[:] = said
        else:
            state.string_value = said[0]
        return self.run(state)

    def check(self, label: str) -> AppPage:
        self.clicks += 1
        found = self.find(label)
        found.set_value(not found.value)
        return self.run()

    def upload(self, *files: tuple[str, bytes]) -> AppPage:
        self.clicks += 1
        [found] = self.app.file_uploader
        found.set_value([(*file, "application/octet-stream") for file in files])
        return self.run()

    def tab(self, name: str) -> AppPage:
        self.clicks += 1
        [tabs] = [one for one in self.app.get("tab_container") if name in [tab.label for tab in one.children.values()]]
        told = tabs.proto.tab_container
        if told.query_param_key:
            self.address.pop(told.query_param_key, None)
            self.address.update({told.query_param_key: name} if name != told.default_tab_label else {})
        return self.run(WidgetState(id=told.id, string_value=name))

    def unfold(self, label: str) -> AppPage:
        """Open what is drawn only while it is open."""
        self.clicks += 1
        [found] = [one for one in self.app.expander if words(one.label) == label]
        return self.run(WidgetState(id=found.proto.id, bool_value=True))

    def follow(self, label: str, n: int = 0) -> AppPage:
        """Click on a link to a page."""
        self.clicks += 1
        link = [one.proto for one in self.app.get("page_link") if words(one.proto.label) == label][n]
        return self.go(link.page or "ask", **dict(parse_qsl(link.query_string)))

    def pick(self, table: str, *rows: int) -> AppPage:
        """Select these rows of the table whose key begins so."""
        [found] = [one for one in self.app.dataframe if (one.key or "").startswith(table)]
        chosen = {"selection": {"rows": rows, "columns": [], "cells": []}}
        return self.run(WidgetState(id=found.proto.id, string_value=json.dumps(chosen)))

    def say(self, *changes: tuple[str, str, Any]) -> AppPage:
        """Correct labels: field, sentence key and value, as the controls in the evidence say them."""
        [found] = [one for one in self.app.get("bidi_component") if one.proto.component_name == "trace_evidence"]
        correcting = self.parts(found.key)[0]["correcting"]
        draft = {"version": correcting["version"], "changes": [*correcting["changes"], *changes]}
        return self.run(WidgetState(id=found.proto.id, json_value=json.dumps({"draft": draft})))

    def download(self, label: str) -> tuple[str, str]:
        """The name and the text of the file that this button downloads, which is made when it is pressed."""
        self.clicks += 1
        file = Files.latest._deferred_callables[self.find(label).proto.deferred_file_id]
        made: Any = file["callable"]()
        return str(file["filename"]), made if isinstance(made, str) else made.getvalue().decode()


def _parts(node: Any) -> Sequence[object]:
    """What an element says: its label, its text, its cells."""
    if node.type in ("bidi_component", "html"):
        return ()
    if isinstance(node, Progress):
        return [node.text]
    value = None if isinstance(node, Widget) else getattr(node, "value", None)
    label = getattr(node, "label", "") or getattr(getattr(getattr(node, "proto", None), node.type, None), "label", "")
    if isinstance(value, pd.DataFrame):
        return [*value.columns, *value.to_numpy().ravel().tolist()]
    return [part for part in (label, value) if isinstance(part, str) and part]
