"""What a visit leaves in the server's memory."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from trace_core.records import Record

PAGE = Path(__file__).parents[2] / "pages" / "ask.py"
QUESTIONS = [
    f"How many litres does the water tank hold, in words {word}?"
    for word in ("one", "two", "three", "four", "five", "six", "seven", "eight")
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A new data folder, which pages of other tests in this process know nothing of."""
    monkeypatch.setenv("TRACE_DATA_DIR", str(tmp_path))
    st.cache_resource.clear()
    yield tmp_path
    st.cache_resource.clear()


@pytest.mark.usefixtures("folder")
def test_a_visit_holds_no_record_that_it_has_left() -> None:
    """Streamlit knows every widget of a visit for as long as it lasts: what these hold would stay, too."""
    page = AppTest.from_file(str(PAGE), default_timeout=120).run()
    for question in QUESTIONS:
        page.chat_input[0].set_value(question).run()
    assert not page.exception
    gc.collect()
    held = {thing.question for thing in gc.get_objects() if isinstance(thing, Record)}
    # The last two are the one that is shown and the one before; the first is held by AppTest's own media files.
    assert held & set(QUESTIONS[1:-2]) == set()
