import dataclasses

import pytest
from metric_examples import labels

from trace_core.facts.records import Document, Failure, Record, Response, Scores, with_sentences
from trace_core.findings import RULES, find, noise_sensitivity, verdict
from trace_core.metrics import METRICS, score, undefined

NEUTRAL = {  # fires nothing
    "context_relevance": 0.6,
    "context_utilization": 0.6,
    "completeness": 0.65,
    "adherence": 1.0,
    "average": 0.7,
    "rmse_aggregation": 0.2,
    "consistency_score": 0.8,
}


def scores(convention="trace", **values):
    return Scores(**(NEUTRAL | values), convention=convention)


def record(answer="It is so.", documents=(), **more):
    made = [Document(id=str(i), rank=i + 1, text=text) for i, text in enumerate(documents)]
    return with_sentences(Record(id="1", question="?", documents=made, response=Response(text=answer), **more))


def names(found):
    return {finding.name for finding in found}


# Each rule, on one side of its threshold and on the other

EDGES = [
    ("hallucination", {"adherence": 0.999}, {"adherence": 1.0}),
    (
        "hallucination_risk",
        {"context_relevance": 0.299, "context_utilization": 0.7},
        {"context_relevance": 0.3, "context_utilization": 0.7},
    ),
    (
        "hallucination_risk",
        {"context_relevance": 0.299, "context_utilization": 0.7},
        {"context_relevance": 0.299, "context_utilization": 0.699},
    ),
    (
        "good_retrieval_poor_generation",
        {"context_relevance": 0.7, "context_utilization": 0.499},
        {"context_relevance": 0.7, "context_utilization": 0.5},
    ),
    (
        "good_retrieval_poor_generation",
        {"context_relevance": 0.7, "context_utilization": 0.499},
        {"context_relevance": 0.699, "context_utilization": 0.499},
    ),
    ("low_context_relevance", {"context_relevance": 0.499}, {"context_relevance": 0.5}),
    ("low_context_utilization", {"context_utilization": 0.399}, {"context_utilization": 0.4}),
    ("conservative", {"completeness": 0.599, "adherence": 1.0}, {"completeness": 0.6, "adherence": 1.0}),
    ("conservative", {"completeness": 0.599, "adherence": 1.0}, {"completeness": 0.599, "adherence": 0.999}),
    ("low_completeness", {"completeness": 0.599}, {"completeness": 0.6}),
    ("balanced_but_low", {"rmse_aggregation": 0.149, "average": 0.499}, {"rmse_aggregation": 0.15, "average": 0.499}),
    ("balanced_but_low", {"rmse_aggregation": 0.149, "average": 0.499}, {"rmse_aggregation": 0.149, "average": 0.5}),
    *(
        ("healthy", dict.fromkeys(list(METRICS)[:3], 0.7) | {"adherence": 1.0}, dict.fromkeys(METRICS, 1.0) | less)
        for less in (
            {"context_relevance": 0.699},
            {"context_utilization": 0.699},
            {"completeness": 0.699},
            {"adherence": 0.999},
        )
    ),
]


@pytest.mark.parametrize(("rule", "fires", "silent"), EDGES)
def test_a_rule_fires_exactly_at_its_threshold(rule, fires, silent):
    assert rule in names(find(record(), scores(**fires)))
    assert rule not in names(find(record(), scores(**silent)))


def test_nothing_fires_where_nothing_is_the_matter():
    assert find(record(), scores()) == []


def test_every_rule_is_tested_at_its_threshold():
    elsewhere = {"refusal", "noise_sensitivity", "empty_answer"}
    assert {rule for rule, _, _ in EDGES} | elsewhere == {rule.name for rule in RULES}


def test_an_undefined_metric_fires_nothing():
    assert find(record(), undefined("nothing retrieved")) == []


def test_every_rule_says_what_it_means_and_what_helps():
    assert all(rule.title and rule.meaning.endswith(".") and rule.fix.endswith(".") for rule in RULES)


@pytest.mark.parametrize("answer", ["", "  "])
def test_an_empty_answer_is_found_and_has_no_adherence(answer):
    given = record(answer, labels=labels("", "", ""))
    made = score(given.labels, given.sentences())
    assert made.undefined["adherence"] == "no answer"
    assert "empty_answer" in names(find(given, made))
    assert verdict(given, made).text.startswith("The answer is empty")


