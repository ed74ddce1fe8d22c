"""A server for all tests here, and the one way in which they ask it."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest
import requests
from trace_server import reply_to, served


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    """A server without key, with the limits that it ships with."""
    with served() as address:
        yield address


@pytest.fixture
def ask(url: str) -> Callable[..., requests.Response]:
    """POST a query to that server."""
    return partial(reply_to, url)
