"""What a visit leaves in the server's memory."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from trace_core.records import Record

PAGE = Path(__file__).parents[2] / "pages" / "ask.py"
QUESTIONS = [
    f"How many litres does the water tank hold, in words {word}?"
    for word in ("one", "two", "three", "four", "five", "six", "seven", "eight")
]


def test_a_visit_holds_no_record_that_it_has_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit knows every widget of a visit for as long as it lasts: what these hold would stay, too."""
    monkeypatch.setenv("TRACE_DATA_DIR", str(tmp_path))
    page = AppTest.from_file(str(PAGE), default_timeout=120).run()
    for question in QUESTIONS:
        page.chat_input[0].set_value(question).run()
    assert not page.exception
    gc.collect()
    held = {thing.question for thing in gc.get_objects() if isinstance(thing, Record)}
    # The last two are the one that is shown and the one before; the first is held by AppTest's own media files.
    assert held & set(QUESTIONS[1:-2]) == set()
