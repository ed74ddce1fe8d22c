"""A query's JSON, of any shape, becomes the canonical payload or a reason."""

import json

import pytest

from trace_core.endpoint import QueryError, parse_query


def parse(**query):
    return parse_query(json.dumps(query)).payload


def refused(query):
    with pytest.raises(QueryError) as caught:
        parse_query(query if isinstance(query, str) else json.dumps(query))
    return str(caught.value)


def test_every_field_is_read():
    payload = parse(
        tests=["faithfulness"],
        question="Who?",
        contexts=[{"id": "c1", "text": "Jane."}],
        answer="Jane",
        ground_truth=["Jane", "Austen"],
        relevant_context_ids=["c1"],
        extra={"engine": "native", "note": [1]},
    )
    assert payload.model_dump() == {
        "tests": ["faithfulness"],
        "question": "Who?",
        "contexts": [{"id": "c1", "text": "Jane."}],
        "answer": "Jane",
        "ground_truth": ["Jane", "Austen"],
        "relevant_context_ids": ["c1"],
        "extra": {"engine": "native", "note": [1]},
    }


def test_contexts_without_ids_are_called_by_their_place():
    payload = parse(tests=["faithfulness"], contexts=["one", {"text": "two"}, {"id": 7, "text": "three"}])
    assert [(c.id, c.text) for c in payload.contexts] == [("1", "one"), ("2", "two"), ("7", "three")]


def test_a_test_named_twice_is_one_test():
    assert parse(tests=["faithfulness", " faithfulness "]).tests == ["faithfulness"]


def test_json_in_a_code_fence_is_json():
    assert parse_query('```json\n{"tests": ["faithfulness"]}\n```').by == "json"


def test_a_lone_surrogate_is_replaced():
    assert parse_query('{"tests": ["faithfulness"], "answer": "a\\ud800b"}').payload.answer == "a\ufffdb"


def test_a_number_that_is_not_finite_is_null():
    assert parse_query('{"tests": ["x"], "extra": {"p": NaN}}').payload.extra == {"p": None}


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("", "is empty"),
        (" \n", "is empty"),
        ("{}", "names no tests"),
        ('{"tests": []}', "names no tests"),
        ('{"tests": null}', "names no tests"),
        ('{"tests": 7}', "tests must be a list of names"),
        ('{"tests": {"faithfulness": 0.8}}', "tests must be a list of names"),
        ('{"tests": {"faithfulness": []}}', "tests must be a list of names"),
        ('{"tests": {"faithfulness": "no"}}', "names no tests"),
        ('{"tests": ["faithfulness"], "skip": "faithfulness"}', "names no tests"),
        ('{"tests": "faithfulness or answer relevancy"}', "unclear which tests"),
        ('{"run": "faithfulness", "score": "context recall", "answer": "Ada"}', "differ"),
        ('{"tests": [1]}', "tests[0] must be a name"),
        ('{"tests": ["a", " "]}', "tests[1] must be a name"),
        ('{"tests": ["faithfulness"]', "is not: Expecting ',' delimiter at line 1, column 27"),
        ("[]", "must be an object"),
        ('["faithfulness"]', "must be an object"),
        ("[" * 100_000, "nested too deep"),
        ('{"tests": ["x"], "n": ' + "1" * 5000 + "}", "number that is too long"),
        ('{"tests": ["x"], "question": []}', "question must be text, not a list"),
        ('{"tests": ["x"], "answer": true}', "answer must be text, not True"),
        ('{"tests": ["x"], "contexts": 3}', "contexts must be a list"),
        ('{"tests": ["x"], "contexts": [3]}', "contexts[0] must be an object"),
        ('{"tests": ["x"], "contexts": [{"id": "a"}]}', "contexts[0].text must be text, not None"),
        ('{"tests": ["x"], "contexts": [{"id": [], "text": "a"}]}', "contexts[0].id must be an id"),
        ('{"tests": ["x"], "relevant_context_ids": [{}]}', "relevant_context_ids[0] must be an id"),
        ('{"tests": ["x"], "relevant_context_ids": {}}', "relevant_context_ids must be a list"),
        ('{"tests": ["x"], "ground_truth": [[]]}', "ground_truth[0] must be text"),
        ('{"tests": ["x"], "extra": []}', "extra must be an object"),
        ('{"tests": ["x"], "extra": {"engine": "other"}}', "extra.engine must be one of native, ragas"),
        ('{"tests": ["x"], "extra": {"labeler": 1}}', "extra.labeler must be a labeler's name"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_reason(query, reason):
    assert reason in refused(query)


def test_more_tests_than_a_person_would_name_are_refused():
    assert "names 51 tests" in refused({"tests": [f"t{i}" for i in range(51)]})


def test_a_long_wrong_value_is_not_repeated_whole():
    assert len(refused({"tests": "x" * 10_000})) < 200