def test_a_refusal_is_found_in_the_first_sentence_alone():
    assert names(find(record("I cannot answer this from the documents."), scores())) == {"refusal"}
    assert names(find(record("It is red. I cannot answer the rest."), scores())) == set()
    assert names(find(record(""), scores())) == set()


def test_noise_is_found():
    noisy = record(labels=labels("0a", "1a", "a+1a"))
    quiet = record(labels=labels("0a 1a", "1a", "a+1a"))
    assert names(find(noisy, scores())) == {"noise_sensitivity"}
    assert names(find(quiet, scores())) == set()


def test_the_worst_comes_first():
    low = dict.fromkeys(METRICS, 0.0) | {"average": 0.0, "rmse_aggregation": 0.0}
    found = find(record("I do not know."), scores(**low))
    severities = [finding.severity for finding in found]
    assert found[0].name == "hallucination"
    assert severities == sorted(severities, reverse=True)
    assert set(severities) == {3, 2, 1}


# Other conventions, overrides

SCALE_BOUND = {"context_relevance": 0.1, "context_utilization": 0.1}


@pytest.mark.parametrize("convention", ["ragbench", "graded", "token"])
def test_relevance_and_utilization_have_no_threshold_under_another_convention(convention):
    assert find(record(), scores(convention, **SCALE_BOUND)) == []
    assert names(find(record(), scores(**SCALE_BOUND))) == {"low_context_relevance", "low_context_utilization"}


@pytest.mark.parametrize("convention", ["ragbench", "graded", "token"])
def test_under_another_convention_they_are_compared_with_the_runs_lower_quartiles(convention):
    quartiles = {"context_relevance": 0.11, "context_utilization": 0.1}
    found = find(record(), scores(convention, **SCALE_BOUND), quartiles=quartiles)
    assert "low_context_relevance" in names(found)
    assert "low_context_utilization" not in names(found)


def test_the_other_rules_stand_under_every_convention():
    found = find(record(), scores("graded", adherence=0.9, completeness=0.5))
    assert names(found) == {"hallucination", "low_completeness"}


def test_under_trace_quartiles_are_not_looked_at():
    quartiles = dict.fromkeys(SCALE_BOUND, 0.99)
    assert find(record(), scores(), quartiles=quartiles) == []


def test_an_override_replaces_one_threshold_of_one_rule():
    overrides = {"low_completeness": {"completeness": 0.7}}
    assert names(find(record(), scores(), thresholds=overrides)) == {"low_completeness"}
    assert names(find(record(), scores(completeness=0.7), thresholds=overrides)) == set()


# Noise sensitivity


@pytest.mark.parametrize(
    ("support", "share"),
    [
        ("a+0a", 0),
        ("a+1a", 1),
        ("a+0a b+1a", 1 / 2),
        ("a+1a b+1b c+0a", 2 / 3),
        ("a+1a b-", 1 / 2),
        ("a- b-", 0),
        ("a-1a b+", 1 / 2),
        ("a+general", 0),
    ],
)
def test_noise_sensitivity_is_the_share_with_only_irrelevant_support(support, share):
    keys = [part[0] for part in support.split()]
    assert noise_sensitivity(labels("0a", "", support), keys) == share


def test_one_relevant_support_is_enough():
    made = labels("0a", "", "a+1a")
    both = made.sentence_support_information[0].model_copy(update={"supporting_sentence_keys": ["1a", "0a"]})
    assert noise_sensitivity(made.model_copy(update={"sentence_support_information": [both]}), ["a"]) == 0


@pytest.mark.parametrize("lacking", [None, labels(None, "", "a+"), labels("0a", "", None)])
def test_noise_sensitivity_is_undefined_without_its_labels(lacking):
    assert noise_sensitivity(lacking, ["a"]) is None


def test_noise_sensitivity_is_undefined_without_a_sentence():
    assert noise_sensitivity(labels(), []) is None


# Verdict

SEED_000 = (
    "Machine learning differs because it learns from data rather than requiring explicit instructions. "
    "ML algorithms improve over time. It's the future of all computing."
)
SEED_DOCUMENTS = (
    "Machine learning is a subset of AI. It learns patterns from data. "
    "Traditional programming requires explicit instructions.",
    "ML algorithms improve through experience. They adapt to new data. "
    "Rule-based systems are rigid and hard to maintain.",
)


