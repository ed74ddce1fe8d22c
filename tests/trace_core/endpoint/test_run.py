"""What is missing is listed, what is complete is scored, what fails says why."""

import pytest

from trace_core.endpoint import TESTS, NoScore, Payload, Tools, run_tests
from trace_core.errors import LabelingError
from trace_core.labeling import LocalLabeler

NEEDS = {
    "answer_accuracy": ["answer", "ground_truth"],
    "context_recall": ["contexts", "relevant_context_ids"],
    "context_precision": ["contexts", "relevant_context_ids"],
    "faithfulness": ["answer", "contexts"],
    "answer_relevancy": ["question", "answer"],
    "context_utilisation": ["question", "contexts", "answer"],
}
WHOLE = {
    "question": "Which city is the capital?",
    "contexts": [{"id": "c1", "text": "Paris is the capital."}],
    "answer": "Paris is it.",
    "ground_truth": "Paris",
    "relevant_context_ids": ["c1"],
}
EMPTY = {
    "question": ["", " \n", None, "N/A"],
    "contexts": [[], None],
    "answer": ["", "\t", None],
    "ground_truth": ["", " ", [], [""], None, "N/A", ["nan", "null"]],
    "relevant_context_ids": [[], None, "nan", ["N/A"]],
}


class Broken:
    """A labeler that cannot label."""

    name, version = "gpt", "test-1"

    def label(self, question, sentences, progress=None):
        raise LabelingError("The judge gave no answer.", "Try again.")


@pytest.fixture
def run(model):
    def run(labeler=None, seconds=60, **query):
        return run_tests(Payload.model_validate(query), Tools(model, labeler or LocalLabeler(model), seconds=seconds))

    return run


def test_every_test_needs_what_the_seed_says():
    assert {name: list(test.needs) for name, test in TESTS.items()} == NEEDS


@pytest.mark.parametrize(("need", "value"), [(need, value) for need, values in EMPTY.items() for value in values])
def test_what_is_empty_is_missing(run, need, value):
    tests = [test for test, needs in NEEDS.items() if need in needs]
    assert run(tests=tests, **{**WHOLE, need: value})["missing"] == {test: [need] for test in tests}


@pytest.mark.parametrize(
    ("answer", "why"), [("nan", "placeholder"), ("...", "empty"), ("Request timed out.", "error text")]
)
def test_an_answer_that_is_none_is_null_with_the_reason_and_no_failure_of_ours(run, answer, why):
    tests = [test for test, needs in NEEDS.items() if "answer" in needs]
    reply = run(tests=tests, **WHOLE | {"answer": answer})
    assert reply["evaluation_scores"] == dict.fromkeys(tests)
    assert reply["details"] == {test: {"undefined": f"failed generation: {why}"} for test in tests}


def test_contexts_that_are_placeholders_have_an_id_and_no_words(run):
    contexts = [{"id": " c1", "text": "nan"}]
    reply = run(tests=["faithfulness", "context_recall"], **WHOLE | {"contexts": contexts})
    assert reply["evaluation_scores"] == {"faithfulness": None, "context_recall": 1.0}
    assert reply["details"]["faithfulness"] == {"undefined": "the contexts contain no words"}


def test_ids_are_the_same_whatever_the_spaces_around_them(run):
    reply = run(tests=["context_recall"], **WHOLE | {"relevant_context_ids": [" c1"]})
    assert reply["evaluation_scores"] == {"context_recall": 1.0}


def test_a_complete_test_is_scored_even_when_another_lacks_something(run):
    reply = run(tests=["answer_accuracy", "faithfulness"], answer="Paris", ground_truth="Paris")
    assert reply["missing"] == {"answer_accuracy": False, "faithfulness": ["contexts"]}
    assert reply["evaluation_scores"] == {"answer_accuracy": 1}


def test_an_unknown_test_is_named_and_the_near_one_suggested(run):
    reply = run(tests=["context_recall2", "bleu"], **WHOLE)
    assert reply["missing"] == {"context_recall2": ["unsupported_test"], "bleu": ["unsupported_test"]}
    assert "The nearest is context_recall." in reply["details"]["context_recall2"]["error"]
    assert "The tests are answer_accuracy" in reply["details"]["bleu"]["error"]


def test_a_relevant_id_that_no_context_can_have_is_said_and_not_scored(run):
    reply = run(tests=["context_recall", "faithfulness"], answer="x", contexts=["x"], relevant_context_ids=["doc-7"])
    assert reply["missing"] == {"context_recall": ["relevant_context_ids"], "faithfulness": False}
    assert "context_recall" not in reply["evaluation_scores"]
    assert "No context is called doc-7" in reply["details"]["context_recall"]["error"]
    assert reply["provided_parameters"]["relevant_context_ids"] == ["doc-7"]


def test_a_test_that_fails_is_null_with_its_reason_and_the_others_stand(run):
    reply = run(tests=["faithfulness", "context_recall"], labeler=Broken(), **WHOLE)
    assert reply["evaluation_scores"] == {"faithfulness": None, "context_recall": 1}
    assert reply["details"]["faithfulness"] == {"error": "The judge gave no answer. Try again."}


def test_nothing_to_reply_with_is_an_error(run):
    with pytest.raises(NoScore, match="The judge gave no answer"):
        run(tests=["faithfulness", "context_utilisation", "bleu"], labeler=Broken(), **WHOLE)


class NoRagas:
    """The engine ragas where its interpreter does not start."""

    def results(self, payload, names):
        raise LabelingError("Ragas did not finish.", "Try again.")


def test_the_same_holds_where_the_engine_fails(model):
    tools = Tools(model, LocalLabeler(model), seconds=60)
    query = WHOLE | {"tests": ["faithfulness", "context_recall"]}
    with pytest.raises(NoScore, match="Ragas did not finish"):
        run_tests(Payload.model_validate(query), tools, NoRagas())
    reply = run_tests(Payload.model_validate(query | {"relevant_context_ids": []}), tools, NoRagas())
    assert reply["evaluation_scores"] == {"faithfulness": None}
    assert reply["details"]["faithfulness"] == {"error": "Ragas did not finish. Try again."}


def test_more_sentences_than_can_be_labeled_in_time_are_refused(run):
    many = {**WHOLE, "contexts": ["It is so. " * 1001, "It is not. " * 1001]}
    reply = run(tests=["faithfulness", "answer_relevancy"], **many)
    assert "2,003 sentences; at most 2,000" in reply["details"]["faithfulness"]["error"]
    assert reply["evaluation_scores"]["answer_relevancy"] > 0


def test_a_query_that_takes_too_long_says_so(run):
    reply = run(tests=["faithfulness", "context_recall"], seconds=-1, **WHOLE)
    assert "took longer than" in reply["details"]["faithfulness"]["error"]
    assert reply["evaluation_scores"]["context_recall"] == 1


def test_what_wraps_an_answer_is_not_tested(run):
    reply = run(tests=["answer_accuracy", "faithfulness"], **WHOLE | {"answer": "<think>Rome?</think>Paris</s>"})
    assert reply["evaluation_scores"] == {"answer_accuracy": 1.0, "faithfulness": 1.0}
    assert reply["provided_parameters"]["answer"] == "<think>Rome?</think>Paris</s>"
