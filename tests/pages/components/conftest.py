"""Pages with nothing but an evidence view: one that Streamlit serves, one without it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import serve
from evidence_page import RECORDS, draw, machine, opened
from playwright.sync_api import Page

ROOT = Path(__file__).parents[3]

SCRIPT = """
from pathlib import Path
import streamlit as st
from pages.components.record.drawn import draw
from trace_core.evidence import view
from trace_core.facts.records import Record

st.set_page_config(layout="wide")
name = st.query_params["record"]
st.button("Run again")
if st.toggle("Correct the label"):
    name = "corrected"
record = Record.model_validate_json(Path(f"{name}.json").read_text(encoding="utf-8"))
picked = draw(view(record), key="evidence")
st.text(f"picked: {picked}")
"""


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("app")
    (folder / "script.py").write_text(SCRIPT, encoding="utf-8")
    for name, make in RECORDS.items():
        (folder / f"{name}.json").write_text(make().model_dump_json(), encoding="utf-8")
    with serve("script.py", cwd=folder, env={"PYTHONPATH": str(ROOT)}) as url:
        yield url


@pytest.fixture
def machine_page(page: Page) -> Page:
    """The machine's evidence on a page without Streamlit, as a report holds it."""
    draw(page, machine())
    return page


@pytest.fixture
def app_page(page: Page, app: str) -> Page:
    """The same as Streamlit draws it: in a shadow root, with Python behind it."""
    return opened(page, app, "machine")
