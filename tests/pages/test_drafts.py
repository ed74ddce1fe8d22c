"""What is typed under “Score your own” outlives a reload, within bounds."""

import pytest
from app_page import AppPage

from pages.components.shared import visitors
from trace_core.demo.limits import LONGEST

pytestmark = pytest.mark.usefixtures("data")


def typed(answer: str) -> str:
    """The name of the draft in the address of a page on which this answer was typed."""
    return str(AppPage(view="Score your own").fill("Answer", answer).address["draft"])


def answer_of(draft: str) -> str:
    return str(AppPage(view="Score your own", draft=draft).find("Answer").value)


def test_it_is_there_after_a_reload() -> None:
    assert answer_of(typed("It holds two litres.")) == "It holds two litres."


def test_in_the_demo_it_is_there_only_if_it_is_short_enough_to_be_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitors, "is_demo", lambda: True)
    assert answer_of(typed("x" * LONGEST)) == "x" * LONGEST
    assert answer_of(typed("x" * (LONGEST + 1))) == ""


def test_all_of_them_together_are_bounded_in_bytes_and_the_oldest_goes() -> None:
    first, second, third = (typed(letter * 7_000_000) for letter in "abc")
    assert [len(answer_of(draft)) for draft in (first, second, third)] == [0, 7_000_000, 7_000_000]
