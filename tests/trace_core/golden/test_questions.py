import pytest

from trace_core.demo import DEMOS, questions
from trace_core.golden.questions import read_questions

ROW = {"question": "How high?", "expected_documents": ["tower"], "reference_answer": "90 metres.", "category": "single"}


def test_a_row_is_read_and_written_as_it_was():
    good, bad = read_questions([ROW])
    assert ([q.to_dict() for q in good], bad) == ([ROW], [])


def test_what_may_lack_may_lack():
    (found,), _ = read_questions(
        [{"question": " How high? ", "reference_answer": "", "expected_documents": ["a", " a "]}]
    )
    assert (found.question, found.reference_answer, found.category) == ("How high?", None, None)
    assert found.expected_documents == ["a"]


def test_the_demos_questions_are_golden_questions():
    for demo in DEMOS.values():
        good, bad = read_questions(questions(demo))
        assert len(good) >= 12
        assert bad == []


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({}, "question"),
        ({"question": " "}, "question"),
        ({"question": "?", "expected_documents": "tower"}, "expected_documents"),
        ({"question": "?", "category": 3}, "category"),
    ],
)
def test_a_bad_row_is_named_and_the_others_are_kept(row, field):
    good, (error,) = read_questions([ROW, row], file="golden.jsonl")
    assert len(good) == 1
    assert (error.file, error.row, error.field) == ("golden.jsonl", 2, field)
