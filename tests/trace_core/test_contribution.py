import json
import math

import pytest
from metric_examples import labels

from trace_core.answering import Answer
from trace_core.contribution import (
    Contribution,
    by_rank,
    contribute,
    contribute_all,
    contribution_cost,
    contribution_summary,
    ranking,
    rouge_l,
    with_labels_of,
)
from trace_core.errors import BudgetSpent, InputError, LlmError
from trace_core.facts.records import Document, Record, Response

QUESTION = "How high is the tower?"
TEXTS = ("The tower is old.", "The tower is 90 metres high.", "Lunch is at noon.")


class Reader:
    """Answers with the first document as it stands; declines, fails or runs out of money where told."""

    name = "reader"

    def __init__(self):
        self.asked = []

    def answer(self, question, documents, on_text=None):
        self.asked.append([document.id for document in documents])
        text = documents[0].text
        if text == "broken":
            raise LlmError("The server said no.", usage={"prompt_tokens": 5.0})
        if text == "spent":
            raise BudgetSpent("The budget is spent.")
        refused = "Lunch" in text
        return Answer("I cannot answer this." if refused else text, [], declines=refused, usage={"prompt_tokens": 10.0})


def record(texts=TEXTS, response="The tower is 90 metres high.", **more):
    documents = [Document(id=f"d{i}", rank=i + 1, text=text) for i, text in enumerate(texts)]
    return Record(id="1", question=QUESTION, documents=documents, response=Response(text=response), **more)


def test_the_document_that_holds_the_answer_comes_first():
    found = contribute(record(), Reader(), reference="90 metres high")
    assert found.labels == {"d0": 0, "d1": 1, "d2": 0}  # d1 has the short reference whole


def test_measures_of_a_ranking_by_hand():
    # relevant at ranks 1 and 3 of 5: AP = (1/1 + 2/3)/2; DCG = 1 + 1/2, ideal 1 + 1/log2(3)
    gain = 1.5 / (1 + 1 / math.log2(3))
    expected = {"map": 5 / 6, "mrr": 1, "ndcg": gain, "p@1": 1, "p@3": 2 / 3, "p@5": 2 / 5, "p@k": 2 / 5}
    assert ranking([1, 0, 1, 0, 0]) == pytest.approx(expected)


def test_ndcg_takes_the_labels_as_gains_and_the_others_a_threshold():
    found = ranking([0.25, 0.75])
    assert found["ndcg"] == pytest.approx((0.25 + 0.75 / math.log2(3)) / (0.75 + 0.25 / math.log2(3)), abs=1e-6)
    assert (found["map"], found["p@1"]) == (1 / 2, 0)


def test_nothing_useful_measures_0_and_nothing_labeled_nothing():
    assert set(ranking([0, 0]).values()) == {0}
    assert ranking([]) is None
    assert ranking([1, None]) is None


def test_the_cost_is_known_before():
    before = contribution_cost([record(), record(TEXTS[:1])])
    assert before.calls == 4
    assert before.prompt_tokens > 0
    assert contribute(record(), Reader()).usage == {"calls": 3, "prompt_tokens": 30}


def test_without_a_reference_the_response_is_the_measure_and_that_is_said():
    found = contribute(record(), Reader())
    assert (found.against, found.full, found.parts[1].label) == ("response", None, 1)
    assert "measured against the full-context response" in found.notes[0]


# What a document is


def tags(found):
    return [[t for t in ("redundant", "harmful", "never_used") if getattr(part, t)] for part in found.parts]


def test_a_document_that_repeats_an_earlier_one_is_redundant():
    found = contribute(record((TEXTS[1], TEXTS[1])), Reader(), reference=TEXTS[1])
    assert tags(found) == [[], ["redundant"]]


def test_a_document_that_is_used_and_misleads_is_harmful():
    misled = record(("It is a bridge.", TEXTS[1]), labels=labels("1a", "0a 1a", "a+1a"))
    found = contribute(misled, Reader(), reference="90 metres")
    assert tags(found) == [["harmful"], []]


def test_a_document_that_declines_or_is_not_used_harms_nobody():
    found = contribute(record(labels=labels("1a", "1a", "a+1a")), Reader(), reference="90 metres")
    assert tags(found) == [["never_used"], [], ["never_used"]]
    assert [part.supports for part in found.parts] == [False, True, False]


