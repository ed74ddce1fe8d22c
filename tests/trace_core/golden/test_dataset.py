import pytest
from run_examples import failed, labeled

from trace_core.datasets import Item
from trace_core.golden.dataset import golden_of, references_of, results_of, save_questions
from trace_core.golden.questions import GoldenQuestion
from trace_core.runs.files.dataset import save_rows
from trace_core.store.datasets import DatasetStore

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


def test_references_of_the_records_asked_for_the_first_of_several(datasets):
    rows = [Item(question="a", reference_answer=["", "One.", "Two."]), Item(question="b", reference_answer="B.")]
    made = save_rows(datasets, "R", [*rows, Item(question="c")])
    assert references_of(datasets, made, ["1", "3", "nowhere"]) == {"1": "One."}


def test_a_runs_records_are_measured_by_the_row_of_their_id_under_the_convention():
    golden = {"q1": HIGH, "q3": COLOUR}
    found = list(results_of(golden, [labeled("q1"), labeled("q2"), failed("q3")], "ragbench"))
    assert [(r.record.id, r.document_recall, r.document_precision) for r in found] == [
        ("q1", 1, 1 / 2),
        ("q3", None, None),
    ]
    assert found[0].record.scores.context_relevance == 2 / 3
