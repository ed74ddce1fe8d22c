"""One process on one port serves the pages and POST /trace, however it is started."""

import json

import pytest
import requests
from ask_page import serve_app
from trace_server import serve_uvicorn

from trace_core.api import PATHS
from trace_core.endpoint.examples import NOVEL


@pytest.fixture(scope="module", params=["streamlit run", "uvicorn"])
def url(request, tmp_path_factory):
    start = serve_app if request.param == "streamlit run" else serve_uvicorn
    with start(tmp_path_factory.mktemp("data")) as url:
        yield url


def test_a_query_is_answered(url):
    reply = requests.post(f"{url}/trace", json={"query": json.dumps(NOVEL)}, timeout=60)
    assert reply.status_code == 200
    assert reply.json()["evaluation_scores"] == {"context_recall": 1}


def test_what_the_endpoint_says_of_itself_is_there(url):
    assert [requests.get(url + path, timeout=60).status_code for path in PATHS] == [405, 200, 200]


def test_the_pages_are_there(url):
    assert "<title>Streamlit</title>" in requests.get(url, timeout=60).text
    assert requests.get(f"{url}/guide", timeout=60).status_code == 200
