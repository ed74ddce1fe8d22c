"""A first visit: every page shows something at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from trace_core.retrieval import close_all

APP = str(Path(__file__).parents[2] / "app.py")


@pytest.fixture(scope="module", autouse=True)
def _new(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRACE_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        st.cache_resource.clear()
        st.cache_data.clear()
        yield
    st.cache_resource.clear()
    st.cache_data.clear()
    close_all()


def block_text(block: Any) -> str:
    """What the page says, from top to bottom."""
    inside = map(block_text, block.children.values()) if hasattr(block, "children") else [str(block.value)]
    return "\n".join([str(getattr(block, "label", "")), *inside])


@pytest.mark.parametrize(
    ("path", "part", "seen"),
    [
        ("runs", {}, ["2 runs"]),
        ("runs", {"show": "Compare"}, ["B is better in adherence", "answers are grounded", "31 pairs, no record"]),
        ("runs", {"show": "Over time"}, ["The four metrics, run after run", "31 questions", "labels: local model"]),
        ("review", {}, ["0 of 31 reviewed"]),
        ("review", {"part": "Trust"}, ["κ on support: ", "Against people", "Counts only records", "Measured against"]),
    ],
)
def test_no_page_is_empty(path: str, part: dict[str, str], seen: list[str]) -> None:
    page = AppTest.from_file(APP, default_timeout=60)
    for name, value in part.items():
        page.query_params[name] = value
    text = block_text(page.switch_page(f"pages/{path}.py").run().main).replace("\\", "")
    assert not page.exception
    places = [text.find(each) for each in seen]
    assert places == sorted(places)
    assert min(places) >= 0
    assert "There is no run yet" not in text
