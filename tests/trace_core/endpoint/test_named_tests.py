"""The six tests: counts by hand-written fractions, the others by what must stand above what."""

import pytest
from run_examples import support as said_of

from trace_core.endpoint import TESTS, Payload, Tools, run_tests
from trace_core.labeling import LocalLabeler, Reply

CONTEXTS = [
    {"id": "c1", "text": "Paris is the capital of France. It lies on the Seine."},
    {"id": "c2", "text": "Lyon is in France."},
    {"id": "c3", "text": "Bread is baked in an oven."},
]
QUESTION = "What is the capital of France?"


class Labels:
    """A labeler that says what it was told to say, and counts how often it was asked."""

    name, version = "recorded", "test-1"

    def __init__(self, relevant=(), utilized=(), **support):
        self.calls = 0
        entries = [said_of(key, keys.split(), fully) for key, (fully, keys) in support.items()]
        self.said = {"all_relevant_sentence_keys": list(relevant), "all_utilized_sentence_keys": list(utilized)}
        self.said |= {"sentence_support_information": entries}

    def label(self, question, sentences, progress=None):
        self.calls += 1
        return Reply(self.said)


@pytest.fixture
def run(model):
    def run(*tests, labeler=None, **given):
        payload = Payload.model_validate({"tests": list(tests), **given})
        return run_tests(payload, Tools(model, labeler or LocalLabeler(model)))

    return run


@pytest.fixture
def scored(run):
    def scored(test, **given):
        reply = run(test, **given)
        assert reply["missing"] == {test: False}
        return reply["evaluation_scores"][test], reply["details"][test]

    return scored


# Context recall and precision


@pytest.mark.parametrize(
    ("relevant", "recall", "precision"),
    [
        (["c1"], 1, 1 / 3),
        (["c1", "c2"], 1, 2 / 3),
        (["c1", "x"], 1 / 2, 1 / 3),
        (["x", "y"], 0, 0),
        (["c1", "c1", "x", "y"], 1 / 3, 1 / 3),  # each id counts once
        (["c1", "c2", "c3", "x"], 3 / 4, 1),
    ],
)
def test_recall_and_precision_count_ids(scored, relevant, recall, precision):
    given = {"contexts": CONTEXTS, "relevant_context_ids": relevant}
    assert scored("context_recall", **given)[0] == recall
    assert scored("context_precision", **given)[0] == precision


def test_recall_says_what_was_counted(scored):
    _, details = scored("context_recall", contexts=CONTEXTS, relevant_context_ids=["c1", "x", "c1"])
    assert details == {"relevant_context_ids": ["c1", "x"], "found_relevant_count": 1, "total_relevant_count": 2}


# Faithfulness


def test_faithfulness_counts_fully_supported_sentences(run):
    labeler = Labels(a=(True, "0a"), b=(False, "1a"), c=(True, "0b 1a"))
    answer = "Paris is the capital. Lyon is bigger. It is on the Seine in France."
    reply = run("faithfulness", labeler=labeler, answer=answer, contexts=CONTEXTS)
    assert reply["evaluation_scores"] == {"faithfulness": 2 / 3}
    details = reply["details"]["faithfulness"]
    assert [row["status"] for row in details["sentences"]] == ["fully", "partially", "fully"]
    assert [row["supporting_context_ids"] for row in details["sentences"]] == [["c1"], ["c2"], ["c1", "c2"]]
    assert details["labeler"] == "recorded"


def test_a_sentence_without_a_label_does_not_count(run):
    reply = run("faithfulness", labeler=Labels(a=(True, "0a")), answer="Paris. Lyon.", contexts=CONTEXTS)
    assert reply["evaluation_scores"] == {"faithfulness": 1}
    assert reply["details"]["faithfulness"]["unlabeled_count"] == 1


