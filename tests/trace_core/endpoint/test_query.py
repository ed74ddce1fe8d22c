"""What is read as an object or by labels, and what is refused: one case a line of `queries.jsonl`, with why."""

import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_core.endpoint import TESTS, Payload, QueryError, TooMuch, parse_query
from trace_core.endpoint.names import ALIASES, FIELDS, OTHERS, bare_name
from trace_core.endpoint.payload import LONGEST

F = ["faithfulness"]
CASES = [json.loads(line) for line in Path(__file__).with_name("queries.jsonl").read_text("utf-8").splitlines()]
"""Why, the query (an object stands for its JSON), and the reader with what it reads or a part of the refusal."""
READ, REFUSED = ([case for case in CASES if name in case] for name in ("read", "refusal"))
DEEP = {"why": "nested too deeply", "query": '{"tests": ' + "[" * 100_000, "refusal": "nested too deeply"}


def read(query):
    """The reader, and what it read: contexts as `{id: text}`, what was not given left out."""
    parsed = parse_query(query)
    found = parsed.payload.model_dump(exclude_defaults=True)
    if parsed.payload.contexts:
        found["contexts"] = {context.id: context.text for context in parsed.payload.contexts}
    return parsed.by, found


def refused(query):
    with pytest.raises(QueryError) as caught:
        parse_query(query)
    return caught.value


def text_of(case):
    return case["query"] if isinstance(case["query"], str) else json.dumps(case["query"])


def why(case):
    return case["why"]


@pytest.mark.parametrize("case", READ, ids=why)
def test_an_object_or_labels_are_read(case):
    assert read(text_of(case)) == (case["by"], case["read"])


@pytest.mark.parametrize("case", [*REFUSED, DEEP], ids=why)
def test_what_is_unclear_is_refused_with_its_reason(case):
    error = refused(text_of(case))
    assert case["refusal"] in str(error)
    assert Payload.model_validate(error.payload)
    assert 0 < len(str(error)) < 3000


def test_a_correction_on_the_line_of_its_label_is_part_of_the_text():
    """No form tells it from an answer of two sentences: it is read as written, and the reply shows it."""
    said = "Question: Who wrote it? Answer: Austen. Correction, the answer was Brontë. Metrics: accuracy"
    assert read(said)[1]["answer"] == "Austen. Correction, the answer was Brontë."


def test_a_refusal_holds_what_was_understood_ready_to_complete():
    error = refused("Tests: faithfulness\nAnswer: At nine.\nor was it ten?\nContexts:\n[c1] It opens at nine.")
    assert "Understood: tests, contexts." in str(error)
    whole = {"tests": F, "contexts": {"c1": "It opens at nine."}, "answer": "At nine."}
    assert read(json.dumps(error.payload | {"answer": "At nine."})) == ("json", whole)
    assert json.dumps(error.payload) in str(error)


def test_a_refused_object_holds_its_other_fields():
    error = refused('{"tests": ["faithfulness"], "question": [], "answer": "x", "response": "y", "contexts": ["a"]}')
    assert error.payload["tests"] == F
    assert [context["text"] for context in error.payload["contexts"]] == ["a"]


@pytest.mark.parametrize("test", TESTS)
def test_a_test_has_all_its_names(test):
    for name in (test, test.replace("_", " ").title(), *ALIASES[test].split()):
        assert parse_query(json.dumps({"tests": [name]})).payload.tests == [test]
        assert parse_query(f"Evaluate {name}: please.\nAnswer: x").payload.tests == [test]


def test_no_name_means_two_things():
    for table in (FIELDS, {test: f"{ALIASES[test]} {OTHERS.get(test, '')}" for test in TESTS}):
        names = [bare_name(name) for field, given in table.items() for name in {field, *given.split()}]
        assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ({"tests": ["answer_accuracy"], "ground_truth": ["x"] * 21}, "ground_truth: at most 20 are read, not 21"),
        ({"tests": ["faithfulness"], "contexts": ["x"] * 101}, "contexts: at most 100 are read, not 101"),
        ({"tests": [f"t{i}" for i in range(51)]}, "tests: at most 50 are read, not 51"),
        ({"tests": ["x"], "answer": "x" * LONGEST}, "at most 500,000 are read"),
    ],
)
def test_too_much_is_refused(query, reason):
    with pytest.raises(TooMuch, match=reason):
        parse_query(json.dumps(query))


# Whatever is read stood in the query

MARKS = [*"QA:{}'\",#|", "Ground truth", "context recall", "\n", ". ", "- ", "[c1] ", "c2: "]
TERMS = "Tests Answer Contexts Relevant faithfulness and not all “x” Paris 12.50 &a *a \ud800".split()
WORDS = st.sampled_from(MARKS + TERMS)


@given(st.lists(WORDS, max_size=40).map(" ".join) | st.lists(WORDS, max_size=40).map("".join))
def test_whatever_is_read_stood_in_the_query(query):
    try:
        payload = parse_query(query).payload
    except QueryError:
        return
    texts = [payload.question, payload.answer, *payload.truths, *(c.text for c in payload.contexts)]
    whole = "".join(query.replace("\ud800", "�").split())
    assert [text for text in texts if text and "".join(text.split()) not in whole] == []


@pytest.mark.parametrize(
    "part",
    [
        *("[", "{", '{"a":', "'", '"', "`", "```\n", "\n", " ", "- ", "A: ", "x. A: ", "Tests: ", "[c1] x. ", "a: "),
        *("answer ", "1", "Context 1", ". ", "*", "- - ", "please ", "faithfulness,", "{'a': [", "-", "answer:\n"),
        *("\\", "&a ", "x: [", "not ", "é"),
    ],
)
@pytest.mark.timeout(60)
def test_five_hundred_thousand_characters_of_anything_are_read_to_their_end(part):
    for text in (
        part * (LONGEST // len(part)),
        ("{" + part * (LONGEST // len(part)))[: LONGEST - 1] + "}",
        ("Tests: faithfulness\nAnswer: " + part * LONGEST)[:99_000],
    ):
        with contextlib.suppress(QueryError):
            parse_query(text)
