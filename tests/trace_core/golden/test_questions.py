import pytest
from run_examples import failed, labeled

from trace_core.datasets import Item
from trace_core.demo import DEMOS, questions
from trace_core.evidence.reference import reference_of
from trace_core.golden.questions import GoldenQuestion, golden_of, read_questions, save_questions
from trace_core.golden.results import results_of
from trace_core.runs.files.row_records import expecting, save_rows
from trace_core.store.datasets import DatasetStore

ROW = {"question": "How high?", "expected_documents": ["tower"], "reference_answer": "90 metres.", "category": "single"}


def test_a_row_is_read_and_written_as_it_was():
    good, bad = read_questions([ROW])
    assert ([q.model_dump(exclude_none=True) for q in good], bad) == ([ROW], [])


def test_what_may_lack_may_lack():
    row = {"question": " How high? ", "reference_answer": "", "expected_documents": ["a", " a "]}
    (found,), _ = read_questions([row])
    assert (found.question, found.reference_answer, found.category) == ("How high?", None, None)
    assert found.expected_documents == ["a"]


def test_the_demos_questions_are_golden_questions():
    for demo in DEMOS:
        good, bad = read_questions(questions(demo))
        assert len(good) >= 12
        assert bad == []


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ({}, "question: It is missing."),
        ({"question": " "}, "question: A text that is not empty was expected."),
        ({"question": "?", "expected_documents": "tower"}, "expected_documents: A list was expected."),
        ({"question": "?", "category": 3}, "category: A text was expected."),
    ],
)
def test_a_bad_row_is_named_and_the_others_are_kept(row, error):
    good, bad = read_questions([ROW, row], file="golden.jsonl")
    assert len(good) == 1
    assert f"golden.jsonl, row 2, field {error}" in str(bad[0])


# In the store

HIGH = GoldenQuestion(question="How high?", expected_documents=["0"], reference_answer="300 m.", category="single")
COLOUR = GoldenQuestion(question="Which colour?")


@pytest.fixture
def datasets(tmp_path):
    return DatasetStore(f"sqlite:///{tmp_path / 'trace.sqlite'}")


def test_questions_come_back_by_record_id(datasets):
    made = save_questions(datasets, "Tower", [HIGH, COLOUR], ["t7"])
    assert golden_of(datasets, made) == {"t7": HIGH, "2": COLOUR}


def test_the_same_questions_are_kept_once(datasets):
    assert save_questions(datasets, "Tower", [HIGH]) == save_questions(datasets, "Again", [HIGH])


def test_a_row_that_says_nothing_of_documents_is_no_golden_question(datasets):
    rows = [Item(question="How high?", reference_answer="300 m."), Item(question="?", expected_documents=[])]
    made = save_rows(datasets, "Mixed", rows)
    assert list(golden_of(datasets, made)) == ["2"]
    assert datasets.load_dataset(made).counts == {"ask": 2, "golden": 1, "unanswered": 2}


@pytest.mark.parametrize(
    ("row", "reference"),
    [
        ({"reference_answer": ["", "One.", "Two."]}, "One."),
        ({"reference_answer": "B."}, "B."),
        ({}, None),
        ({"reference_answer": "300 m.", "expected_documents": ["0"]}, "300 m."),
    ],
)
def test_the_reference_is_the_first_of_the_records_row(row, reference):
    assert reference_of(expecting(labeled("q1"), Item(question="a", **row))) == reference


def test_a_runs_records_are_measured_by_what_they_expect_under_the_convention():
    rows = [Item(question="?", expected_documents=expected) for expected in (["0"], None, [])]
    made = [expecting(r, row) for r, row in zip([labeled("q1"), labeled("q2"), failed("q3")], rows, strict=True)]
    found = list(results_of(made, "ragbench"))
    shares = [(r.record.id, r.value("document_recall"), r.value("document_precision")) for r in found]
    assert shares == [("q1", 1, 1 / 2), ("q3", None, None)]
    assert found[0].value("context_relevance") == 2 / 3
