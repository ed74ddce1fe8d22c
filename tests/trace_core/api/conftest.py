"""A server for all tests here, and the one way in which they ask it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
import requests
from trace_server import served


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    """A server without key, with the limits that it ships with."""
    with served() as address:
        yield address


@pytest.fixture
def ask(url: str) -> Callable[..., requests.Response]:
    """POST a query: a string as it is, anything else as JSON in a string."""

    def ask(query: object, **headers: str) -> requests.Response:
        text = query if isinstance(query, str) else json.dumps(query)
        return requests.post(url, json={"query": text}, headers=headers, timeout=60)

    return ask
