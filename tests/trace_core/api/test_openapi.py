"""The OpenAPI description, tried out: no 500, and no status or reply that it does not name.

A few hundred requests here; `bench/api_fuzz.py` sends thousands.
"""

import pytest
from trace_fuzz import fuzzed


@pytest.fixture(scope="module")
def tried(url):
    return fuzzed(url, examples=150)


def test_several_hundred_requests_were_sent(tried):
    assert sum(tried.statuses.values()) >= 300


def test_nothing_happened_that_the_description_does_not_name(tried):
    assert tried.problems == []


def test_queries_were_answered_and_refused(tried):
    assert {200, 400, 422} <= set(tried.statuses)
    assert not {500, 503} & set(tried.statuses)
