"""What stops a visitor before anything is asked: settings without meaning, and the demo's limit."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.components.shared import visitors
from trace_core.demo import limits
from trace_core.demo.limits import VisitorLimiter

ASK = Path(__file__).parents[4] / "pages" / "ask.py"


@pytest.fixture
def _afresh() -> Iterator[None]:
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()


@pytest.mark.usefixtures("_afresh")
def test_a_setting_without_meaning_is_one_message_that_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRACE_TOP_K", "abc")
    page = AppTest.from_file(str(ASK), default_timeout=60).run()
    assert not page.exception
    assert ["TRACE\\_TOP\\_K" in error.value for error in page.error] == [True]


def begin() -> None:
    import streamlit as st

    from pages.components.shared.visitors import may_begin

    st.text("begun" if may_begin(["short"]) else "refused")


def test_a_visitor_of_the_demo_who_asks_too_often_waits_and_another_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitors, "is_demo", lambda: True)
    monkeypatch.setattr(limits, "ASKING", VisitorLimiter(2, 10))
    one, other = (AppTest.from_function(begin, default_timeout=60) for _ in range(2))
    assert [one.run().text[0].value for _ in range(3)] == ["begun", "begun", "refused"]
    assert "The demo is shared: that is enough for now. Try again in" in one.warning[0].value
    assert other.run().text[0].value == "begun"
