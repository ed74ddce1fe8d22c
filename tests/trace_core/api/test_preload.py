"""The scripts that a page is sent with."""

from pathlib import Path

import pytest
import streamlit
from starlette.testclient import TestClient

from trace_core.api.preload import SCRIPTS, Preload

STREAMLIT = Path(streamlit.__file__).parent / "static"


async def app(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"a page"})


def link(path, folder=STREAMLIT):
    answer = TestClient(Preload(app, folder, ["runs"])).get(path)
    assert answer.text == "a page"
    return answer.headers.get("link", "")


def test_a_page_with_charts_names_scripts_that_streamlit_has():
    named = [part.partition(">")[0].strip(" <") for part in link("/runs").split(",")]
    assert len(named) == len(SCRIPTS)
    assert all((STREAMLIT / name).is_file() for name in named)


@pytest.mark.parametrize("path", ["/", "/guide", "/runs/static/js/x.js"])
def test_another_page_names_none(path):
    assert link(path) == ""


def test_where_streamlit_calls_them_otherwise_there_is_none(tmp_path):
    assert link("/runs", tmp_path) == ""
