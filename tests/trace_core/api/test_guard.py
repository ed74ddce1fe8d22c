"""Whom a request is counted for: an address that a caller makes up counts for nothing."""

import pytest
from starlette.requests import Request

from trace_core.api.guard import caller


@pytest.mark.parametrize(
    ("client", "forwarded", "proxies", "counted"),
    [
        ("192.0.2.7", [], "", "192.0.2.7"),
        ("192.0.2.7", ["198.51.100.1"], "", "192.0.2.7"),
        ("192.0.2.7", ["198.51.100.1"], "192.0.2.7", "198.51.100.1"),
        ("192.0.2.7", ["made up, 198.51.100.1"], "192.0.2.7", "198.51.100.1"),
        ("192.0.2.7", ["made up", "198.51.100.1, 192.0.2.8"], "192.0.2.7, 192.0.2.8", "198.51.100.1"),
        ("192.0.2.7", ["192.0.2.7"], "", "forwarded"),
    ],
)
def test_the_last_address_that_no_named_proxy_has_is_the_callers(client, forwarded, proxies, counted):
    headers = [(b"x-forwarded-for", line.encode()) for line in forwarded]
    assert caller(Request({"type": "http", "headers": headers, "client": (client, 1)}), proxies) == counted
