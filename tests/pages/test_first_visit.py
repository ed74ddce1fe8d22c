"""A first visit: every page shows something at once."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from app_page import AppPage, app_on


@pytest.fixture(scope="module", autouse=True)
def _new(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with app_on(tmp_path_factory.mktemp("data")):
        yield


@pytest.mark.parametrize(
    ("path", "part", "seen"),
    [
        ("runs", {}, ["2 runs"]),
        ("runs", {"show": "Compare"}, ["B is better in adherence", "answers are grounded", "31 pairs"]),
        ("runs", {"show": "Over time"}, ["The four metrics, run after run", "31 questions", "labels: local model"]),
        ("review", {}, ["0 of 31 reviewed"]),
        ("review", {"part": "Trust"}, ["κ on support: ", "Against people", "Counts only records", "Measured against"]),
    ],
)
def test_no_page_is_empty(path: str, part: dict[str, str], seen: list[str]) -> None:
    text = AppPage(path, **part).text
    places = [text.find(each) for each in seen]
    assert places == sorted(places)
    assert min(places) >= 0
    assert "There is no run yet" not in text


def test_a_link_to_a_demo_run_finds_it(tmp_path: Path) -> None:
    with app_on(tmp_path):
        text = AppPage("runs", run="demo-after").text
    assert "Demo: 5 chunks, strict prompt" in text
    assert "There is no run" not in text
