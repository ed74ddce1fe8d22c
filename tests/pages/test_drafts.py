"""What is typed under “Score your own” outlives a reload, within bounds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.components.shared import visitors
from trace_core.demo.limits import LONGEST

ASK = str(Path(__file__).parents[2] / "pages" / "ask.py")


@pytest.fixture(autouse=True)
def _afresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TRACE_DATA_DIR", str(tmp_path))
    for clear in (st.cache_resource.clear, st.cache_data.clear):
        clear()
    yield
    for clear in (st.cache_resource.clear, st.cache_data.clear):
        clear()


def page(**address: str) -> AppTest:
    opened = AppTest.from_file(ASK, default_timeout=60)
    for name, value in {"view": "Score your own", **address}.items():
        opened.query_params[name] = value
    return opened.run()


def typed(answer: str) -> str:
    """The name of the draft in the address of a page on which this answer was typed."""
    opened = page()
    next(area for area in opened.text_area if area.label == "Answer").set_value(answer).run()
    assert not opened.exception
    return str(opened.query_params["draft"])


def answer_of(draft: str) -> str:
    return next(area.value for area in page(draft=draft).text_area if area.label == "Answer")


def test_it_is_there_after_a_reload() -> None:
    assert answer_of(typed("It holds two litres.")) == "It holds two litres."


def test_in_the_demo_it_is_there_only_if_it_is_short_enough_to_be_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitors, "is_demo", lambda: True)
    assert answer_of(typed("x" * LONGEST)) == "x" * LONGEST
    assert answer_of(typed("x" * (LONGEST + 1))) == ""


def test_all_of_them_together_are_bounded_in_bytes_and_the_oldest_goes() -> None:
    first, second, third = (typed(letter * 7_000_000) for letter in "abc")
    assert [len(answer_of(draft)) for draft in (first, second, third)] == [0, 7_000_000, 7_000_000]