# Trouble


def test_a_document_whose_answer_fails_has_its_reason_and_the_others_their_labels():
    found = contribute(record(("broken", TEXTS[1])), Reader(), reference=TEXTS[1])
    assert [part.label for part in found.parts] == [None, 1]
    assert found.parts[0].error == "The server said no."
    assert (found.measures, found.complete) == (None, False)
    assert found.usage == {"calls": 2, "prompt_tokens": 15}
    assert "1 of 2 documents have no label" in found.notes[-1]


def test_a_spent_budget_stops():
    with pytest.raises(BudgetSpent):
        contribute(record(("spent",)), Reader())


REFUSAL = "I cannot answer this from the documents."


@pytest.mark.parametrize(("response", "reference"), [(REFUSAL, None), ("The tower is 90 metres high.", REFUSAL)])
def test_against_a_refusal_nothing_is_defined_and_nobody_is_asked(response, reference):
    reader = Reader()
    found = contribute(record(response=response), reader, reference=reference)
    assert [part.label for part in found.parts] == [None, None, None]
    assert (found.measures, found.full, found.labels, reader.asked) == (None, None, {}, [])
    assert "declines to answer" in found.notes[0]
    assert contribution_summary([found])["scored"] == 0


@pytest.mark.parametrize(
    "response", ["I cannot say how high the tower is.", "Hello! The documents do not give the height."]
)
def test_words_that_a_refusal_shares_with_the_reference_say_nothing(response):
    found = contribute(record(response=response), Reader(), reference="The tower is 90 metres high.")
    assert found.full == 0.0
    assert found.parts[1].label is not None


def test_nothing_to_compare_with_is_refused():
    with pytest.raises(InputError, match="neither a reference"):
        contribute(record(response=" "), Reader())
    with pytest.raises(InputError, match="no measure 'bleu'"):
        contribute(record(), Reader(), measure="bleu")


# Downstream measures


def test_rouge_l_goes_by_order_and_knows_every_script():
    # longest common subsequence "a c" of "a b c" and "a c b": 2 of 3, 2 of 3
    assert rouge_l("alpha beta gamma", "alpha gamma beta") == pytest.approx(2 / 3)
    assert rouge_l("Größe zählt", "größe zählt") == 1
    assert rouge_l("башня", "мост") == 0


# Over a run


def test_over_a_run_by_rank():
    run = [record(), record((TEXTS[1], TEXTS[0]), labels=labels("0a", "0a", "a+0a"))]
    references = {"1": "The tower is 90 metres high."}
    found = list(contribute_all(run, Reader(), references, measure="exact_match"))
    levels = by_rank(found)
    assert [(level.rank, level.documents, level.label) for level in levels] == [(1, 2, 1 / 2), (2, 2, 1 / 2), (3, 1, 0)]
    assert [(level.relevant, level.utilized) for level in levels] == [(1, 1), (0, 0), (None, None)]
    whole = contribution_summary(found)
    assert whole["measures"]["mrr"]["mean"] == (1 / 2 + 1) / 2
    assert (whole["records"], whole["scored"], whole["documents"], whole["never_used"]) == (2, 2, 5, 1)


def test_records_with_nothing_to_measure_are_left_out():
    assert list(contribute_all([record(()), record(response="")], Reader())) == []
    assert [value for value in contribution_summary([]).values() if value] == []


# Kept


def test_what_was_kept_as_json_is_the_same_contribution():
    found = contribute(record(labels=labels("0a", "1a", "a+1a")), Reader(), reference=TEXTS[1])
    assert Contribution.from_dict(json.loads(json.dumps(found.to_dict()))) == found


def test_corrected_labels_are_followed_without_asking_again():
    before = record((TEXTS[0], TEXTS[1]), labels=labels("0a", "0a", "a+0a"))
    found = contribute(before, Reader(), reference=TEXTS[1], measure="exact_match")
    after = record((TEXTS[0], TEXTS[1]), labels=labels("1a", "1a", "a+1a"))
    assert [part.harmful for part in found.parts] == [True, False]
    assert with_labels_of(found, after) == contribute(after, Reader(), reference=TEXTS[1], measure="exact_match")
