"""The OpenAPI description, tried out: no 500, and no status or reply that it does not name."""

import json
from collections import Counter
from dataclasses import dataclass, field
from functools import partial

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from trace_core.endpoint import TESTS
from trace_core.endpoint.examples import QUERIES

ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
TEXT = st.text(max_size=40) | st.sampled_from(["Paris.", "Is it? It is.", "\ud800", "I don't know."])
CONTEXT = st.fixed_dictionaries({"text": TEXT}, optional={"id": st.sampled_from(["c1", "c2", 3])})
PAYLOAD = st.fixed_dictionaries(
    {"tests": st.lists(st.sampled_from([*TESTS, "bleu"]), min_size=1, max_size=6)},
    optional={
        "question": TEXT,
        "answer": TEXT,
        "contexts": st.lists(CONTEXT, max_size=3),
        "ground_truth": TEXT | st.lists(TEXT, max_size=3),
        "relevant_context_ids": st.lists(st.sampled_from(["c1", "c2", "3"]), max_size=3),
        "extra": st.dictionaries(st.text(max_size=8), ANY, max_size=2),
    },
)
BENT = st.builds(
    lambda payload, name, value: payload | {name: value},
    PAYLOAD,
    st.sampled_from(["tests", "question", "contexts", "ground_truth", "relevant_context_ids", "extra"]),
    ANY,
)
LABELS = st.sampled_from(
    ["Evaluate:", "TESTS:", "Question:", "Contexts:", "Answer:", "Reference:", "Relevant:", "[c1]"]
)
WORDS = st.lists(LABELS | TEXT | st.sampled_from([*TESTS, "\n"]), max_size=20).map(" ".join)
QUERY = st.one_of(PAYLOAD.map(json.dumps), BENT.map(json.dumps), WORDS, st.sampled_from(list(QUERIES.values())))


@dataclass
class Tried:
    """The count of each status, and whatever the description does not list."""

    statuses: Counter[int] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)


def fuzzed(url, examples):
    """`examples` requests of each kind: valid and invalid by the description, and queries generated here."""
    description = schemathesis.openapi.from_url(f"{url}/openapi.json")
    tried = Tried()
    for result in description.get_all_operations():
        operation = result.ok()
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            if operation.method.upper() == "GET" and mode is GenerationMode.NEGATIVE:
                continue  # it accepts nothing that could be wrong
            few = 3 if operation.method.upper() == "GET" else examples
            _run(operation.as_strategy(generation_mode=mode), tried, few)
        if operation.method.upper() == "POST":
            _run(QUERY.map(partial(_case, operation)), tried, examples)
    return tried


def _case(operation, query):
    return operation.Case(body={"query": query}, media_type="application/json")


def _run(cases, tried, examples):
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(cases)
    def send(case):
        reply = case.call(timeout=60)
        tried.statuses[reply.status_code] += 1
        try:
            # A string that the description allows may still not be a query: then the reply is 400.
            case.validate_response(reply, excluded_checks=[positive_data_acceptance])
        except BaseExceptionGroup as problem:
            tried.problems.append(f"{reply.status_code} {case.body!r}: {problem}"[:2000])

    send()


def test_nothing_happens_that_the_description_does_not_name(url):
    tried = fuzzed(url, examples=30)
    assert tried.problems == []
    assert sum(tried.statuses.values()) >= 60
    assert {200, 400, 422} <= set(tried.statuses)
    assert not {500, 503} & set(tried.statuses)
