import numpy as np
import pytest
from diagnosis_cases import BY_NAME, CASES

from trace_core.diagnosis.rescoring import rescore
from trace_core.evidence import means, scorecard
from trace_core.metrics import DERIVED, METRICS


def drawn(name, convention="trace"):
    return scorecard(rescore(BY_NAME[name].record(), convention))


def cards(name, convention="trace"):
    return {card["label"]: card for card in drawn(name, convention)["metrics"]}


def test_a_perfect_answer_to_a_one_fact_question_has_nothing_red():
    shown = drawn("one fact in one of five chunks is as good as it can be")
    assert [card["label"] for card in shown["metrics"]] == [metric.label for metric in METRICS.values()]
    assert [card["tone"] for card in shown["metrics"]] == ["grey", "good", "good", "good"]
    assert shown["verdict"]["tone"] == "good"


def test_relevance_is_shown_in_sentences_and_documents_and_the_fixed_20_last():
    one = "one fact in one of five chunks is as good as it can be"
    card = cards(one)["Context relevance"]
    assert (card["shown"], card["filled"]) == ("1 of 10", "relevant, in 1 of 5 documents; ÷ 20 = 0.05")
    card = cards(one, "ragbench")["Context relevance"]
    assert (card["shown"], card["filled"]) == ("0.10", "1 of 10 sentences relevant, in 1 of 5 documents")


def test_balance_is_in_sight_in_words_and_never_without_the_average():
    shown = drawn("everything relevant told", "graded")["derived"]
    average, balance, consistency = ((one["label"], one["main"], one["band"]) for one in shown)
    assert balance == ("Balance (RMSE)", True, "moderate inconsistency, around an average of 0.80")
    assert (average, consistency) == (("Average", False, ""), ("Consistency", False, ""))


def test_the_metric_that_the_diagnosis_speaks_of_has_its_colour():
    assert cards("a claim without support")["Adherence"]["tone"] == "bad"
    assert cards("relevant text left out")["Completeness"]["tone"] == "warn"
    assert cards("one relevant chunk among eleven others", "graded")["Context relevance"]["tone"] == "warn"
    assert cards("a refusal although a document says it")["Completeness"]["tone"] == "warn"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_no_colour_contradicts_the_verdict(case):
    shown = drawn(case.name)
    tones = {card["tone"] for card in shown["metrics"]}
    if shown["verdict"]["tone"] in ("good", "neutral", "unknown"):
        assert tones <= {"", "good", "grey"}
    if shown["verdict"]["name"] in ("empty", "unlabeled", "nothing_relevant"):
        assert "good" not in tones


# The means of many records

NAN = float("nan")


def shown(values, *status):
    every = {name: np.array(values) for name in (*METRICS, *DERIVED)}
    return means(every, np.array(status or ["undefined"] * len(values), dtype=object), "trace")


def test_a_failed_generation_is_counted_apart():
    statuses = ("scored", "scored", "undefined", "failed_generation", "pending")
    card = shown([0.5, 1.0, NAN, NAN, NAN], *statuses)["metrics"][0]
    assert card["counts"] == "2 defined, 1 undefined, 0 failed, 1 failed generation"
    assert (card["value"], card["filled"]) == (3 / 4, "95 %: too few (2)")


def test_without_a_defined_value_there_is_no_number_and_no_interval():
    told = shown([NAN] * 4)
    for card in told["metrics"]:
        assert (card["value"], card["shown"], card["filled"]) == (None, "undefined", "")
        assert card["tone"] in ("", "grey")
    assert [one["band"] for one in told["derived"]] == ["", "", ""]


def test_a_target_is_reached_from_its_value_on():
    reached = [(card["target"], card["tone"]) for card in shown([0.8] * 4)["metrics"]]
    assert reached == [(None, "grey"), (0.6, "good"), (0.8, "good"), (1.0, "warn")]