@pytest.mark.parametrize("contexts", [[""], ["", " \n"], ["…"]])
def test_there_is_no_faithfulness_to_an_empty_context(run, contexts):
    reply = run("faithfulness", answer="Paris is the capital.", contexts=contexts)
    assert reply["evaluation_scores"] == {"faithfulness": None}
    assert reply["details"]["faithfulness"]["undefined"] == "the contexts contain no words"


# Context utilisation


def test_utilisation_counts_the_tokens_of_utilized_sentences(run):
    labeler = Labels(utilized=["0b", "1a"])
    reply = run("context_utilisation", labeler=labeler, question=QUESTION, answer="Paris.", contexts=CONTEXTS)
    assert reply["evaluation_scores"] == {"context_utilisation": 9 / 21}  # 5 + 4 of 6 + 5 + 4 + 6
    details = reply["details"]["context_utilisation"]
    assert (details["overlap_tokens"], details["context_tokens_total"]) == (9, 21)
    assert details["utilized_sentences"][0] == {"context_id": "c1", "text": "It lies on the Seine."}


def test_one_labeling_serves_both_tests_that_need_one(run):
    labeler = Labels(utilized=["0a"], a=(True, "0a"))
    run("faithfulness", "context_utilisation", labeler=labeler, question=QUESTION, answer="P.", contexts=CONTEXTS)
    assert labeler.calls == 1


# Answer accuracy


def test_an_exact_match_is_1_whatever_its_case_and_articles(scored):
    score, details = scored("answer_accuracy", answer="The PARIS!", ground_truth=["Lyon", "Paris"])
    assert score == 1
    assert details == {"method": "exact_match", "best_ground_truth": "Paris", "token_f1": 1, "similarity": None}


def test_the_best_ground_truth_counts(scored):
    alone, _ = scored("answer_accuracy", answer="It is Paris", ground_truth="Paris")
    best, details = scored("answer_accuracy", answer="It is Paris", ground_truth=["a tiger", "Paris", "bread"])
    assert best == alone < 1
    assert details["best_ground_truth"] == "Paris"
    assert details["token_f1"] == 1 / 2  # precision 1/3, recall 1
    assert best == pytest.approx((1 / 2 + details["similarity"]) / 2)


TRUTH = "Jane Austen wrote the novel Pride and Prejudice in 1813."


def test_a_copy_stands_above_a_paraphrase_above_an_unrelated_answer(scored):
    answers = [TRUTH, "The author of Pride and Prejudice, of 1813, is Jane Austen.", "Bread is baked in an oven."]
    accuracy = [scored("answer_accuracy", answer=answer, ground_truth=TRUTH)[0] for answer in answers]
    assert accuracy[0] == 1 > accuracy[1] > 0.5 > accuracy[2] >= 0


# Answer relevancy


def test_a_refusal_does_not_address_the_question(scored):
    score, details = scored("answer_relevancy", question=QUESTION, answer="I don't know the capital of France.")
    assert score == 0
    assert details == {"method": "refusal", "refusal": True}


# All


@pytest.mark.parametrize(
    "texts", [["x"], ["\ufffd", "日本語。"], ["…", "a b c"], ["0"], ["<b>$x$</b>"], ["word " * 3000]], ids=str
)
def test_every_score_is_in_0_to_1_or_null_with_a_reason(run, texts):
    given = {"question": texts[0], "answer": texts[-1], "ground_truth": texts, "contexts": texts}
    given["contexts"] = [{"id": str(place), "text": text} for place, text in enumerate(texts, start=1)]
    reply = run(*TESTS, **given, relevant_context_ids=["1", "9"])
    assert list(reply["evaluation_scores"]) == list(TESTS)
    for name, score in reply["evaluation_scores"].items():
        assert (score is None and reply["details"][name]["undefined"]) or 0 <= score <= 1


@pytest.mark.parametrize("test", TESTS)
def test_every_detail_is_described(run, test):
    given = {"question": QUESTION, "contexts": CONTEXTS, "relevant_context_ids": ["c1"]}
    reply = run(test, answer="It is Paris.", ground_truth="Paris", **given)
    assert set(reply["details"][test]) <= set(TESTS[test].details)
