"""What the endpoint says of itself is what it does."""

import pytest
import requests

from trace_core.endpoint import TESTS
from trace_core.endpoint.examples import QUERIES


@pytest.fixture(scope="module")
def schema(url):
    return requests.get(f"{url}/schema", timeout=60).json()


@pytest.mark.parametrize("name", QUERIES)
def test_every_example_is_understood(ask, name):
    assert ask(QUERIES[name]).status_code == 200


def test_the_schema_describes_each_test_where_it_is_written(schema):
    assert list(schema["tests"]) == list(TESTS)
    for name, test in TESTS.items():
        assert schema["tests"][name]["needs"] == list(test.needs)
        assert schema["tests"][name]["definition"] == test.definition
        assert schema["tests"][name]["cost"]
        assert schema["tests"][name]["ragas"]


def test_the_schema_has_the_parameters_of_callers_and_no_others(schema):
    known = {"tests", "question", "contexts", "answer", "ground_truth", "relevant_context_ids", "extra"}
    assert set(schema["payload"]["properties"]) == known
    assert set(schema["reply"]["$defs"]["Payload"]["properties"]) == known


def test_the_schema_has_every_limit_of_one_query(schema):
    texts = {"characters": 500_000, "characters_with_labels": 100_000, "sentences_of_contexts_and_answer": 2000}
    assert schema["limits"] == texts | {"tests": 50, "contexts": 100, "ground_truths": 20}
