"""The demo: whatever reads a file or searches has its turn; what was read is shown again without one."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st

from pages.components.corpus import add, look
from pages.components.runs import datasets
from pages.components.shared import services, visitors
from trace_core.demo import limits
from trace_core.demo.limits import LONGEST, VisitorLimiter
from trace_core.errors import InputError
from trace_core.facts.records import Document
from trace_core.retrieval.sources import File


@pytest.fixture(autouse=True)
def two_turns(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(visitors, "is_demo", lambda: True)
    monkeypatch.setattr(limits, "READING", VisitorLimiter(2, 10))
    yield
    st.cache_data.clear()


def enough() -> pytest.RaisesExc[InputError]:
    return pytest.raises(InputError, match="that is enough for now")


def test_a_data_sets_preview(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("question\nWhy?\n", "utf-8")
    for key in ("a", "b", "a", "b"):
        assert datasets.preview(key, path, "rows.csv", None).items[0].question == "Why?"
    with enough():
        datasets.preview("c", path, "rows.csv", None)


def test_a_documents_preview() -> None:
    def beginning(name: str) -> object:
        (found,) = add.beginning(name, File(name, name, b"The tank is full."))
        return found

    for name in ("a.md", "b.md", "a.md"):
        assert getattr(beginning(name), "text", "") == "The tank is full."
    with enough():
        raise beginning("c.md")  # type: ignore[misc]


def test_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    read = (None, None)
    monkeypatch.setattr(services, "collections", lambda: SimpleNamespace(search=found, closest=lambda *asked: [(0, 1)]))
    for question in ("a", "b", "a"):
        ((document, _),) = look.nearest_chunks("c", question, read, "3")
        assert document.text == question
    with enough():
        look.nearest_chunks("c", "c", read, "3")
    with pytest.raises(InputError, match="20,000 characters at once"):
        look.nearest_chunks("c", "x" * (LONGEST + 1), read, "3")


def found(collection: str, question: str, top_k: int, **read: object) -> list[Document]:
    return [Document(id="0", rank=1, text=question)]
