"""Rows in long form: a row a passage, or a row an annotator."""

import pytest

from trace_core.datasets import Item
from trace_core.datasets.rows import describe_long, join_rows, long_rows, majority

ASKED = {"id": "q", "question": "How high is the dam?"}
JUDGED = ASKED | {"documents": ["It is 40 m high."], "response": "40 m."}


def items(*rows):
    return [Item.model_validate(row) for row in rows]


def joined(*rows):
    return join_rows(items(*rows), [list(range(len(rows)))])[0].model_dump(exclude_unset=True)


@pytest.mark.parametrize(
    ("rows", "groups"),
    [
        ([ASKED | {"documents": ["D."], "response": "R."}, ASKED | {"documents": ["E."]}], [[0, 1]]),
        ([ASKED | {"documents": ["D."], "response": "R."}, ASKED | {"documents": ["E."], "response": "R."}], [[0, 1]]),
        ([{"question": "Why?", "documents": ["D."]}, {"question": "Why?", "documents": ["E."]}], [[0, 1]]),
        ([ASKED | {"expected_documents": ["a"]}, ASKED | {"expected_documents": ["b"]}], [[0, 1]]),
        ([JUDGED | {"grounded": "yes"}, ASKED | {"id": "r"}, JUDGED | {"grounded": "no"}], [[0, 2]]),
        # records of their own
        ([ASKED | {"documents": ["D."], "response": "R."}, ASKED | {"documents": ["E."], "response": "S."}], []),
        ([JUDGED | {"generation_model_name": "a"}, JUDGED | {"generation_model_name": "b"}], []),
        ([JUDGED, JUDGED], []),
        ([JUDGED | {"id": None, "seconds": 1}, JUDGED | {"id": None, "seconds": 2}], []),
        ([JUDGED | {"all_relevant_sentence_keys": []}, JUDGED | {"all_relevant_sentence_keys": ["0a"]}], []),
    ],
)
def test_rows_are_one_question_that_differ_in_passages_or_judgments_alone(rows, groups):
    assert long_rows(items(*rows)) == groups


def test_a_row_a_passage_becomes_one_with_each_passage_once_in_order():
    first = ASKED | {"documents": ["D."], "document_ids": ["d"], "response": None, "rank": 1}
    second = ASKED | {"documents": ["E."], "document_ids": ["e"], "response": "R.", "rank": 2}
    both = {"documents": ["D.", "E."], "document_ids": ["d", "e"]}
    assert joined(first, second, first) == ASKED | both | {"response": "R.", "rank": 1}


def test_what_only_some_passages_have_is_left_out():
    bare = ASKED | {"documents": ["E."]}
    assert joined(ASKED | {"documents": ["D."], "document_ids": ["d"]}, bare) == ASKED | {"documents": ["D.", "E."]}


def test_a_row_an_annotator_becomes_one_with_what_most_say():
    words = enumerate(("yes", "no", "yes"))
    rows = (JUDGED | {"annotator": n, "grounded": word, "adherence_score": word == "yes"} for n, word in words)
    assert joined(*rows) == JUDGED | {"grounded": "yes", "adherence_score": 1.0}


def test_all_reference_answers_and_expected_documents_stay():
    rows = [ASKED | {"reference_answer": one, "expected_documents": [one]} for one in ("a", "b", "a")]
    assert joined(*rows) == ASKED | {"reference_answer": ["a", "b"], "expected_documents": ["a", "b"]}


@pytest.mark.parametrize(("values", "most"), [([1, 1, 2], 1), ([1, 2], None), ([None, "a"], "a"), ([], None)])
def test_a_tie_says_nothing(values, most):
    assert majority(values) == most


def test_they_are_described_with_the_rows_of_the_first():
    rows = items(ASKED | {"documents": ["D."]}, JUDGED, ASKED | {"id": "z"})
    text = "2 rows share id and question with others, each has another passage: 1 question, as rows 1 and 3."
    assert describe_long(rows, [[0, 1]], [1, 3, 4]) == text
