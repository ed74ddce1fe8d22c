"""The library's own examples hold, and data frames go in and out."""

import doctest

import pandas as pd
import pytest

import trace_core
from trace_core import compare_run_to_truth, compare_to_truth, evaluate, from_frame, label_frame, library, to_frame
from trace_core.errors import InputError
from trace_core.metrics import METRICS, truth

FRAME = pd.DataFrame(
    {
        "query": ["How much?", "Which cups?"],
        "retrieved_contexts": [["It holds 2 litres."], ["Cups up to 12 cm fit."]],
        "output": ["It holds 2 litres.", "They are made of pure gold from Peru by monks."],
    },
    index=["a", "b"],
)


@pytest.mark.parametrize("module", [library, truth])
def test_the_examples_hold(module):
    found = doctest.testmod(module)
    assert (found.failed, found.attempted > 0) == (0, True)


def test_every_name_of_the_package_is_found_and_no_other():
    assert all(getattr(trace_core, name) is not None for name in trace_core.__all__)
    assert callable(trace_core.aggregate)
    assert not hasattr(trace_core, "nothing")


def test_a_frame_becomes_records_and_records_a_frame():
    records = from_frame(FRAME)
    assert [record.documents[0].text for record in records] == ["It holds 2 litres.", "Cups up to 12 cm fit."]
    assert to_frame(records).question.tolist() == ["How much?", "Which cups?"]


def test_a_row_that_cannot_be_used_is_named():
    with pytest.raises(InputError, match="row 2"):
        from_frame(pd.DataFrame({"question": ["How much?", None], "answer": ["2 litres.", "x"]}))


# What retrievers and models return


class Part:
    """An object with these attributes, as LangChain, LlamaIndex and Haystack have them."""

    def __init__(self, **parts):
        self.__dict__ |= parts


TANK = "It holds 2 litres."


@pytest.mark.parametrize(
    "document",
    [
        TANK,
        {"page_content": TANK, "metadata": {}},
        Part(page_content=TANK, metadata={"source": "tank.pdf"}),
        Part(node=Part(text=TANK, id_="d1"), score=0.5),
        Part(content=TANK, id="d1", meta={}),
        (Part(page_content=TANK), 0.5),
    ],
)
def test_what_a_retriever_returns_is_evaluated(document):
    assert evaluate("How much?", [document], TANK).documents[0].text == TANK
    (row,) = from_frame(pd.DataFrame({"question": ["How much?"], "contexts": [[document]], "answer": [TANK]}))
    assert row.documents[0].text == TANK


@pytest.mark.parametrize("answer", [TANK, Part(content=TANK), Part(response=TANK), {"answer": TANK}, 2])
def test_what_a_model_returns_is_an_answer_and_a_single_object_one_document(answer):
    record = evaluate("How much?", Part(page_content=TANK), answer)
    assert (record.documents[0].text, record.response.text) == (TANK, "2" if answer == 2 else TANK)


@pytest.mark.parametrize(
    ("question", "documents", "answer", "said"),
    [
        ("How much?", [TANK], None, "field response: An answer was expected, not None."),
        ("How much?", [TANK], float("nan"), "field response: An answer was expected, not float (nan)."),
        ("How much?", None, TANK, "field documents: Documents were expected, not None. Give texts"),
        ("How much?", 7, TANK, "field documents: Documents were expected, not int (7)."),
        ("How much?", [TANK, None], TANK, "field documents: Document 2 has no text: it is None."),
        ("How much?", [{"name": TANK}], TANK, "field documents: Document 1 has no text: it is dict"),
        (None, [TANK], TANK, "field question: A question was expected, not None."),
    ],
)
def test_what_cannot_be_evaluated_says_what_was_expected(question, documents, answer, said):
    with pytest.raises(InputError) as raised:
        evaluate(question, documents, answer)
    assert str(raised.value).startswith(said)


@pytest.mark.parametrize("made", [None, "2 litres.", (TANK,), 7])
def test_a_pipeline_that_returns_something_else_is_told_what_was_expected(made):
    with pytest.raises(InputError, match="Your pipeline must return two things"):
        library.ask(lambda question: made, "How much?")


# Nothing that a frame says is lost


def test_a_frame_of_scores_keeps_them():
    frame = pd.DataFrame({"question": ["How much?"], **{name: [0.5] for name in METRICS}, "adherence": [None]})
    (record,) = from_frame(frame, convention="graded")
    assert (record.scores.completeness, record.scores.adherence) == (0.5, None)
    assert (record.scores.convention, record.scores.undefined) == ("graded", {"adherence": "not given"})


def test_the_frame_of_records_gives_them_back_under_their_own_convention():
    made = evaluate("=How much?", ["It holds 2 litres.", "It is red."], "It holds 2 litres.", convention="ragbench")
    unlike = evaluate("Which?", ["It holds 2 litres."], "It is gold.")
    assert from_frame(to_frame([made, unlike])) == [made, unlike]


def test_what_golden_questions_expect_stays_with_their_rows():
    golden = {"expected_documents": [["0", "x"], None], "reference_answer": ["2 litres", None], "category": ["c", None]}
    frame = label_frame(FRAME.assign(**golden))
    assert (list(frame.index), frame.adherence.tolist()) == (["a", "b"], [1, 0])
    assert (frame.category["a"], frame.document_recall["a"]) == ("c", 0.5)
    assert frame.category.isna().tolist() == [False, True]
    (first, second) = from_frame(FRAME.assign(**golden))
    assert (first.golden.reference_answer, first.golden.document_precision) == ("2 litres", 1)
    assert second.golden is None


def test_a_second_reference_answer_stays_with_its_row():
    answers = ["2 litres", "two litres"]
    frame = FRAME.assign(expected_documents=[["0"], None], reference_answer=[answers, answers])
    records = from_frame(label_frame(frame))
    assert [record.fields["reference_answer"] for record in records] == [answers, answers]
    assert records[0].golden.reference_answer == "2 litres"


def test_seed_003s_records_and_batches_are_taken_as_they_stand():
    predicted, true = dict.fromkeys(METRICS, 0.8), dict.fromkeys(METRICS, 0.5)
    assert compare_to_truth(predicted, true)["aggregated_rmse"] == pytest.approx(0.3)
    assert compare_to_truth(trace_core.scores(**predicted), true)["aggregated_rmse"] == pytest.approx(0.3)
    batch = [{"metrics": predicted, "ground_truth_scores": true}]
    assert compare_run_to_truth(batch)["consistency_score"] == pytest.approx(0.7)


@pytest.mark.parametrize("pair", [(1, 2), ({}, {}, {}), ([0.5] * 4, [0.5] * 4), "ab", {"metrics": {}}])
def test_what_are_no_scores_beside_their_truth_is_one_clear_error(pair):
    with pytest.raises(InputError, match="Pair 2 is not"):
        compare_run_to_truth([({}, {}), pair])
    with pytest.raises(InputError, match="The pairs are not a list"):
        compare_run_to_truth({"metrics": {}, "ground_truth_scores": {}})


# Four numbers, and nothing else


@pytest.mark.parametrize(
    ("four", "named", "said"),
    [
        ((1, 1, 1, 1, 1), {}, "5 numbers were given"),
        ((), {"adherance": 1}, "no metric 'adherance'"),
        ((5,), {}, "5 is not a number from 0 to 1"),
        ((float("nan"), 0.5, 0.5, 0.5), {}, "nan is not a number from 0 to 1"),
    ],
)
def test_what_are_no_scores_is_refused(four, named, said):
    with pytest.raises(InputError, match=said):
        trace_core.scores(*four, **named)
