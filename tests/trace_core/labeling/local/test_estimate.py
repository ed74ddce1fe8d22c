"""The labeler's estimate of a whole answer does not clear a sentence that its labels are sure of."""

import pytest

from trace_core import evaluate
from trace_core.diagnosis.verdict import verdict

DOCUMENTS = [
    "The tank holds 1.8 litres of water. It sits at the back of the machine. Empty it every evening.",
    "The machine weighs 4 kg. The warranty lasts two years from the date of purchase.",
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What does the machine weigh?", "The machine weighs 40 kg."),
        ("How long is the warranty?", "The warranty lasts five years."),
        ("How much water does the tank hold?", "Bananas are yellow."),
    ],
)
def test_a_clear_fault_is_told_as_one(question, answer):
    record = evaluate(question, DOCUMENTS, answer)
    said = verdict(record, record.scores)
    assert record.labels.expected.adherence <= 0.05
    assert said.tone == "bad"
    assert not said.text.startswith("Doubtful")


def test_a_true_answer_keeps_its_estimate():
    record = evaluate("What does the machine weigh?", DOCUMENTS, "The machine weighs 4 kg.")
    assert record.labels.expected.adherence > 0.5
