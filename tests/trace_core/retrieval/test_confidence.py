import pytest

from trace_core.retrieval.confidence import CORRECT_FROM, INCORRECT_BELOW, retrieval_action


@pytest.mark.parametrize(
    ("confidence", "action"),
    [(0.55, "correct"), (0.549, "ambiguous"), (0.43, "ambiguous"), (0.429, "incorrect"), (-1.0, "incorrect")],
)
def test_the_best_score_decides(confidence, action):
    assert (CORRECT_FROM, INCORRECT_BELOW) == (0.55, 0.43)
    assert retrieval_action(confidence) == action


def test_the_thresholds_can_be_set():
    assert retrieval_action(0.5, correct_from=0.5) == "correct"
    assert retrieval_action(0.5, incorrect_below=0.6) == "incorrect"