def judged(answer, made, convention="trace", documents=SEED_DOCUMENTS):
    found = record(answer, documents, labels=made)
    return verdict(found, score(made, found.sentences(), convention))


def test_adherence_comes_first_and_quotes_the_sentence_of_seed_000():
    found = judged(SEED_000, labels("0b 0c 1a 1b", "0b 0c 1a", "a+0b b+1a c-"))
    assert found.tone == "bad"
    assert found.text == (
        "Not grounded: sentence c, “It's the future of all computing.”, is supported by no document. It leaves out 1b."
    )


def test_an_unsupported_sentence_is_quoted_before_a_partly_supported_one():
    found = judged(SEED_000, labels("0b", "0b", "a-0b b- c+1a"))
    assert found.text == (
        "Not grounded: sentence b, “ML algorithms improve over time.”, is supported by no document (also a)."
    )


def test_a_partly_supported_sentence_is_called_so():
    found = judged("It learns from data.", labels("0b", "0b", "a-0b"))
    assert found.text == "Not grounded: sentence a, “It learns from data.”, is only partly supported."


def test_a_long_sentence_is_quoted_shortened():
    found = judged("It " + "really " * 60 + "learns.", labels("", "", "a-"))
    assert "really re…”, is supported" in found.text
    assert len(found.text) < 250


def test_completeness_comes_next_and_names_the_missed_keys():
    found = judged("It learns from data.", labels("0b 0c 1a", "0b", "a+0b"))
    assert (found.tone, found.text) == ("warn", "Grounded, but incomplete: it leaves out 0c, 1a.")


def test_many_missed_keys_are_counted():
    relevant = "0a 0b 0c 1a 1b 1c 0b 0c"
    made = labels(relevant, "", "a+").model_copy(
        update={"all_relevant_sentence_keys": [f"0{letter}" for letter in "abcdefgh"]}
    )
    found = judged("It learns.", made, documents=("One. Two. Three. Four. Five. Six. Seven. Eight.",))
    assert found.text == "Grounded, but incomplete: it leaves out 0a, 0b, 0c, 0d, 0e, 0f and 2 more."


def test_the_rest_comes_last():
    found = judged("It learns from data.", labels("0b", "0b", "a+0b"))
    assert found.tone == "good"
    assert found.text == "Grounded and complete; context relevance is 0.05, below its target of 0.7."


def test_targets_of_the_scale_bound_metrics_are_for_trace_alone():
    found = judged("It learns from data.", labels("0b", "0b", "a+0b"), "ragbench")
    assert (found.tone, found.text) == ("good", "Grounded and complete.")


def test_a_refusal_with_something_relevant_is_a_warning():
    found = judged("I cannot answer this.", labels("0b 0c", "", "a+supported_without_sentence"))
    assert found.tone == "warn"
    assert found.text == "The answer declines to answer, though 0b, 0c looks relevant."


def test_a_refusal_with_nothing_relevant_is_right():
    found = judged("I cannot answer this.", labels("", "", "a+supported_without_sentence"))
    assert found.tone == "good"
    assert found.text == "The answer declines to answer, and nothing retrieved says otherwise."


def test_undefined_adherence_is_said_with_its_reason():
    found = judged("It learns. It adapts.", labels("0b", "0b", "a+0b"))
    assert (found.tone, found.text) == ("unknown", "Adherence is undefined (unlabeled).")


def test_an_error_is_said():
    failed = record(error=Failure(step="label", message="The judge gave no answer."))
    assert verdict(failed, undefined("failed")).text == "Not scored: The judge gave no answer."
    assert verdict(failed, undefined("failed")).tone == "unknown"


def test_a_record_without_labels_is_not_scored():
    assert verdict(record(), undefined("not labeled")).text == "Not scored: the record has no labels."


def test_a_verdict_is_one_line_whatever_the_answer_holds():
    found = judged("It learns\nand\x00 $x$ <b>.", labels("", "", "a-"))
    assert dataclasses.astuple(found)[0] == "bad"
    assert "\n" not in found.text
